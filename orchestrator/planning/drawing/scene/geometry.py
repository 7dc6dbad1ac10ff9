"""Points, boxes and curves of a picture, in pixels from its upper left corner."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

Way: TypeAlias = Literal["down", "right"]
"""Where a plan goes from wave to wave: what is *along*. The other direction is *across*."""


class Point(NamedTuple):
    """A place in the picture."""

    x: float
    y: float


class Rect(NamedTuple):
    """A box by its upper left corner."""

    x: float
    y: float
    width: float
    height: float


Curve: TypeAlias = tuple[Point, Point, Point, Point]
"""A cubic Bézier curve: its ends, and between them what it steers by."""


def turned(along: float, across: float, way: Way) -> Point:
    """The point, or the size, of this way."""
    return Point(across, along) if way == "down" else Point(along, across)


def swung(knots: Iterable[tuple[float, float]], way: Way) -> Iterator[Curve]:
    """From knot (along, across) to knot, smoothly; knots on one straight line become one.

    A curve never leaves the box that its two knots are the corners of.
    """
    for (a, b), (c, d) in pairwise(_needed(knots)):
        half = (a + c) / 2
        yield turned(a, b, way), turned(half, b, way), turned(half, d, way), turned(c, d, way)


def _needed(knots: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    kept: list[tuple[float, float]] = []
    for knot in knots:
        if len(kept) > 1 and kept[-2][1] == kept[-1][1] == knot[1]:
            kept.pop()
        if not kept or kept[-1] != knot:
            kept.append(knot)
    return kept
