"""Values of the next task, drawn from those of earlier ones, and the range that totals of them lie in. Pure.

Law: nothing is left to chance. Of earlier values in order, each imagined run draws the one at its share of
them: below the middle the next lower one, above it the next higher. So the range of one task is the one that
holds for four of five tasks to come, whatever their distribution, once there are nine earlier ones. Tasks are
drawn independently of one another, by the points of a lattice instead of by dice (docs/decisions/0007).
"""

from collections.abc import Sequence
from functools import cache
from math import ceil, floor

from orchestrator.planning.estimate import HIGH, LOW, Range

_PRIME, _ROOT = 61, 10
POINTS = _PRIME - 1
"""How many runs are imagined."""


@cache
def _marks(stream: int) -> tuple[int, ...]:
    """Where in 1, …, POINTS each imagined run is, for one thing that is drawn: another order for each."""
    factor = pow(_ROOT, stream, _PRIME)
    return tuple(point * factor % _PRIME for point in range(1, _PRIME))


@cache
def _places(count: int) -> tuple[int, ...]:
    """For each mark the place, from 0, of the value that is drawn of so many in order."""
    exact = [mark * (count + 1) / _PRIME for mark in range(1, _PRIME)]
    rounded = [floor(place) if 2 * mark < _PRIME else ceil(place) for mark, place in enumerate(exact, 1)]
    return tuple(min(max(place, 1), count) - 1 for place in rounded)


def draws(values: Sequence[float], stream: int) -> list[float]:
    """One value for each imagined run, of values in ascending order; there must be one at least."""
    places = _places(len(values))
    return [values[places[mark - 1]] for mark in _marks(stream)]


def range_of(totals: Sequence[float]) -> Range:
    """The range of the totals of the imagined runs."""
    ordered = sorted(totals)
    return ordered[floor(LOW * _PRIME) - 1], ordered[ceil(HIGH * _PRIME) - 1]
