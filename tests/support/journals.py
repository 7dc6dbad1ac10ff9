"""Lawful journals: what the program could write, whatever befalls it, with what each task should then be.

It is a small run of its own, made of chance: drivers die at any point, people say things at any time, clocks
jump. It knows nothing of how a state is folded.
"""

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st
from orchestrator.agents.contract import Usage
from orchestrator.ids import MessageId, RunStatus, SessionId, TaskId
from orchestrator.planning.plan import Plan
from orchestrator.runs.events import (
    ApprovalAsked,
    BudgetRanOut,
    DriverStarted,
    MessageRefused,
    PlanMade,
    Record,
    ReviewFlagged,
    RunEnded,
    RunParked,
    TaskCancelled,
    TurnReceived,
    TurnRouted,
)
from orchestrator.runs.identity import plan_hash
from orchestrator.runs.messages import (
    CancelAsked,
    DoubtAnswered,
    FeedbackGiven,
    PlanApproved,
    PlanRejected,
    ReviewCleared,
    SignalReceived,
)

from support.driving import plan
from support.work import OVER, Unit, Work

_PLANS = (
    plan("t1 a"),
    plan("t1 a", "t2 b: t1", "t3 c: t1", "t4 d: t2 t3"),
    plan("t1 a", "t2 b: t1*", "t3 c: t2"),
    plan("t1 a", "t2 b: t1*", "t3 b: t2*"),
)


@dataclass
class Story:
    """A journal with what its author meant: each task's phase and attempt, and what all of it cost."""

    records: list[Record]
    tasks: dict[TaskId, tuple[str, int]]
    usage: Usage
    status: RunStatus


@dataclass
class Author(Work):
    """Writes one journal."""

    status: RunStatus = "running"
    messages: int = 0
    consented: bool = True
    rejected: bool = False
    cancelled: bool = False
    flagged: bool = False
    revise: MessageId | None = None
    hash: str = ""

    def story(self) -> Story:
        self._open(self.chance.choice(_PLANS))
        for number in range(self.chance.randint(0, 6)):
            if self.status not in ("running", "waiting") and not (
                self.status == "cancelled" and not self.rejected
            ):
                break
            self._driver(number)
        if self.flagged and self.maybe():
            self.write(ReviewCleared("ann", self._message()))
        tasks = {
            id: (unit.phase.replace("cut off", "running"), unit.number) for id, unit in self.units.items()
        }
        return Story(self.records, tasks, self.usage, self.status)

    def _message(self) -> MessageId:
        self.messages += 1
        return MessageId(f"m{self.messages}")

    # ── the opening, and the word of a person ──

    def _open(self, made: Plan) -> None:
        session = SessionId("s1") if self.maybe() else None
        self.write(TurnReceived("do all of it", session, "w1", "p1"), TurnRouted({"agent": "a"}))
        self._plan(made, ask=self.maybe())

    def _plan(self, made: Plan, *, ask: bool) -> None:
        self.hash, self.consented, self.revise = plan_hash(made), not ask, None
        self.units = {task.id: Unit(task) for task in made.tasks}
        asked = [ApprovalAsked(self.hash, "t1 (a) writes", 9)] if ask else []
        self.write(PlanMade(made, "act", self.cost(), self.hash), *asked)

    def _hear(self) -> None:
        """People, and programs, say what they like; what cannot be is refused."""
        sayings = [self._signal, self._answer_or_refuse]
        sayings += [self._approve, self._approve, self._feed_back, self._reject] if not self.consented else []
        sayings += [self._cancel_it] if not self.cancelled and self.maybe(3) else []
        sayings += [self._clear, self._clear] if self.flagged else []
        self.chance.choice(sayings)(self._message())

    def _signal(self, message: MessageId) -> None:
        self.write(SignalReceived("delay", self.chance.randint(0, 3), "airline", message))

    def _approve(self, message: MessageId) -> None:
        self.consented = True
        self.write(PlanApproved("ann", self.hash, 9, message))

    def _reject(self, message: MessageId) -> None:
        self.rejected = self.consented = True  # nothing more is asked
        self.write(PlanRejected("ann", "no", message))

    def _feed_back(self, message: MessageId) -> None:
        revises = self.maybe()
        self.revise = message if revises else self.revise
        self.write(FeedbackGiven("ann", "shorter", revises, message))

    def _cancel_it(self, message: MessageId) -> None:
        self.cancelled = True
        self.write(CancelAsked("ann", "", message))

    def _clear(self, message: MessageId) -> None:
        self.flagged = False
        self.write(ReviewCleared("ann", message))

    def _answer_or_refuse(self, message: MessageId) -> None:
        doubts = self.in_phase("in_doubt")
        if doubts and self.maybe(8):
            task, happened = self.chance.choice(doubts), self.maybe()
            self.units[task].phase = "done" if happened else "pending"
            self.units[task].number -= not happened
            self.write(DoubtAnswered("ann", task, happened, "it is", message))
        else:
            self.write(MessageRefused(message, "DoubtAnswered", "task 't9' is not in doubt"))

    # ── one driver ──

    def _driver(self, number: int) -> None:
        """A driver takes the run, and makes moves until it ends, parks, or dies."""
        self.cancelled = self.cancelled and self.status in ("running", "waiting")
        self.status = "running"
        self.write(DriverStarted(f"driver-{number}"))
        for unit in self.units.values():
            if unit.phase == "cancelled":
                dropped = "cut off" if unit.at_work else "pending"
                unit.phase = "running" if unit.children is not None else dropped
            elif unit.phase == "running" and unit.children is None:
                unit.phase = "cut off"
        for _ in range(self.chance.randint(0, 3)):
            self._hear()
        while self.status == "running" and self.maybe(9):
            self._move()

    def _move(self) -> None:
        if self.rejected:
            left = list(self.units)
            self.skip(left, "the plan was rejected")
            self._end("cancelled")
        elif self.cancelled:
            self._cancel()
        elif self.flagged:
            self._park("review")
        elif self.maybe(1) and self.maybe(3):
            self.flagged = True
            self.write(ReviewFlagged("3 drivers in a row", holds=True))
        elif self.revise is not None:
            self._revise(self.revise)
        elif not self.consented:
            self._park("approval")
        else:
            self._execute()

    def _revise(self, feedback: MessageId) -> None:
        if self.maybe(8):
            self._plan(self.chance.choice(_PLANS), ask=True)
        else:
            self.revise = None
            self.write(MessageRefused(feedback, "FeedbackGiven", "nobody serves the turn"))

    def _park(self, *waits_for: str) -> None:
        self.status = "waiting"
        self.write(RunParked(waits_for, "it waits"))

    def _end(self, status: RunStatus) -> None:
        self.status = status
        self.write(RunEnded(status, "that was it"))

    def _cancel(self) -> None:
        left = [task for task, unit in self.units.items() if unit.phase not in (*OVER, "in_doubt")]
        for task in left:
            unit = self.units[task]
            unit.phase, unit.at_work = "cancelled", unit.phase in ("running", "cut off")
        self.write(*map(TaskCancelled, left))
        self._end("cancelled")

    # ── the plan at work ──

    def _execute(self) -> None:
        """One step of one task that can make one; where none can, the run ends or waits."""
        if self.maybe(1):
            self._hear()
            return
        able = [task for task in self.units if self.able(task)]
        if able:
            self.step(self.chance.choice(able))
        elif doubts := self.in_phase("in_doubt"):
            self._park(*(f"answer {task}" for task in doubts))
        else:
            well = all(unit.phase == "done" for unit in self.units.values())
            if not well and self.maybe():
                self.write(BudgetRanOut("tokens of the run", 10.0, 12.0, "t9 (a)"))
            self._end("done" if well else "partial")


def stories() -> st.SearchStrategy[Story]:
    """Any lawful journal. Chance comes from a number, so that a story is short to tell again."""
    return st.integers(0, 2**32).map(lambda seed: Author(Random(seed)).story())
