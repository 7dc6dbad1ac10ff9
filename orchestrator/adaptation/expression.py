"""A small closed language for what a result is judged by: comparisons over `facts` and `results`. Pure.

Python's parser reads it and a closed list of nodes is walked; nothing is ever executed. Laws: it always ends,
what it makes is bounded, and whatever the text or the values, it gives a value or one of its two errors.
Values are compared by the rules of `orchestrator.comparison`: a text with a number is an error.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from orchestrator.comparison import Incomparable, compare, number, same, scalar
from orchestrator.ids import Json

Known: TypeAlias = Mapping[str, Mapping[str, Json]]

_MOST_CHARACTERS = 1_000
_DEEPEST = 30
_LONGEST_TEXT = 10_000
_LARGEST = 1e300

_NAMES: Mapping[str, Json] = {"true": True, "false": False, "null": None}
_ROOTS = frozenset({"facts", "results"})


class ExpressionInvalid(ValueError):
    """A text that is no expression; says at which column, and what would be one."""


class ExpressionFailed(ValueError):
    """An expression that has no value here; says why."""


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that was read. `facts` and `tasks` are those that it names."""

    source: str
    facts: frozenset[str]
    tasks: frozenset[str]
    _tree: ast.expr

    def value(self, facts: Mapping[str, Json], results: Known) -> Json:
        """What it comes to. Raises ExpressionFailed."""
        return _Walk({"facts": facts, "results": results}).value(self._tree)

    def seen(self, facts: Mapping[str, Json], results: Known) -> str:
        """What the facts and results that it names are, for people."""
        walk = _Walk({"facts": facts, "results": results})
        return ", ".join(
            dict.fromkeys(f"{ast.unparse(n)} is {_seen(walk, n)}" for n in _references(self._tree))
        )


def parse(source: str) -> Expression:
    """Read an expression. Raises ExpressionInvalid."""
    if len(source) > _MOST_CHARACTERS:
        raise ExpressionInvalid(f"it has {len(source):,} characters; {_MOST_CHARACTERS:,} are the most")
    try:
        tree = ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        at = getattr(error, "offset", None)
        where = f" at column {at}" if at else ""
        raise ExpressionInvalid(
            f"this cannot be read{where}; write it such as results.t1.time >= facts.arrival"
        ) from None
    _check(tree, 0)
    names = [_path(node) for node in _references(tree)]
    return Expression(
        source,
        frozenset(path[1] for path in names if path[0] == "facts"),
        frozenset(path[1] for path in names if path[0] == "results"),
        tree,
    )


# ── what may stand in it ────────────────────────────────────────────────────────────────────────────────


def _check(node: ast.AST, depth: int) -> None:
    """Raises ExpressionInvalid for anything that is not on the list."""
    if depth > _DEEPEST:
        raise ExpressionInvalid(f"it is nested more than {_DEEPEST} levels deep")
    match node:
        case ast.Attribute() | ast.Subscript():
            _path(node)
        case ast.Name():
            _check_name(node)
        case ast.Call():
            _check_call(node)
            _check(node.args[0], depth + 1)
        case ast.Constant(value=value) if not _is_plain(value):
            raise _unfit(node, "a number, a text, true, false or null is due")
        case _ if isinstance(node, _ALLOWED):
            for inner in ast.iter_child_nodes(node):
                _check(inner, depth + 1)
        case _:
            raise _unfit(node, f"{type(node).__name__.lower()} has no place here")


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, bool | int | float | str)


def _check_name(node: ast.Name) -> None:
    if node.id in _ROOTS:
        raise _unfit(node, f"a name is due after {node.id}, such as {node.id}.x")
    if node.id not in _NAMES:
        raise _unfit(node, f"unknown name {node.id!r}; there are facts.NAME and results.TASK.FIELD")


_ALLOWED = (
    *(ast.Constant, ast.List, ast.Tuple, ast.Load, ast.Compare, ast.BoolOp, ast.And, ast.Or),
    *(ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn),
)


def _check_call(node: ast.Call) -> None:
    known = ", ".join(f"{name}(…)" for name in _FUNCTIONS)
    if not isinstance(node.func, ast.Name) or node.func.id not in _FUNCTIONS:
        raise _unfit(node, f"only {known} can be called")
    if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
        raise _unfit(node, f"{node.func.id}(…) takes one value")


def _references(node: ast.AST) -> list[ast.expr]:
    """The facts and results that are named, in order."""
    if isinstance(node, ast.Attribute | ast.Subscript):
        return [node]
    return [found for inner in ast.iter_child_nodes(node) for found in _references(inner)]


def _path(node: ast.AST) -> tuple[str, ...]:
    """`facts.x` as `("facts", "x")`. Raises ExpressionInvalid."""
    if isinstance(node, ast.Name) and node.id in _ROOTS:
        return (node.id,)
    if isinstance(node, ast.Attribute):
        return (*_path(node.value), node.attr)
    if (
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, str)
    ):
        return (*_path(node.value), node.slice.value)
    raise _unfit(node, 'there are facts.NAME, results.TASK.FIELD, and the same with ["a name"]')


def _unfit(node: ast.AST, message: str) -> ExpressionInvalid:
    column = getattr(node, "col_offset", 0) + 1
    return ExpressionInvalid(f"at column {column}: {message}")


# ── what it comes to ────────────────────────────────────────────────────────────────────────────────────


class _Walk:
    """One evaluation."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        self._known = known

    def value(self, node: ast.expr) -> Json:
        try:
            return self._value(node)
        except Incomparable as error:
            raise ExpressionFailed(str(error)) from None

    def _value(self, node: ast.expr) -> Json:
        match node:
            case ast.Constant(value=value):
                return cast("Json", value)
            case ast.Name(id=name):
                return _NAMES[name]
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                return [self._value(element) for element in elements]
            case ast.BoolOp(op=op, values=values):
                return self._joined(values, all_of=isinstance(op, ast.And))
            case ast.UnaryOp(op=op, operand=operand):
                value = self._value(operand)
                return (not _truth(value)) if isinstance(op, ast.Not) else -number(scalar(value))
            case ast.Compare():
                return self._compared(node)
            case _:
                return self._made(node)

    def _made(self, node: ast.expr) -> Json:
        match node:
            case ast.BinOp(left=left, op=op, right=right):
                return _calculated(self._value(left), op, self._value(right))
            case ast.Call(func=ast.Name(id=name), args=[argument]):
                return _FUNCTIONS[name](self._value(argument))
            case _:
                return self._looked_up(_path(node))

    def _joined(self, values: Sequence[ast.expr], *, all_of: bool) -> bool:
        return (
            all(_truth(self._value(v)) for v in values)
            if all_of
            else any(_truth(self._value(v)) for v in values)
        )

    def _compared(self, node: ast.Compare) -> bool:
        left = self._value(node.left)
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self._value(right_node)
            if not _holds(left, op, right):
                return False
            left = right
        return True

    def _looked_up(self, path: tuple[str, ...]) -> Json:
        found: Any = self._known
        for at, name in enumerate(path):
            if not isinstance(found, Mapping):
                raise ExpressionFailed(f"{'.'.join(path[:at])} has no fields")
            if name not in found:
                there = ", ".join(map(str, cast("Mapping[str, Any]", found))) or "nothing"
                where = ".".join(path[:at]) or "the run"
                raise ExpressionFailed(f"{where} has no {name!r}; it has: {there}")
            found = cast("Mapping[str, Any]", found)[name]
        return cast("Json", found)


def _truth(value: Json) -> bool:
    if not isinstance(value, bool):
        raise ExpressionFailed(f"{_told(value)} is neither true nor false")
    return value


def _holds(left: Json, op: ast.cmpop, right: Json) -> bool:
    if isinstance(op, ast.In | ast.NotIn):
        return _within(left, right) is isinstance(op, ast.In)
    if isinstance(op, ast.Eq | ast.NotEq):
        return _equal(left, right) is isinstance(op, ast.Eq)
    sign = compare(scalar(left), scalar(right))
    match op:
        case ast.Lt():
            return sign < 0
        case ast.LtE():
            return sign <= 0
        case ast.Gt():
            return sign > 0
        case _:
            return sign >= 0


def _equal(left: Json, right: Json) -> bool:
    if _is_list(left) and _is_list(right):
        return list(cast("Sequence[Json]", left)) == list(cast("Sequence[Json]", right))
    return same(scalar(left), scalar(right))


def _within(left: Json, right: Json) -> bool:
    if isinstance(right, str):
        if not isinstance(left, str):
            raise ExpressionFailed(f"{_told(left)} cannot be part of a text")
        return left in right
    if not _is_list(right):
        raise ExpressionFailed(f"{_told(right)} is no list and no text: nothing is in it")
    return any(_equal(left, each) for each in cast("Sequence[Json]", right))


def _is_list(value: Json) -> bool:
    return isinstance(value, list | tuple)


def _calculated(left: Json, op: ast.operator, right: Json) -> Json:
    if isinstance(op, ast.Add) and isinstance(left, str) and isinstance(right, str):
        if len(left) + len(right) > _LONGEST_TEXT:
            raise ExpressionFailed(f"a text of more than {_LONGEST_TEXT:,} characters")
        return left + right
    one, other = _bounded(number(scalar(left))), _bounded(number(scalar(right)))
    if isinstance(op, ast.Div) and other == 0:
        raise ExpressionFailed("nothing can be divided by zero")
    return _bounded(_ARITHMETIC[type(op)](one, other))


_ARITHMETIC: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: lambda one, other: one + other,
    ast.Sub: lambda one, other: one - other,
    ast.Mult: lambda one, other: one * other,
    ast.Div: lambda one, other: one / other,
}


def _bounded(value: float) -> float:
    if abs(value) > _LARGEST:
        raise ExpressionFailed("a number is too large to calculate with")
    return value


def _length(value: Json) -> Json:
    if isinstance(value, str) or _is_list(value):
        return len(cast("Sequence[Json]", value))
    raise ExpressionFailed(f"{_told(value)} has no length")


def _lower(value: Json) -> Json:
    if not isinstance(value, str):
        raise ExpressionFailed(f"{_told(value)} is no text")
    return value.casefold()


def _number(value: Json) -> Json:
    try:
        found = float(value) if isinstance(value, str) else number(scalar(value))
    except ValueError:
        raise ExpressionFailed(f"{_told(value)} is no number") from None
    if abs(found) <= _LARGEST:
        return int(found) if found == int(found) else found
    raise ExpressionFailed(f"{_told(value)} is no number to calculate with")


_FUNCTIONS: Mapping[str, Callable[[Json], Json]] = {"len": _length, "lower": _lower, "number": _number}


def _seen(walk: _Walk, node: ast.expr) -> str:
    try:
        return _told(walk.value(node))
    except ExpressionFailed as error:
        return f"not there ({error})"


def _told(value: Json) -> str:
    text = f'"{value}"' if isinstance(value, str) else "null" if value is None else str(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
