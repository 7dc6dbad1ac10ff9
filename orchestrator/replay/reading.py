"""From the records of a run to its script. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.errors import BudgetExceeded
from orchestrator.ids import MessageId, TaskId
from orchestrator.replay.script import Begin, Cue, End, Era, Kind, Revision, Script
from orchestrator.runs.events import (
    ApprovalAsked,
    BudgetRanOut,
    DoubtSettled,
    DriverStarted,
    Event,
    MessageRefused,
    PlanMade,
    Record,
    RunEnded,
    RunParked,
    TaskCancelled,
    TaskInDoubt,
    TaskRetrying,
    TaskSkipped,
    TaskStarted,
)
from orchestrator.runs.fold import apply
from orchestrator.runs.messages import (
    CancelAsked,
    DoubtAnswered,
    FeedbackGiven,
    PlanApproved,
    PlanRejected,
    ReviewCleared,
    Said,
)
from orchestrator.runs.state import RunState


def script_of(records: Sequence[Record]) -> Script:
    """The script of a run. The records must be of one run, in order, and fold."""
    return _Reader(records).script


class _Reader:
    """Goes through the records once, and folds them on the way."""

    def __init__(self, records: Sequence[Record]) -> None:
        first = next((n for n, r in enumerate(records) if isinstance(r.event, DriverStarted)), len(records))
        self.script = Script(tuple(records[:first]))
        self._state = RunState(records[0].run)
        self._live: dict[TaskId, Begin] = {}
        self._pausing: set[TaskId] = set()
        self._feedback: set[MessageId] = set()
        self._given_up = _given_up(records)
        self.script.out_of_tasks = self._given_up.of_tasks
        apply(self._state, records[:first])
        for record in records[first:]:
            self._read(record.seq, record.event)
            apply(self._state, [record])

    @property
    def _era(self) -> Era:
        return self.script.eras[-1]

    def _read(self, at: int, event: Event) -> None:
        if isinstance(event, DriverStarted):
            self._live.clear()
            self._pausing.clear()
            self.script.eras.append(Era(event.driver, at))
        self._era.last = at
        if at in self._given_up.places:
            if at == self._given_up.time_up:
                self._cue(at, Kind.TIME_UP)
            if isinstance(event, TaskInDoubt):
                self._doubted(event)
        elif isinstance(event, Said):
            self._word(at, event)
        elif isinstance(event, TaskStarted):
            self._begun(at, event.task)
        elif isinstance(event, End):
            self._ended(at, event)
        else:
            self._rest(at, event)

    def _rest(self, at: int, event: Event) -> None:
        match event:
            case DoubtSettled(task=task) if task in self.script.begins:
                begin = self.script.begins[task][-1]
                begin.doubted, begin.verdict = True, event
            case MessageRefused():
                self._refused(at, event)
            case PlanMade():
                self.script.revisions.append(Revision(at, (event,)))
                self._cue(at, Kind.ANSWER)
            case ApprovalAsked() if self.script.revisions:
                made = self.script.revisions[-1]
                self.script.revisions[-1] = made._replace(events=(*made.events, event))
            case BudgetRanOut():
                self._era.ran_out = event
            case TaskCancelled() | RunParked() | RunEnded():
                self._stopped(at, event)
            case _:
                pass

    def _cue(self, at: int, kind: Kind, said: Said | None = None) -> None:
        self._era.cues.append(Cue(at, kind, said))

    def _word(self, at: int, said: Said) -> None:
        if isinstance(said, FeedbackGiven):
            self._feedback.add(said.message)
        self._cue(at, Kind.WORD, said)

    def _refused(self, at: int, event: MessageRefused) -> None:
        """A message that could not be, or feedback of which no plan could be made."""
        if event.message in self._feedback:
            self.script.revisions.append(Revision(at, (), event.reason))
            self._cue(at, Kind.ANSWER)
        else:
            self._cue(at, Kind.WORD, _stand_in(event))

    def _begun(self, at: int, task: TaskId) -> None:
        paused = task in self._pausing
        begin = self._live[task] = Begin(at, paused)
        self.script.begins.setdefault(task, []).append(begin)
        if paused:
            self._pausing.remove(task)
            self._cue(at, Kind.ANSWER)
        else:
            self._era.begun += 1

    def _ended(self, at: int, event: End) -> None:
        """An agent has answered; a mapped task that ends is the program's own doing, and so is old doubt."""
        begin = self._live.pop(event.task, None)
        if begin is None:
            self._doubted(event)
            return
        begin.end, begin.ended = event, at
        self._cue(at, Kind.ANSWER)
        if isinstance(event, TaskRetrying):
            self._pausing.add(event.task)

    def _doubted(self, event: End) -> None:
        if isinstance(event, TaskInDoubt) and event.task in self.script.begins:
            self.script.begins[event.task][-1].doubted = True

    def _stopped(self, at: int, event: TaskCancelled | RunParked | RunEnded) -> None:
        """Where nobody has said that it should be cancelled, it was whoever waited for it."""
        if not isinstance(event, TaskCancelled):
            self._era.died = False
        cancelled = isinstance(event, TaskCancelled) or (
            isinstance(event, RunEnded) and event.status == "cancelled"
        )
        asked = self._state.cancel is not None or self._state.rejected is not None
        known = any(cue.kind is Kind.INTERRUPT for cue in self._era.cues)
        if cancelled and not asked and not known:
            self._cue(at, Kind.INTERRUPT)


def _stand_in(refused: MessageRefused) -> Said:
    """What a run that refused the message, of which only the kind is kept, refuses as well."""
    message = refused.message
    match refused.said:
        case "CancelAsked":
            return CancelAsked("", message=message)
        case "ReviewCleared":
            return ReviewCleared("", message)
        case "PlanApproved":
            return PlanApproved("", "another", 0, message)
        case "PlanRejected":
            return PlanRejected("", "", message)
        case "FeedbackGiven":
            return FeedbackGiven("", "", False, message)
        case _:
            return DoubtAnswered("", TaskId(""), False, message=message)


@dataclass(frozen=True, slots=True)
class _GivenUp:
    """The places where tasks are given up since a budget ran out; `time_up` is where that was of time."""

    places: frozenset[int] = frozenset()
    time_up: int | None = None
    of_tasks: bool = False


def _given_up(records: Sequence[Record]) -> _GivenUp:
    n = next((n for n, r in enumerate(records) if isinstance(r.event, BudgetRanOut)), None)
    if n is None or not isinstance(event := records[n].event, BudgetRanOut):
        return _GivenUp()
    places = _giving_up(records[:n], str(BudgetExceeded(event.budget, event.limit, event.used)))
    cut = any(isinstance(records[place - 1].event, TaskCancelled | TaskInDoubt) for place in places)
    time = bool(places) and (cut or event.budget.startswith("wall time"))
    return _GivenUp(frozenset(places), places[-1] if time else None, bool(places) and not time)


def _giving_up(records: Sequence[Record], reason: str) -> list[int]:
    """The places of the last records, as far back as they give up a task for this reason."""
    places: list[int] = []
    for record in reversed(records):
        match record.event:
            case TaskCancelled():
                places.append(record.seq)
            case TaskSkipped(reason=found) | TaskInDoubt(reason=found) if found.startswith(reason):
                places.append(record.seq)
            case _:
                break
    return places
