"""A small world and what is said of it."""

from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.evaluation.simulating.world import DESK, FEED, Reading, World, readings_of, truth_of
from orchestrator.runs.messages import SignalReceived

SEEDS = st.integers(0, 10_000)


@given(SEEDS)
def test_the_same_seed_gives_the_same_world(seed: int) -> None:
    one, other = (Random(seed) for _ in range(2))
    truth = truth_of(World(), one)
    assert truth == truth_of(World(), other)
    assert readings_of(truth, World(), one) == readings_of(truth, World(), other)


@given(SEEDS, st.integers(1, 100))
def test_a_world_is_as_long_as_it_is_to_be_and_begins_the_same(seed: int, length: int) -> None:
    truth = truth_of(World(length), Random(seed))
    assert len(truth) == length
    assert truth[0] is False


def test_a_fact_changes_as_often_as_it_is_said_to() -> None:
    assert truth_of(World(6, change=1), Random(1)) == (False, True, False, True, False, True)
    assert truth_of(World(6, change=0), Random(1)) == (False,) * 6
    changes = sum(a is not b for n in range(200) for a, b in _pairs(n))
    assert 0.035 < changes / (200 * 59) < 0.045


def _pairs(seed: int) -> list[tuple[bool, bool]]:
    truth = truth_of(World(60, change=0.04), Random(seed))
    return list(pairwise(truth))


@given(SEEDS)
def test_without_noise_all_that_is_said_is_so_and_every_change_is_said_at_once(seed: int) -> None:
    truth = truth_of(World(), chance := Random(seed))
    said = readings_of(truth, World(), chance)
    assert all(truth[r.tick] is r.value for r in said)
    changed = {t for t in range(1, len(truth)) if truth[t] is not truth[t - 1]}
    assert changed <= {r.tick for r in said if r.source == FEED}
    assert [r.tick for r in said] == sorted(r.tick for r in said)
    assert {r.urgent for r in said if r.source == DESK} <= {True}
    assert len({r.id for r in said}) == len(said)


@given(SEEDS)
def test_the_desk_speaks_one_to_three_ticks_after_a_change(seed: int) -> None:
    truth = truth_of(World(), chance := Random(seed))
    changed = [t for t in range(1, len(truth)) if truth[t] is not truth[t - 1]]
    for said in readings_of(truth, World(), chance):
        if said.source == DESK:
            assert any(1 <= said.tick - t <= 3 for t in changed) or said.tick == len(truth) - 1


def test_the_feed_speaks_as_often_as_it_is_said_to() -> None:
    still = (False,) * 1000
    spoken = len(readings_of(still, World(report=0.3), Random(1)))
    assert 250 < spoken < 350
    assert readings_of(still, World(report=0), Random(1)) == ()


def test_a_reading_is_sent_with_its_time_only_where_it_tells_it() -> None:
    assert Reading(9, True, FEED, 3, "f3").signal() == SignalReceived("fact", True, "feed", id="f3")
    assert Reading(9, True, FEED, 61, "f3", dated=True).signal().time == "2026-01-01T01:01:00+00:00"
    assert Reading(9, True, DESK, 3, "d3", urgent=True).signal().urgent
