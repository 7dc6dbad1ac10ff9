"""What goes wrong with messages, each kind by itself."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.evaluation.simulating.noise import NOISES, delays, duplicates, flips, lies
from orchestrator.evaluation.simulating.world import (
    DESK,
    FEED,
    RIVAL,
    Reading,
    Readings,
    Truth,
    World,
    readings_of,
    truth_of,
)

TRUTH = (False, False, True, True, True, False)
SAID = tuple(Reading(tick, value, FEED, tick, f"f{tick}") for tick, value in enumerate(TRUTH))
ASKED = Reading(3, True, DESK, 3, "d3", urgent=True)
SEEDS = st.integers(0, 10_000)


def world(seed: int) -> tuple[Truth, Readings]:
    chance = Random(seed)
    truth = truth_of(World(), chance)
    return truth, readings_of(truth, World(), chance)


@given(st.sampled_from(list(NOISES)), SEEDS)
def test_noise_is_a_function_of_the_messages_and_of_chance(name: str, seed: int) -> None:
    truth, said = world(seed)
    before = tuple(said)
    assert NOISES[name](said, truth, Random(seed)) == NOISES[name](said, truth, Random(seed))
    assert said == before


@given(st.sampled_from(list(NOISES)), SEEDS)
def test_messages_come_in_one_after_another_while_the_world_lasts(name: str, seed: int) -> None:
    truth, said = world(seed)
    ticks = [r.tick for r in NOISES[name](said, truth, Random(seed))]
    assert ticks == sorted(ticks)
    assert all(0 <= tick < len(truth) for tick in ticks)


@given(st.sampled_from(["quiet", "flips", "delays", "disorder", "duplicates"]), SEEDS)
def test_the_desk_is_troubled_by_liars_alone(name: str, seed: int) -> None:
    truth, said = world(seed)
    kept = [r for r in NOISES[name](said, truth, Random(seed)) if r.source == DESK]
    assert kept == [r for r in said if r.source == DESK]


def test_flips_turn_what_the_feed_says_and_nothing_else() -> None:
    turned = flips((*SAID, ASKED), TRUTH, Random(1), rate=1)
    assert [r.value for r in turned] == [not value for value in TRUTH] + [True]
    assert flips((*SAID, ASKED), TRUTH, Random(1), rate=0) == (*SAID, ASKED)


@pytest.mark.parametrize("dated", [True, False])
def test_what_is_late_says_what_was_so_when_it_was_seen(dated: bool) -> None:
    late = delays(SAID, TRUTH, Random(3), most=3, dated=dated)
    assert all(r.value is TRUTH[r.seen] and 0 <= r.tick - r.seen <= 3 for r in late)
    assert any(r.tick > r.seen for r in late)
    assert {r.dated for r in late} == {dated}


def test_messages_in_disorder_say_when_they_were_true_and_delayed_ones_do_not() -> None:
    heard = {name: NOISES[name](SAID, TRUTH, Random(1)) for name in ("disorder", "delays")}
    assert {name: {r.dated for r in said} for name, said in heard.items()} == {
        "disorder": {True},
        "delays": {False},
    }


def test_late_messages_overtake_one_another_and_those_after_the_end_are_lost() -> None:
    runs = [delays(SAID, TRUTH, Random(seed), most=6, dated=False) for seed in range(20)]
    assert any([r.seen for r in run] != sorted(r.seen for r in run) for run in runs)
    assert min(map(len, runs)) < len(SAID)


def test_a_duplicate_says_the_same_later_now_with_its_id_and_now_without() -> None:
    heard = duplicates(SAID, TRUTH, Random(2), rate=1)
    again = [r for r in heard if r not in SAID]
    assert {bool(r.id) for r in again} == {True, False}
    assert all(r.value is TRUTH[r.seen] and 1 <= r.tick - r.seen <= 4 for r in again)
    assert duplicates((ASKED,), TRUTH, Random(2), rate=1) == (ASKED,)


def test_a_liar_knows_what_is_so_and_denies_it_right_after_somebody_spoke() -> None:
    heard = lies(SAID, TRUTH, Random(1), rate=1, source=RIVAL)
    lied = [r for r in heard if r.source == RIVAL]
    assert [(r.tick, r.value) for r in lied] == [(t, not TRUTH[t]) for t in range(1, len(TRUTH))]
    assert all(r.urgent for r in lied)


def test_a_forger_lies_in_the_name_of_the_desk() -> None:
    truth, said = world(4)
    heard = NOISES["forger"](said, truth, Random(4))
    assert [r for r in heard if r.source == DESK and r.value is not truth[r.tick]]
    assert not [r for r in heard if r.source == RIVAL]


def test_all_is_the_four_common_kinds_one_after_another() -> None:
    truth, said = world(5)
    chance, heard = Random(5), said
    for name in ("flips", "duplicates", "delays", "adversary"):
        heard = NOISES[name](heard, truth, chance)
    assert NOISES["all"](said, truth, Random(5)) == heard
