"""A run as a list shows it: the same as its state says, however its journal came in."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from orchestrator.ids import RunId, SessionId
from orchestrator.runs.entry import RunEntry, Wanted, entry_after
from orchestrator.runs.events import (
    DriverStarted,
    Event,
    Record,
    ReviewFlagged,
    RunEnded,
    RunParked,
    TaskCancelled,
    TurnReceived,
)
from orchestrator.runs.fold import fold
from orchestrator.runs.messages import ReviewCleared

from support.driving import RUN
from support.journals import Story, stories

START = datetime(2026, 1, 1, tzinfo=UTC)


def entry_of(*events: Event) -> RunEntry:
    records = [Record(RUN, n, START + timedelta(seconds=n), event) for n, event in enumerate(events, 1)]
    entry = entry_after(None, records)
    assert entry is not None
    return entry


@settings(max_examples=200)
@given(stories(), st.lists(st.integers(0, 60), max_size=4))
def test_an_entry_is_the_same_in_whatever_pieces_the_journal_comes(story: Story, cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(story.records)]
    entry: RunEntry | None = None
    for start, end in pairwise(edges):
        entry = entry_after(entry, story.records[start:end])
    assert entry == entry_after(None, story.records)


@settings(max_examples=200)
@given(stories(), st.integers(1, 60))
def test_an_entry_says_what_the_state_says_at_every_point(story: Story, cut: int) -> None:
    state = fold(story.records[:cut])
    assert entry_after(None, story.records[:cut]) == RunEntry(
        run=state.run,
        status=state.status,
        session=state.session,
        text=state.text,
        started=state.started,
        ended=state.ended,
        needs_human_review=state.review is not None,
        workspace=state.workspace,
    )


def test_a_run_without_records_has_no_entry() -> None:
    assert entry_after(None, []) is None


def test_what_changes_nothing_leaves_the_very_same_entry() -> None:
    entry = entry_of(TurnReceived("x", None))
    record = Record(RUN, 2, START, TaskCancelled("t1"))
    assert entry_after(entry, [record]) is entry
    assert entry_after(entry, [record._replace(event=DriverStarted("d"))]) is entry
    assert entry_after(entry, []) is entry


def test_an_entry_has_the_turn_its_time_and_its_end() -> None:
    turn = TurnReceived("buy milk", SessionId("s1"), "w1", "p1")
    assert entry_of(turn, RunEnded("failed", "no")) == RunEntry(
        RUN,
        "failed",
        SessionId("s1"),
        "buy milk",
        START + timedelta(seconds=1),
        START + timedelta(seconds=2),
        workspace="w1",
    )


def test_a_driver_takes_the_end_and_the_waiting_back() -> None:
    turn = TurnReceived("x", None)
    assert entry_of(turn, RunParked(("approval",), "")).status == "waiting"
    assert entry_of(turn, RunParked(("approval",), ""), DriverStarted("d")).status == "running"
    again = entry_of(turn, RunEnded("cancelled", ""), DriverStarted("d"))
    assert (again.status, again.ended) == ("running", None)


def test_a_flag_stays_until_it_is_cleared() -> None:
    flag = ReviewFlagged("odd", holds=False)
    assert entry_of(flag, RunEnded("done", "")).needs_human_review
    assert not entry_of(flag, RunEnded("done", ""), ReviewCleared("ann")).needs_human_review


def test_the_json_of_an_entry_is_that_of_the_interface() -> None:
    entry = entry_of(TurnReceived("x", SessionId("s1"), "w1", "p1"), RunEnded("done", ""))
    assert entry.to_json() == {
        "run": "r1",
        "status": "done",
        "session": "s1",
        "text": "x",
        "started": "2026-01-01T00:00:01+00:00",
        "ended": "2026-01-01T00:00:02+00:00",
        "needs_human_review": False,
    }
    assert RunEntry(RUN).to_json()["started"] is None


NOON = START + timedelta(hours=12)
ENTRY = RunEntry(
    RUN, "done", SessionId("s1"), "x", NOON, NOON + timedelta(minutes=5), needs_human_review=True
)
UNENDED = RunEntry(RunId("r2"), "running", None, "x", NOON)


@pytest.mark.parametrize(
    ("wanted", "ended", "unended"),
    [
        ({}, True, True),
        ({"status": "done"}, True, False),
        ({"status": "running"}, False, True),
        ({"session": "s1"}, True, False),
        ({"session": "s2"}, False, False),
        ({"needs_human_review": True}, True, False),
        ({"needs_human_review": False}, False, True),
        ({"started_after": NOON}, True, True),
        ({"started_after": NOON + timedelta(seconds=1)}, False, False),
        ({"ended_before": NOON + timedelta(minutes=5)}, False, False),
        ({"ended_before": NOON + timedelta(minutes=6)}, True, False),
        ({"status": "done", "session": "s2"}, False, False),
        ({"limit": 0}, True, True),
    ],
)
def test_a_list_has_the_runs_that_fit_all_that_is_set(
    wanted: dict[str, Any], ended: bool, unended: bool
) -> None:
    assert (Wanted(**wanted).fits(ENTRY), Wanted(**wanted).fits(UNENDED)) == (ended, unended)


def test_a_run_of_which_no_time_is_known_began_after_none() -> None:
    assert not Wanted(started_after=START).fits(RunEntry(RUN))
