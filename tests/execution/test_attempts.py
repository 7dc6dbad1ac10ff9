"""What an attempt costs is kept, however it ends, and its error ends it and never the run."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from orchestrator.agents.contract import Call, Output, Usage, Verdict
from orchestrator.errors import BudgetExceeded, TaskError
from orchestrator.execution.retry import TimedOut
from orchestrator.execution.settings import NO_LIMITS, Budgets, Spending
from orchestrator.ids import AgentName
from orchestrator.runs.events import (
    BudgetRanOut,
    TaskDone,
    TaskFailed,
    TaskHandedOver,
    TaskInDoubt,
    TaskRetrying,
    TaskStarted,
)

from support.driving import Does, Driven, driven, limits_with, plan, settings_with, task

A_CALL = Usage(1, 10, 2, 0.25)


def pays(call: Call) -> None:
    """What asking a model through the purse comes to."""
    call.purse.begin_call()
    call.purse.spend(Usage(0, 10, 2, 0.25))


def asks(end: Output | Exception | str = "asked") -> Does:
    """An agent that asks a model once, and then ends so."""

    def run(call: Call) -> Output:
        pays(call)
        if isinstance(end, Exception):
            raise end
        return Output(end, usage=A_CALL) if isinstance(end, str) else end

    return Does(run)


def in_turn(*ends: Callable[[Call], Output]) -> Does:
    """An agent that does the next of these at each call."""
    left = iter(ends)

    def run(call: Call) -> Output:
        return next(left)(call)

    return Does(run)


def fails(error: Exception) -> Callable[[Call], Output]:
    def run(call: Call) -> Output:
        pays(call)
        raise error

    return run


def one(agent: Any, run: Spending = NO_LIMITS, *, effects: str = "read", **limits: Any) -> Driven:
    """A plan of one task of agent a, driven to its end."""
    known = {AgentName("a"): limits_with(**limits)}
    settings = settings_with(known, budgets=Budgets(run))
    agents = agent if isinstance(agent, dict) else {"a": agent}
    return driven(plan(task("t1 a", effects=effects)), agents, settings)


# ── what it costs ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("output", "cost"),
    [
        (Output("", usage=A_CALL), A_CALL),
        (Output(""), A_CALL),
        (Output("", usage=Usage(3, 20, 2, 0.25)), Usage(3, 20, 2, 0.25)),
        (Output("", usage=Usage(0, 0, 5)), Usage(1, 10, 5, 0.25)),
    ],
    ids=["all of it", "nothing", "more", "some and more"],
)
def test_a_result_costs_what_was_paid_and_what_is_reported_beside_it_once(
    output: Output, cost: Usage
) -> None:
    run = one(asks(output))
    (done,) = run.of(TaskDone)
    assert done.output.usage == cost
    assert run.state.usage == cost


def test_what_an_agent_paid_before_it_coped_with_an_error_is_in_the_usage_of_the_run() -> None:
    """Such as one whose tool asked another agent, which asked a model and then failed."""

    def copes(call: Call) -> Output:
        pays(call)
        pays(call)
        return Output("sorry", usage=A_CALL)

    run = one(Does(copes))
    assert run.state.usage == A_CALL + A_CALL


def test_attempts_that_failed_are_paid_for_too() -> None:
    busy, wrong = TaskError("busy", passing=True), TaskError("wrong")
    run = one(in_turn(fails(busy), fails(wrong)))
    assert [e.usage for e in run.of(TaskRetrying)] == [A_CALL]
    assert [e.usage for e in run.of(TaskFailed)] == [A_CALL]
    assert run.state.usage == A_CALL + A_CALL


def test_an_agent_that_hands_over_is_paid_for() -> None:
    run = one({"a": asks(TaskError("cannot")), "b": asks()}, fallbacks=(AgentName("b"),))
    assert [(e.to, e.usage) for e in run.of(TaskHandedOver)] == [("b", A_CALL)]
    assert run.state.usage == A_CALL + A_CALL


def test_an_empty_result_that_is_a_failure_is_paid_for_once() -> None:
    run = driven(plan(task("t1 a", success="not_empty")), {"a": asks("")}, settings_with())
    (failed,) = run.of(TaskFailed)
    assert failed.output == Output("", usage=A_CALL)
    assert run.state.usage == A_CALL


def test_doubt_has_its_cost() -> None:
    run = one(asks(TimedOut(5)), effects="write")
    assert [e.usage for e in run.of(TaskInDoubt)] == [A_CALL]
    assert run.state.usage == A_CALL


def returns_none(call: Call) -> Any:
    pays(call)


def is_cancelled_from_within(call: Call) -> Output:
    raise asyncio.CancelledError


@pytest.mark.parametrize(
    "write", [fails(OSError("half-way")), fails(KeyError("x")), returns_none, is_cancelled_from_within]
)
def test_a_write_that_ends_as_its_agent_did_not_mean_is_in_doubt_and_nobody_else_tries(
    write: Callable[[Call], Output],
) -> None:
    agents = {"a": Does(write), "b": asks()}
    run = one(agents, effects="write", fallbacks=(AgentName("b"),))
    assert run.statuses() == {"t1": "in_doubt"}
    assert len(run.of(TaskStarted)) == 1
    assert run.of(TaskHandedOver) == []


class Told:
    """A writer whose answer gets lost, and that can tell afterwards."""

    def __init__(self, verdict: Verdict | Exception) -> None:
        self.verdict, self.keys = verdict, list[str]()

    async def run(self, call: Call) -> Output:
        pays(call)
        raise ConnectionResetError("gone")

    async def verify(self, key: str) -> Verdict:
        self.keys.append(key)
        if isinstance(self.verdict, Exception):
            raise self.verdict
        return self.verdict


@pytest.mark.parametrize("output", [None, Output("as it is"), Output("as it is", usage=A_CALL)], ids=repr)
def test_a_write_that_turns_out_to_have_happened_has_the_cost_of_its_attempt(output: Output | None) -> None:
    agent = Told(Verdict(True, output))
    run = one(agent, effects="write")
    (done,) = run.of(TaskDone)
    assert done.output == Output("as it is" if output else "", usage=A_CALL)
    assert run.state.usage == A_CALL
    assert agent.keys == ["r1/t1/1"]


def test_a_write_that_turns_out_not_to_have_happened_is_tried_again_as_another_attempt() -> None:
    run = one(Told(Verdict(False)), effects="write", retries=1)
    assert [e.key for e in run.of(TaskStarted)] == ["r1/t1/1", "r1/t1/2"]
    assert run.statuses() == {"t1": "failed"}
    assert run.state.usage == A_CALL + A_CALL


@pytest.mark.parametrize("verdict", [Verdict(None), ValueError("no telling"), "yes"], ids=repr)
def test_where_it_cannot_tell_a_person_must(verdict: Any) -> None:
    run = one(Told(verdict), effects="write")
    assert run.statuses() == {"t1": "in_doubt"}
    assert len(run.of(TaskStarted)) == 1


# ── budgets ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_budget_that_is_used_up_ends_the_attempt_and_no_other_is_made() -> None:
    run = one(asks(), Spending(model_calls=0), retries=5, fallbacks=(AgentName("b"),))
    (failed,) = run.of(TaskFailed)
    assert failed.error == "the budget of model calls of the run is used up (0 of 0)"
    assert len(run.of(TaskStarted)) == 1
    assert run.of(BudgetRanOut) == [BudgetRanOut("model calls of the run", 0, 0, "t1 (a)")]
    assert run.state.status == "partial"


def test_a_retry_is_refused_where_the_first_attempt_has_spent_it_all() -> None:
    run = one(asks(TaskError("busy", passing=True)), Spending(model_calls=1), retries=5)
    assert len(run.of(TaskRetrying)) == 1
    assert run.state.usage == A_CALL
    assert run.state.status == "partial"


def test_an_agent_that_can_do_without_a_model_may() -> None:
    def does_without(call: Call) -> str:
        with pytest.raises(BudgetExceeded):
            call.purse.begin_call()
        return "by hand"

    run = one(Does(does_without), Spending(model_calls=0))
    assert (run.state.status, run.state.reply) == ("done", "by hand")
    assert run.of(BudgetRanOut) == []


def test_an_agent_that_spends_past_the_purse_is_found_out_when_it_reports() -> None:
    settings = settings_with(budgets=Budgets(Spending(model_calls=3)))
    made = plan("t1 past", "t2 a: t1")
    run = driven(made, {"past": Does(lambda _: Output("x", usage=Usage(3))), "a": asks()}, settings)
    assert run.statuses() == {"t1": "done", "t2": "failed"}
    assert run.of(BudgetRanOut) == [BudgetRanOut("model calls of the run", 3, 3, "t2 (a)")]
