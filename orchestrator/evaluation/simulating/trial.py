"""One run in a small world, under one policy, by the product's own judge and fold. Pure.

The run has one task, which is never begun, and assumes that the fact is as it was at first.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from orchestrator.adaptation.judging import Judge
from orchestrator.adaptation.message import known_by
from orchestrator.adaptation.registered import repair_named
from orchestrator.adaptation.repairing import Workshop
from orchestrator.comparison import Comparison
from orchestrator.evaluation.simulating.world import FACT, Reading, Readings, Truth
from orchestrator.ids import AgentName, RunId, TaskId
from orchestrator.planning.grounds.assumption import Assumption
from orchestrator.planning.plan import Plan, plan_of
from orchestrator.planning.repair import Repair
from orchestrator.planning.task import Task
from orchestrator.runs.changes import PlanRevised, SignalJudged
from orchestrator.runs.containing import Rules
from orchestrator.runs.events import Event, PlanMade, Record, ReviewFlagged
from orchestrator.runs.fold import apply
from orchestrator.runs.messages import ReviewCleared
from orchestrator.runs.state import RunState

_AGENT, _TASK = AgentName("agent"), TaskId("t1")
_THEN = datetime(2026, 1, 1, tzinfo=UTC)
_WORKSHOP = Workshop(lambda template, _: template, lambda task: task, (_AGENT,), repair_named)


@dataclass(slots=True)
class Lived:
    """What a run went through.

    `wrong` says of each tick whether the plan then went by what was not so. `changes` are the ticks at which
    it was changed, each with whether to what was so; `denied` those at which the truth, which the plan did
    not go by, was held back. `calls` is how often a person was called, `flagged` whether one still is.
    """

    wrong: list[bool] = field(default_factory=list[bool])
    changes: list[tuple[int, bool]] = field(default_factory=list[tuple[int, bool]])
    denied: list[int] = field(default_factory=list[int])
    calls: int = 0
    flagged: bool = False


def trial(truth: Truth, readings: Readings, rules: Rules, *, patience: int | None) -> Lived:
    """What the run goes through; a person who is called looks after so many ticks, or never."""
    run, left = _Run(truth, Judge({"": rules}, _WORKSHOP, 1)), list(reversed(readings))
    for tick in range(len(truth)):
        if patience is not None and run.called is not None and tick >= run.called + patience:
            run.looked_at(tick)
        while left and left[-1].tick == tick:
            run.hears(left.pop())
        run.lived.wrong.append(run.is_wrong(tick))
    run.lived.flagged = run.called is not None
    return run.lived


class _Run:
    def __init__(self, truth: Truth, judge: Judge) -> None:
        self._truth, self._judge, self._heard = truth, judge, set[str]()
        self._state, self.lived = RunState(RunId("simulated")), Lived()
        self.called: int | None = None
        self._wrong_where = dict[bool, bool]()
        self._take([PlanMade(_plan(truth[0]), "act")], 0)

    def hears(self, reading: Reading) -> None:
        """Take a message in, as an inbox does: what is known already is not heard again."""
        signal = reading.signal()
        message = known_by(signal)
        if message in self._heard:
            return
        if message:
            self._heard.add(message)
        told = self._judge.signal(self._state, signal, float(reading.tick))
        self._take(told, reading.tick)

    def looked_at(self, tick: int) -> None:
        """A person looks, and clears the flag."""
        self.called = None
        self._take(self._judge.cleared(self._state, ReviewCleared("person"), float(tick)), tick)

    def is_wrong(self, tick: int) -> bool:
        """Whether the plan goes by what is not so."""
        return self._wrong_where[self._truth[tick]]

    def _take(self, events: Iterable[Event], tick: int) -> None:
        for event in list(events):
            apply(self._state, (Record(self._state.run, self._state.seq + 1, _THEN, event),))
            self._note(event, tick)

    def _note(self, event: Event, tick: int) -> None:
        match event:
            case PlanMade():
                self._reads_plan()
            case PlanRevised():
                self._reads_plan()
                self.lived.changes.append((tick, not self.is_wrong(tick)))
            case SignalJudged(decision="suppressed") if self._state.facts[FACT] is self._truth[tick]:
                self.lived.denied.append(tick)
            case ReviewFlagged() if self.called is None:
                self.called = tick
                self.lived.calls += 1
            case _:
                return

    def _reads_plan(self) -> None:
        assumed = [a for task in self._state.assumed[FACT] for a in task.assumes]
        self._wrong_where = {value: any(a.contradicted(value) for a in assumed) for value in (False, True)}


def _plan(value: bool) -> Plan:
    """One task that assumes the fact, and a repair that changes nothing but what it goes by."""
    assumed = Assumption(FACT, Comparison("eq", (value,)))
    task = Task(_TASK, _AGENT, "act on the fact", "act on the fact", assumes=(assumed,))
    return replace(plan_of(task.request, [task], "direct", (_AGENT,)), repairs=(Repair(FACT),))
