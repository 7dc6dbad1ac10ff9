"""Events become the state of a run, each by its own step.

Law: folding a prefix and then the rest equals folding the whole. `fold` leaves what it is given untouched;
`apply` is the one step, in place, for the journal, which owns its state and pays no copy per event.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from orchestrator.agents.contract import NO_USAGE, Output, Usage
from orchestrator.ids import RunId, TaskId
from orchestrator.runs.events import (
    ApprovalAsked,
    BudgetRanOut,
    DoubtSettled,
    DriverStarted,
    MessageRefused,
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
    TurnReceived,
    TurnRouted,
)
from orchestrator.runs.messages import (
    CancelAsked,
    DoubtAnswered,
    FeedbackGiven,
    PlanApproved,
    PlanRejected,
    ReviewCleared,
)
from orchestrator.runs.revised import CHANGES, assumed_by
from orchestrator.runs.state import ENDED, RunState, TaskState, child_id


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
        state.at = at


def _copy(state: RunState) -> RunState:
    return replace(
        state,
        tasks={task: replace(t) for task, t in state.tasks.items()},
        facts=dict(state.facts),
        as_of=dict(state.as_of),
        assumed=dict(state.assumed),
        decisions=list(state.decisions),
        memory=dict(state.memory),
        refused=dict(state.refused),
    )


def _turn_received(state: RunState, event: TurnReceived, _: datetime) -> None:
    state.text, state.session = event.text, event.session
    state.workspace, state.prompts = event.workspace, event.prompts


def _turn_routed(state: RunState, event: TurnRouted, _: datetime) -> None:
    state.route = event.route


def _plan_made(state: RunState, event: PlanMade, _: datetime) -> None:
    """Also a plan made anew, of which nothing has begun: what was agreed to is not this one."""
    state.plan, state.kind, state.plan_hash = event.plan, event.kind, event.plan_hash
    state.estimate = event.estimate
    state.approval = state.approved = state.to_revise = None
    state.usage += event.usage
    state.tasks = {task.id: TaskState() for task in event.plan.tasks}
    state.assumed = assumed_by(event.plan.tasks)


def _approval_asked(state: RunState, event: ApprovalAsked, _: datetime) -> None:
    state.approval, state.approved = event, None


def _plan_approved(state: RunState, event: PlanApproved, _: datetime) -> None:
    if event.plan_hash in (state.plan_hash, ""):
        state.approved = event
        _goes_on(state)


def _plan_rejected(state: RunState, event: PlanRejected, _: datetime) -> None:
    state.rejected = event
    _goes_on(state)


def _feedback_given(state: RunState, event: FeedbackGiven, _: datetime) -> None:
    state.feedback += (event,)
    if event.revises_plan:
        state.to_revise = event
    _goes_on(state)


def _cancel_asked(state: RunState, event: CancelAsked, _: datetime) -> None:
    state.cancel = event


def _review_flagged(state: RunState, event: ReviewFlagged, _: datetime) -> None:
    state.review, state.held = event.reason, event.holds


def _review_cleared(state: RunState, _event: ReviewCleared, _: datetime) -> None:
    state.review, state.held = None, False
    _goes_on(state)


def _message_refused(state: RunState, event: MessageRefused, _: datetime) -> None:
    state.refused[event.message] = event.reason
    if state.to_revise is not None and state.to_revise.message == event.message:
        state.to_revise = None


def _budget_ran_out(state: RunState, event: BudgetRanOut, _: datetime) -> None:
    state.budget = state.budget or event


def _driver_started(state: RunState, event: DriverStarted, at: datetime) -> None:
    """A new driver takes up what an earlier one was made to drop."""
    _put_down(state, state.at)
    state.driving_since = at
    state.driver, state.drivers, state.waits_for = event.driver, state.drivers + 1, ()
    if state.ended is not None:  # it is taken up again; a cancel that was not carried out stays
        state.cancel = None
    state.status, state.reply, state.ended = "running", "", None
    for task in state.tasks.values():
        task.cut_short = task.cut_short or (task.started is not None and task.status not in ENDED)
        if task.status == "cancelled":
            task.status = "running" if task.items is not None or _begun(task) else "pending"
            task.ended = None


def _run_parked(state: RunState, event: RunParked, at: datetime) -> None:
    state.status, state.waits_for, state.reply = "waiting", event.waits_for, event.reply
    state.drivers = 0
    _put_down(state, at)


def _put_down(state: RunState, at: datetime | None) -> None:
    """The driver let go of the run, at this time or, where it could not say, at that of its last record."""
    if state.driving_since is not None and at is not None:
        state.driven += max((at - state.driving_since).total_seconds(), 0.0)
    state.driving_since = None


def _goes_on(state: RunState) -> None:
    state.drivers = 0


def _attempt_over(state: RunState, task: TaskState, usage: Usage) -> None:
    """An attempt has ended that cost so much: something went on."""
    state.drivers = 0
    if usage is not NO_USAGE:
        state.usage += usage
        task.usage += usage


def _begun(task: TaskState) -> bool:
    """Whether the attempt that comes next has begun already."""
    return task.attempt == task.next_attempt


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
    task.status, task.error, task.failures = "waiting", event.error, task.failures + 1
    task.next_attempt = event.next_attempt
    task.attempt = min(task.attempt, event.next_attempt - 1)
    _attempt_over(state, task, event.usage)


def _task_handed_over(state: RunState, event: TaskHandedOver, _: datetime) -> None:
    task = state.tasks[event.task]
    task.status, task.error, task.agent, task.failures = "waiting", event.error, event.to, 0
    task.next_attempt = event.attempt + 1
    _attempt_over(state, task, event.usage)


def _task_in_doubt(state: RunState, event: TaskInDoubt, _: datetime) -> None:
    task = state.tasks[event.task]
    task.status, task.error, task.cut_short = "in_doubt", event.reason, True
    _attempt_over(state, task, event.usage)


def _doubt_settled(state: RunState, event: DoubtSettled, at: datetime) -> None:
    _settle(state, event.task, event.output or _NO_OUTPUT if event.happened else None, at)


def _doubt_answered(state: RunState, event: DoubtAnswered, at: datetime) -> None:
    _settle(state, event.task, Output(event.output) if event.happened else None, at)


def _settle(state: RunState, id: TaskId, output: Output | None, at: datetime) -> None:
    """What happened is done; what did not is to be done again, as the same attempt."""
    task = state.tasks[id]
    task.error = None
    if output is None:
        task.status, task.attempt = "pending", task.next_attempt - 1
    else:
        task.status, task.output, task.ended = "done", output, at
        _attempt_over(state, task, output.usage)
    _goes_on(state)


def _task_done(state: RunState, event: TaskDone, at: datetime) -> None:
    task = state.tasks[event.task]
    task.status, task.output, task.error, task.ended = "done", event.output, None, at
    _attempt_over(state, task, event.output.usage)


def _task_failed(state: RunState, event: TaskFailed, at: datetime) -> None:
    task = state.tasks[event.task]
    task.status, task.output, task.error, task.ended = "failed", event.output, event.error, at
    _attempt_over(state, task, event.usage if event.output is None else event.usage + event.output.usage)


def _task_skipped(state: RunState, event: TaskSkipped, at: datetime) -> None:
    task = state.tasks[event.task]
    task.status, task.error, task.ended = "skipped", event.reason, at


def _task_cancelled(state: RunState, event: TaskCancelled, at: datetime) -> None:
    task = state.tasks[event.task]
    task.status, task.ended = "cancelled", at


def _run_ended(state: RunState, event: RunEnded, at: datetime) -> None:
    state.status, state.reply, state.ended, state.drivers = event.status, event.reply, at, 0
    _put_down(state, at)


_NO_OUTPUT = Output("")

# Any: each step takes the event type of its key, which a dict's type cannot say.
_STEPS: dict[type, Callable[[RunState, Any, datetime], None]] = {
    TurnReceived: _turn_received,
    TurnRouted: _turn_routed,
    PlanMade: _plan_made,
    ApprovalAsked: _approval_asked,
    PlanApproved: _plan_approved,
    PlanRejected: _plan_rejected,
    FeedbackGiven: _feedback_given,
    DoubtAnswered: _doubt_answered,
    CancelAsked: _cancel_asked,
    ReviewFlagged: _review_flagged,
    ReviewCleared: _review_cleared,
    MessageRefused: _message_refused,
    BudgetRanOut: _budget_ran_out,
    DriverStarted: _driver_started,
    RunParked: _run_parked,
    TaskExpanded: _task_expanded,
    TaskStarted: _task_started,
    TaskRetrying: _task_retrying,
    TaskHandedOver: _task_handed_over,
    TaskInDoubt: _task_in_doubt,
    DoubtSettled: _doubt_settled,
    TaskDone: _task_done,
    TaskFailed: _task_failed,
    TaskSkipped: _task_skipped,
    TaskCancelled: _task_cancelled,
    RunEnded: _run_ended,
    **CHANGES,
}
