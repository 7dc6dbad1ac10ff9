"""Policies against kinds of noise, over many worlds. Pure; chance is handed in.

Law: every policy meets the very same messages, and every kind of noise the very same worlds, so that what
differs is never luck.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from orchestrator.evaluation.simulating.intervals import Mean, mean_of
from orchestrator.evaluation.simulating.measures import Costs, Counts, counts_of
from orchestrator.evaluation.simulating.noise import NOISES
from orchestrator.evaluation.simulating.trial import trial
from orchestrator.evaluation.simulating.world import Chance, Readings, Truth, World, readings_of, truth_of
from orchestrator.runs.containing import Rules

ChanceOf: TypeAlias = Callable[[str], Chance]
"""Chance of its own for each seed: the same seed, the same chance."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One policy against one kind of noise: the counts of each world, in the same order in every cell."""

    noise: str
    policy: str
    counts: tuple[Counts, ...]

    def mean(self, measure: str) -> Mean:
        """The mean of one measure."""
        return mean_of([float(getattr(count, measure)) for count in self.counts])

    def costs(self, costs: Costs) -> tuple[float, ...]:
        """What each run cost."""
        return tuple(map(costs.of, self.counts))


@dataclass(frozen=True, slots=True)
class Sample:
    """The worlds that are drawn: how many, which ones, and how long a person who is called takes to look."""

    worlds: int
    seed: int = 0
    world: World = field(default_factory=World)
    patience: int | None = 10


def grid(
    policies: Mapping[str, Rules], noises: Sequence[str], sample: Sample, chance_of: ChanceOf
) -> list[Cell]:
    """Every policy against every kind of noise; two names for the same rules are tried once."""
    cells: list[Cell] = []
    for noise in noises:
        drawn = list(_drawn(noise, sample, chance_of))
        known: list[tuple[Rules, tuple[Counts, ...]]] = []
        for name, rules in policies.items():
            counts = next((found for same, found in known if same == rules), None)
            if counts is None:
                lived = (trial(truth, said, rules, patience=sample.patience) for truth, said in drawn)
                counts = tuple(map(counts_of, lived))
                known.append((rules, counts))
            cells.append(Cell(noise, name, counts))
    return cells


def _drawn(noise: str, sample: Sample, chance_of: ChanceOf) -> Iterator[tuple[Truth, Readings]]:
    for number in range(sample.worlds):
        seed = f"{sample.seed}/{number}"
        chance = chance_of(seed)
        truth = truth_of(sample.world, chance)
        readings = readings_of(truth, sample.world, chance)
        yield truth, NOISES[noise](readings, truth, chance_of(f"{seed}/{noise}"))
