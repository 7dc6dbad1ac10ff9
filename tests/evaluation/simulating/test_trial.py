"""A run in a small world goes by the product's own laws."""

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.adaptation.containment import NONE, Heard, agreeing, contain
from orchestrator.comparison import Comparison
from orchestrator.evaluation.simulating.policies import POLICIES
from orchestrator.evaluation.simulating.trial import Lived, trial
from orchestrator.evaluation.simulating.world import DESK, FEED, RIVAL, Reading, Readings
from orchestrator.runs.containing import Memory, Rules

LONG = 20


def said(*spoken: tuple[int, bool], source: str = FEED, urgent: bool = False) -> Readings:
    return tuple(Reading(t, v, source, t, f"{source}{n}", urgent) for n, (t, v) in enumerate(spoken))


def lived(readings: Readings, rules: Rules, *, until: int = LONG, patience: int | None = None) -> Lived:
    """In a world where the fact is true from tick 1 to tick `until`, without it."""
    truth = tuple(1 <= tick < until for tick in range(LONG))
    return trial(truth, readings, rules, patience=patience)


def test_contradicting_recounts_make_one_change_and_call_a_person() -> None:
    found = lived(said((1, True), (2, False)), POLICIES["cooldown"], until=2)
    assert found.changes == [(1, True)]
    assert (found.denied, found.calls, found.flagged) == ([2], 1, True)
    assert found.wrong == [False, False] + [True] * (LONG - 2)


def test_without_containment_the_plan_goes_by_the_last_word() -> None:
    found = lived(said((1, True), (2, False), (3, True)), NONE)
    assert found.changes == [(1, True), (2, False), (3, True)]
    assert (found.denied, found.calls) == ([], 0)
    assert found.wrong[2]
    assert not found.wrong[3]


def test_once_the_cooldown_has_passed_a_return_is_a_new_change() -> None:
    found = lived(said((1, True), (4, False)), POLICIES["cooldown"], until=4)
    assert found.changes == [(1, True), (4, True)]


def test_a_message_that_is_sent_twice_is_heard_once_and_one_without_an_id_each_time() -> None:
    twice = Reading(1, True, FEED, 1, "f"), Reading(2, True, FEED, 1, "f")
    assert lived(twice, POLICIES["k-of-n"]).changes == []
    nameless = Reading(1, True, FEED, 1), Reading(2, True, FEED, 1)
    assert lived(nameless, POLICIES["k-of-n"]).changes == [(2, True)]


def test_what_was_seen_earlier_undoes_nothing_where_it_says_so() -> None:
    first, late = Reading(1, True, FEED, 1, "a", dated=True), Reading(6, False, FEED, 0, "b", dated=True)
    assert lived((first, late), NONE).changes == [(1, True)]
    undated = Reading(6, False, FEED, 0, "b")
    assert lived((first, undated), NONE).changes == [(1, True), (6, False)]


def test_an_urgent_word_of_the_desk_need_not_wait() -> None:
    lie, truth = said((1, False), (2, True)), said((3, False), source=DESK, urgent=True)
    trusted = lived((*lie, *truth), POLICIES["cooldown+trust"], until=3)
    assert trusted.changes == [(2, True), (3, True)]
    assert lived((*lie, *truth), POLICIES["cooldown"], until=3).changes == [(2, True)]
    forged = said((3, False), source=RIVAL, urgent=True)
    assert lived((*lie, *forged), POLICIES["cooldown+trust"], until=3).changes == [(2, True)]


def test_a_person_who_is_called_looks_after_a_while_and_what_still_stands_is_acted_on() -> None:
    readings = said((1, True), (2, False))
    found = lived(readings, POLICIES["cooldown"], until=2, patience=5)
    assert found.changes == [(1, True), (7, True)]
    assert (found.calls, found.flagged) == (1, False)
    assert sum(found.wrong) == 5


def test_a_person_is_called_once_and_again_only_after_having_looked() -> None:
    readings = said((1, True), (2, False), (3, False), (8, True), (9, True))
    assert lived(readings, POLICIES["cooldown"], patience=None).calls == 1
    assert lived(readings, POLICIES["cooldown"], patience=5).calls == 2


SPOKEN = st.lists(
    st.tuples(st.integers(0, 3), st.booleans(), st.sampled_from([FEED, DESK, RIVAL]), st.booleans()),
    max_size=14,
)


@given(SPOKEN, st.sampled_from(list(POLICIES)))
def test_a_trial_changes_the_plan_exactly_where_containment_lets_a_contradiction_pass(
    spoken: list[tuple[int, bool, str, bool]], policy: str
) -> None:
    ticks = accumulate(wait for wait, _, _, _ in spoken)
    readings = tuple(
        Reading(t, v, who, t, f"{n}", urgent)
        for n, (t, (_, v, who, urgent)) in enumerate(zip(ticks, spoken, strict=True))
    )
    plan, memory, rules, changes = Comparison("eq", (False,)), Memory(), POLICIES[policy], list[int]()
    for r in readings:
        if plan.holds(r.value):
            memory = agreeing(memory, rules)
            continue
        contained = contain(memory, rules, Heard(float(r.tick), r.source, r.urgent))
        memory = contained.memory
        if contained.passes:
            plan = plan.realigned(r.value)
            changes.append(r.tick)
    truth = tuple(tick % 7 > 3 for tick in range(45))
    assert [tick for tick, _ in trial(truth, readings, rules, patience=None).changes] == changes
