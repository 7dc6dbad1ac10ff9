"""What may be written in an expression: a closed list of what Python's parser makes. Pure.

Law: any text is a tree in which everything is on the list, or ExpressionInvalid.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orchestrator.adaptation.language.names import cut, path_of, written
from orchestrator.adaptation.language.reckoning import FUNCTIONS, NAMES

_MOST_CHARACTERS = 1_000
_DEEPEST = 30
_PARTS: Mapping[str, int] = {"facts": 2, "results": 3}
"""How many parts a name has at least: all facts, or all of a result, are no value."""

_SUCH_AS = "write it such as `results.t1.time >= facts.since`"
_QUOTED = 'texts in quotes, and facts["a-name"] where a name is no plain word'


class ExpressionInvalid(ValueError):
    """A text that is no expression; says at which column, and what would be one."""


def tree_of(source: str) -> ast.expr:
    """The tree of an expression, with nothing in it that has no place there. Raises ExpressionInvalid."""
    if len(source) > _MOST_CHARACTERS:
        raise ExpressionInvalid(f"it has {len(source):,} characters, and {_MOST_CHARACTERS:,} are the most")
    if not source.strip():
        raise ExpressionInvalid(f"it is empty; {_SUCH_AS}")
    tree = _read(source)
    _Check(source).check(tree, 0)
    return tree


def _read(source: str) -> ast.expr:
    try:
        return ast.parse(f"({source}\n)", mode="eval").body  # in brackets, so that it may have several lines
    except SyntaxError as error:
        place = _place(source, error.lineno or 0, (error.offset or 1) - 1)
        raise ExpressionInvalid(f"{place}this cannot be read ({error.msg}); {_SUCH_AS}, {_QUOTED}") from None
    except (ValueError, RecursionError, MemoryError):  # a NUL, half a character; brackets without end
        raise ExpressionInvalid(f"this cannot be read; {_SUCH_AS}") from None


_OPERATORS: Mapping[type[ast.AST], tuple[tuple[type[ast.AST], ...], str]] = {
    ast.UnaryOp: ((ast.Not, ast.USub), "before a value there are `not` and `-`"),
    ast.BinOp: (
        (ast.Add, ast.Sub, ast.Mult, ast.Div),
        "numbers are calculated with + - * /, and texts are joined with +",
    ),
    ast.Compare: (
        (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn),
        "values are compared with == != < <= > >=, `in` and `not in`",
    ),
}


@dataclass(frozen=True, slots=True)
class _Check:
    """Looks a tree through. Its methods raise ExpressionInvalid."""

    source: str

    def check(self, node: ast.expr, depth: int) -> None:
        if depth > _DEEPEST:
            raise ExpressionInvalid(f"it is nested more than {_DEEPEST} levels deep; test less at once")
        for inner in self._inner(node):
            self.check(inner, depth + 1)

    def _inner(self, node: ast.expr) -> Sequence[ast.expr]:
        """What is still to be checked, once the node itself is."""
        match node:
            case ast.Attribute() | ast.Subscript():
                self._check_path(node)
            case ast.Name():
                self._check_word(node)
            case ast.Constant():
                self._check_literal(node)
            case ast.Call():
                return [self._argument(node)]
            case ast.List(elts=inner) | ast.Tuple(elts=inner) | ast.BoolOp(values=inner):
                return inner
            case _:
                self._check_operators(node)
                return [inner for inner in ast.iter_child_nodes(node) if isinstance(inner, ast.expr)]
        return ()

    def _check_path(self, node: ast.expr) -> None:
        path = path_of(node)
        if path is None or path[0] not in _PARTS:
            raise self._unfit(node, 'there are facts.NAME and results.TASK.FIELD, or ["a name"] for `.name`')
        if len(path) < _PARTS[path[0]]:
            raise self._unfit(node, f"a field is due after {written(path)}, such as .text")
        if len(path) > _DEEPEST:
            raise self._unfit(node, f"a name has at most {_DEEPEST} parts")

    def _check_word(self, node: ast.Name) -> None:
        if node.id in NAMES:
            return
        if node.id in _PARTS:
            raise self._unfit(node, f"a name is due after {node.id}, such as {node.id}.x")
        raise self._unfit(
            node,
            f"unknown name {node.id!r}; there are facts.NAME and results.TASK.FIELD, {_QUOTED}",
        )

    def _check_literal(self, node: ast.Constant) -> None:
        if not (node.value is None or isinstance(node.value, bool | int | float | str)):
            raise self._unfit(node, "a number, a text in quotes, true, false or null is due")

    def _argument(self, node: ast.Call) -> ast.expr:
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
            known = ", ".join(f"{name}(…)" for name in FUNCTIONS)
            raise self._unfit(node, f"only {known} can be called")
        if len(node.args) != 1 or node.keywords:
            raise self._unfit(node, f"{node.func.id}(…) takes one value")
        return node.args[0]

    def _check_operators(self, node: ast.expr) -> None:
        if type(node) not in _OPERATORS:
            text = ast.get_source_segment(f"({self.source}\n)", node) or "this"
            raise self._unfit(node, f"`{cut(' '.join(text.split()), 30)}` has no place here; {_SUCH_AS}")
        known, remedy = _OPERATORS[type(node)]
        used = node.ops if isinstance(node, ast.Compare) else [getattr(node, "op", None)]
        if not all(isinstance(each, known) for each in used):
            raise self._unfit(node, remedy)

    def _unfit(self, node: ast.expr, message: str) -> ExpressionInvalid:
        line = _lines(f"({self.source}")[node.lineno - 1]
        before = len(line.encode()[: node.col_offset].decode(errors="ignore"))
        return ExpressionInvalid(f"{_place(self.source, node.lineno, before)}{message}")


def _place(source: str, line: int, before: int) -> str:
    """`at column 3: `, where so many characters of the bracketed line are before it; nothing past the end."""
    lines = _lines(source)
    column = before + (line != 1)
    if not (0 < line <= len(lines) and column > 0):
        return ""
    return f"at line {line}, column {column}: " if len(lines) > 1 else f"at column {column}: "


def _lines(source: str) -> Sequence[str]:
    """As Python counts them."""
    return re.split(r"\r\n?|\n", source)
