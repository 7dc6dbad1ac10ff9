"""Margins hold as often as they say."""

from math import inf
from random import Random

import pytest
from orchestrator.evaluation.simulating.intervals import Mean, mean_of, quantile


@pytest.mark.parametrize(
    ("level", "freedom", "printed"),  # Student's distribution, as tables print it
    [
        (0.95, 3, 3.182),
        (0.95, 4, 2.776),
        (0.95, 9, 2.262),
        (0.95, 49, 2.010),
        (0.95, 10**6, 1.960),
        (0.99, 9, 3.250),
        (0.99, 49, 2.680),
    ],
)
def test_the_quantile_is_that_of_the_printed_tables(level: float, freedom: int, printed: float) -> None:
    assert quantile(level, freedom) == pytest.approx(printed, rel=0.02)


def test_of_one_value_nothing_is_known_of_the_margin() -> None:
    assert mean_of([3.0]) == Mean(3.0, inf)
    assert mean_of([3.0]).to_json() == {"mean": 3.0, "margin": None}


def test_values_that_are_all_the_same_have_no_margin() -> None:
    assert mean_of([2.0] * 9) == Mean(2.0, 0.0)


def test_the_true_mean_is_within_the_margin_about_95_times_of_100() -> None:
    chance = Random(11)
    found = [mean_of([chance.gauss(5, 2) for _ in range(8)]) for _ in range(2000)]
    within = sum(abs(mean.value - 5) <= mean.margin for mean in found)
    assert 0.935 < within / 2000 < 0.965
