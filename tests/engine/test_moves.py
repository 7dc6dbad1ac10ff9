"""What a driver does next, in any state there is, and in any there might be."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from orchestrator.engine.moves import Do, Move, Park, next_move
from orchestrator.ids import TaskId
from orchestrator.runs.events import ApprovalAsked
from orchestrator.runs.fold import fold
from orchestrator.runs.messages import CancelAsked, FeedbackGiven, PlanApproved, PlanRejected
from orchestrator.runs.state import RunState, TaskState

from support.driving import RUN, plan
from support.journals import stories

AT = datetime(2026, 1, 1, tzinfo=UTC)
PLAN = plan("t1 a", "t2 b: t1")
ASKED, APPROVED = ApprovalAsked("h1", "t1 (a) writes", 9), PlanApproved("ann", "h1", 9)
REJECTED, CANCEL = PlanRejected("ann", "no"), CancelAsked("ann")
FEEDBACK = FeedbackGiven("ann", "shorter", revises_plan=True)
LIMIT = 3


def either(value: object) -> st.SearchStrategy[object]:
    return st.sampled_from([None, value])


def imagined() -> st.SearchStrategy[RunState]:
    """States of all kinds, also such as no journal leads to."""
    phases = st.sampled_from(["pending", "running", "waiting", "in_doubt", "done", "failed", "cancelled"])
    tasks = st.fixed_dictionaries(
        {TaskId("t1"): st.builds(TaskState, phases), TaskId("t2"): st.builds(TaskState, phases)}
    )
    return st.builds(
        RunState,
        st.just(RUN),
        plan=st.just(PLAN),
        approval=either(ASKED),
        approved=either(APPROVED),
        rejected=either(REJECTED),
        cancel=either(CANCEL),
        to_revise=either(FEEDBACK),
        review=st.just("stuck"),
        held=st.booleans(),
        drivers=st.integers(0, 6),
        ended=either(AT),
        tasks=tasks,
    )  # fmt: skip


def told() -> st.SearchStrategy[RunState]:
    """States in which a run can be."""
    return st.tuples(stories(), st.integers(1, 60)).map(lambda told: fold(told[0].records[: told[1]]))


def move(state: RunState, *, stalled: bool = False) -> Move:
    return next_move(state, crash_limit=LIMIT, stalled=stalled)


@settings(max_examples=300)
@given(imagined() | told(), st.booleans())
def test_laws_of_every_move(state: RunState, stalled: bool) -> None:
    made = move(state, stalled=stalled)
    if state.ended is not None:
        assert made is Do.NOTHING
        return
    assert made is not Do.NOTHING
    assert (made is Do.REJECT) == (state.rejected is not None)
    if made is Do.EXECUTE:
        assert state.consented
        assert (state.rejected, state.cancel, state.to_revise, state.held) == (None, None, None, False)
        assert state.drivers <= LIMIT
        assert not stalled
    if made is Do.REVISE:
        assert state.to_revise is not None
        assert not state.held
    if state.held and state.rejected is None and state.cancel is None:
        assert made == Park(("review",))
    if isinstance(made, Park) and (state.doubts or not stalled):
        assert made.waits_for


@settings(max_examples=100)
@given(imagined() | told(), st.booleans())
def test_a_run_that_its_drivers_die_of_is_held_and_then_only_a_person_moves_it(
    state: RunState, stalled: bool
) -> None:
    made = move(state, stalled=stalled)
    dies = state.drivers > LIMIT and not state.held
    free = state.ended is None and state.rejected is None and state.cancel is None
    assert (made is Do.HOLD) == (dies and free)
    if made is Do.HOLD:
        assert move(replace(state, held=True, review="stuck"), stalled=stalled) == Park(("review",))


@given(imagined() | told(), st.booleans())
def test_the_word_of_a_person_stands_above_what_is_going_on(state: RunState, stalled: bool) -> None:
    going = replace(state, ended=None)
    assert move(replace(going, rejected=REJECTED), stalled=stalled) is Do.REJECT
    assert move(replace(going, rejected=None, cancel=CANCEL), stalled=stalled) is Do.CANCEL


READY = RunState(RUN, plan=PLAN, tasks={TaskId("t1"): TaskState(), TaskId("t2"): TaskState()}, drivers=1)
IN_DOUBT = replace(READY, tasks={TaskId("t1"): TaskState("in_doubt"), TaskId("t2"): TaskState("in_doubt")})


@pytest.mark.parametrize(
    ("state", "stalled", "expected"),
    [
        (READY, False, Do.EXECUTE),
        (IN_DOUBT, False, Do.EXECUTE),
        (IN_DOUBT, True, Park(("answer t1", "answer t2"))),
        (replace(READY, approval=ASKED), False, Park(("approval",))),
        (replace(READY, approval=ASKED, approved=APPROVED), False, Do.EXECUTE),
        (replace(READY, approval=ASKED, to_revise=FEEDBACK), False, Do.REVISE),
        (replace(READY, approval=ASKED, approved=APPROVED, to_revise=FEEDBACK), False, Do.REVISE),
        (replace(READY, approval=ASKED, rejected=REJECTED, cancel=CANCEL), False, Do.REJECT),
        (replace(READY, approval=ASKED, cancel=CANCEL), False, Do.CANCEL),
        (replace(READY, held=True, cancel=CANCEL), False, Do.CANCEL),
        (replace(READY, held=True, approval=ASKED, to_revise=FEEDBACK), False, Park(("review",))),
        (replace(READY, drivers=LIMIT), False, Do.EXECUTE),
        (replace(READY, drivers=LIMIT + 1), False, Do.HOLD),
        (replace(READY, drivers=LIMIT + 1, approval=ASKED), False, Do.HOLD),
        (replace(READY, ended=AT, rejected=REJECTED), False, Do.NOTHING),
    ],
)
def test_the_next_move(state: RunState, stalled: bool, expected: Move) -> None:
    assert move(state, stalled=stalled) == expected
