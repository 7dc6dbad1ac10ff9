"""What a person sees while a run is on its way: a live list on a terminal, plain lines in a pipe.

A listener of the run: it is handed every journal record and every piece of output as they come.
"""

from textwrap import indent
from typing import TYPE_CHECKING, TypeAlias

from orchestrator.cli.output import plain, say, warn
from orchestrator.cli.telling import detail, word
from orchestrator.runs.changes import PlanRevised, SignalJudged, TaskRecalled
from orchestrator.runs.events import (
    BudgetRanOut,
    DoubtSettled,
    Event,
    MessageRefused,
    OutputChunk,
    PlanMade,
    Record,
    ReviewFlagged,
    RunEnded,
    RunParked,
    TaskCancelled,
    TaskDone,
    TaskExpanded,
    TaskFailed,
    TaskHandedOver,
    TaskInDoubt,
    TaskRetrying,
    TaskSkipped,
    TaskStarted,
)
from orchestrator.runs.messages import DoubtAnswered, SignalReceived
from orchestrator.runs.stream import ReplyText

if TYPE_CHECKING:
    from rich.live import Live

    from orchestrator.ids import RunId, TaskId
    from orchestrator.planning.plan import Plan
    from orchestrator.planning.task import Task
    from orchestrator.runs.state import RunState

_OfTask: TypeAlias = (
    TaskStarted
    | TaskDone
    | TaskFailed
    | TaskSkipped
    | TaskCancelled
    | TaskRetrying
    | TaskExpanded
    | TaskHandedOver
    | TaskInDoubt
    | DoubtSettled
    | DoubtAnswered
    | TaskRecalled
)
"""What has a line of its own: it happens to a task."""


class Progress:
    """Shows tasks as they start and end, on stderr, and with `reply` the reply on stdout as it arrives.

    Results that the reply does not carry, since later tasks took them up, are shown too, on stderr. Use as a
    context manager and a listener; `run` is the id of the run that was seen, `left` says that the person has
    left a question open.
    """

    def __init__(self, *, live: bool, reply: bool) -> None:
        self.run: RunId | None = None
        self.left = False
        self._tasks: dict[str, Task] = {}
        self._leaves: tuple[TaskId, ...] = ()
        self._lines: dict[str, str] = {}
        self._warned: set[str] = set()
        self._wants_live = live
        self._reply = ReplyText() if reply else None
        self._live: Live | None = None
        self._in_reply = False
        self._held: list[str] = []

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop_live()
        if self._in_reply:
            say("")
        self._let_go()

    def warn(self, messages: tuple[str, ...]) -> None:
        """Write those warnings that were not written yet."""
        warn(message for message in messages if message not in self._warned)
        self._warned.update(messages)

    def take_up(self, state: "RunState") -> None:
        """Know of a run that others have begun what it was until now."""
        self.run = state.run
        if state.plan is not None and state.started is not None:
            self._learn(state.plan)
            if self._reply:
                made = PlanMade(state.plan, state.kind or "")
                self._reply.take(Record(state.run, state.seq, state.started, made))

    def __call__(self, happening: Record | OutputChunk) -> None:
        """Take note of one record or one piece of output."""
        if self._reply and (piece := self._reply.take(happening)):
            self._stop_live()
            say(piece, nl=False)
            self._in_reply = True
            if piece.endswith("\n"):
                self._let_go()
        if isinstance(happening, OutputChunk):
            return
        self.run = happening.run
        self._tell(happening.event)

    def _tell(self, event: Event) -> None:
        """Say what happened, where a person wants to know of it."""
        match event:
            case PlanMade(plan=plan):
                self._learn(plan)
                self.warn(plan.warnings)
            case RunEnded() | RunParked() if self._reply:
                say("")
                self._let_go()
            case SignalJudged(decision="ignored"):
                pass
            case PlanRevised():
                self._note(_told(event))
                self._relearn(event)
            case BudgetRanOut() | MessageRefused() | SignalReceived() | SignalJudged() | ReviewFlagged():
                self._note(_told(event))
            case _:
                if isinstance(event, _OfTask):
                    self._show(event)

    def _learn(self, plan: "Plan") -> None:
        self._tasks = {t.id: t for t in plan.tasks}
        self._leaves = plan.leaves

    def _relearn(self, event: PlanRevised) -> None:
        """The plan has changed: tasks may be new, and what was a leaf may be read now."""
        tasks = {**self._tasks, **{task.id: task for task in event.changed}}
        self._tasks = {id: task for id, task in tasks.items() if id not in event.dropped}
        read = {dependency for task in self._tasks.values() for dependency in task.depends_on}
        self._leaves = tuple(task.id for task in self._tasks.values() if task.id not in read)

    def _show(self, event: _OfTask) -> None:
        task, more = event.task, detail(event)
        line = f"{task:<6} {self._agent(task):<12} {word(event)}{f': {more}' if more else ''}"
        if self._wants_live:
            self._lines[task] = line
            self._started_live().update(plain("\n".join(self._lines.values())), refresh=True)
        else:
            self._note(line)
        if isinstance(event, TaskDone) and self._reply and task in self._tasks and task not in self._leaves:
            self._show_result(event.output.text)

    def _note(self, line: str) -> None:
        """The line on stderr; in the middle of a line of the reply it waits until that has ended."""
        if self._in_reply:
            self._held.append(line)
        else:
            say(line, err=True)

    def _let_go(self) -> None:
        self._in_reply = False
        while self._held:
            say(self._held.pop(0), err=True)

    def _show_result(self, text: str) -> None:
        """A result on its way to a later task, indented."""
        shown = plain(indent(text.strip(), "  "))
        if self._live is None:
            say(shown, err=True)
        else:
            self._live.console.print(shown)

    def _agent(self, task: str) -> str:
        """The agent of a task, or of the mapped task that a child `t2[1]` belongs to."""
        known = self._tasks.get(task.split("[", 1)[0])
        return known.agent if known else ""

    def _started_live(self) -> "Live":
        """The live list; started at the first task, since before it a person may be asked for approval."""
        if self._live is None:
            from rich.console import Console
            from rich.live import Live

            console = Console(stderr=True, highlight=False, markup=False)
            self._live = Live(console=console, auto_refresh=False)
            self._live.start()
        return self._live

    def _stop_live(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live, self._wants_live = None, False


def _told(event: Event) -> str:
    return f"{word(event)}: {detail(event)}"
