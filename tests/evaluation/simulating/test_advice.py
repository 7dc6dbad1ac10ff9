"""Which policy is recommended, and beside which others."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.evaluation.simulating.advice import best_of, by_noise, by_ratio, world_costs
from orchestrator.evaluation.simulating.grid import Cell
from orchestrator.evaluation.simulating.measures import Costs, Counts

FLIPS = Costs(flip=1, wrong=10, missed=5, flag=1)


def flipping(policy: str, *flips: int, noise: str = "flips") -> Cell:
    return Cell(noise, policy, tuple(Counts(n, n, 0, 0, 0, 0, 0.0) for n in flips))


def ending(policy: str, *ends: tuple[int, int]) -> Cell:
    """Of each world how many flips, and whether it ended wrong."""
    return Cell("flips", policy, tuple(Counts(n, n, wrong, 0, 0, 0, 0.0) for n, wrong in ends))


def test_who_is_dearer_by_the_same_in_every_world_is_told_apart_however_much_worlds_differ() -> None:
    best = best_of([flipping("a", 1, 50, 3, 90, 7), flipping("b", 2, 51, 4, 91, 8)], FLIPS)
    assert (best.policy, best.alike) == ("a", ())
    assert best.cost.value == 30.2


def test_who_is_now_dearer_and_now_cheaper_cannot_be_told_apart() -> None:
    best = best_of([flipping("a", 1, 5, 3, 9), flipping("b", 5, 1, 9, 4)], FLIPS)
    assert (best.policy, best.alike) == ("a", ("b",))


def test_the_same_policy_under_two_names_is_named_twice() -> None:
    best = best_of([flipping("a", 1, 2), flipping("b", 1, 2)], FLIPS)
    assert (best.policy, best.alike) == ("a", ("b",))


def test_of_one_world_nobody_can_be_told_from_the_best() -> None:
    assert best_of([flipping("a", 1), flipping("b", 99)], FLIPS).alike == ("b",)


def test_a_policy_alone_is_the_best() -> None:
    best = best_of([flipping("a", 1, 2)], FLIPS)
    assert (best.policy, best.alike) == ("a", ())


def test_what_is_best_depends_on_what_a_wrong_end_costs() -> None:
    flapping = ending("flapping", *[(5, 0)] * 9)
    holding = ending("holding", *[(0, 1)] * 9)
    advice = list(by_ratio([flapping, holding], FLIPS, (1, 3, 10)))
    assert [(a.ratio, a.best.policy) for a in advice] == [(1, "holding"), (3, "holding"), (10, "flapping")]


def test_every_kind_of_noise_weighs_the_same() -> None:
    cells = [flipping("a", 4, 8), flipping("a", 0, 2, noise="quiet")]
    assert world_costs(cells, FLIPS) == {"a": (2, 5)}


def test_each_kind_of_noise_has_its_own_best() -> None:
    cells = [flipping("a", 1, 1), flipping("b", 3, 3)]
    cells += [flipping("a", 3, 3, noise="quiet"), flipping("b", 1, 1, noise="quiet")]
    assert {noise: best.policy for noise, best in by_noise(cells, FLIPS).items()} == {
        "flips": "a",
        "quiet": "b",
    }


def test_of_policies_that_are_the_same_all_are_named_nearly_always() -> None:
    chance, told = Random(5), 0
    for _ in range(200):
        cells = [flipping(name, *(chance.randint(0, 9) for _ in range(20))) for name in "abcdef"]
        told += len(best_of(cells, FLIPS).alike) < 5
    assert told / 200 < 0.2  # the cheapest is chosen by the same numbers, which costs some of the 95


@given(st.lists(st.lists(st.integers(0, 9), min_size=5, max_size=5), min_size=1, max_size=5))
def test_the_best_is_nowhere_beside_itself_and_nobody_is_cheaper(flips: list[list[int]]) -> None:
    best = best_of([flipping(str(n), *each) for n, each in enumerate(flips)], FLIPS)
    assert best.policy not in best.alike
    assert best.cost.value == min(sum(each) / 5 for each in flips)
