"""What each event makes of a state."""

from datetime import UTC, datetime, timedelta

import pytest
from orchestrator.agents.contract import Item, Output, Usage
from orchestrator.ids import AgentName, MessageId, TaskId
from orchestrator.runs.events import (
    ApprovalAsked,
    BudgetRanOut,
    DoubtSettled,
    DriverStarted,
    Event,
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
    SignalReceived,
)
from orchestrator.runs.state import RunState, TaskState

from support.driving import RUN, plan

START = datetime(2026, 1, 1, tzinfo=UTC)
T1, T2 = TaskId("t1"), TaskId("t2")


def recorded(events: list[Event]) -> list[Record]:
    return [Record(RUN, n, START + timedelta(seconds=n), event) for n, event in enumerate(events, 1)]


# ── a person's word ─────────────────────────────────────────────────────────────────────────────────────

WRITE = plan("t1 a", "t2 b: t1")
ASKED: list[Event] = [
    TurnReceived("write it", None),
    PlanMade(WRITE, "act", plan_hash="h1"),
    ApprovalAsked("h1", "t1 (a) writes", 9),
]


def of(*events: Event) -> RunState:
    """The state after the opening of a run that asks, and these events."""
    return fold(recorded([*ASKED, *events]))


def test_a_plan_that_asks_is_consented_to_by_an_approval_of_itself() -> None:
    assert not of().consented
    assert of(PlanApproved("ann", "h1", 9)).consented
    assert not of(PlanApproved("ann", "h0", 9)).consented


def test_an_approval_from_before_there_were_hashes_is_of_the_plan_that_was_there() -> None:
    assert of(PlanApproved("ann", "", 0)).consented


def test_a_plan_that_nobody_was_asked_about_needs_no_word() -> None:
    assert fold(recorded(ASKED[:2])).consented


def test_a_plan_made_anew_is_another_and_nobody_has_agreed_to_it() -> None:
    feedback = FeedbackGiven("ann", "shorter", revises_plan=True, message=MessageId("m1"))
    told = of(feedback)
    assert (told.to_revise, told.feedback) == (feedback, (feedback,))
    anew: list[Event] = [PlanMade(plan("t9 a"), "act", Usage(1), "h2"), ApprovalAsked("h2", "t9 writes", 5)]
    state = of(PlanApproved("ann", "h1", 9), feedback, *anew)
    assert (state.plan_hash, state.to_revise, state.approved, state.consented) == ("h2", None, None, False)
    assert list(state.tasks) == ["t9"]
    assert state.feedback == (feedback,)


def test_feedback_that_changes_no_plan_is_kept_beside_it() -> None:
    feedback = FeedbackGiven("ann", "well done", revises_plan=False)
    assert (of(feedback).to_revise, of(feedback).feedback) == (None, (feedback,))


def test_feedback_that_cannot_be_carried_out_is_no_longer_due() -> None:
    feedback = FeedbackGiven("ann", "fly", revises_plan=True, message=MessageId("m1"))
    state = of(feedback, MessageRefused(MessageId("m1"), "FeedbackGiven", "nobody serves it"))
    assert (state.to_revise, state.refused) == (None, {"m1": "nobody serves it"})
    assert of(feedback, MessageRefused(MessageId("m2"), "CancelAsked", "no")).to_revise == feedback


def test_a_rejection_a_cancel_and_a_signal_are_kept_as_said() -> None:
    rejected, cancel = PlanRejected("ann", "no"), CancelAsked("ann", "late")
    state = of(rejected, cancel, SignalReceived("k", 1, "s"), SignalReceived("k", 2, "s"))
    assert (state.rejected, state.cancel, state.facts) == (rejected, cancel, {"k": 2})


def test_a_run_is_held_from_its_flag_until_it_is_cleared() -> None:
    flagged = of(ReviewFlagged("stuck", holds=True))
    assert (flagged.review, flagged.held) == ("stuck", True)
    noted = of(ReviewFlagged("odd", holds=False))
    assert (noted.review, noted.held) == ("odd", False)
    cleared = of(ReviewFlagged("stuck", holds=True), ReviewCleared("ann"))
    assert (cleared.review, cleared.held) == (None, False)


# ── drivers ─────────────────────────────────────────────────────────────────────────────────────────────

BEGUN: list[Event] = [PlanApproved("ann", "h1", 9), DriverStarted("one"), TaskStarted(T1, 1, "r1/t1/1")]


def test_drivers_are_counted_until_something_goes_on() -> None:
    died = [DriverStarted("a"), DriverStarted("b"), DriverStarted("c")]
    assert of(*died).drivers == 3
    assert of(*died).driver == "c"


@pytest.mark.parametrize(
    "goes_on",
    [
        PlanApproved("ann", "h1", 9),
        PlanRejected("ann", "no"),
        FeedbackGiven("ann", "x", revises_plan=False),
        ReviewCleared("ann"),
        RunParked(("approval",), "it waits"),
        TaskRetrying(T1, 1, "busy", 0.5, 2),
        TaskHandedOver(T1, 1, "no", AgentName("c")),
        TaskInDoubt(T1, "cut off"),
        DoubtSettled(T1, happened=False),
        DoubtAnswered("ann", T1, happened=True),
        TaskDone(T1, Output("x")),
        TaskFailed(T1, "no"),
        RunEnded("failed", "no"),
    ],
    ids=lambda event: type(event).__name__,
)
def test_something_went_on(goes_on: Event) -> None:
    assert of(DriverStarted("a"), DriverStarted("b"), goes_on).drivers == 0


@pytest.mark.parametrize(
    "says_nothing",
    [
        TaskStarted(T1, 1, "k"),
        SignalReceived("k", 1, "s"),
        CancelAsked("ann"),
        MessageRefused(MessageId("m"), "CancelAsked", "no"),
        ReviewFlagged("stuck", holds=True),
        PlanApproved("ann", "another", 9),
    ],
    ids=lambda event: type(event).__name__,
)
def test_a_beginning_or_a_word_that_moves_nothing_is_no_going_on(says_nothing: Event) -> None:
    assert of(DriverStarted("a"), DriverStarted("b"), says_nothing).drivers == 2


def test_a_parked_run_waits_until_a_driver_takes_it() -> None:
    parked = of(DriverStarted("a"), RunParked(("approval",), "your word"))
    assert (parked.status, parked.waits_for, parked.reply) == ("waiting", ("approval",), "your word")
    taken = of(DriverStarted("a"), RunParked(("approval",), "your word"), DriverStarted("b"))
    assert (taken.status, taken.waits_for, taken.reply) == ("running", (), "")


def test_driven_is_the_time_from_each_driver_to_its_end_park_or_last_record() -> None:
    at = dict(enumerate([0, 0, 0, 10, 15, 100, 130, 131, 200, 260], 1))
    life: list[Event] = [
        *ASKED,
        DriverStarted("a"),  # 10, and dies after 15
        PlanApproved("ann", "h1", 9),
        DriverStarted("b"),  # 100, and parks at 130
        RunParked(("answer t1",), "x"),
        SignalReceived("k", 1, "s"),
        DriverStarted("c"),  # 200, and ends at 260
        RunEnded("done", "x"),
    ]
    records = [Record(RUN, n, START + timedelta(seconds=at[n]), event) for n, event in enumerate(life, 1)]
    assert [fold(records[:n]).driven for n in (4, 5, 6, 7, 8, 9, 10)] == [0, 0, 5, 35, 35, 35, 95]
    assert fold(records[:9]).driving_since == START + timedelta(seconds=200)
    assert fold(records).driving_since is None


def test_a_cancel_that_was_carried_out_is_over_when_the_run_is_taken_up_again() -> None:
    cancelled: list[Event] = [DriverStarted("a"), CancelAsked("ann"), TaskCancelled(T1), TaskCancelled(T2)]
    assert of(*cancelled, RunEnded("cancelled", "stopped"), DriverStarted("b")).cancel is None
    assert of(*cancelled, DriverStarted("b")).cancel == CancelAsked("ann")


# ── attempts ────────────────────────────────────────────────────────────────────────────────────────────


def task(*events: Event) -> TaskState:
    """Task t1 after its first attempt began, and these events."""
    return of(*BEGUN, *events).tasks[T1]


def test_an_attempt_without_an_end_is_cut_off_and_would_be_begun_again_under_its_number() -> None:
    found = task(DriverStarted("two"))
    assert (found.cut_off, found.attempt, found.next_attempt, found.key) == (True, 1, 1, "r1/t1/1")


def test_an_attempt_that_may_have_taken_effect_is_made_again_under_the_same_number() -> None:
    found = task(TaskRetrying(T1, 1, "timed out", 0.5, next_attempt=1))
    assert (found.status, found.attempt, found.next_attempt, found.failures) == ("waiting", 0, 1, 1)


def test_another_agent_begins_with_no_failures_and_the_next_number() -> None:
    found = task(
        TaskRetrying(T1, 1, "busy", 0.5, 2),
        TaskStarted(T1, 2, "r1/t1/2"),
        TaskHandedOver(T1, 2, "HTTP 500", AgentName("c")),
    )
    assert (found.agent, found.failures, found.next_attempt, found.status) == ("c", 0, 3, "waiting")


def test_a_task_in_doubt_is_named_and_waits_for_what_becomes_known() -> None:
    state = of(*BEGUN, TaskInDoubt(T1, "cut off", Usage(1, 2, 3)))
    assert (state.doubts, state.tasks[T1].error, state.usage) == (("t1",), "cut off", Usage(1, 2, 3))


@pytest.mark.parametrize(
    "settled",
    [
        DoubtSettled(T1, happened=True, output=Output("sent", usage=Usage(1, 2, 3))),
        DoubtAnswered("ann", T1, happened=True, output="sent"),
    ],
)
def test_what_did_happen_is_done_with_its_result(settled: Event) -> None:
    state = of(*BEGUN, TaskInDoubt(T1, "cut off"), settled)
    found = state.tasks[T1]
    assert (found.status, found.error, state.doubts) == ("done", None, ())
    assert found.output is not None
    assert found.output.text == "sent"
    assert state.usage == found.output.usage
    assert found.ended == START + timedelta(seconds=8)


def test_what_happened_and_told_no_result_has_an_empty_one() -> None:
    assert task(DoubtSettled(T1, happened=True)).output == Output("")


@pytest.mark.parametrize(
    "settled", [DoubtSettled(T1, happened=False), DoubtAnswered("ann", T1, happened=False)]
)
def test_what_did_not_happen_is_to_be_done_again_as_the_same_attempt(settled: Event) -> None:
    found = task(TaskInDoubt(T1, "cut off"), settled)
    assert (found.status, found.attempt, found.next_attempt, found.error) == ("pending", 0, 1, None)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([], "pending"),
        ([TaskStarted(T1, 1, "k")], "running"),
        ([TaskStarted(T1, 1, "k"), TaskRetrying(T1, 1, "busy", 0.5, 2)], "pending"),
        ([TaskStarted(T1, 1, "k"), TaskRetrying(T1, 1, "busy", 0.5, 1)], "pending"),
        ([TaskStarted(T1, 1, "k"), TaskHandedOver(T1, 1, "no", AgentName("c"))], "pending"),
        ([TaskExpanded(T1, (Item("x"),))], "running"),
    ],
)
def test_a_cancelled_task_is_taken_up_where_it_was(before: list[Event], after: str) -> None:
    cancelled = of(DriverStarted("a"), *before, TaskCancelled(T1))
    assert (cancelled.tasks[T1].status, cancelled.tasks[T1].ended) == ("cancelled", cancelled.at)
    again = of(DriverStarted("a"), *before, TaskCancelled(T1), DriverStarted("b"))
    assert (again.tasks[T1].status, again.tasks[T1].ended) == (after, None)


def test_a_task_that_was_begun_counts_once_however_often_and_by_whomever() -> None:
    begun = [
        TaskStarted(T1, 1, "r1/t1/1"),
        TaskRetrying(T1, 1, "busy", 0.5, 1),
        DriverStarted("b"),
        TaskStarted(T1, 1, "r1/t1/1"),
        TaskHandedOver(T1, 1, "no", AgentName("c")),
        TaskStarted(T1, 2, "r1/t1/2"),
    ]
    assert [of(*begun[:n]).units_begun for n in range(len(begun) + 1)] == [0, 1, 1, 1, 1, 1, 1]


def test_a_mapped_task_is_begun_in_its_children_only() -> None:
    first = [TaskExpanded(T1, (Item("x"), Item("y"))), TaskStarted(TaskId("t1[1]"), 1, "k")]
    assert of(*first).units_begun == 1


def test_the_first_budget_that_ran_out_is_the_one() -> None:
    first, second = BudgetRanOut("tokens", 10.0, 12.0, "t2"), BudgetRanOut("money", 1.0, 2.0, "t2")
    assert of(first, second).budget == first


def test_what_a_mapped_task_gathered_and_its_last_attempt_cost_is_counted() -> None:
    failed = TaskFailed(T1, "1 of 2", Output("x", usage=Usage(1, 1, 1, 0.5)), Usage(2, 2, 2, 1.0))
    assert of(*BEGUN, failed).usage == Usage(3, 3, 3, 1.5)
    assert of(*BEGUN, failed).tasks[T1].output == failed.output
