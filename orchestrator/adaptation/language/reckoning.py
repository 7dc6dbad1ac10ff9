"""What an expression comes to: a walk over a tree that was checked, and nothing is ever executed. Pure.

Laws: it ends, what it makes is bounded, and whatever the values are, there is a value or ExpressionFailed.
Values are compared by the rules of `orchestrator.comparison`: a text with a number is an error.
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeGuard, cast

from orchestrator.adaptation.language.names import Path, cut, path_of, shown, written
from orchestrator.comparison import compare, number, same, scalar
from orchestrator.ids import Json

_LONGEST_TEXT = 10_000
_LARGEST = 1e300
_SAID = 400
"""Most characters of a message, and of a number that a text writes."""

_DECIMAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)

NAMES: Mapping[str, Json] = {"true": True, "false": False, "null": None}
"""What YAML writes in another way than Python, whose own words are known too."""


class ExpressionFailed(ValueError):
    """An expression that has no value here; says why."""


def value_of(tree: ast.expr, known: Mapping[str, Any]) -> Json:
    """What the tree comes to, where `facts` and `results` are what is known. Raises ExpressionFailed."""
    try:
        return _Walk(known).value(tree)
    except RecursionError:
        raise ExpressionFailed("a value is nested too deeply to be compared") from None
    except ValueError as error:  # ours, what is incomparable, and numbers that Python does not write out
        raise ExpressionFailed(cut(str(error), _SAID)) from None


def looked_up(path: Path, known: Mapping[str, Any]) -> Json:
    """The fact, or the field of a result, of this name. Raises ExpressionFailed."""
    found: Any = known  # Any: a fact may be anything, and so may what is in it
    for at, name in enumerate(path):
        if not isinstance(found, Mapping):
            raise ExpressionFailed(f"{written(path[:at])} is {shown(found)}, which has no fields")
        if name not in found:
            raise ExpressionFailed(_missing(path[:at], name, cast("Mapping[str, Any]", found)))
        found = cast("Mapping[str, Any]", found)[name]
    return cast("Json", found)


class _Walk:
    """One evaluation."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        self._known = known

    def value(self, node: ast.expr) -> Json:
        match node:
            case ast.Constant(value=value):
                return cast("Json", value)
            case ast.Name(id=name):
                return NAMES[name]
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                return [self.value(element) for element in elements]
            case ast.BoolOp(op=op, values=values):
                truths = (_truth(self.value(each)) for each in values)
                return all(truths) if isinstance(op, ast.And) else any(truths)
            case ast.UnaryOp(op=op, operand=operand):
                value = self.value(operand)
                return (not _truth(value)) if isinstance(op, ast.Not) else -number(scalar(value))
            case ast.Compare():
                return self._compared(node)
            case _:
                return self._made(node)

    def _made(self, node: ast.expr) -> Json:
        match node:
            case ast.BinOp(left=left, op=op, right=right):
                return _calculated(self.value(left), op, self.value(right))
            case ast.Call(func=ast.Name(id=name), args=[argument]):
                return FUNCTIONS[name](self.value(argument))
            case _:
                return looked_up(path_of(node) or (), self._known)

    def _compared(self, node: ast.Compare) -> bool:
        left = self.value(node.left)
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.value(right_node)
            if not _holds(left, op, right):
                return False
            left = right
        return True


def _missing(path: Path, name: str, there: Mapping[str, Any]) -> str:
    items = there.get("items") if path[0] == "results" and len(path) == 2 else None
    several = f"; of its {len(items)} items no single one is meant" if _is_list(items) and items[1:] else ""
    return f"{written(path)} has no field {name!r}; it has: {', '.join(there) or 'nothing'}{several}"


def _truth(value: Json) -> bool:
    if not isinstance(value, bool):
        raise ExpressionFailed(f"{shown(value)} is neither true nor false")
    return value


_ORDER: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    **{ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge},
}


def _holds(left: Json, op: ast.cmpop, right: Json) -> bool:
    if isinstance(op, ast.In | ast.NotIn):
        return _is_in(left, right) is isinstance(op, ast.In)
    if isinstance(op, ast.Eq | ast.NotEq):
        return _equal(left, right) is isinstance(op, ast.Eq)
    return _ORDER[type(op)](compare(scalar(left), scalar(right)), 0)


def _equal(left: Json, right: Json) -> bool:
    if _is_list(left) and _is_list(right):
        return len(left) == len(right) and all(map(_equal, left, right))
    return same(scalar(left), scalar(right))


def _is_in(left: Json, right: Json) -> bool:
    if isinstance(right, str):
        if not isinstance(left, str):
            raise ExpressionFailed(f"{shown(left)} cannot be part of a text")
        return left in right
    if not _is_list(right):
        raise ExpressionFailed(f"{shown(right)} is no list and no text: nothing is in it")
    return any(_equal(left, each) for each in right)


def _is_list(value: Any) -> TypeGuard[Sequence[Json]]:
    return isinstance(value, list | tuple)


_ARITHMETIC: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: lambda one, other: one + other,
    ast.Sub: lambda one, other: one - other,
    ast.Mult: lambda one, other: one * other,
    ast.Div: lambda one, other: one / other,
}


def _calculated(left: Json, op: ast.operator, right: Json) -> Json:
    if isinstance(op, ast.Add) and isinstance(left, str) and isinstance(right, str):
        if len(left) + len(right) > _LONGEST_TEXT:
            raise ExpressionFailed(f"a text of more than {_LONGEST_TEXT:,} characters is not made")
        return left + right
    one, other = _bounded(number(scalar(left))), _bounded(number(scalar(right)))
    if isinstance(op, ast.Div) and other == 0:
        raise ExpressionFailed("nothing can be divided by zero")
    return _bounded(_ARITHMETIC[type(op)](one, other))


def _bounded(value: float) -> float:
    if abs(value) > _LARGEST:
        raise ExpressionFailed("a number is too large to calculate with")
    return value


def _length(value: Json) -> Json:
    if isinstance(value, str) or _is_list(value):
        return len(value)
    raise ExpressionFailed(f"{shown(value)} is no text and no list: it has no length")


def _lower(value: Json) -> Json:
    if not isinstance(value, str):
        raise ExpressionFailed(f"{shown(value)} is no text")
    return value.lower()


def _number(value: Json) -> Json:
    """The number that a text writes, whole ones to the last digit; a number is itself."""
    if not isinstance(value, str):
        return _bounded(number(scalar(value)))
    text = value.strip()
    if len(text) > _SAID or not _DECIMAL.fullmatch(text):
        raise ExpressionFailed(f"{shown(value)} is no number, such as 12 or 3.5")
    return _bounded(int(text) if text.lstrip("+-").isdecimal() else float(text))


FUNCTIONS: Mapping[str, Callable[[Json], Json]] = {"len": _length, "lower": _lower, "number": _number}
"""What can be called, each with one value."""
