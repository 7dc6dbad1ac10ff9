from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.contract import Item, Output, Usage
from orchestrator.ids import AgentName, RunId, TaskId
from orchestrator.planning.estimate import Estimate
from orchestrator.runs.events import (
    DriverStarted,
    Event,
    PlanMade,
    Record,
    RunEnded,
    RunParked,
    TaskDone,
    TaskExpanded,
    TaskFailed,
    TaskInDoubt,
    TaskRetrying,
    TaskStarted,
    TurnReceived,
)
from orchestrator.runs.fold import fold
from orchestrator.runs.messages import DoubtAnswered
from orchestrator.runs.past import Reckoning, past_after, past_of, reckoned
from orchestrator.runs.samples import MOST_OF_A_RUN, Past, Sample
from orchestrator.runs.state import RunState

from support.driving import plan
from support.journals import Story, stories

RUN, A, B = RunId("r1"), AgentName("a"), AgentName("b")
T1, T2 = TaskId("t1"), TaskId("t2")
START = datetime(2026, 1, 1, tzinfo=UTC)


def at(*events: tuple[float, Event]) -> list[Record]:
    return [Record(RUN, n, START + timedelta(seconds=s), event) for n, (s, event) in enumerate(events, 1)]


def begun(*tasks: str, estimate: Estimate | None = None) -> list[tuple[float, Event]]:
    made = PlanMade(plan(*tasks), "answer", Usage(1, 5, 5), "h", estimate)
    return [(0, TurnReceived("do it", None)), (0, made), (10, DriverStarted("d1"))]


def started(task: str, attempt: int = 1) -> TaskStarted:
    return TaskStarted(TaskId(task), attempt, f"r1/{task}/{attempt}")


def state(*events: tuple[float, Event]) -> RunState:
    return fold(at(*events))


DONE = [
    *begun("t1 a", "t2 b: t1*", estimate=Estimate((10, 12), (1, 9), (400, 500), None)),
    (11.0, started("t1")),
    (12.0, TaskRetrying(T1, 1, "busy", 1.0, 2, Usage(1, 100, 0))),
    (13.0, started("t1", 2)),
    (15.0, TaskDone(T1, Output("two", (Item("x"), Item("y")), Usage(1, 100, 50)))),
    (15.0, TaskExpanded(T2, (Item("x"), Item("y")))),
    (15.0, started("t2[1]")),
    (15.0, started("t2[2]")),
    (16.0, TaskDone(TaskId("t2[1]"), Output("X", None, Usage(1, 7, 3)))),
    (18.0, TaskDone(TaskId("t2[2]"), Output("Y", None, Usage(2, 7, 3)))),
    (18.0, TaskDone(T2, Output("X\nY", (Item("X"), Item("Y"))))),
    (18.5, RunEnded("done", "X\nY")),
]


def test_a_task_is_a_sample_with_its_retries_and_pauses_and_a_mapped_one_with_all_its_items() -> None:
    past = past_of(state(*DONE))
    assert past.samples == {
        A: (Sample(None, 1, 4.0, Usage(2, 200, 50), found=2),),
        B: (Sample(None, 2, 4.0, Usage(3, 14, 6), found=2),),
    }


def test_the_rest_is_the_time_before_the_first_task_and_after_the_last() -> None:
    assert past_of(state(*DONE)).rest == 1.5


def test_a_run_is_compared_with_its_estimate_quantity_by_quantity() -> None:
    found = reckoned(state(*DONE))
    assert found == {
        "seconds": Reckoning((10, 12), 8.5),
        "model_calls": Reckoning((1, 9), 6),
        "tokens": Reckoning((400, 500), 280),
        "money": Reckoning(None, 0.0),
    }
    assert [it.error for it in found.values()] == [-1.5, 0, -120, None]
    assert past_of(state(*DONE)).held == {"seconds": False, "model_calls": True, "tokens": False}


def test_a_run_that_goes_on_has_an_estimate_and_no_error() -> None:
    found = reckoned(state(*DONE[:-1]))
    assert found is not None
    assert found["seconds"].to_json() == {"expected": [10, 12], "actual": None, "error": None, "held": None}


def test_a_run_without_an_estimate_is_compared_with_nothing() -> None:
    assert reckoned(state(*begun("t1 a"), (11, RunEnded("done", "")))) is None


@pytest.mark.parametrize(
    ("expected", "actual", "error"), [((2, 3), 4.5, 1.5), ((2, 3), 1.5, -0.5), ((2, 3), 3, 0)]
)
def test_the_error_is_how_far_it_is_outside_the_range(
    expected: tuple[float, float], actual: float, error: float
) -> None:
    assert Reckoning(expected, actual).error == error


def test_that_nothing_was_expected_and_nothing_came_says_nothing_of_estimates() -> None:
    assert not Reckoning((0, 0), 0).says_something
    assert Reckoning((0, 0), 1).says_something


def test_a_run_that_did_not_go_well_says_nothing_of_estimates_and_what_was_done_is_a_sample() -> None:
    events = begun("t1 a", "t2 b", estimate=Estimate((1, 2)))
    ends = [
        (11.0, started("t1")),
        (11.0, started("t2")),
        (12.0, TaskDone(T1, Output("x"))),
        (12.0, TaskFailed(T2, "no")),
        (12.0, RunEnded("partial", "")),
    ]
    assert past_of(state(*events, *ends)) == Past({A: (Sample(None, 1, 1.0),)})


@pytest.mark.parametrize(
    "between",
    [
        [(50.0, DriverStarted("d2")), (50.0, started("t1"))],
        [
            (12.0, TaskInDoubt(T1, "?")),
            (99.0, DoubtAnswered("ann", T1, happened=False)),
            (99.5, started("t1")),
        ],
        [(12.0, TaskRetrying(T1, 1, "busy", 1, 2)), (50.0, DriverStarted("d2")), (50.0, started("t1", 2))],
        [(12.0, RunEnded("cancelled", "")), (50.0, DriverStarted("d2")), (50.0, started("t1"))],
    ],
    ids=["a driver died", "in doubt", "a pause was cut off", "resumed"],
)
def test_the_time_in_which_nobody_worked_is_no_sample(between: Sequence[tuple[float, Event]]) -> None:
    events = [*begun("t1 a"), (11.0, started("t1")), *between, (100.0, TaskDone(T1, Output("x")))]
    assert past_of(state(*events, (100.0, RunEnded("done", "x")))) == Past({})


def test_what_ended_before_a_driver_died_is_a_sample_all_the_same() -> None:
    events = [*begun("t1 a"), (11.0, started("t1")), (12.0, TaskDone(T1, Output("x")))]
    past = past_of(state(*events, (50.0, DriverStarted("d2")), (50.0, RunEnded("done", "x"))))
    assert past.samples == {A: (Sample(None, 1, 1.0),)}


def test_waiting_for_a_person_is_no_time_of_the_run() -> None:
    waits = [*begun("t1 a"), (10.5, RunParked(("approval",), "?")), (99.0, DriverStarted("d2"))]
    ends = [(99.0, started("t1")), (100.0, TaskDone(T1, Output("x"))), (100.25, RunEnded("done", "x"))]
    assert past_of(state(*waits, *ends)).rest == 0.75


def test_of_very_many_tasks_of_an_agent_only_the_last_are_kept() -> None:
    many = [f"t{n} a" for n in range(1, MOST_OF_A_RUN + 11)]
    ends: list[tuple[float, Event]] = []
    for n in range(1, MOST_OF_A_RUN + 11):
        ends += [(10.0, started(f"t{n}")), (10.0 + n, TaskDone(TaskId(f"t{n}"), Output("x")))]
    samples = past_of(state(*begun(*many), *ends, (99.0, RunEnded("done", "")))).samples[A]
    assert [s.seconds for s in samples] == list(range(MOST_OF_A_RUN + 10, 10, -1))


@given(stories(), st.data())
def test_what_is_kept_is_that_of_the_whole_journal_however_the_records_came(
    story: Story, data: st.DataObject
) -> None:
    ends = [n for n, r in enumerate(story.records, 1) if isinstance(r.event, RunEnded)]
    if not ends:
        assert past_after(RunState(RUN), story.records) is None
        return
    records = story.records[: ends[0]]
    cut = data.draw(st.integers(0, len(records) - 1))
    before = fold(records[:cut])
    assert past_after(before, records[cut:]) == past_of(fold(records))
    assert before == fold(records[:cut])
