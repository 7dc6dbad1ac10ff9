"""Plans that change while they run, in tests: a judge without a workspace, and plans that rest on facts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from string import Template
from typing import Any

from orchestrator.adaptation.judging import Judge
from orchestrator.adaptation.registered import repair_named
from orchestrator.adaptation.repairing import Workshop
from orchestrator.comparison import comparison_of
from orchestrator.ids import MessageId, TaskId
from orchestrator.planning.grounds.assumption import Assumption
from orchestrator.planning.plan import Plan
from orchestrator.planning.repair import Patch, Repair
from orchestrator.planning.task import Task
from orchestrator.runs.changes import OutcomeChecked, Scripted
from orchestrator.runs.containing import Rules
from orchestrator.runs.events import Event
from orchestrator.runs.messages import ReviewCleared, SignalReceived
from orchestrator.runs.state import RunState

AGENTS = tuple("abcdefgh")


def grounded(task: Task, *keys: str, expected: Any = 0) -> Task:
    """The task, which assumes that each fact is as expected."""
    return replace(task, assumes=tuple(Assumption(key, comparison_of(expected)) for key in keys))


def repaired(plan: Plan, *repairs: Repair) -> Plan:
    """The plan with these repairs declared."""
    return replace(plan, repairs=repairs)


def says(on: str, **actions: str) -> Repair:
    """When the fact changes, these tasks have other actions; `$NAME` is the value of a fact."""
    return Repair(on, patches=tuple(Patch(TaskId(task), action) for task, action in actions.items()))


def render(template: str, variables: Mapping[str, Any]) -> str:
    return Template(template).substitute({k: str(v) for k, v in variables["facts"].items()})


def judge(rules: Rules | None = None, **of_key: Rules) -> Judge:
    """A judge by these rules, as usual those of two ticks or seconds."""
    workshop = Workshop(render, lambda task: task, AGENTS, repair_named)
    return Judge({"": rules or Rules(), **of_key}, workshop, 100)


@dataclass
class Judging:
    """An Adaptation; `now()` is the time where the run is no scenario."""

    judge: Judge = field(default_factory=judge)
    now: Callable[[], float] = lambda: 0.0

    def signal(self, state: RunState, said: SignalReceived) -> Sequence[Event]:
        return tuple(self.judge.signal(state, said, self._time(state)))

    def cleared(self, state: RunState, said: ReviewCleared) -> Sequence[Event]:
        return tuple(self.judge.cleared(state, said, self._time(state)))

    def due(self, state: RunState) -> Sequence[Event]:
        due = state.following
        return () if due is None or due.tick > state.ticks else self.signal(state, said(due))

    async def outcome(self, state: RunState) -> OutcomeChecked:
        return OutcomeChecked(())

    async def watch(self, state: RunState) -> None:
        pass

    def _time(self, state: RunState) -> float:
        return float(state.ticks) if state.scenario is not None else self.now()


def said(scripted: Scripted) -> SignalReceived:
    id = scripted.id
    return SignalReceived(scripted.key, scripted.value, scripted.source, MessageId(id), id)
