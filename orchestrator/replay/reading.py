"""From the records of a run to its script. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from orchestrator.execution.outcome import UNKNOWN, is_empty
from orchestrator.ids import MessageId, TaskId
from orchestrator.planning.task import Task
from orchestrator.replay.adapted import is_scripted
from orchestrator.replay.script import (
    BUDGET,
    Begin,
    Cue,
    End,
    Era,
    Kind,
    RanOut,
    Revision,
    Script,
    agent_of,
    parent_of,
)
from orchestrator.runs.changes import TaskRecalled
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
    TaskDone,
    TaskExpanded,
    TaskFailed,
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
        self._cancel: Said | None = None
        self._doubts = False
        self._given_up = _given_up(records)
        apply(self._state, records[:first])
        for record in records[first:]:
            self._read(record.seq, record.event)
            apply(self._state, [record])
        self._close()

    @property
    def _era(self) -> Era:
        return self.script.eras[-1]

    def _read(self, at: int, event: Event) -> None:
        if isinstance(event, DriverStarted):
            self._close()
            self._doubts = False
            self._live.clear()
            self._pausing.clear()
            self.script.eras.append(Era(event.driver, at))
        self._era.last = at
        if at in self._given_up.reasons:
            self._given(at, event)
        elif isinstance(event, Said):
            if not is_scripted(event, self._state):
                self._word(at, event)
        else:
            self._of_tasks(at, event)
            self._rest(at, event)

    def _of_tasks(self, at: int, event: Event) -> None:
        """Something that happened to a task."""
        cues = self._era.cues
        goes_on = isinstance(event, TaskStarted | TaskExpanded | TaskDone | TaskFailed)
        if goes_on and cues and isinstance(cues[-1].said, CancelAsked):
            self._cancel = cues.pop().said  # it came when the run was at work already
        if isinstance(event, TaskStarted):
            self._begun(at, event.task)
        elif isinstance(event, End):
            self._ended(at, event)

    def _rest(self, at: int, event: Event) -> None:
        match event:
            case DoubtSettled(task=task) if task in self.script.begins:
                begin = self.script.begins[task][-1]
                begin.doubted, begin.verdict = True, event
            case MessageRefused():
                self._refused(at, event)
            case PlanMade():
                self.script.revisions.append(Revision(at, (event,)))
                self._cue(at, Kind.REVISION)
            case ApprovalAsked() if self.script.revisions:
                made = self.script.revisions[-1]
                self.script.revisions[-1] = made._replace(events=(*made.events, event))
            case TaskRecalled(task=task):
                self._live = {id: begin for id, begin in self._live.items() if parent_of(id) != task}
            case BudgetRanOut():
                told = "" if self._era.ran_out is None else str(self._era.ran_out)
                self._era.ran_out = RanOut(told, event.budget, event.limit, event.used)
            case TaskCancelled() | RunParked() | RunEnded():
                self._stopped(at, event)
            case _:
                pass

    def _given(self, at: int, event: Event) -> None:
        """A task is given up."""
        if self._given_up.reasons[at]:
            self._era.ran_out = RanOut(self._given_up.reasons[at])
        if at in self._given_up.times_up:
            self._cue(at, Kind.TIME_UP)
        if isinstance(event, TaskInDoubt):
            self._doubted(event)
        elif isinstance(event, TaskCancelled) and event.task in self._live:
            self._live[event.task].dropped = True

    def _cue(self, at: int, kind: Kind, said: Said | None = None) -> None:
        self._era.cues.append(Cue(at, kind, said))

    def _word(self, at: int, said: Said) -> None:
        if isinstance(said, FeedbackGiven):
            self._feedback.add(said.message)
        at_work = len(self._era.cues) < at - self._era.first - 1
        if isinstance(said, CancelAsked) and at_work:
            self._cancel = said
        else:
            self._cue(at, Kind.WORD, said)

    def _refused(self, at: int, event: MessageRefused) -> None:
        """A message that could not be, or feedback of which no plan could be made."""
        if event.message in self._feedback:
            self.script.revisions.append(Revision(at, (), event.reason))
            self._cue(at, Kind.REVISION)
        else:
            self._cue(at, Kind.WORD, _stand_in(event))

    def _begun(self, at: int, task: TaskId) -> None:
        paused = task in self._pausing
        begin = self._live[task] = Begin(agent_of(task, self._state), at, paused)
        self._era.begun += task not in self.script.begins
        self._era.idle = False
        self.script.begins.setdefault(task, []).append(begin)
        if paused:
            self._pausing.remove(task)
            self._cue(at, Kind.ANSWER)

    def _ended(self, at: int, event: End) -> None:
        """An agent has answered; a mapped task that ends is the program's own doing, and so is old doubt."""
        begin = self._live.pop(event.task, None)
        if begin is None:
            self._doubted(event)
            return
        begin.end, begin.ended = event, at
        self._cue(at, Kind.ANSWER)
        if isinstance(event, TaskDone) and self._was_told(event):
            begin.doubted, begin.verdict = True, DoubtSettled(event.task, True, event.output)
        if isinstance(event, TaskRetrying):
            self._pausing.add(event.task)

    def _was_told(self, event: TaskDone) -> bool:
        """Whether a task is done with less than it asks for: its agent has said so, asked for its effect."""
        return self._task(event.task).success == "not_empty" and is_empty(event.output)

    def _task(self, id: TaskId) -> Task:
        """The task of the plan, or the mapped one whose child it is."""
        tasks = () if self._state.plan is None else self._state.plan.tasks
        return next(task for task in tasks if task.id == parent_of(id))

    def _doubted(self, event: End) -> None:
        self._doubts = self._doubts or isinstance(event, TaskInDoubt)
        if isinstance(event, TaskInDoubt) and event.task in self.script.begins:
            self.script.begins[event.task][-1].doubted = True

    def _stopped(self, at: int, event: TaskCancelled | RunParked | RunEnded) -> None:
        if not isinstance(event, TaskCancelled):
            self._era.died = False
        elif event.task in self.script.begins and event.task not in self._live:
            self._dropped(event.task, self.script.begins[event.task][-1])
        cancelled = isinstance(event, TaskCancelled) or (
            isinstance(event, RunEnded) and event.status == "cancelled"
        )
        if cancelled and not any(cue.kind is Kind.STOP for cue in self._era.cues):
            self._stop(at)

    def _dropped(self, task: TaskId, begin: Begin) -> None:
        """What an earlier driver had begun is cancelled, and not in doubt.

        It may be done again; or its agent was being asked, and then nothing else is known to be in doubt.
        """
        if begin.end is None and not begin.doubted and self._task(task).effects == "write":
            begin.dropped, begin.hushed = self._doubts, not self._doubts

    def _stop(self, at: int) -> None:
        """The run was stopped while it was at work, by a word, or else by who waited for it.

        The word comes with the stop and not before: what had begun to end when it came did end.
        """
        if self._cancel is not None:
            self._cue(at, Kind.STOP, self._cancel)
        elif self._state.cancel is None and self._state.rejected is None:
            self._cue(at, Kind.STOP)
        self._cancel = None

    def _close(self) -> None:
        """The era is over."""
        if self._cancel is not None and self._era.died:
            self._stop(self._era.last)
        self._cancel = None


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
    """Where tasks are given up since a budget ran out, each with the reason; `times_up` are the first of each
    time, where that was a budget of time."""

    reasons: Mapping[int, str]
    times_up: frozenset[int]


def _given_up(records: Sequence[Record]) -> _GivenUp:
    reasons, times_up = dict[int, str](), set[int]()
    for is_left, group in groupby(records, _is_left):
        left = list(group)
        after = records[left[-1].seq].event if left[-1].seq < len(records) else None
        told = next((reason for record in left if (reason := _reason(record.event))), "")
        if is_left and (told or isinstance(after, BudgetRanOut)):
            reasons.update((record.seq, told) for record in left)
            cut = any(isinstance(record.event, TaskCancelled | TaskInDoubt) for record in left)
            times_up.update([left[0].seq] if cut or told.startswith(f"{BUDGET}wall time") else [])
    return _GivenUp(reasons, frozenset(times_up))


def _is_left(record: Record) -> bool:
    return isinstance(record.event, TaskCancelled) or bool(_reason(record.event))


def _reason(event: Event) -> str:
    """The budget for whose sake a task is given up, as it is told."""
    match event:
        case TaskSkipped(reason=reason) | TaskInDoubt(reason=reason) if reason.startswith(BUDGET):
            return reason.removesuffix(f"; {UNKNOWN}")
        case _:
            return ""
