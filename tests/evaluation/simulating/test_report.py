"""A simulation as people and programs read it."""

import json
from itertools import islice
from random import Random

import pytest
from orchestrator.evaluation.simulating.grid import Cell, Sample, grid
from orchestrator.evaluation.simulating.measures import Costs, Counts
from orchestrator.evaluation.simulating.policies import POLICIES
from orchestrator.evaluation.simulating.report import Report
from orchestrator.evaluation.simulating.world import World

SAMPLE = Sample(4, world=World(20))


def report(*noises: str, costs: Costs = Costs(), **more: Cell) -> Report:  # noqa: B008 - it is frozen
    return Report([*grid(POLICIES, noises, SAMPLE, Random), *more.values()], costs, SAMPLE)


def flipping(policy: str, *flips: int) -> Cell:
    return Cell("flips", policy, tuple(Counts(n, n, 0, 0, 0, 0, 0.0) for n in flips))


SMALL = Report([flipping("none", 12, 14), flipping("a-policy-with-a-long-name", 1, 5)], Costs(), SAMPLE)


@pytest.mark.parametrize("width", [40, 60, 76, 80, 120])
def test_no_line_is_longer_than_the_terminal_is_wide(width: int) -> None:
    lines = list(report("quiet", "all").lines(width))
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize("price", [0.001, 30, 300, 3e3, 3e4, 1e9])
@pytest.mark.parametrize(("width", "columns"), [(40, 5), (80, 7)])
def test_numbers_of_any_size_stand_apart(price: float, width: int, columns: int) -> None:
    told = Report(SMALL.cells, Costs(flip=price), SAMPLE).lines(width)
    rows = [line[1:].split() for line in islice(told, 1, 3)]
    assert [len(row) for row in rows] == [columns, columns]


def test_a_wide_terminal_has_all_columns_with_margins() -> None:
    head, first, second, *_ = SMALL.lines(80)
    assert head.split() == ["flips", "flips", "wrong", "missed", "flags", "astray", "cost"]
    assert first.split()[:3] == ["=none", "13.0±11.3", "0.00±0.00"]
    assert second.startswith("*a-policy-with-…")


def test_a_narrow_terminal_has_fewer_columns_and_no_margins() -> None:
    head, first, *_ = SMALL.lines(40)
    assert head.split() == ["flips", "flips", "wrong", "flags", "cost"]
    assert first.split() == ["=none", "13.0", "0.00", "0.00", "13.0"]


def test_the_advice_names_the_best_for_each_price_and_who_is_alike() -> None:
    told = list(SMALL.advice(100))
    assert "  1×: a-policy-with-a-long-name; or none" in told
    assert [line for line in told if line.startswith("  100×")]


def test_the_document_has_what_was_asked_and_what_was_found() -> None:
    document = json.loads(json.dumps(report("quiet").to_json()))
    assert {k: document[k] for k in ("worlds", "seed", "length", "person")} == {
        "worlds": 4,
        "seed": 0,
        "length": 20,
        "person": 10,
    }
    assert document["costs"] == {"flip": 1, "wrong": 10, "missed": 5, "flag": 1, "silent": 0}
    first = document["cells"][0]
    assert (first["noise"], first["policy"]) == ("quiet", "none")
    assert set(first) == {
        "noise", "policy", "revisions", "flips", "wrong", "silent", "missed", "flags", "astray", "cost",
    }  # fmt: skip
    assert first["cost"] == {"mean": 0.0, "margin": 0.0}
    assert [each["wrong"] for each in document["by_ratio"]] == [1, 3, 10, 30, 100]
    assert document["by_noise"]["quiet"]["best"] == "none"
