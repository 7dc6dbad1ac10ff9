"""Which policy is best, by what mistakes cost. Pure.

Policies met the same worlds, so they are compared world by world (paired differences). Whoever cannot be told
apart from the best is named beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orchestrator.evaluation.simulating.grid import Cell, Mean, mean_of
from orchestrator.evaluation.simulating.trial import Counts
from orchestrator.ids import Json

RATIOS = (1, 3, 10, 30, 100)
"""What a run that ends wrong costs, where calling a person costs 1."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What one of each mistake costs."""

    flip: float = 2.0
    wrong: float = 10.0
    missed: float = 3.0
    flag: float = 1.0

    def of(self, count: Counts) -> float:
        """What a trial cost."""
        return (
            self.flip * count.flips
            + self.wrong * count.wrong
            + self.missed * count.missed
            + self.flag * count.flags
        )


@dataclass(frozen=True, slots=True)
class Advice:
    """The cheapest policy where a wrong end costs `ratio`, and those that look as good."""

    ratio: float
    best: str
    cost: Mean
    as_good: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        """As in `simulate --json`."""
        return {
            "wrong": self.ratio,
            "best": self.best,
            "cost": self.cost.to_json(),
            "as_good": list(self.as_good),
        }


def costs_of(cells: Sequence[Cell], costs: Costs) -> Mapping[str, tuple[float, ...]]:
    """What each trial cost, by policy, over all kinds of noise and in the same order."""
    found: dict[str, tuple[float, ...]] = {}
    for cell in cells:
        found[cell.policy] = (*found.get(cell.policy, ()), *map(costs.of, cell.counts))
    return found


def advice(cells: Sequence[Cell], costs: Costs, ratios: Sequence[float] = RATIOS) -> list[Advice]:
    """For each ratio the best policy; all other costs as they are."""
    return [_advice(cells, costs, ratio) for ratio in ratios]


def _advice(cells: Sequence[Cell], costs: Costs, ratio: float) -> Advice:
    of_policy = costs_of(cells, Costs(costs.flip, ratio * (costs.flag or 1.0), costs.missed, costs.flag))
    best = min(of_policy, key=lambda policy: sum(of_policy[policy]))
    as_good = tuple(
        name for name in of_policy if name != best and _are_alike(of_policy[name], of_policy[best])
    )
    return Advice(ratio, best, mean_of(of_policy[best]), as_good)


def by_noise(cells: Sequence[Cell], costs: Costs) -> Mapping[str, Advice]:
    """The best policy against each kind of noise, by these costs."""
    noises = dict.fromkeys(cell.noise for cell in cells)
    ratio = costs.wrong / costs.flag if costs.flag else costs.wrong
    return {noise: _advice([c for c in cells if c.noise == noise], costs, ratio) for noise in noises}


def _are_alike(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether no difference can be seen between them, world by world."""
    difference = mean_of([a - b for a, b in zip(one, other, strict=True)])
    return abs(difference.value) <= difference.margin
