"""Which policy is best, by what mistakes cost. Pure.

Law: policies met the same worlds, so they are compared world by world. Beside the cheapest stand those of
which it cannot be told, 95 times of 100 for all of them together, that they are dearer (Bonferroni).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from orchestrator.evaluation.simulating.grid import Cell
from orchestrator.evaluation.simulating.intervals import LEVEL, Mean, mean_of
from orchestrator.evaluation.simulating.measures import Costs
from orchestrator.ids import Json

RATIOS = (1, 3, 10, 30, 100)
"""What a wrong end may cost, in flips or flags, whichever are dearer."""


@dataclass(frozen=True, slots=True)
class Best:
    """The cheapest policy, and those that cannot be told from it."""

    policy: str
    cost: Mean
    alike: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        """As in `simulate --json`."""
        return {"best": self.policy, "cost": self.cost.to_json(), "alike": list(self.alike)}


@dataclass(frozen=True, slots=True)
class Advice:
    """What is best where a wrong end costs `ratio`."""

    ratio: float
    best: Best


def by_ratio(cells: Sequence[Cell], costs: Costs, ratios: Sequence[float] = RATIOS) -> Iterator[Advice]:
    """What is best over all kinds of noise, each of which weighs the same, for each price of a wrong end."""
    for ratio in ratios:
        yield Advice(ratio, best_of(cells, costs.where_wrong_costs(ratio)))


def by_noise(cells: Sequence[Cell], costs: Costs) -> Mapping[str, Best]:
    """What is best against each kind of noise."""
    noises = dict.fromkeys(cell.noise for cell in cells)
    return {noise: best_of([c for c in cells if c.noise == noise], costs) for noise in noises}


def best_of(cells: Sequence[Cell], costs: Costs) -> Best:
    """What is best over all these cells."""
    paid = world_costs(cells, costs)
    cheapest = min(paid, key=lambda policy: fmean(paid[policy]))
    others = [policy for policy in paid if policy != cheapest]
    level = 1 - (1 - LEVEL) / max(len(others), 1)
    alike = tuple(p for p in others if not _is_dearer(paid[p], paid[cheapest], level))
    return Best(cheapest, mean_of(paid[cheapest]), alike)


def world_costs(cells: Sequence[Cell], costs: Costs) -> Mapping[str, tuple[float, ...]]:
    """For each policy what each world cost, in the mean over the kinds of noise."""
    of_policy: dict[str, list[tuple[float, ...]]] = {}
    for cell in cells:
        of_policy.setdefault(cell.policy, []).append(cell.costs(costs))
    return {policy: tuple(map(fmean, zip(*each, strict=True))) for policy, each in of_policy.items()}


def _is_dearer(one: Sequence[float], other: Sequence[float], level: float) -> bool:
    difference = mean_of([a - b for a, b in zip(one, other, strict=True)], level=level)
    return difference.value > difference.margin
