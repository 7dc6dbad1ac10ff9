"""What a run came to, in the words of the interface."""

import json
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.contract import Output, Usage
from orchestrator.ids import TaskId
from orchestrator.runs.events import (
    DriverStarted,
    Event,
    PlanMade,
    Record,
    ReviewFlagged,
    RunEnded,
    RunParked,
    TaskCancelled,
    TaskFailed,
    TaskInDoubt,
    TaskRetrying,
    TaskSkipped,
    TaskStarted,
)
from orchestrator.runs.fold import fold
from orchestrator.runs.messages import ReviewCleared
from orchestrator.runs.result import RunResult, result_of
from orchestrator.runs.state import RunState

from support.driving import RUN, Does, driven, plan, says
from support.journals import Story, stories

AT = datetime(2026, 1, 1, tzinfo=UTC)


def test_the_json_of_a_run_is_that_of_the_interface() -> None:
    run = driven(plan("t1 a"), {"a": Does(lambda _: Output("five", usage=Usage(1, 20, 3, 0.25)))})
    document = result_of(run.state).to_json()
    assert json.loads(json.dumps(document)) == {
        "run": "r1",
        "status": "done",
        "reply": "five",
        "plan": run.state.plan.to_json(),
        "results": {
            "t1": {
                "status": "done",
                "output": "five",
                "error": None,
                "started": "2026-01-01T00:00:00+00:00",
                "ended": "2026-01-01T00:00:00+00:00",
                "attempts": 1,
            }
        },
        "needs_human_review": False,
        "waits_for": [],
        "usage": {"model_calls": 1, "input_tokens": 20, "output_tokens": 3, "money": 0.25},
        "outcome": [],
        "estimate": None,
    }


def test_the_children_of_a_mapped_task_are_its_items_in_order() -> None:
    run = driven(plan("t1 a", "t2 b: t1*"), {"a": says("- x\n- y"), "b": Does(lambda c: c.item.text.upper())})
    result = result_of(run.state)
    assert list(result.results) == ["t1", "t2"]
    assert [(id, r.output.text) for id, r in result.results[TaskId("t2")].items.items()] == [
        ("t2[1]", "X"),
        ("t2[2]", "Y"),
    ]
    items = result.to_json()["results"]["t2"]["items"]
    assert [(i["id"], i["status"], i["output"]) for i in items] == [
        ("t2[1]", "done", "X"),
        ("t2[2]", "done", "Y"),
    ]


T1, T2 = TaskId("t1"), TaskId("t2")


def after(*events: Event) -> RunResult:
    """What a run with two tasks has come to after these events."""
    begun = [PlanMade(plan("t1 a", "t2 b: t1"), "answer"), DriverStarted("d"), *events]
    return result_of(fold(Record(RUN, n, AT, event) for n, event in enumerate(begun, 1)))


def test_a_run_that_a_driver_has_is_running_and_so_are_the_tasks_at_work() -> None:
    result = after(TaskStarted(T1, 1, "r1/t1/1"))
    assert (result.status, result.reply, result.waits_for) == ("running", "", ())
    assert [r.status for r in result.results.values()] == ["running", "waiting"]
    assert result.to_json()["results"]["t1"]["ended"] is None


def test_a_task_between_two_attempts_waits_and_says_what_went_wrong() -> None:
    task = after(TaskStarted(T1, 1, "k"), TaskRetrying(T1, 1, "busy", 0.5, 2)).results[T1]
    assert (task.status, task.error, task.attempts) == ("waiting", "busy", 1)


def test_a_parked_run_waits_for_what_it_says_and_its_reply_is_what_a_person_reads() -> None:
    doubt = [TaskStarted(T1, 1, "k"), TaskInDoubt(T1, "cut off")]
    result = after(*doubt, RunParked(("answer t1",), "t1 is in doubt"))
    assert (result.status, result.reply, result.waits_for) == ("waiting", "t1 is in doubt", ("answer t1",))
    assert result.to_json()["waits_for"] == ["answer t1"]
    task = result.to_json()["results"]["t1"]
    assert (task["status"], task["error"], task["output"]) == ("in_doubt", "cut off", None)


def test_a_flagged_run_needs_a_person_until_it_is_cleared() -> None:
    flag = ReviewFlagged("odd", holds=False)
    assert after(flag).to_json()["needs_human_review"] is True
    assert after(flag, ReviewCleared("ann")).needs_human_review is False


def test_what_was_not_done_says_why() -> None:
    result = after(TaskFailed(T1, "HTTP 500"), TaskSkipped(T2, "t1 failed"), RunEnded("failed", "no"))
    assert [(r.status, r.error) for r in result.results.values()] == [
        ("failed", "HTTP 500"),
        ("skipped", "t1 failed"),
    ]
    stopped = after(TaskCancelled(T1), TaskCancelled(T2), RunEnded("cancelled", "stopped"))
    assert [r.status for r in stopped.results.values()] == ["cancelled", "cancelled"]
    assert (stopped.status, stopped.reply) == ("cancelled", "stopped")


@given(stories(), st.integers(1, 60))
def test_every_state_has_a_result_that_json_can_carry(story: Story, cut: int) -> None:
    state = fold(story.records[:cut])
    document = json.loads(json.dumps(result_of(state).to_json()))
    assert document["status"] == state.status
    assert list(document["results"]) == ([] if state.plan is None else [t.id for t in state.plan.tasks])
    statuses = {r["status"] for r in document["results"].values()}
    assert statuses <= {"done", "failed", "skipped", "cancelled", "in_doubt", "waiting", "running"}


def test_a_run_without_a_plan_has_none() -> None:
    document = result_of(RunState(RUN)).to_json()
    assert (document["plan"], document["results"]) == (None, {})
