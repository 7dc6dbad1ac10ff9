from dataclasses import replace
from typing import Any

import pytest
from orchestrator.agents.contract import Item, Output, Usage
from orchestrator.errors import TaskError, UserError
from orchestrator.execution.outcome import after_failure, handed_over, is_empty, judged, said
from orchestrator.execution.retry import TimedOut
from orchestrator.execution.slots import Places, Unit
from orchestrator.ids import AgentName, TaskId
from orchestrator.runs.events import (
    TaskDone,
    TaskFailed,
    TaskHandedOver,
    TaskInDoubt,
    TaskRetrying,
)
from orchestrator.runs.state import TaskState

from support.driving import limits_with, task

T1 = TaskId("t1")
SPENT = Usage(1, 20, 3)


def unit(success: str) -> Unit:
    return Unit(-1, 0, 0, T1, task("t1 inbox", success=success), Places(1))


@pytest.mark.parametrize("output", [Output(""), Output("nothing found", ())], ids=repr)
def test_an_empty_result_is_data(output: Output) -> None:
    assert judged(unit("any"), output) == TaskDone(T1, output)


@pytest.mark.parametrize("output", [Output(" \n"), Output("nothing found", ())], ids=repr)
def test_an_empty_result_is_a_failure_where_the_task_asks_for_more(output: Output) -> None:
    end = judged(unit("not_empty"), output)
    assert isinstance(end, TaskFailed)
    assert "empty" in end.error
    assert "inbox" in end.error
    assert end.output == output


@pytest.mark.parametrize("output", [Output("5"), Output("", (Item("x"),))], ids=repr)
def test_a_result_that_is_not_empty_is_a_success_either_way(output: Output) -> None:
    assert not is_empty(output)
    assert judged(unit("not_empty"), output) == TaskDone(T1, output)


def test_an_agent_that_returns_something_else_is_told_what_is_due() -> None:
    with pytest.raises(TaskError, match="returned str where an Output is due"):
        judged(unit("any"), "five")


def test_our_own_errors_are_said_as_they_are_and_others_with_their_type() -> None:
    assert said(TaskError("no such file: a.csv")) == "no such file: a.csv"
    assert said(UserError("bad")) == "bad"
    assert said(KeyError("x")) == "KeyError: 'x'"
    assert said(ZeroDivisionError()) == "ZeroDivisionError"


def found(**changes: Any) -> TaskState:
    return replace(TaskState(status="running", attempt=1, key="r/t1/1"), **changes)


def after(error: Exception, *, doubt: bool = False, failures: int = 0, **limits: Any) -> object:
    return after_failure(
        unit("any"),
        found(failures=failures),
        error,
        doubt=doubt,
        limits=limits_with(**limits),
        usage=SPENT,
        rng=lambda: 0.0,
    )


def test_an_error_that_can_pass_is_followed_by_the_next_attempt() -> None:
    end = after(TaskError("busy", passing=True))
    assert isinstance(end, TaskRetrying)
    assert (end.attempt, end.next_attempt, end.error, end.usage) == (1, 2, "busy", SPENT)


def test_what_stays_wrong_is_the_end() -> None:
    assert after(TaskError("no such file")) == TaskFailed(T1, "no such file", None, SPENT)


def test_a_write_in_doubt_is_for_a_person_whatever_may_be_retried() -> None:
    end = after(TimedOut(30), doubt=True)
    assert isinstance(end, TaskInDoubt)
    assert end.reason == "timed out after 30 s; whether it took effect is not known"
    assert end.usage == SPENT


def test_an_idempotent_agent_does_a_doubtful_write_again_under_the_same_key() -> None:
    end = after(TimedOut(30), doubt=True, idempotent=True)
    assert isinstance(end, TaskRetrying)
    assert end.next_attempt == 1


def test_a_write_that_stays_in_doubt_is_never_called_failed() -> None:
    assert isinstance(after(TimedOut(30), doubt=True, idempotent=True, failures=2), TaskInDoubt)


CHAIN = tuple(map(AgentName, ("inbox", "archive", "clerk")))
FAILED = TaskFailed(T1, "no such file", None, SPENT)


def test_what_an_agent_cannot_do_is_handed_to_the_next_of_its_fallbacks() -> None:
    assert handed_over(FAILED, 3, CHAIN[0], CHAIN) == TaskHandedOver(T1, 3, "no such file", CHAIN[1], SPENT)
    assert handed_over(FAILED, 4, CHAIN[1], CHAIN) == TaskHandedOver(T1, 4, "no such file", CHAIN[2], SPENT)


def test_the_last_of_them_has_the_last_word() -> None:
    assert handed_over(FAILED, 5, CHAIN[2], CHAIN) == FAILED


def test_what_an_empty_result_cost_is_not_lost_when_it_is_handed_over() -> None:
    failed = TaskFailed(T1, "empty", Output("", usage=SPENT), SPENT)
    assert handed_over(failed, 1, CHAIN[0], CHAIN).usage == SPENT + SPENT
