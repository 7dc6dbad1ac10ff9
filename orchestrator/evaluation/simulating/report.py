"""A simulation for people and programs: lines for a terminal, and one document. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import inf

from orchestrator.evaluation.simulating.advice import Advice, Best, by_noise, by_ratio
from orchestrator.evaluation.simulating.grid import Cell, Sample
from orchestrator.evaluation.simulating.intervals import Mean, mean_of
from orchestrator.evaluation.simulating.measures import MEASURES, Costs
from orchestrator.ids import Json

SHOWN: Sequence[str] = ("flips", "wrong", "missed", "flags", "astray")
"""The measures of a table, but for the cost."""

_WIDE = 76
"""Columns that a table with margins takes."""
_NAME = 16


@dataclass(frozen=True)
class Report:
    """What was simulated, and what the mistakes cost. Without slots, so that what is reckoned is kept."""

    cells: Sequence[Cell]
    costs: Costs
    sample: Sample

    @cached_property
    def by_ratio(self) -> Sequence[Advice]:
        """The best policy for each price of a wrong end."""
        return tuple(by_ratio(self.cells, self.costs))

    @cached_property
    def by_noise(self) -> Mapping[str, Best]:
        """The best policy against each kind of noise."""
        return by_noise(self.cells, self.costs)

    @cached_property
    def noises(self) -> Mapping[str, Sequence[Cell]]:
        """The cells of each kind of noise."""
        names = dict.fromkeys(cell.noise for cell in self.cells)
        return {noise: [cell for cell in self.cells if cell.noise == noise] for noise in names}

    def cost(self, cell: Cell) -> Mean:
        """What a run costs in this cell."""
        return mean_of(cell.costs(self.costs))

    def row(self, cell: Cell) -> Sequence[Mean]:
        """The numbers of a line of the page: those of a table, how many ends were silent, and the cost."""
        return [*map(cell.mean, (*SHOWN, "silent")), self.cost(cell)]

    def to_json(self) -> dict[str, Json]:
        """The document of `simulate --json`."""
        return {
            "worlds": self.sample.worlds,
            "seed": self.sample.seed,
            "length": self.sample.world.length,
            "person": self.sample.patience,
            "costs": asdict(self.costs),
            "cells": [self._cell(cell) for cell in self.cells],
            "by_ratio": [{"wrong": each.ratio, **each.best.to_json()} for each in self.by_ratio],
            "by_noise": {noise: best.to_json() for noise, best in self.by_noise.items()},
        }

    def _cell(self, cell: Cell) -> dict[str, Json]:
        found = {measure: cell.mean(measure).to_json() for measure in MEASURES}
        return {"noise": cell.noise, "policy": cell.policy, **found, "cost": self.cost(cell).to_json()}

    def lines(self, width: int) -> Iterator[str]:
        """The tables and the advice for a terminal; a narrow one has less of it."""
        for noise, cells in self.noises.items():
            yield from self._table(noise, cells, width)
            yield ""
        yield from self.advice(width)

    def _table(self, noise: str, cells: Sequence[Cell], width: int) -> Iterator[str]:
        shown = SHOWN if width >= _WIDE else ("flips", "wrong", "flags")
        room = 10 if width >= _WIDE else 6
        marks = self.by_noise[noise]
        yield f"{noise:<{_NAME}}" + "".join(f"{name:>{room}}" for name in (*shown, "cost"))
        for cell in cells:
            means = (*map(cell.mean, shown), self.cost(cell))
            told = "".join(f"{_told(mean, margin=width >= _WIDE):>{room}}" for mean in means)
            mark = "*" if cell.policy == marks.policy else "=" if cell.policy in marks.alike else " "
            yield f"{mark}{_cut(cell.policy, _NAME - 1):<{_NAME - 1}}{told}"

    def advice(self, width: int) -> Iterator[str]:
        """What is recommended, and how sure that is."""
        yield from _wrapped("* is the cheapest, = cannot be told from it", width)
        yield from _wrapped(
            "best over all these kinds of noise, where a wrong end costs so many times a flip or a flag:",
            width,
        )
        for each in self.by_ratio:
            alike = f"; or {', '.join(each.best.alike)}" if each.best.alike else ""
            yield from _wrapped(f"{each.ratio:g}×: {each.best.policy}{alike}", width, "  ")


def _told(mean: Mean, *, margin: bool) -> str:
    """The number in nine places at most, without its margin in five."""
    most = max(mean.value, mean.margin) if margin and mean.margin != inf else mean.value
    if most >= 10_000:
        return f"{mean.value:.0e}"
    places = 2 if most < 10 else 1 if most < 100 else 0
    told = f"{mean.value:.{places}f}"
    return f"{told}±{mean.margin:.{places}f}" if margin and mean.margin != inf else told


def _cut(name: str, room: int) -> str:
    return name if len(name) <= room else f"{name[: room - 1]}…"


def _wrapped(text: str, width: int, indent: str = "") -> Iterator[str]:
    from orchestrator.planning.drawing.width import wrapped

    lines = wrapped(text, width - 2 * len(indent), 9)
    yield from (f"{indent}{indent if n else ''}{line}" for n, line in enumerate(lines))
