"""May this be said to the run, as it is? Asked at the door, and by the driver, whose answer counts. Pure."""

from datetime import datetime

from orchestrator.comparison import Incomparable
from orchestrator.runs.messages import (
    CancelAsked,
    DoubtAnswered,
    FeedbackGiven,
    PlanApproved,
    PlanRejected,
    ReviewCleared,
    Said,
    SignalReceived,
)
from orchestrator.runs.state import RunState


def objection(state: RunState, said: Said) -> str | None:
    """Why it cannot be said; None where it can."""
    if isinstance(said, ReviewCleared):
        return None if state.review is not None else "it is not flagged for review: there is nothing to clear"
    if state.ended is not None:
        again = "; `cuewave runs resume` takes it up again" if _resumable(state) else ""
        return f"it has ended ({state.status}){again}"
    match said:
        case PlanApproved():
            return _of_approval(state, said)
        case PlanRejected() | FeedbackGiven():
            return _of_word(state)
        case DoubtAnswered(task=task):
            return _of_answer(state, task)
        case SignalReceived():
            return _of_signal(state, said)
        case CancelAsked():
            return "it is being cancelled already" if state.cancel is not None else None
        case _:
            return None


def _resumable(state: RunState) -> bool:
    return state.status == "cancelled" and state.rejected is None


def _of_word(state: RunState) -> str | None:
    if state.approval is None:
        return "its plan needs nobody's word"
    if state.rejected is not None:
        return "its plan was rejected already"
    return "its plan was approved already" if state.approved is not None else None


def _of_approval(state: RunState, said: PlanApproved) -> str | None:
    if said.plan_hash != state.plan_hash:
        return (
            f"the plan has changed since: what was approved is {said.plan_hash[:12]}, what would be run is"
            f" {state.plan_hash[:12]}; look at it again with `cuewave runs show`"
        )
    return _of_word(state)


def _of_signal(state: RunState, said: SignalReceived) -> str | None:
    """A text where tasks assume a number, or a time that is none, would be taken for something else."""
    if said.time and not _is_moment(said.time):
        return f"its time {said.time!r} is none; write it with its time zone, such as 2026-03-01T09:30:00Z"
    for task in state.assumed.get(said.key, ()):
        for assumption in task.assumes:
            try:
                if assumption.key == said.key:
                    assumption.contradicted(said.value)
            except Incomparable as error:
                return f"{task.id} assumes {assumption}, and this cannot be compared with it: {error}"
    return None


def _is_moment(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _of_answer(state: RunState, task: str) -> str | None:
    if task in state.doubts:
        return None
    doubts = ", ".join(state.doubts)
    return f"task {task!r} is not in doubt; {f'in doubt are: {doubts}' if doubts else 'none of its tasks is'}"
