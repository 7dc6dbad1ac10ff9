"""Laws of containment: when a contradiction is acted on, and when it is held back."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.adaptation.containment import NONE, Heard, agreeing, contain, decayed, settled
from orchestrator.comparison import Comparison
from orchestrator.runs.containing import Confirmation, Damping, Memory, Rules, Trust

COOLDOWN = Rules(cooldown=2)
DAMPING = Damping(half_life=4)
DAMPED = Rules(cooldown=None, damping=DAMPING)
TWO_OF_THREE = Rules(cooldown=None, confirmation=Confirmation(2, 3))
FRESH = Memory()
TRUSTING = Rules(cooldown=2, trust=Trust({"airline": 0.9, "forum": 0.2}))


class Said(NamedTuple):
    """A signal: when, what, from whom."""

    at: float
    value: str
    source: str = ""
    urgent: bool = False


def decided(rules: Rules, *signals: Said, begin: str = "a", memory: Memory = FRESH) -> tuple[str, Memory]:
    """What becomes of each signal, a letter each (r, s, i), and what is remembered after the last."""
    plan, letters = Comparison("eq", (begin,)), ""
    for at, value, source, urgent in signals:
        if plan.holds(value):
            memory, letters = agreeing(memory, rules), letters + "i"
            continue
        found = contain(memory, rules, Heard(at, source, urgent))
        memory, letters = found.memory, letters + ("r" if found.passes else "s")
        plan = plan.realigned(value) if found.passes else plan
    return letters, memory


def letters(rules: Rules, *signals: Said) -> str:
    return decided(rules, *signals)[0]


def at(values: str, *, begin: float = 0, every: float = 1) -> tuple[Said, ...]:
    """These values one after another."""
    return tuple(Said(begin + n * every, value) for n, value in enumerate(values))


SAID = st.tuples(st.sampled_from("abc"), st.floats(0, 5), st.sampled_from("xyz"), st.booleans())
SPANS = st.none() | st.floats(0, 8)
RULES = st.builds(
    Rules,
    SPANS,
    st.none() | st.builds(Trust, st.dictionaries(st.sampled_from("xyz"), st.floats(0, 1)), st.floats(0, 1)),
    st.none() | st.tuples(st.integers(1, 4), st.integers(0, 3)).map(lambda kn: Confirmation(kn[0], sum(kn))),
    st.none() | st.builds(Damping, st.floats(0.5, 20)),
)


def timed(steps: Sequence[tuple[str, float, str, bool]]) -> tuple[Said, ...]:
    """The signals, each so long after the one before."""
    times = accumulate(wait for _, wait, _, _ in steps)
    return tuple(
        Said(now, value, who, urgent) for now, (value, _, who, urgent) in zip(times, steps, strict=True)
    )


HISTORIES = st.lists(SAID, max_size=16).map(timed)


# ── the cooldown ──────────────────────────────────────────────────────────────────────────────────────


def test_a_return_to_the_first_value_changes_the_plan_again_once_the_cooldown_has_passed() -> None:
    assert letters(COOLDOWN, Said(1, "b"), Said(4, "a")) == "rr"


def test_a_return_to_the_first_value_inside_the_cooldown_is_held_back_and_flagged() -> None:
    _, memory = decided(COOLDOWN, Said(1, "b"))
    found = contain(memory, COOLDOWN, Heard(2))
    assert (found.passes, found.flags) == (False, True)
    assert found.reason == "the plan was changed for it 1 ago, and the cooldown is 2"


def test_two_ticks_hold_back_at_one_and_two_and_not_at_three() -> None:
    assert [letters(COOLDOWN, Said(7, "b"), Said(7 + n, "a")) for n in (0, 1, 2, 3)] == [
        "rs",
        "rs",
        "rs",
        "rr",
    ]


def test_what_is_held_back_does_not_make_the_window_longer() -> None:
    assert letters(COOLDOWN, *at("baaa")) == "rssr"


@given(HISTORIES, st.floats(0, 8))
def test_no_two_changes_are_nearer_than_the_cooldown(said: Sequence[Said], cooldown: float) -> None:
    made = letters(Rules(cooldown=cooldown), *said)
    times = [one.at for one, letter in zip(said, made, strict=True) if letter == "r"]
    assert all(later - earlier > cooldown for earlier, later in pairwise(times))


# ── trust ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("source", "urgent", "becomes"),
    [
        ("airline", True, "rr"),
        ("airline", False, "rs"),
        ("forum", True, "rs"),
        ("nobody", True, "rs"),
    ],
)
def test_only_what_is_urgent_and_from_a_trusted_source_passes_inside_the_window(
    source: str, urgent: bool, becomes: str
) -> None:
    assert letters(TRUSTING, Said(1, "b"), Said(2, "a", source, urgent)) == becomes


def test_outside_the_window_nobody_needs_to_be_trusted() -> None:
    assert letters(TRUSTING, Said(1, "b"), Said(4, "a", "nobody")) == "rr"


def test_trust_that_is_just_enough_is_enough() -> None:
    rules = Rules(cooldown=2, trust=Trust({"airline": 0.8}, least=0.8))
    assert letters(rules, Said(1, "b"), Said(2, "a", "airline", True)) == "rr"


def test_trust_passes_neither_confirmation_nor_damping() -> None:
    sure = replace(TRUSTING, confirmation=Confirmation(2, 3))
    assert letters(sure, Said(1, "b", "airline", True)) == "s"
    flapping = replace(TRUSTING, damping=DAMPING)
    assert letters(flapping, *(Said(n, v, "airline", True) for n, v in enumerate("babab"))) == "rrsis"


# ── confirmation ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("values", "becomes"),
    [
        ("bb", "sr"),
        ("bab", "sir"),
        ("baab", "siis"),
        ("b" + "a" * 9 + "b", "s" + "i" * 9 + "s"),
        ("bbaa", "srsr"),
    ],
)
def test_two_of_the_last_three_signals_must_contradict(values: str, becomes: str) -> None:
    assert letters(TWO_OF_THREE, *at(values)) == becomes


def test_what_is_not_yet_confirmed_troubles_nobody() -> None:
    found = contain(Memory(), TWO_OF_THREE, Heard(1))
    assert (found.passes, found.flags) == (False, False)
    assert found.reason == "confirmed by 1 of the 2 signals that are due"


@given(HISTORIES, st.integers(1, 4), st.integers(0, 3))
def test_the_plan_changes_exactly_where_k_of_the_last_n_contradicted_it(
    said: Sequence[Said], k: int, more: int
) -> None:
    n, cast = k + more, list[bool]()
    for letter in letters(Rules(None, confirmation=Confirmation(k, n)), *said):
        cast.append(letter != "i")
        assert (letter == "r") is (cast[-1] and sum(cast[-n:]) >= k)
        cast = [] if letter == "r" else cast


# ── damping ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_key_that_flaps_is_held_back_above_the_upper_level_and_flagged() -> None:
    made, memory = decided(DAMPED, *at("bab"))
    assert made == "rrs"
    assert memory.damped
    found = contain(memory, DAMPED, Heard(3))
    assert found.flags
    assert found.reason.startswith("it flaps: its penalty is ")


@pytest.mark.parametrize(("left", "passes"), [(999, True), (1000, True), (1001, False)])
def test_a_penalty_of_just_the_upper_level_is_not_too_much(left: float, passes: bool) -> None:
    assert contain(Memory(penalty=left, penalty_at=8), DAMPED, Heard(8)).passes is passes


def test_the_penalty_grows_to_what_takes_four_half_lives_to_count_again_and_no_further() -> None:
    found = contain(Memory(penalty=11_900, penalty_at=8, damped=True), DAMPED, Heard(8))
    assert found.memory.penalty == 12_000 == DAMPING.reuse * 2**4


@pytest.mark.parametrize(("left", "passes"), [(2001, False), (1999, False), (750, False), (749, True)])
def test_between_the_levels_it_is_as_it_was_and_below_the_lower_one_it_counts_again(
    left: float, passes: bool
) -> None:
    held = Memory(penalty=left, penalty_at=8, damped=True)
    assert contain(held, DAMPED, Heard(8)).passes is passes
    if left + DAMPING.penalty <= DAMPING.suppress:
        assert contain(replace(held, damped=False), DAMPED, Heard(8)).passes


def test_the_penalty_halves_in_every_half_life() -> None:
    memory = Memory(penalty=800, penalty_at=10)
    assert [decayed(memory, DAMPING, 10 + t) for t in (0, 4, 8)] == [800, 400, 200]
    assert decayed(memory, DAMPING, 9) == 800


def test_whoever_goes_on_saying_the_same_does_not_flap_and_is_heard_in_the_end() -> None:
    assert letters(DAMPED, *at("ba" + "b" * 10)) == "rr" + "s" * 8 + "ri"


def test_a_source_that_keeps_flapping_is_held_back_for_as_long_as_it_does() -> None:
    made = letters(DAMPED, *at("ba" * 100))
    assert made.count("r") == 2
    assert "r" not in made[2:]


@given(HISTORIES, st.floats(0.5, 50))
def test_it_is_never_longer_than_four_half_lives_until_it_counts_again(
    said: Sequence[Said], half_life: float
) -> None:
    rule = Damping(half_life)
    _, memory = decided(Rules(None, damping=rule), *said)
    assert 0 <= memory.penalty <= rule.ceiling
    rested = memory.penalty_at + 4.01 * half_life
    assert contain(memory, Rules(None, damping=rule), Heard(rested)).passes


# ── all of them ───────────────────────────────────────────────────────────────────────────────────────


@given(HISTORIES)
def test_with_everything_off_every_contradiction_passes_and_only_its_time_is_remembered(
    said: Sequence[Said],
) -> None:
    made, memory = decided(NONE, *said)
    assert "s" not in made
    last = max((one.at for one, letter in zip(said, made, strict=True) if letter == "r"), default=None)
    assert memory == Memory(revised=last)


@given(HISTORIES, RULES)
def test_a_contradiction_passes_exactly_where_each_law_by_itself_would_let_it_pass(
    said: Sequence[Said], rules: Rules
) -> None:
    _, memory = decided(rules, *said)
    now = Heard((said[-1].at if said else 0) + 1, "x", True)
    alone = [
        Rules(rules.cooldown, rules.trust),
        Rules(None, confirmation=rules.confirmation),
        Rules(None, damping=rules.damping),
    ]
    assert contain(memory, rules, now).passes is all(contain(memory, one, now).passes for one in alone)


@given(HISTORIES, RULES)
def test_what_is_remembered_is_a_pure_function_of_the_signals(said: Sequence[Said], rules: Rules) -> None:
    half = len(said) // 2
    first, memory = decided(rules, *said[:half])
    plan = next((one.value for one, x in zip(said[:half][::-1], first[::-1], strict=True) if x == "r"), "a")
    rest, after = decided(rules, *said[half:], begin=plan, memory=memory)
    assert (first + rest, after) == decided(rules, *said)


@given(HISTORIES, RULES, st.floats(-100, 100))
def test_only_the_time_between_signals_counts_and_not_when_they_came(
    said: Sequence[Said], rules: Rules, shift: float
) -> None:
    whole = [one._replace(at=float(round(one.at))) for one in said]
    moved = [one._replace(at=one.at + round(shift)) for one in whole]
    rules = replace(rules, cooldown=None if rules.cooldown is None else float(round(rules.cooldown)))
    assert letters(rules, *moved) == letters(rules, *whole)


@given(HISTORIES, RULES)
def test_votes_are_kept_for_no_longer_than_they_can_count(said: Sequence[Said], rules: Rules) -> None:
    _, memory = decided(rules, *said)
    most = rules.confirmation.n if rules.confirmation else 1 if rules.damping else 0
    assert len(memory.votes) <= most


def test_signals_that_agree_one_after_another_change_nothing_that_would_have_to_be_kept() -> None:
    _, memory = decided(TWO_OF_THREE, *at("baaa"))
    assert memory.votes == (False, False, False)
    assert agreeing(memory, TWO_OF_THREE) is memory


def test_once_a_person_has_settled_it_no_earlier_vote_counts() -> None:
    _, memory = decided(TWO_OF_THREE, Said(1, "b"))
    assert decided(TWO_OF_THREE, Said(3, "a"), begin="b", memory=settled(memory, 2))[0] == "s"
