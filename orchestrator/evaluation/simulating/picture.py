"""A simulation as an SVG picture and as an HTML page, by templates of the program's own.

Law: every text is escaped, and holds nothing that XML does not allow; no script, nothing from elsewhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from statistics import fmean
from typing import TYPE_CHECKING

from orchestrator.evaluation.simulating.grid import Cell
from orchestrator.evaluation.simulating.intervals import Mean
from orchestrator.evaluation.simulating.measures import PARTS
from orchestrator.evaluation.simulating.report import SHOWN, Report

if TYPE_CHECKING:
    from jinja2 import Template

_BAR = 460.0
"""How long the longest bar is, with the end of its margin."""
_ROW, _HEAD, _TOP = 20, 28, 52


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a bar: what was paid for, from where, and how long."""

    part: str
    at: float
    width: float


@dataclass(frozen=True, slots=True)
class Bar:
    """What one policy costs, and from where to where that may be."""

    y: int
    policy: str
    mark: str
    pieces: tuple[Piece, ...]
    cost: Mean
    margin: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Panel:
    """The bars of one kind of noise."""

    y: int
    noise: str
    bars: tuple[Bar, ...]


def to_svg(report: Report) -> str:
    """For each kind of noise and policy a bar of its cost, by what was paid for, with its margin."""
    panels = tuple(_panels(report))
    height = panels[-1].bars[-1].y + _ROW + 12
    return _template("plot.svg.j2").render(panels=panels, parts=PARTS, height=height, row=_ROW)


def to_html(report: Report) -> str:
    """The page: advice, picture and numbers."""
    return _template("page.html.j2").render(report=report, picture=to_svg(report), measures=SHOWN)


def _panels(report: Report) -> Iterator[Panel]:
    ends = (mean.value + _margin(mean) for mean in map(report.cost, report.cells))
    scale, y = _BAR / (max(ends, default=0.0) or 1.0), _TOP
    for noise, cells in report.noises.items():
        best = report.by_noise[noise]
        marks = {best.policy: "*", **dict.fromkeys(best.alike, "=")}
        bars = tuple(
            _bar(report, cell, y + _HEAD + n * _ROW, marks.get(cell.policy, ""), scale)
            for n, cell in enumerate(cells)
        )
        yield Panel(y, noise, bars)
        y += _HEAD + len(bars) * _ROW + 8


def _bar(report: Report, cell: Cell, y: int, mark: str, scale: float) -> Bar:
    parts = map(fmean, zip(*map(report.costs.parts, cell.counts), strict=True))
    pieces, at = list[Piece](), 0.0
    for name, paid in zip(PARTS, parts, strict=True):
        pieces.append(Piece(name, at * scale, paid * scale))
        at += paid
    cost = report.cost(cell)
    low, high = max(cost.value - _margin(cost), 0.0), cost.value + _margin(cost)
    return Bar(y, cell.policy, mark, tuple(pieces), cost, (low * scale, high * scale))


def _margin(mean: Mean) -> float:
    """The margin, as far as there is one."""
    return mean.margin if mean.margin != float("inf") else 0.0


@cache
def _template(name: str) -> "Template":
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    source = files("orchestrator.evaluation.simulating").joinpath(name)
    return environment.from_string(source.read_text("utf-8"), globals={"px": _px})


def _px(number: float) -> str:
    return f"{number:.1f}"
