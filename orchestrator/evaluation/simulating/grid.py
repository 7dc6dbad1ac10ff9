"""Policies against kinds of noise, over many seeds: every policy meets the very same worlds. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from orchestrator.evaluation.simulating.noise import NOISE
from orchestrator.evaluation.simulating.trial import Counts, trial
from orchestrator.evaluation.simulating.world import DESK, Reading, Truth, readings_of, truth_of
from orchestrator.ids import Json
from orchestrator.runs.containing import Confirmation, Damping, Rules, Trust

POLICIES: Mapping[str, Rules] = {
    "none": Rules(cooldown=None),
    "cooldown": Rules(cooldown=2),
    "cooldown+trust": Rules(cooldown=2, trust=Trust({DESK: 0.9})),
    "k-of-n": Rules(cooldown=None, confirmation=Confirmation(2, 3)),
    "damping": Rules(cooldown=None, damping=Damping(half_life=4)),
    "cooldown+k-of-n": Rules(cooldown=2, confirmation=Confirmation(2, 3)),
}
"""The policies by name; durations in ticks."""

MEASURES = tuple(field.name for field in fields(Counts))

_CHANGE, _RATE = 0.04, 0.5
"""How likely the fact changes at a tick, and how likely the desk says something of it."""

_Z = 1.96
"""Of the normal distribution, for an interval that holds 95 of 100 times."""


class Mean(NamedTuple):
    """A mean over seeds; the true one is within `margin` of it in 95 of 100 cases."""

    value: float
    margin: float

    def to_json(self) -> dict[str, Json]:
        """As in `simulate --json`."""
        return {"mean": round(self.value, 4), "margin": round(self.margin, 4)}


@dataclass(frozen=True, slots=True)
class Cell:
    """One policy against one kind of noise: the counts of each seed."""

    noise: str
    policy: str
    counts: tuple[Counts, ...]

    def mean(self, measure: str) -> Mean:
        """The mean of one measure."""
        return mean_of([float(getattr(count, measure)) for count in self.counts])


def grid(
    policies: Mapping[str, Rules], noises: Sequence[str], *, seeds: int, length: int, seed: int = 0
) -> list[Cell]:
    """Every policy against every kind of noise."""
    cells: list[Cell] = []
    for noise in noises:
        worlds = [_world(noise, f"{seed}/{noise}/{number}", length) for number in range(seeds)]
        for name, rules in policies.items():
            counts = tuple(trial(truth, readings, rules) for truth, readings in worlds)
            cells.append(Cell(noise, name, counts))
    return cells


def _world(noise: str, seed: str, length: int) -> tuple[Truth, list[Reading]]:
    chance = Random(seed)
    truth = truth_of(length, _CHANGE, chance)
    return truth, NOISE[noise](readings_of(truth, _RATE, chance), truth, chance)


def mean_of(values: Sequence[float]) -> Mean:
    """The mean with its margin; of one value alone, nothing is known of that."""
    if len(values) < 2:
        return Mean(fmean(values), float("inf"))
    return Mean(fmean(values), _Z * stdev(values) / sqrt(len(values)))
