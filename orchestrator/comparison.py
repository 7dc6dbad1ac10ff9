"""Comparisons as data: what a task expects of a fact. Pure.

Laws: a comparison holds or does not by comparing, never by anybody's opinion. What cannot be compared (a text
with a number) is an error, not a contradiction. A comparison re-aligned to a value that contradicts it holds
for that value, and unless it is a tolerance is contradicted by every value for which it held before.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time
from math import isfinite
from typing import Any, Literal, TypeAlias, cast, get_args

from orchestrator.ids import Json

Scalar: TypeAlias = bool | int | float | str | None
"""What a fact is where a task assumes something of it."""

Op: TypeAlias = Literal["eq", "ne", "lt", "lte", "gt", "gte", "in", "not_in", "between", "outside", "within"]

_OPS: tuple[Op, ...] = get_args(Op)
_OPPOSITE: Mapping[Op, Op] = {
    **{"eq": "ne", "ne": "eq", "lt": "gte", "gte": "lt", "lte": "gt", "gt": "lte"},
    **{"in": "not_in", "not_in": "in", "between": "outside", "outside": "between"},
}
_SIGNS: Mapping[Op, str] = {"eq": "=", "ne": "≠", "lt": "<", "lte": "≤", "gt": ">", "gte": "≥"}
_BY_EQUALITY: frozenset[Op] = frozenset({"eq", "ne", "in", "not_in"})
_PAIRS: frozenset[Op] = frozenset({"between", "outside"})
_DIGITS = 300
_LARGEST = 10**_DIGITS
"""Whole numbers up to here can be compared, and calculated, with any other."""


# Any: they are asked of numbers alone.
_PLAINLY: Mapping[Op, Callable[[Any, Any], bool]] = {
    **{"eq": operator.eq, "ne": operator.ne, "lt": operator.lt},
    **{"lte": operator.le, "gt": operator.gt, "gte": operator.ge},
}


def _is_plain(value: object) -> bool:
    """Whether it is a number that machines compare exactly."""
    return (type(value) is int or type(value) is float) and -1e15 < value < 1e15


class Incomparable(ValueError):
    """Two values that have no common measure; the message says which."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is expected of a fact. Made from YAML by `comparison_of`.

    `values` is one value for `eq` to `gte`, any number for `in` and `not_in`; for `between` and its opposite
    `outside` the low and the high end, both of which count as between; for `within` the centre and how far
    off a number may be.
    """

    op: Op
    values: tuple[Scalar, ...]

    def holds(self, observed: Json) -> bool:
        """Whether the observed value is as expected. Raises Incomparable."""
        plainly = _PLAINLY.get(self.op)
        if plainly is not None and _is_plain(observed) and _is_plain(self.values[0]):
            return plainly(observed, self.values[0])  # the usual case, in a third of the time
        value = scalar(observed)
        if self.op in _BY_EQUALITY:
            found = [same(value, one) for one in self.values]
            return any(found) is (self.op in ("eq", "in"))
        if self.op == "within":
            centre, tolerance = (number(each) for each in self.values)
            return abs(number(value) - centre) <= tolerance
        signs = [compare(value, one) for one in self.values]
        match self.op:
            case "lt":
                return signs[0] < 0
            case "lte":
                return signs[0] <= 0
            case "gt":
                return signs[0] > 0
            case "gte":
                return signs[0] >= 0
            case _:
                return (signs[0] >= 0 >= signs[1]) is (self.op == "between")

    def realigned(self, observed: Json) -> "Comparison":
        """What a plan goes by once it was changed for this value, which contradicts the comparison.

        An equality takes the value, a tolerance is re-centred, any other becomes its opposite.
        """
        if self.op == "eq":
            return Comparison("eq", (scalar(observed),))
        if self.op == "within":
            return Comparison("within", (scalar(observed), self.values[1]))
        return Comparison(_OPPOSITE[self.op], self.values)

    def to_json(self) -> Json:
        """The `expected` of YAML: a plain value, or a mapping with the comparison."""
        if self.op == "eq":
            return self.values[0]
        if self.op == "within":
            return {"within": {"of": self.values[0], "tolerance": self.values[1]}}
        return {self.op: self.values[0] if self.op in _SIGNS else list(self.values)}

    def __str__(self) -> str:
        """As people read it, after the name of the fact."""
        those = [told(value) for value in self.values]
        if self.op in _SIGNS:
            return f"{_SIGNS[self.op]} {those[0]}"
        if self.op == "within":
            return f"within {those[1]} of {those[0]}"
        if self.op in _PAIRS:
            return f"{self.op} {those[0]} and {those[1]}"
        return f"{'one' if self.op == 'in' else 'none'} of {', '.join(those)}"


def told(value: Json) -> str:
    """A value of a fact, for people."""
    return f'"{value}"' if isinstance(value, str) else _WORDS.get(str(value), str(value))


_WORDS = {"None": "null", "True": "true", "False": "false"}


def comparison_of(expected: Json) -> Comparison:
    """The comparison that YAML means: a plain value is an equality, a mapping names one comparison.

    Raises ValueError, which says what is wrong and what would be right.
    """
    if not isinstance(expected, Mapping):
        return Comparison("eq", (scalar(expected),))
    if len(expected) != 1:
        raise ValueError(f"one comparison is due here, such as {{lte: 30}}, and there are {len(expected)}")
    op, bound = next(iter(expected.items()))
    if op not in _OPS:
        raise ValueError(f"unknown comparison {op!r}; known are: {', '.join(_OPS)}")
    comparison = Comparison(op, _values(op, bound))
    _check(comparison)
    return comparison


def scalar(value: Json) -> Scalar:
    """The value itself. Raises Incomparable for a list or a mapping, of which nothing can be assumed."""
    if isinstance(value, float) and not isfinite(value):
        raise Incomparable(f"{value!r} is no number that can be compared")
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise Incomparable(f"a {'mapping' if isinstance(value, Mapping) else 'list'} cannot be compared")


def same(one: Scalar, other: Scalar) -> bool:
    """Whether they are equal; `null` is equal to itself alone. Raises Incomparable for two kinds."""
    if one is None or other is None:
        return one is other
    if _kind(one) != _kind(other):
        raise Incomparable(f"{one!r} is a {_kind(one)}, and {other!r} is a {_kind(other)}")
    return one == other


def compare(one: Scalar, other: Scalar) -> int:
    """Below zero where `one` is the smaller, above where it is the larger.

    Numbers have an order, and days, times and moments as ISO 8601 writes them. Raises Incomparable.
    """
    left, right = _measure(one), _measure(other)
    if type(left) is not type(right) and not (
        isinstance(left, int | float) and isinstance(right, int | float)
    ):
        raise Incomparable(f"{one!r} and {other!r} have no common order")
    try:
        return (left > right) - (left < right)
    except TypeError:  # one of them with a time zone, the other without
        raise Incomparable(f"{one!r} and {other!r} have no common order: one has a time zone") from None


def number(value: Scalar) -> float:
    """The value, which is to be a number. Raises Incomparable."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # noqa: PLR0124 - NaN
        raise Incomparable(f"{value!r} is no number")
    if isinstance(value, int) and abs(value) > _LARGEST:
        raise Incomparable(f"a number of more than {_DIGITS} digits is not compared")
    return value


def _kind(value: Scalar) -> str:
    if isinstance(value, bool):
        return "truth value"
    return "text" if isinstance(value, str) else "number"


def _measure(value: Scalar) -> Any:
    """The value as something that has an order. Any: of which kind is seen when two are compared."""
    if not isinstance(value, str):
        return number(value)
    for kind in (date, time, datetime):
        with suppress(ValueError):
            return kind.fromisoformat(value)
    raise Incomparable(f"{value!r} is no number, nor a day, time or moment such as 2026-03-01, 09:30")


def _values(op: Op, bound: Json) -> tuple[Scalar, ...]:
    """The values of a comparison as YAML has them. Raises ValueError."""
    if op == "within":
        if not isinstance(bound, Mapping) or set(bound) != {"of", "tolerance"}:
            raise ValueError("`within` is written {of: 20, tolerance: 5}")
        return scalar(bound["of"]), scalar(bound["tolerance"])
    if op in _SIGNS:
        return (scalar(bound),)
    if not isinstance(bound, Sequence) or isinstance(bound, str):
        raise ValueError(f"`{op}` wants a list, such as {{{op}: [1, 2]}}")  # noqa: TRY004 - it is YAML's
    if op in _PAIRS and len(bound) != 2:
        raise ValueError(f"`{op}` wants the low and the high end, such as {{{op}: [1, 5]}}")
    if not bound:
        raise ValueError(f"`{op}` wants at least one value")
    return tuple(map(scalar, cast("Sequence[Json]", bound)))


def _check(comparison: Comparison) -> None:
    """Raises ValueError where the values cannot be compared with one another, or with anything."""
    op, values = comparison.op, comparison.values
    known = [value for value in values if value is not None]
    if op == "within":
        if number(values[0]) != values[0] or number(values[1]) < 0:
            raise ValueError("the tolerance of `within` cannot be below zero")
    elif op in _BY_EQUALITY:
        for value in known:
            same(known[0], value)
    elif compare(values[0], values[-1]) > 0:
        raise ValueError(f"`{op}` wants the low end first: {values[0]!r} is above {values[-1]!r}")
