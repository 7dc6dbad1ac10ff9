"""A state is what its events make of it, however they are taken in, and whatever befell the run."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from orchestrator.agents.contract import Item, Output, Usage
from orchestrator.ids import TaskId
from orchestrator.runs.codec import EVENT_TYPES, decode, encode
from orchestrator.runs.events import (
    DriverStarted,
    Event,
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
from orchestrator.runs.fold import apply, fold
from orchestrator.runs.messages import PlanApproved
from orchestrator.runs.state import RunState, TaskState

from support.driving import RUN, plan
from support.journals import Story, stories

START = datetime(2026, 1, 1, tzinfo=UTC)
T1, T2, T3 = TaskId("t1"), TaskId("t2"), TaskId("t3")
PLAN = plan("t1 a", "t2 b: t1*", "t3 c: t2")
LIFE: list[Event] = [
    TurnReceived("do all of it", None, "w1", "p1"),
    TurnRouted({"agent": "a"}),
    PlanMade(PLAN, "act", Usage(1, 10, 2), "h1"),
    PlanApproved("user", "h1", 9),
    DriverStarted("one"),
    TaskStarted(T1, 1, "r1/t1/1"),
    TaskRetrying(T1, 1, "timed out after 30 s", 0.5, 2, Usage(1, 3, 0)),
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


# ── laws of every journal that the program could write ──────────────────────────────────────────────────


@settings(max_examples=200)
@given(stories(), st.integers(0, 60), st.integers(0, 60))
def test_folding_a_prefix_and_then_the_rest_equals_folding_the_whole(story: Story, a: int, b: int) -> None:
    first, second = sorted((a, b))
    records, whole = story.records, fold(story.records)
    assert fold(records[second:], fold(records[first:second], fold(records[:first]))) == whole


@settings(max_examples=200)
@given(stories())
def test_a_state_is_what_its_journal_means(story: Story) -> None:
    state = fold(story.records)
    assert {task: (found.status, found.attempt) for task, found in state.tasks.items()} == story.tasks
    assert (state.status, state.usage) == (story.status, story.usage)
    assert (state.run, state.seq, state.at) == (RUN, len(story.records), story.records[-1].at)
    assert (state.ended is not None) == (state.status not in ("running", "waiting"))
    assert bool(state.waits_for) == (state.status == "waiting")


@settings(max_examples=100)
@given(stories(), st.integers(0, 60))
def test_a_state_folded_from_what_was_stored_is_the_same(story: Story, cut: int) -> None:
    read = [record._replace(event=decode(encode(record.event))) for record in story.records[:cut]]
    assert fold(read) == fold(story.records[:cut])


@settings(max_examples=100)
@given(stories())
def test_applying_one_by_one_is_folding_and_a_state_given_is_never_touched(story: Story) -> None:
    grown = RunState(RUN)
    before = fold(story.records[:1])
    same = fold(story.records[:1])
    for record in story.records:
        apply(grown, [record])
    assert grown == fold(story.records)
    assert fold(story.records[1:], before) == grown
    assert before == same


@settings(max_examples=100)
@given(stories())
def test_the_time_that_a_run_was_driven_only_grows_also_when_clocks_go_backwards(story: Story) -> None:
    state, driven = RunState(RUN), 0.0
    for record in story.records:
        apply(state, [record])
        assert state.driven >= driven >= 0
        driven = state.driven


def test_every_event_has_its_step() -> None:
    """An event whose type the fold does not know would end here in a KeyError."""
    from orchestrator.runs.fold import _STEPS

    assert set(_STEPS) == set(EVENT_TYPES.values())


# ── a life in full ──────────────────────────────────────────────────────────────────────────────────────


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
    assert (state.workspace, state.prompts, state.plan_hash) == ("w1", "p1", "h1")
    assert (state.plan, state.approved, state.driver) == (PLAN, PlanApproved("user", "h1", 9), "one")
    assert list(state.tasks) == ["t1", "t2", "t3"]
    assert all(task == TaskState() for task in state.tasks.values())


def test_a_task_that_failed_in_passing_waits_and_counts_its_attempts() -> None:
    waiting = after(7).tasks[T1]
    assert (waiting.status, waiting.attempt, waiting.failures, waiting.next_attempt) == ("waiting", 1, 1, 2)
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
    assert state.tasks[TaskId("t2[2]")].cut_off
    assert (state.status, state.reply, state.ended) == ("running", "", None)
    statuses = {id: task.status for id, task in state.tasks.items()}
    assert statuses == {"t1": "done", "t2": "running", "t3": "pending", "t2[1]": "done", "t2[2]": "running"}


def test_usage_is_that_of_planning_of_every_attempt_that_failed_and_of_every_output_once() -> None:
    assert fold(recorded(LIFE)).usage == Usage(6, 19, 8)


def test_the_end_of_a_run_has_its_status_reply_and_time() -> None:
    state = fold(recorded(LIFE))
    assert (state.status, state.reply) == ("partial", "some of it")
    assert state.ended == START + timedelta(seconds=len(LIFE))
    assert state.started == START + timedelta(seconds=1)
    assert (state.tasks[T3].status, state.tasks[T3].error) == ("skipped", "t2 failed")
