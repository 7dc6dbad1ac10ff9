"""The laws of a purse: what is refused was not spent, and calls never exceed their limit."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.contract import Usage
from orchestrator.errors import BudgetExceeded
from orchestrator.execution.purse import AttemptPurse, RunPurse
from orchestrator.execution.settings import NO_LIMITS, Budgets, Spending

NOTHING = Usage()


def purse(run: Spending = NO_LIMITS, session: Spending = NO_LIMITS, **before: object) -> RunPurse:
    known = {"spent": Usage(), "tasks": 0, **before}
    return RunPurse(Budgets(run, session), **known)


def refusal(of: RunPurse | AttemptPurse) -> BudgetExceeded:
    with pytest.raises(BudgetExceeded) as refused:
        of.begin_call()
    return refused.value


def calls_until_refused(of: RunPurse, usage: Usage = NOTHING) -> int:
    for count in range(100):
        try:
            of.begin_call()
        except BudgetExceeded:
            return count
        of.spend(usage)
    raise AssertionError("it never ran out")


# ── what may be spent ───────────────────────────────────────────────────────────────────────────────────


def test_without_limits_everything_may_be_spent() -> None:
    endless = purse()
    for _ in range(1000):
        endless.begin_call()
        endless.spend(Usage(0, 10**9, 10**9, 1e9))
    assert (endless.ran_out, endless.tasks_left(), endless.limits_tasks) == (None, None, False)


@pytest.mark.parametrize("scope", ["run", "session"])
@pytest.mark.parametrize(
    ("limits", "a_call", "calls", "told"),
    [
        (Spending(model_calls=3), Usage(0, 50, 50), 3, "model calls of the {} is used up (3 of 3)"),
        (Spending(tokens=10), Usage(0, 3, 1), 3, "tokens of the {} is used up (12 of 10)"),
        (Spending(money=0.5), Usage(money=0.25), 2, "money of the {} is used up (0.5 of 0.5)"),
    ],
    ids=["calls", "tokens", "money"],
)
def test_a_call_is_refused_once_the_limit_is_reached(
    scope: str, limits: Spending, a_call: Usage, calls: int, told: str
) -> None:
    limited = purse(**{scope: limits})
    assert calls_until_refused(limited, a_call) == calls
    assert told.format(scope) in str(refusal(limited))


@pytest.mark.parametrize("limits", [Spending(model_calls=0), Spending(tokens=0), Spending(money=0.0)])
def test_of_nothing_nothing_can_be_paid(limits: Spending) -> None:
    assert calls_until_refused(purse(limits)) == 0
    assert calls_until_refused(purse(session=limits)) == 0


def test_what_the_run_has_spent_before_counts_for_both_and_what_its_session_has_for_that_alone() -> None:
    five = Spending(model_calls=5)
    assert calls_until_refused(purse(five, spent=Usage(2))) == 3
    assert calls_until_refused(purse(session=five, spent=Usage(2), session_spent=Usage(2))) == 1
    assert calls_until_refused(purse(five, session_spent=Usage(5))) == 5


def test_a_limit_lowered_below_what_was_spent_refuses_the_next_call() -> None:
    assert refusal(purse(Spending(model_calls=3), spent=Usage(9))).used == 9


def test_the_narrower_of_two_limits_decides() -> None:
    both = purse(Spending(model_calls=4), Spending(model_calls=3))
    assert calls_until_refused(both) == 3
    assert both.ran_out is not None
    assert both.ran_out.budget == "model calls of the session"


def test_the_first_refusal_is_kept() -> None:
    one = purse(Spending(model_calls=1, tokens=10))
    one.begin_call()
    first = refusal(one)
    one.spend(Usage(0, 10, 10))
    refusal(one)
    one.run_out(BudgetExceeded("wall time of the run", 1.0, 1.0))
    assert one.ran_out is first
    assert (first.budget, first.limit, first.used) == ("model calls of the run", 1, 1)


def test_large_numbers_are_told_in_full() -> None:
    told = str(refusal(purse(Spending(tokens=1_000_000), spent=Usage(1, 1_234_567, 0))))
    assert told == "the budget of tokens of the run is used up (1,234,567 of 1,000,000)"


# ── interleaved calls ───────────────────────────────────────────────────────────────────────────────────


class Step(NamedTuple):
    """What one of the callers does next: it begins a call, or ends the one that it has begun."""

    caller: int
    input: int
    output: int


STEPS = st.lists(st.builds(Step, st.integers(0, 3), st.integers(0, 9), st.integers(0, 9)), max_size=60)
LIMITS = st.builds(
    Spending,
    model_calls=st.none() | st.integers(0, 8),
    tokens=st.none() | st.integers(0, 60),
    money=st.none() | st.integers(0, 60).map(float),
)
SPENT = st.builds(
    Usage, st.integers(0, 4), st.integers(0, 20), st.integers(0, 20), st.integers(0, 20).map(float)
)


def reached(limits: Spending, used: Usage) -> bool:
    """Whether there is a limit that is reached; said anew here, in the words of the law."""
    return (
        (limits.model_calls is not None and used.model_calls >= limits.model_calls)
        or (limits.tokens is not None and used.input_tokens + used.output_tokens >= limits.tokens)
        or (limits.money is not None and used.money >= limits.money)
    )


@given(STEPS, LIMITS, LIMITS, SPENT, SPENT)
def test_however_calls_interleave_none_begins_once_a_limit_is_reached(
    steps: list[Step], run: Spending, session: Spending, spent: Usage, others: Usage
) -> None:
    whole = purse(run, session, spent=spent, session_spent=others)
    attempts = [whole.attempt() for _ in range(4)]
    open_calls: set[int] = set()
    begun, total = 0, spent
    for caller, read, written in steps:
        if caller in open_calls:
            open_calls.remove(caller)
            attempts[caller].spend(Usage(0, read, written, float(read)))
            total += Usage(0, read, written, float(read))
            continue
        refused = reached(run, total) or reached(session, others + total)
        try:
            attempts[caller].begin_call()
        except BudgetExceeded:
            assert refused
            assert whole.ran_out is not None
        else:
            assert not refused
            open_calls.add(caller)
            begun, total = begun + 1, total + Usage(1)
    for limit, before in ((run.model_calls, spent), (session.model_calls, others + spent)):
        assert limit is None or begun <= max(limit - before.model_calls, 0)
    assert sum((a.usage for a in attempts), spent) == total
    assert (whole.ran_out is None) or (reached(run, total) or reached(session, others + total))


# ── what an attempt has cost ────────────────────────────────────────────────────────────────────────────


def test_an_attempt_knows_what_it_has_cost_and_the_run_pays() -> None:
    whole = purse(Spending(model_calls=3))
    one, other = whole.attempt(), whole.attempt()
    one.begin_call()
    other.begin_call()
    one.spend(Usage(0, 4, 2, 0.5))
    one.begin_call()
    assert (one.usage, other.usage) == (Usage(2, 4, 2, 0.5), Usage(1))
    refusal(other)
    assert other.usage == Usage(1)


def test_what_one_attempt_has_spent_is_refused_to_another() -> None:
    whole = purse(Spending(tokens=6))
    one, other = whole.attempt(), whole.attempt()
    one.begin_call()
    one.spend(Usage(0, 4, 2))
    assert refusal(other).used == 6


def test_calls_are_counted_when_they_begin_and_never_again() -> None:
    paid = purse(Spending(model_calls=2)).attempt()
    paid.begin_call()
    paid.spend(Usage(9, 1, 1))
    paid.begin_call()
    assert paid.usage == Usage(2, 1, 1)


def test_what_an_agent_reports_and_has_paid_for_is_paid_for_once() -> None:
    whole = purse(Spending(model_calls=3))
    paid = whole.attempt()
    paid.begin_call()
    paid.spend(Usage(0, 4, 2, 0.5))
    paid.settle(Usage(1, 4, 2, 0.5))
    assert paid.usage == Usage(1, 4, 2, 0.5)
    assert calls_until_refused(whole) == 2


def test_what_it_has_spent_past_the_purse_is_paid_for_when_it_is_reported() -> None:
    whole = purse(Spending(model_calls=4))
    paid = whole.attempt()
    paid.begin_call()
    paid.settle(Usage(3, 5, 1, 0.25))
    assert paid.usage == Usage(3, 5, 1, 0.25)
    assert calls_until_refused(whole) == 1


def test_what_it_does_not_report_is_not_given_back() -> None:
    whole = purse(Spending(model_calls=2))
    paid = whole.attempt()
    paid.begin_call()
    paid.spend(Usage(0, 4, 2, 0.5))
    paid.settle(Usage())
    assert paid.usage == Usage(1, 4, 2, 0.5)
    assert calls_until_refused(whole) == 1


# ── tasks ───────────────────────────────────────────────────────────────────────────────────────────────


def test_so_many_tasks_are_left_as_the_narrower_limit_leaves() -> None:
    limited = purse(Spending(tasks=5), Spending(tasks=6), tasks=1, session_tasks=3)
    assert (limited.limits_tasks, limited.tasks_left()) == (True, 2)
    limited.begin_tasks(1)
    assert limited.tasks_left() == 1
    limited.begin_tasks(4)
    assert limited.tasks_left() == 0


@pytest.mark.parametrize(
    ("run", "session", "told"),
    [
        (Spending(tasks=2), Spending(), ("tasks of the run", 2, 2)),
        (Spending(), Spending(tasks=5), ("tasks of the session", 5, 5)),
        (Spending(tasks=9), Spending(tasks=5), ("tasks of the session", 5, 5)),
        (Spending(tasks=0), Spending(), ("tasks of the run", 0, 2)),
    ],
)
def test_a_task_too_many_is_refused_by_the_limit_that_is_reached(
    run: Spending, session: Spending, told: tuple[str, int, int]
) -> None:
    limited = purse(run, session, tasks=2, session_tasks=3)
    limited.refuse_tasks()
    assert limited.ran_out is not None
    assert (limited.ran_out.budget, limited.ran_out.limit, limited.ran_out.used) == told


def test_tasks_that_are_left_are_not_refused() -> None:
    limited = purse(Spending(tasks=3), tasks=2)
    limited.refuse_tasks()
    assert limited.ran_out is None


def test_the_limits_of_tasks_and_of_models_do_not_touch_one_another() -> None:
    limited = purse(Spending(tasks=0, model_calls=1))
    assert calls_until_refused(limited) == 1
    assert purse(Spending(model_calls=0)).tasks_left() is None
