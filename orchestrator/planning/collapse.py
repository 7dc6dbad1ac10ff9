"""A chain of tasks of one agent that works in many steps becomes one task with the user's own words.

Laws: effects, agents and the dependencies between surviving tasks stay, so that no approval is lost; the
reason is recorded whether the plan was collapsed or not. A mapped link of such a chain goes with it: the
agent goes through the items by itself. A plan of one task always takes the whole request, never a planner's
shortening of it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from orchestrator.ids import AgentName, Span, TaskId
from orchestrator.planning.grounds.assumption import Assumption
from orchestrator.planning.plan import Plan, plan_of
from orchestrator.planning.task import Task

if TYPE_CHECKING:
    from orchestrator.workspace.agent_file import AgentFile


def collapse(
    plan: Plan,
    mode: Literal["whole", "segments", "off"],
    agents: "Mapping[AgentName, AgentFile]",
    asked: Span,
) -> Plan:
    """The plan with its same-agent chains as single tasks, as far as `mode` allows. `asked` is the range of
    the request that a task for the whole of it serves."""
    if plan.source == "joint":
        return replace(plan, collapse_reason="a joint plan keeps its milestones")
    if not plan.tasks or plan.source == "direct":
        return plan
    if len(plan.tasks) == 1:
        return _direct(plan, asked, "the plan has one task, which takes the whole request")
    if mode == "off":
        return replace(plan, collapse_reason="collapse is off")
    against = _against(plan, agents)
    if against is None:
        return _direct(plan, asked, _because(plan))
    if mode == "whole":
        return replace(plan, collapse_reason=against)
    return _by_segments(plan, agents, against)


def _against(plan: Plan, agents: "Mapping[AgentName, AgentFile]") -> str | None:
    """Why the plan is not one chain of one agent that works in many steps."""
    names = list(dict.fromkeys(t.agent for t in plan.tasks))
    if len(names) > 1:
        return f"its tasks go to {len(names)} agents: {', '.join(names)}"
    for number, wave in enumerate(plan.waves, 1):
        if len(wave) > 1:
            return f"{len(wave)} tasks of wave {number} can run at once"
    if agents[names[0]].steps != "many":
        return f"agent {names[0]!r} does one step at a time (steps: one)"
    return None


def _because(plan: Plan) -> str:
    each = ", also once per item" if any(t.map_over for t in plan.tasks) else ""
    return (
        f"all {len(plan.tasks)} tasks are one chain of {plan.tasks[0].agent!r}, "
        f"which carries several steps through by itself{each}"
    )


def _direct(plan: Plan, asked: Span, reason: str) -> Plan:
    """The direct plan: one task, `t1`, whose action is the whole of what is asked."""
    intents = {t.intent for t in plan.tasks}
    task = replace(
        plan.tasks[-1],
        id=TaskId("t1"),
        action=plan.request[slice(*asked)],
        depends_on=(),
        map_over=None,
        intent=intents.pop() if len(intents) == 1 else None,
        source_span=asked,
        effects=plan.effects,
        assumes=_assumed(plan.tasks),
    )
    whole = plan_of(plan.request, (task,), "direct", (task.agent,), warnings=plan.warnings)
    return replace(whole, collapsed=True, collapse_reason=reason, revisions=plan.revisions)


def _by_segments(plan: Plan, agents: "Mapping[AgentName, AgentFile]", against: str) -> Plan:
    chains = _chains(plan, agents)
    merged = [chain for chain in chains if len(chain) > 1]
    if not merged:
        return replace(plan, collapse_reason=f"{against}; no two links of one agent stand alone")
    tasks = tuple(_merged(chain, plan) for chain in chains)
    shorter = plan_of(plan.request, tasks, plan.source, agents, warnings=plan.warnings)
    reason = "; ".join(f"{', '.join(t.id for t in c)} of {c[0].agent!r} became {c[-1].id}" for c in merged)
    return replace(shorter, collapsed=True, collapse_reason=reason, revisions=plan.revisions)


def _chains(plan: Plan, agents: "Mapping[AgentName, AgentFile]") -> list[tuple[Task, ...]]:
    """The tasks in chains whose middles nobody else reads, each at the place of its last link."""
    readers = Counter(d for t in plan.tasks for d in t.depends_on)
    by_id = {t.id: t for t in plan.tasks}
    chains: dict[TaskId, tuple[Task, ...]] = {}
    for task in (by_id[i] for wave in plan.waves for i in wave):
        only = task.depends_on[0] if len(task.depends_on) == 1 else None
        before = chains.get(only, ()) if only is not None and readers[only] == 1 else ()
        if before and _links(before, task, agents):
            del chains[before[-1].id]
        else:
            before = ()
        chains[task.id] = (*before, task)
    return [chains[t.id] for t in plan.tasks if t.id in chains]


def _links(before: Sequence[Task], task: Task, agents: "Mapping[AgentName, AgentFile]") -> bool:
    """Whether the task carries the chain on. A chain that is itself run per item ends with its items."""
    same = before[-1].agent == task.agent and agents[task.agent].steps == "many"
    return same and before[0].map_over is None


def _merged(chain: Sequence[Task], plan: Plan) -> Task:
    """One task for the chain, under the id others read."""
    if len(chain) == 1:
        return chain[0]
    span = _common_span(chain, plan.tasks)
    return replace(
        chain[-1],
        action="\n".join(t.action for t in chain) if span is None else plan.request[slice(*span)],
        depends_on=chain[0].depends_on,
        map_over=None,
        intent=chain[0].intent if len({t.intent for t in chain}) == 1 else None,
        source_span=span,
        assumes=_assumed(chain),
    )


def _assumed(tasks: Sequence[Task]) -> tuple[Assumption, ...]:
    """What any of them takes for granted, each thing once."""
    return tuple(dict.fromkeys(assumption for task in tasks for assumption in task.assumes))


def _common_span(chain: Sequence[Task], tasks: Sequence[Task]) -> Span | None:
    """The words from the chain's first to its last, if in that order and no other task's lie between."""
    spans = [t.source_span for t in chain if t.source_span is not None]
    if len(spans) < len(chain) or spans != sorted(spans):
        return None
    start, end = spans[0][0], max(span[1] for span in spans)
    chained = {t.id for t in chain}
    others = (t.source_span for t in tasks if t.id not in chained and t.source_span is not None)
    return None if any(a < end and start < b for a, b in others) else (start, end)
