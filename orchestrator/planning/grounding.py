"""A plan with what its tasks take for granted, by the word of their agents. Pure.

Law: planning itself knows nothing of it: a plan without standing assumptions and repairs stays the very same.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.comparison import Comparison, comparison_of, scalar
from orchestrator.ids import AgentName, Json
from orchestrator.planning.grounds.assumption import Assumption
from orchestrator.planning.plan import Plan
from orchestrator.planning.repair import Repair
from orchestrator.planning.task import Compensation, Task

if TYPE_CHECKING:
    from orchestrator.workspace.adaptation_file import StandingRepair
    from orchestrator.workspace.agent_file import AgentFile


def keys_of(plan: Plan, agents: "Mapping[AgentName, AgentFile]") -> frozenset[str]:
    """The facts that the agents of the plan's tasks assume something of."""
    files = (agents.get(agent) for agent in {task.agent for task in plan.tasks})
    return frozenset(a.key for file in files if file is not None for a in file.assumes)


def grounded(
    plan: Plan,
    agents: "Mapping[AgentName, AgentFile]",
    facts: Mapping[str, Json],
    repairs: "Iterable[StandingRepair]" = (),
) -> Plan:
    """The plan with the standing assumptions and compensations of its agents, and the repairs that matter."""
    tasks = tuple(with_grounds(task, agents, facts) for task in plan.tasks)
    assumed = {assumption.key for task in tasks for assumption in task.assumes}
    standing = tuple(_repair(r) for r in repairs if r.on in assumed)
    if not standing and all(new is old for new, old in zip(tasks, plan.tasks, strict=True)):
        return plan
    return replace(plan, tasks=tasks, repairs=(*plan.repairs, *standing))


def with_grounds(task: Task, agents: "Mapping[AgentName, AgentFile]", facts: Mapping[str, Json]) -> Task:
    """The task with what its agent says that all its tasks assume; its own word on a fact goes first."""
    file = agents.get(task.agent)
    if file is None or not (file.assumes or file.compensate):
        return task
    own = {assumption.key for assumption in task.assumes}
    standing = tuple(a for a in _standing(file, facts) if a.key not in own)
    undo = task.compensate
    if undo is None and file.compensate is not None and task.effects == "write":
        other = agents.get(AgentName(file.compensate.agent))
        effects = (other.effects if other is not None else None) or "write"
        undo = Compensation(AgentName(file.compensate.agent), file.compensate.action, effects)
    return replace(task, assumes=(*task.assumes, *standing), compensate=undo)


def _standing(file: "AgentFile", facts: Mapping[str, Json]) -> Iterator[Assumption]:
    """What the agent assumes; of a fact that is to stay as it is, nothing where it is not known."""
    for each in file.assumes:
        if each.comparison is not None:
            yield Assumption(each.key, each.comparison, each.description)
        elif each.key in facts:
            yield Assumption(each.key, Comparison("eq", (scalar(facts[each.key]),)), each.description)


def _repair(standing: "StandingRepair") -> Repair:
    when = None if standing.when is None else comparison_of(standing.when)
    return Repair(standing.on, when, uses=standing.uses, because=standing.because)
