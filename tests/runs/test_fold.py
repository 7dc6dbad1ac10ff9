from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.contract import Item, Output, Usage
from orchestrator.ids import TaskId
from orchestrator.runs.events import (
    DriverStarted,
    Event,
    PlanApproved,
    PlanMade,
    Record,
    RunEnded,
    TaskCancelled,
    TaskDone,
    TaskExpanded,
    TaskFailed,
    TaskRetrying,
    TaskSkipped,
    TaskStarted,
    TurnReceived,
    TurnRouted,
)
from orchestrator.runs.fold import fold
from orchestrator.runs.state import RunState, TaskState

from support.driving import RUN, plan

START = datetime(2026, 1, 1, tzinfo=UTC)
T1, T2, T3 = TaskId("t1"), TaskId("t2"), TaskId("t3")
PLAN = plan("t1 a", "t2 b: t1*", "t3 c: t2")
LIFE: list[Event] = [
    TurnReceived("do all of it", None),
    TurnRouted({"agent": "a"}),
    PlanMade(PLAN, "act", Usage(1, 10, 2)),
    PlanApproved("user"),
    DriverStarted("one"),
    TaskStarted(T1, 1, "r1/t1/1"),
    TaskRetrying(T1, 1, "timed out after 30 s", 0.5),
    TaskStarted(T1, 2, "r1/t1/2"),
    TaskDone(T1, Output("two", (Item("x"), Item("y")), Usage(1, 5, 5))),
    TaskExpanded(T2, (Item("x"), Item("y"))),
    TaskStarted(TaskId("t2[1]"), 1, "r1/t2[1]/1"),
    TaskStarted(TaskId("t2[2]"), 1, "r1/t2[2]/1"),
    TaskDone(TaskId("t2[1]"), Output("X", usage=Usage(2, 1, 1))),
    TaskCancelled(TaskId("t2[2]")),
    TaskCancelled(T2),
    TaskCancelled(T3),
    RunEnded("cancelled", "stopped"),
    DriverStarted("two"),
    TaskStarted(TaskId("t2[2]"), 1, "r1/t2[2]/1"),
    TaskFailed(TaskId("t2[2]"), "no", Output("", usage=Usage(1, 0, 0))),
    TaskFailed(T2, "1 of 2 items failed", Output("X")),
    TaskSkipped(T3, "t2 failed"),
    RunEnded("partial", "some of it"),
]


def recorded(events: list[Event]) -> list[Record]:
    return [Record(RUN, n, START + timedelta(seconds=n), event) for n, event in enumerate(events, 1)]


def after(event_count: int) -> RunState:
    return fold(recorded(LIFE)[:event_count])


@given(st.integers(0, len(LIFE)), st.integers(0, len(LIFE)))
def test_folding_a_prefix_and_then_the_rest_equals_folding_the_whole(a: int, b: int) -> None:
    first, second = sorted((a, b))
    records = recorded(LIFE)
    assert fold(records[second:], fold(records[first:second], fold(records[:first]))) == fold(records)


def test_folding_leaves_the_state_it_begins_with_untouched() -> None:
    before, same = after(8), after(8)
    fold(recorded(LIFE)[8:], before)
    assert before == same


def test_the_state_keeps_the_turn_its_route_its_plan_and_who_approved_it() -> None:
    state = after(5)
    assert (state.run, state.seq, state.status) == (RUN, 5, "running")
    assert (state.text, state.session, state.route, state.kind) == (
        "do all of it",
        None,
        {"agent": "a"},
        "act",
    )
    assert (state.plan, state.approved_by, state.driver) == (PLAN, "user", "one")
    assert list(state.tasks) == ["t1", "t2", "t3"]
    assert all(task == TaskState() for task in state.tasks.values())


def test_a_task_that_failed_in_passing_waits_and_counts_its_attempts() -> None:
    waiting = after(7).tasks[T1]
    assert (waiting.status, waiting.attempt, waiting.retried) == ("waiting", 1, 1)
    assert waiting.error == "timed out after 30 s"
    again = after(8).tasks[T1]
    assert (again.status, again.attempt, again.key) == ("running", 2, "r1/t1/2")


def test_a_task_has_the_time_of_its_first_start_and_of_its_end() -> None:
    task = after(9).tasks[T1]
    assert (task.started, task.ended) == (START + timedelta(seconds=6), START + timedelta(seconds=9))
    assert (task.status, task.error) == ("done", None)


def test_an_expanded_task_has_its_children_beside_it() -> None:
    state = after(10)
    assert state.children(T2) == ("t2[1]", "t2[2]")
    assert state.children(T1) == ()
    assert (state.tasks[T2].status, state.tasks[TaskId("t2[2]")].status) == ("running", "pending")


def test_a_new_driver_takes_up_what_was_cancelled_and_nothing_else() -> None:
    state = after(18)
    assert (state.status, state.reply, state.ended) == ("running", "", None)
    statuses = {id: task.status for id, task in state.tasks.items()}
    assert statuses == {"t1": "done", "t2": "running", "t3": "pending", "t2[1]": "done", "t2[2]": "pending"}


def test_usage_is_that_of_planning_and_of_every_output_once() -> None:
    assert fold(recorded(LIFE)).usage == Usage(5, 16, 8)


def test_the_end_of_a_run_has_its_status_reply_and_time() -> None:
    state = fold(recorded(LIFE))
    assert (state.status, state.reply) == ("partial", "some of it")
    assert state.ended == START + timedelta(seconds=len(LIFE))
    assert state.started == START + timedelta(seconds=1)
    assert (state.tasks[T3].status, state.tasks[T3].error) == ("skipped", "t2 failed")
