"""Every policy meets the same messages, every kind of noise the same worlds."""

from random import Random

from orchestrator.evaluation.simulating.grid import Cell, Sample, grid
from orchestrator.evaluation.simulating.measures import Costs, Counts
from orchestrator.evaluation.simulating.policies import POLICIES
from orchestrator.evaluation.simulating.world import Chance, World
from orchestrator.runs.containing import Rules

SAMPLE = Sample(6, world=World(30))


def cells(*noises: str, sample: Sample = SAMPLE, **policies: Rules) -> dict[tuple[str, str], Cell]:
    found = grid(policies or POLICIES, noises, sample, Random)
    return {(cell.noise, cell.policy): cell for cell in found}


def test_there_is_a_cell_for_every_policy_against_every_kind_of_noise() -> None:
    found = cells("quiet", "flips")
    assert list(found) == [(noise, policy) for noise in ("quiet", "flips") for policy in POLICIES]
    assert {len(cell.counts) for cell in found.values()} == {6}


def test_the_same_seed_gives_the_same_numbers_and_another_gives_others() -> None:
    assert cells("all") == cells("all")
    assert cells("all") != cells("all", sample=Sample(6, seed=1, world=World(30)))


def test_what_a_policy_meets_does_not_depend_on_what_else_is_tried() -> None:
    alone = cells("flips", none=POLICIES["none"])
    assert alone["flips", "none"] == cells("quiet", "flips", "all")["flips", "none"]


def test_more_worlds_begin_with_the_same_ones() -> None:
    more = cells("flips", sample=Sample(9, world=World(30)))["flips", "none"].counts
    assert more[:6] == cells("flips")["flips", "none"].counts


def test_every_kind_of_noise_has_the_same_worlds() -> None:
    asked: list[str] = []

    def chance_of(seed: str) -> Chance:
        asked.append(seed)
        return Random(seed)

    grid({"none": POLICIES["none"]}, ["quiet", "all"], Sample(2, seed=7), chance_of)
    assert asked == ["7/0", "7/0/quiet", "7/1", "7/1/quiet", "7/0", "7/0/all", "7/1", "7/1/all"]


def test_without_noise_nothing_goes_wrong_where_nothing_is_contained() -> None:
    counts = cells("quiet")["quiet", "none"].counts
    assert all(c == Counts(c.revisions, 0, 0, 0, 0, 0, 0.0) for c in counts)
    assert sum(c.revisions for c in counts) > 0


def test_two_names_for_the_same_rules_have_the_same_numbers() -> None:
    found = cells("all", one=Rules(), other=Rules())
    assert found["all", "one"].counts == found["all", "other"].counts


def test_other_rules_have_other_numbers() -> None:
    found = cells("all", sample=Sample(12))
    assert len({cell.counts for cell in found.values()}) == len(POLICIES)


def test_a_cell_tells_means_and_costs_world_by_world() -> None:
    counts = (Counts(1, 1, 0, 0, 0, 2, 0.0), Counts(1, 3, 1, 1, 0, 0, 0.5))
    cell = Cell("quiet", "none", counts)
    assert cell.mean("flips").value == 2
    assert cell.costs(Costs(flip=1, wrong=10, missed=5, flag=1)) == (3, 13)
