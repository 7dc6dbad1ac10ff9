"""The numbers that a run was decided with: its workspace's, or where that is not known, those it shows.

Laws: how many were at work at a time, and whether they waited for one another, is read from the records,
since a run may have been begun with other numbers than its workspace's: where never more were seen, it is
the same whether more were allowed. Nothing ends by time in a replay: it ends where the records say so.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from orchestrator.execution.settings import Budget, Budgets, Limits, Settings, Spending
from orchestrator.ids import AgentName, Schedule, TaskId
from orchestrator.planning.plan import Plan
from orchestrator.replay.script import NEVER, Begin, End, Script, agent_of, parent_of
from orchestrator.runs.events import (
    DriverStarted,
    Event,
    PlanMade,
    Record,
    ReviewFlagged,
    TaskExpanded,
    TaskFailed,
    TaskHandedOver,
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
    chains, handed = dict[AgentName, tuple[AgentName, ...]](), dict[TaskId, tuple[AgentName, ...]]()
    max_items, crash_limit = _MANY, _MANY
    writes, state = set[TaskId](), RunState(records[0].run)
    for record in records:
        match record.event:
            case PlanMade(plan=plan):
                writes = {task.id for task in plan.tasks if task.effects == "write"}
            case TaskHandedOver(task=task, to=to):
                chain = handed[task] = (*handed.get(task, (agent_of(task, state),)), to)
                chains[chain[0]] = max(chains.get(chain[0], ()), chain[1:], key=len)
            case TaskFailed(error=error) if found := _TOO_MANY.search(error):
                max_items = int(found[1].replace(",", ""))
            case ReviewFlagged(holds=True):
                crash_limit = min(crash_limit, state.drivers - 1)
            case _:
                pass
        apply(state, [record])
    begins = [begins for task, begins in script.begins.items() if parent_of(task) in writes]
    idempotent = {agent for its in begins for agent in _again(its)}
    agents = {
        name: replace(_UNLIMITED, idempotent=name in idempotent, fallbacks=chains.get(name, ()))
        for name in {*idempotent, *chains}
    }
    return Policies(agents, max_items, crash_limit)


_UNLIMITED = Limits(timeout=None, retries=_MANY, concurrency=_MANY)


def _again(begins: Sequence[Begin]) -> Iterator[AgentName]:
    """Who made an attempt again that may have taken effect, without a question, or might have."""
    for n, begin in enumerate(begins):
        same = isinstance(begin.end, TaskRetrying) and begin.end.next_attempt == begin.end.attempt
        cut_off = begin.end is None and not begin.doubted and n + 1 < len(begins)
        if same or cut_off or begin.dropped:
            yield begin.agent


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
            self._learn(record.event, state)
            match record.event:
                case DriverStarted():
                    at_work.clear()
                case TaskStarted(task=task):
                    at_work[task] = agent_of(task, state)
                    self._count(at_work)
                case _ if isinstance(record.event, End) and not isinstance(record.event, TaskRetrying):
                    at_work.pop(record.event.task, None)
                case _:
                    pass

    def _learn(self, event: Event, state: RunState) -> None:
        match event:
            case PlanMade(plan=plan):
                self.agents.update(task.agent for task in plan.tasks)
            case TaskHandedOver(to=to):
                self.agents.add(to)
            case TaskStarted(task=task) | TaskExpanded(task=task):
                self._look(task, state)
            case TaskFailed(task=task) if not state.tasks[task].begun and state.tasks[task].items is None:
                self._look(task, state)  # it was to be expanded
            case _:
                pass

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
