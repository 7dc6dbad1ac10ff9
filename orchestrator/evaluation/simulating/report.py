"""A simulation for people and programs: a table, a picture, a page, a document."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from orchestrator.evaluation.simulating.advice import Advice, Costs, advice, by_noise
from orchestrator.evaluation.simulating.grid import MEASURES, Cell
from orchestrator.ids import Json

if TYPE_CHECKING:
    from jinja2 import Template

_PARTS = ("flips", "wrong", "missed", "flags")
"""What costs something, in the order in which a bar of the picture has it."""

_SHOWN: Mapping[str, str] = {
    "flips": "flips",
    "wrong": "wrong end",
    "missed": "missed",
    "flags": "flags",
    "astray": "astray",
}


@dataclass(frozen=True, slots=True)
class Report:
    """What was simulated, and what the mistakes cost."""

    cells: Sequence[Cell]
    costs: Costs
    seeds: int
    length: int

    def to_json(self) -> dict[str, Json]:
        """The document of `simulate --json`."""
        return {
            "seeds": self.seeds,
            "length": self.length,
            "costs": asdict(self.costs),
            "cells": [
                {
                    "noise": cell.noise,
                    "policy": cell.policy,
                    **{measure: cell.mean(measure).to_json() for measure in MEASURES},
                    "cost": self._cost(cell),
                }
                for cell in self.cells
            ],
            "advice": [each.to_json() for each in self.advice],
            "by_noise": {noise: each.to_json() for noise, each in by_noise(self.cells, self.costs).items()},
        }

    @property
    def advice(self) -> list[Advice]:
        """The best policy for each price of a wrong end."""
        return advice(self.cells, self.costs)

    def lines(self, width: int) -> Iterator[str]:
        """The table for a terminal; a narrow one has less of it."""
        measures = list(_SHOWN) if width >= 72 else ["flips", "wrong", "flags"]
        for noise in dict.fromkeys(cell.noise for cell in self.cells):
            yield f"{noise:<16}" + "".join(f"{_SHOWN[m]:>10}" for m in measures) + f"{'cost':>8}"
            for cell in (c for c in self.cells if c.noise == noise):
                numbers = "".join(f"{cell.mean(m).value:>10.2f}" for m in measures)
                yield f"  {cell.policy[:14]:<14}{numbers}{self._cost(cell):>8.2f}"
            yield ""
        yield from self.advice_lines()

    def advice_lines(self) -> Iterator[str]:
        """The recommendations."""
        yield "best, where a wrong end costs so many times what a person's look costs:"
        for each in self.advice:
            alike = f"; not to be told apart: {', '.join(each.as_good)}" if each.as_good else ""
            yield f"  {each.ratio:>4g}  {each.best} ({each.cost.value:.2f} ± {each.cost.margin:.2f}){alike}"
        yield "best against each kind of noise:"
        for noise, each in by_noise(self.cells, self.costs).items():
            alike = f"; not to be told apart: {', '.join(each.as_good)}" if each.as_good else ""
            yield f"  {noise:<12} {each.best}{alike}"

    def svg(self) -> str:
        """The picture: for each kind of noise and policy a bar of its cost, by what it was paid for."""
        return _template("plot.svg.j2").render(rows=list(self._rows()), parts=_PARTS)

    def html(self) -> str:
        """The page, which needs nothing beside it."""
        return _template("page.html.j2").render(
            report=self,
            picture=self.svg(),
            measures=_SHOWN,
            advice="\n".join(self.advice_lines()),
            cost=self._cost,
        )

    def _cost(self, cell: Cell) -> float:
        return round(sum(self._parts(cell)), 4)

    def _parts(self, cell: Cell) -> tuple[float, ...]:
        prices = (self.costs.flip, self.costs.wrong, self.costs.missed, self.costs.flag)
        return tuple(price * cell.mean(part).value for part, price in zip(_PARTS, prices, strict=True))

    def _rows(self) -> Iterator[Mapping[str, object]]:
        most = max((sum(self._parts(cell)) for cell in self.cells), default=0.0) or 1.0
        noise = ""
        for cell in self.cells:
            at, pieces = 0.0, list[Mapping[str, object]]()
            for name, part in zip(_PARTS, self._parts(cell), strict=True):
                pieces.append({"name": name, "at": 400 * at / most, "width": 400 * part / most})
                at += part
            head = cell.noise if cell.noise != noise else ""
            noise = cell.noise
            yield {"noise": head, "policy": cell.policy, "pieces": pieces, "cost": f"{at:.2f}"}


@cache
def _template(name: str) -> "Template":
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    source = files("orchestrator.evaluation.simulating").joinpath(name)
    return environment.from_string(source.read_text("utf-8"))
