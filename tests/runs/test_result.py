import json
from datetime import UTC, datetime

from orchestrator.agents.contract import Output, Usage
from orchestrator.ids import TaskId
from orchestrator.runs.events import DriverStarted, PlanMade, Record, TaskStarted
from orchestrator.runs.result import result_of
from orchestrator.runs.fold import fold
from orchestrator.runs.state import RunState

from support.driving import RUN, Does, driven, plan, says

AT = datetime(2026, 1, 1, tzinfo=UTC)


def test_the_json_of_a_run_is_that_of_the_interface() -> None:
    run = driven(plan("t1 a"), {"a": Does(lambda _: Output("five", usage=Usage(1, 20, 3)))})
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
        "usage": {"model_calls": 1, "input_tokens": 20, "output_tokens": 3},
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


def test_what_has_not_ended_is_waiting() -> None:
    events = [
        PlanMade(plan("t1 a", "t2 b: t1"), "answer"),
        DriverStarted("d"),
        TaskStarted(TaskId("t1"), 1, "r1/t1/1"),
    ]
    result = result_of(fold(Record(RUN, n, AT, event) for n, event in enumerate(events, 1)))
    assert (result.status, result.reply) == ("waiting", "")
    assert [r.status for r in result.results.values()] == ["waiting", "waiting"]
    assert result.to_json()["results"]["t1"]["ended"] is None


def test_a_run_without_a_plan_has_none() -> None:
    document = result_of(RunState(RUN)).to_json()
    assert (document["plan"], document["results"]) == (None, {})
