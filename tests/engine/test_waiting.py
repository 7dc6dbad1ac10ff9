"""What a person reads of a run that waits is enough to go on with it."""

from dataclasses import replace

from orchestrator.engine.moves import Park
from orchestrator.engine.waiting import waiting_reply
from orchestrator.ids import TaskId
from orchestrator.runs.events import ApprovalAsked
from orchestrator.runs.state import RunState, TaskState

from support.driving import RUN, plan, task

PLAN = plan(task("t1 a", effects="write"), "t2 b: t1")
STATE = RunState(
    RUN,
    plan=PLAN,
    approval=ApprovalAsked("h1", "t1 (a) writes", 9),
    tasks={TaskId("t1"): TaskState(), TaskId("t2"): TaskState()},
)


def test_a_plan_that_waits_for_a_word_is_shown_with_why_and_both_ways_on() -> None:
    assert waiting_reply(STATE, Park(("approval",))).splitlines() == [
        "The plan needs your word: t1 (a) writes. Nothing was run.",
        *PLAN.to_text().splitlines(),
        "Go on: cuewave runs approve r1    Not at all: cuewave runs reject r1",
    ]


def test_a_task_in_doubt_is_named_with_why_and_with_either_answer() -> None:
    doubts = {TaskId("t1"): TaskState("in_doubt", error="cut off"), TaskId("t2"): TaskState("done")}
    reply = waiting_reply(replace(STATE, tasks=doubts), Park(("answer t1",)))
    assert reply.splitlines() == [
        "t1 is in doubt: cut off.",
        "It happened: cuewave runs answer r1 t1 --done    It did not: --redo",
    ]


def test_every_task_in_doubt_is_named() -> None:
    doubts = {TaskId(f"t1[{n}]"): TaskState("in_doubt", error="cut off") for n in (1, 2)}
    reply = waiting_reply(replace(STATE, tasks=doubts), Park(("answer t1[1]", "answer t1[2]")))
    assert [line.split(" ")[0] for line in reply.splitlines()[::2]] == ["t1[1]", "t1[2]"]


def test_a_run_that_is_held_says_why_and_how_it_goes_on() -> None:
    held = replace(STATE, review="6 drivers in a row took it up", held=True)
    assert waiting_reply(held, Park(("review",))).splitlines() == [
        "The run is held for a person: 6 drivers in a row took it up.",
        "Once you have looked: cuewave runs clear-review r1",
    ]


def test_a_held_run_with_tasks_in_doubt_says_both() -> None:
    doubts = {TaskId("t1"): TaskState("in_doubt", error="cut off")}
    held = replace(STATE, review="stuck", held=True, tasks=doubts)
    reply = waiting_reply(held, Park(("review",)))
    assert "clear-review r1" in reply
    assert "answer r1 t1 --done" in reply
