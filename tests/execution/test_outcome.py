import pytest
from orchestrator.agents.contract import Item, Output
from orchestrator.errors import TaskError, UserError
from orchestrator.execution.outcome import is_empty, judged, said
from orchestrator.execution.retry import TimedOut
from orchestrator.execution.slots import Places, Unit
from orchestrator.ids import TaskId
from orchestrator.runs.events import TaskDone, TaskFailed

from support.driving import task

T1 = TaskId("t1")


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
    assert said(TaskError("no such file: a.csv"), "none") == "no such file: a.csv"
    assert said(UserError("bad"), "none") == "bad"
    assert said(KeyError("x"), "none") == "KeyError: 'x'"
    assert said(ZeroDivisionError(), "none") == "ZeroDivisionError"


def test_a_write_in_doubt_says_so() -> None:
    assert said(TimedOut(30), "read") == "timed out after 30 s"
    assert said(TimedOut(30), "write").startswith("timed out after 30 s; whether it took effect is not known")
    assert said(TaskError("busy", passing=True), "write") == "busy"
