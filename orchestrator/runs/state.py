"""The state of a run, folded from its events and from nothing else.

Law: folding a prefix and then the rest equals folding the whole. `fold` leaves what it is given untouched;
`apply` is the one step, in place, for the journal, which owns its state and pays no copy per event.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, TypeAlias

from orchestrator.agents.contract import Item, Output, Usage
from orchestrator.ids import Json, RunId, RunStatus, SessionId, TaskId
from orchestrator.planning.plan import Plan
from orchestrator.runs.events import (
    DriverStarted,
    PlanApproved,
    PlanMade,
    Record,
    RunEnded,
    TaskCancelled,
    TaskDone,
    TaskExpanded,
    TaskFailed,
    TaskRetrying,
    TaskSkipped,
    TaskStarted,
    TurnReceived,
    TurnRouted,
)

Phase: TypeAlias = Literal["pending", "running", "waiting", "done", "failed", "skipped", "cancelled"]
"""Where a task is. `waiting` is the pause between two attempts."""

ENDED: frozenset[Phase] = frozenset({"done", "failed", "skipped"})
"""What no driver goes back to. A cancelled task is not ended: the next driver takes it up again."""


@dataclass(slots=True)
class TaskState:
    """Where one task, or one child of a mapped task, is.

    `attempt` is the last one begun and `key` names its effect; `retried` is the number of those that failed
    and may be followed by another.
    `items` are what a mapped task was expanded to; None before.
    """

    status: Phase = "pending"
    attempt: int = 0
    key: str = ""
    retried: int = 0
    output: Output | None = None
    error: str | None = None
    started: datetime | None = None
    ended: datetime | None = None
    items: tuple[Item, ...] | None = None


@dataclass(slots=True)
class RunState:
    """Where a run is. Whoever is not its journal only reads it.

    `tasks` has every task of the plan in plan order, and each mapped task's children once they are known.
    """

    run: RunId
    seq: int = 0
    status: RunStatus | Literal["running"] = "running"
    text: str = ""
    session: SessionId | None = None
    route: Mapping[str, Json] | None = None
    plan: Plan | None = None
    kind: str | None = None
    approved_by: str | None = None
    driver: str | None = None
    tasks: dict[TaskId, TaskState] = field(default_factory=dict[TaskId, TaskState])
    reply: str = ""
    usage: Usage = field(default_factory=Usage)
    started: datetime | None = None
    ended: datetime | None = None

    def children(self, task: TaskId) -> tuple[TaskId, ...]:
        """The children of a mapped task, in the order of their items; none before it was expanded."""
        return tuple(child_id(task, n) for n in range(1, len(self.tasks[task].items or ()) + 1))


def child_id(task: TaskId, number: int) -> TaskId:
    """The id of a mapped task's child; `number` counts its items from 1."""
    return TaskId(f"{task}[{number}]")


def fold(records: Iterable[Record], onto: RunState | None = None) -> RunState:
    """The state after these records, from the beginning or after the records that led to `onto`."""
    state = RunState(RunId("")) if onto is None else _copy(onto)
    apply(state, records)
    return state


def apply(state: RunState, records: Iterable[Record]) -> None:
    """Take the records into the state, in place."""
    for state.run, state.seq, at, event in records:
        if state.started is None:
            state.started = at
        _STEPS[type(event)](state, event, at)


def _copy(state: RunState) -> RunState:
    return replace(state, tasks={task: replace(t) for task, t in state.tasks.items()})


def _turn_received(state: RunState, event: TurnReceived, _: datetime) -> None:
    state.text, state.session = event.text, event.session


def _turn_routed(state: RunState, event: TurnRouted, _: datetime) -> None:
    state.route = event.route


def _plan_made(state: RunState, event: PlanMade, _: datetime) -> None:
    state.plan, state.kind = event.plan, event.kind
    state.usage += event.usage
    state.tasks = {task.id: TaskState() for task in event.plan.tasks}


def _plan_approved(state: RunState, event: PlanApproved, _: datetime) -> None:
    state.approved_by = event.by


def _driver_started(state: RunState, event: DriverStarted, _: datetime) -> None:
    """A new driver takes up what an earlier one was made to drop."""
    state.driver, state.status, state.reply, state.ended = event.driver, "running", "", None
    for task in state.tasks.values():
        if task.status == "cancelled":
            task.status = "pending" if task.items is None else "running"
            task.ended = None


def _task_expanded(state: RunState, event: TaskExpanded, at: datetime) -> None:
    task = state.tasks[event.task]
    task.status, task.started, task.items = "running", at, event.items
    for number in range(1, len(event.items) + 1):
        state.tasks[child_id(event.task, number)] = TaskState()


def _task_started(state: RunState, event: TaskStarted, at: datetime) -> None:
    task = state.tasks[event.task]
    task.status, task.attempt, task.key = "running", event.attempt, event.key
    if task.started is None:
        task.started = at


def _task_retrying(state: RunState, event: TaskRetrying, _: datetime) -> None:
    task = state.tasks[event.task]
    task.status, task.retried, task.error = "waiting", event.attempt, event.error


def _task_done(state: RunState, event: TaskDone, at: datetime) -> None:
    task = state.tasks[event.task]
    task.status, task.output, task.error, task.ended = "done", event.output, None, at
    if event.output.usage is not _NOTHING:
        state.usage += event.output.usage


def _task_failed(state: RunState, event: TaskFailed, at: datetime) -> None:
    task = state.tasks[event.task]
    task.status, task.output, task.error, task.ended = "failed", event.output, event.error, at
    if event.output is not None:
        state.usage += event.output.usage


def _task_skipped(state: RunState, event: TaskSkipped, at: datetime) -> None:
    task = state.tasks[event.task]
    task.status, task.error, task.ended = "skipped", event.reason, at


def _task_cancelled(state: RunState, event: TaskCancelled, at: datetime) -> None:
    task = state.tasks[event.task]
    task.status, task.ended = "cancelled", at


def _run_ended(state: RunState, event: RunEnded, at: datetime) -> None:
    state.status, state.reply, state.ended = event.status, event.reply, at


_NOTHING = Output("").usage
"""The usage of an output that says nothing of it: one object for all of them, and nothing to add."""

# Any: each step takes the event type of its key, which a dict's type cannot say.
_STEPS: dict[type, Callable[[RunState, Any, datetime], None]] = {
    TurnReceived: _turn_received,
    TurnRouted: _turn_routed,
    PlanMade: _plan_made,
    PlanApproved: _plan_approved,
    DriverStarted: _driver_started,
    TaskExpanded: _task_expanded,
    TaskStarted: _task_started,
    TaskRetrying: _task_retrying,
    TaskDone: _task_done,
    TaskFailed: _task_failed,
    TaskSkipped: _task_skipped,
    TaskCancelled: _task_cancelled,
    RunEnded: _run_ended,
}
