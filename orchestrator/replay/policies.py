"""The numbers that a run was decided with: its workspace's, or where that is not known, those it shows.

Laws: how many were at work at a time, and whether they waited for one another, is read from the records,
since a run may have been begun with other numbers than its workspace's: where never more were seen, it is
the same whether more were allowed. Nothing ends by time in a replay: it ends where the records say so.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from orchestrator.execution.settings import Budget, Budgets, Limits, Settings, Spending
from orchestrator.ids import AgentName, Schedule, TaskId
from orchestrator.planning.plan import Plan
from orchestrator.replay.script import NEVER, Begin, Script
from orchestrator.runs.events import (
    DriverStarted,
    PlanMade,
    Record,
    ReviewFlagged,
    TaskDone,
    TaskExpanded,
    TaskFailed,
    TaskHandedOver,
    TaskInDoubt,
    TaskRetrying,
    TaskStarted,
)
from orchestrator.runs.fold import apply
from orchestrator.runs.state import ENDED, RunState

_MANY = 1_000_000
_TOO_MANY = re.compile(r"a mapped task may have ([\d,]+);")


@dataclass(frozen=True, slots=True)
class Policies:
    """What the operator has set: limits of agents, the most items, after how many deaths a run is held."""

    agents: Mapping[AgentName, Limits]
    max_items: int
    crash_limit: int


def settings_for(records: Sequence[Record], script: Script, policies: Policies) -> Settings:
    """The settings under which the run was decided."""
    seen = _Seen(records)
    agents = {
        name: replace(
            policies.agents.get(name, _UNLIMITED), timeout=None, concurrency=max(seen.most.get(name, 0), 1)
        )
        for name in {*seen.agents, *policies.agents}
    }
    return Settings(
        schedule=seen.schedule,
        concurrency=max(seen.most_at_once, 1),
        task_timeout=NEVER,
        max_items=policies.max_items,
        budget=Budget(0, 0),
        agents=agents,
        budgets=Budgets(run=Spending(wall_time=NEVER if script.time_is_up else None)),
    )


def policies_of(records: Sequence[Record], script: Script) -> Policies:
    """What the operator must have set, for the run to have come as it did."""
    agent_of, chains = dict[TaskId, AgentName](), dict[AgentName, tuple[AgentName, ...]]()
    handed = dict[TaskId, tuple[AgentName, ...]]()
    max_items, crash_limit = _MANY, _MANY
    state = RunState(records[0].run)
    for record in records:
        match record.event:
            case PlanMade(plan=plan):
                agent_of = {task.id: task.agent for task in plan.tasks}
            case TaskHandedOver(task=task, to=to):
                chain = handed[task] = (*handed.get(task, ()), to)
                first = agent_of[parent_of(task)]
                chains[first] = max(chains.get(first, ()), chain, key=len)
            case TaskFailed(error=error) if found := _TOO_MANY.search(error):
                max_items = int(found[1].replace(",", ""))
            case ReviewFlagged(holds=True):
                crash_limit = state.drivers - 1
            case _:
                pass
        apply(state, [record])
    writes = (
        {task.id for task in state.plan.tasks if task.effects == "write"} if state.plan else set[TaskId]()
    )
    idempotent = {
        agent_of[parent_of(task)]
        for task, begins in script.begins.items()
        if parent_of(task) in writes and _again(begins)
    }
    agents = {
        name: replace(_UNLIMITED, idempotent=name in idempotent, fallbacks=chains.get(name, ()))
        for name in {*agent_of.values(), *(to for chain in chains.values() for to in chain)}
    }
    return Policies(agents, max_items, crash_limit)


_UNLIMITED = Limits(timeout=None, retries=_MANY, concurrency=_MANY)


def parent_of(task: TaskId) -> TaskId:
    """The task itself, or the mapped one whose child it is."""
    return TaskId(task.partition("[")[0])


def _again(begins: Iterable[Begin]) -> bool:
    """Whether an attempt that may have taken effect was made again, without a question."""
    for begin, following in pairwise(begins):
        if begin.end is None and not begin.doubted:
            return True
        if isinstance(begin.end, TaskRetrying) and following.paused and _same(begin.end):
            return True
    return False


def _same(end: TaskRetrying) -> bool:
    return end.next_attempt == end.attempt


@dataclass(slots=True)
class _Seen:
    """What the records show of how the tasks were at work."""

    records: Sequence[Record]
    most: Counter[AgentName] = field(default_factory=Counter[AgentName])
    most_at_once: int = 0
    agents: set[AgentName] = field(default_factory=set[AgentName])
    schedule: Schedule = "waves"

    def __post_init__(self) -> None:
        state = RunState(self.records[0].run)
        at_work: dict[TaskId, AgentName] = {}
        for record in self.records:
            apply(state, [record])
            match record.event:
                case PlanMade(plan=plan):
                    self.agents.update(task.agent for task in plan.tasks)
                case DriverStarted():
                    at_work.clear()
                case TaskStarted(task=task):
                    at_work[task] = self._agent(task, state)
                    self._count(at_work)
                    self._look(task, state)
                case TaskExpanded(task=task):
                    self._look(task, state)
                case TaskHandedOver(task=task, to=to):
                    at_work.pop(task, None)
                    self.agents.add(to)
                case TaskDone(task=task) | TaskFailed(task=task) | TaskInDoubt(task=task):
                    at_work.pop(task, None)
                case _:
                    pass

    def _agent(self, task: TaskId, state: RunState) -> AgentName:
        tasks = () if state.plan is None else state.plan.tasks
        planned = next(t.agent for t in tasks if t.id == parent_of(task))
        return state.tasks[task].agent or planned

    def _count(self, at_work: Mapping[TaskId, AgentName]) -> None:
        self.most_at_once = max(self.most_at_once, len(at_work))
        self.most |= Counter(at_work.values())

    def _look(self, task: TaskId, state: RunState) -> None:
        """Whether what has begun had waited for all earlier waves."""
        if state.plan is not None and not _waited(parent_of(task), state.plan, state):
            self.schedule = "eager"


def _waited(task: TaskId, plan: Plan, state: RunState) -> bool:
    for wave in plan.waves:
        if task in wave:
            return True
        if any(state.tasks[earlier].status not in ENDED for earlier in wave):
            return False
    return True
