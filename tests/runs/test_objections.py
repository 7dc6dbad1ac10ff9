"""What may be said to a run, as it is; and what is taken does what it says."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from orchestrator.ids import MessageId, TaskId
from orchestrator.runs.events import (
    ApprovalAsked,
    DriverStarted,
    Event,
    PlanMade,
    Record,
    ReviewFlagged,
    RunEnded,
    RunParked,
    TaskCancelled,
    TaskInDoubt,
    TaskSkipped,
    TaskStarted,
    TurnReceived,
)
from orchestrator.runs.fold import fold
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
from orchestrator.runs.objections import objection
from orchestrator.runs.state import RunState

from support.driving import RUN, plan
from support.journals import Story, stories

AT = datetime(2026, 1, 1, tzinfo=UTC)
T1, T2 = TaskId("t1"), TaskId("t2")
H1, H2 = "1" * 64, "2" * 64
PLAN = plan("t1 a", "t2 b: t1")

MADE: list[Event] = [TurnReceived("do it", None), PlanMade(PLAN, "act", plan_hash=H1), DriverStarted("d")]
ASKED: list[Event] = [*MADE[:2], ApprovalAsked(H1, "t1 (a) writes", 9), DriverStarted("d")]
AGREED: list[Event] = [*ASKED, PlanApproved("ann", H1, 9)]
DOUBT: list[Event] = [*AGREED, TaskStarted(T1, 1, "k"), TaskInDoubt(T1, "cut off")]

STATES: dict[str, list[Event]] = {
    "at work": MADE,
    "waits for approval": [*ASKED, RunParked(("approval",), "")],
    "approved": AGREED,
    "rejected": [*ASKED, PlanRejected("ann", "no")],
    "to be revised": [*ASKED, FeedbackGiven("ann", "shorter", revises_plan=True)],
    "in doubt": [*DOUBT, RunParked(("answer t1",), "")],
    "being cancelled": [*AGREED, CancelAsked("ann")],
    "held": [*AGREED, ReviewFlagged("stuck", holds=True), RunParked(("review",), "")],
    "done": [*AGREED, RunEnded("done", "")],
    "done, flagged": [*AGREED, ReviewFlagged("odd", holds=False), RunEnded("done", "")],
    "cancelled": [*AGREED, TaskCancelled(T1), RunEnded("cancelled", "")],
    "cancelled in doubt": [*DOUBT, TaskCancelled(T2), RunEnded("cancelled", "")],
    "rejected and ended": [*ASKED, PlanRejected("ann", "no"), TaskSkipped(T1, ""), RunEnded("cancelled", "")],
}

M1 = MessageId("m1")
APPROVE, REJECT = PlanApproved("ann", H1, 9, M1), PlanRejected("ann", "no", M1)
FEEDBACK, SIGNAL = FeedbackGiven("ann", "shorter", True, M1), SignalReceived("k", 1, "s", M1)
ANSWER, CANCEL, CLEAR = (
    DoubtAnswered("ann", T1, True, "x", M1),
    CancelAsked("ann", "", M1),
    ReviewCleared("ann", M1),
)

NOBODY = "its plan needs nobody's word"
APPROVED, REJECTED = "its plan was approved already", "its plan was rejected already"
NO_DOUBT = "task 't1' is not in doubt; none of its tasks is"
NO_FLAG = "it is not flagged for review: there is nothing to clear"
DONE = "it has ended (done)"
AGAIN = "it has ended (cancelled); `cuewave runs resume` takes it up again"
FOR_GOOD = "it has ended (cancelled)"

#                        approve   reject    feedback  answer    cancel    clear     signal
TABLE: dict[str, tuple[str | None, ...]] = {
    "at work":            (NOBODY,   NOBODY,   NOBODY,   NO_DOUBT, None,     NO_FLAG,  None),
    "waits for approval": (None,     None,     None,     NO_DOUBT, None,     NO_FLAG,  None),
    "approved":           (APPROVED, APPROVED, APPROVED, NO_DOUBT, None,     NO_FLAG,  None),
    "rejected":           (REJECTED, REJECTED, REJECTED, NO_DOUBT, None,     NO_FLAG,  None),
    "to be revised":      (None,     None,     None,     NO_DOUBT, None,     NO_FLAG,  None),
    "in doubt":           (APPROVED, APPROVED, APPROVED, None,     None,     NO_FLAG,  None),
    "being cancelled":    (APPROVED, APPROVED, APPROVED, NO_DOUBT,
                           "it is being cancelled already", NO_FLAG,  None),
    "held":               (APPROVED, APPROVED, APPROVED, NO_DOUBT, None,     None,     None),
    "done":               (DONE,     DONE,     DONE,     DONE,     DONE,     NO_FLAG,  DONE),
    "done, flagged":      (DONE,     DONE,     DONE,     DONE,     DONE,     None,     DONE),
    "cancelled":          (AGAIN,    AGAIN,    AGAIN,    AGAIN,    AGAIN,    NO_FLAG,  AGAIN),
    "cancelled in doubt": (AGAIN,    AGAIN,    AGAIN,    AGAIN,    AGAIN,    NO_FLAG,  AGAIN),
    "rejected and ended": (FOR_GOOD, FOR_GOOD, FOR_GOOD, FOR_GOOD, FOR_GOOD, NO_FLAG,  FOR_GOOD),
}  # fmt: skip
SAYINGS: tuple[Said, ...] = (APPROVE, REJECT, FEEDBACK, ANSWER, CANCEL, CLEAR, SIGNAL)


def after(*events: Event) -> RunState:
    return fold(Record(RUN, n, AT, event) for n, event in enumerate(events, 1))


def taken(state: RunState, said: Said) -> RunState:
    return fold([Record(RUN, state.seq + 1, AT, said)], state)


@pytest.mark.parametrize("name", STATES)
def test_what_may_be_said_and_why_not(name: str) -> None:
    state = after(*STATES[name])
    found = tuple(objection(state, said) for said in SAYINGS)
    assert found == TABLE[name]


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize(
    "said", [APPROVE, REJECT, ANSWER, CANCEL, CLEAR], ids=lambda said: type(said).__name__
)
def test_what_was_said_once_is_objected_to_the_second_time(name: str, said: Said) -> None:
    state = after(*STATES[name])
    if objection(state, said) is None:
        assert objection(taken(state, said), replace(said, message=MessageId("m2"))) is not None


@pytest.mark.parametrize("hash", [H2, "", H1[:12]])
def test_an_approval_of_another_plan_is_objected_to_with_both(hash: str) -> None:
    told = objection(after(*STATES["waits for approval"]), PlanApproved("ann", hash, 9))
    assert told == (
        f"the plan has changed since: what was approved is {hash[:12]}, what would be run is {H1[:12]};"
        " look at it again with `cuewave runs show`"
    )


def test_an_answer_about_another_task_names_those_in_doubt() -> None:
    told = objection(after(*STATES["in doubt"]), DoubtAnswered("ann", T2, happened=True))
    assert told == "task 't2' is not in doubt; in doubt are: t1"


@settings(max_examples=200)
@given(stories(), st.integers(1, 60), st.sampled_from(SAYINGS))
def test_what_is_taken_does_what_it_says(story: Story, cut: int, said: Said) -> None:
    state = fold(story.records[:cut])
    if isinstance(said, PlanApproved):
        said = replace(said, plan_hash=state.plan_hash)
    if isinstance(said, DoubtAnswered) and state.doubts:
        said = replace(said, task=state.doubts[0])
    if objection(state, said) is None:
        assert_done(said, state, taken(state, said))


def assert_done(said: Said, before: RunState, after: RunState) -> None:
    match said:
        case PlanApproved():
            assert (before.consented, after.consented, after.approved) == (False, True, said)
        case PlanRejected():
            assert (before.rejected, after.rejected) == (None, said)
        case FeedbackGiven():
            assert (after.feedback, after.to_revise) == ((*before.feedback, said), said)
        case DoubtAnswered(task=task):
            assert task in before.doubts
            assert task not in after.doubts
            assert after.tasks[task].status == "done"
        case SignalReceived(key=key, value=value):
            assert after.facts == {**before.facts, key: value}
        case CancelAsked():
            assert (before.cancel, after.cancel) == (None, said)
        case ReviewCleared():
            assert before.review is not None
            assert (after.review, after.held) == (None, False)
    assert after.seq == before.seq + 1
