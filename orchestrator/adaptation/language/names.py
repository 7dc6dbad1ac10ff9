"""Names of facts and results in an expression, and values as people read them. Pure."""

import ast
import json
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str, ...]
"""A name as its parts: `facts.x` is `("facts", "x")`."""

_SHOWN = 80


def path_of(node: ast.AST) -> Path | None:
    """`facts.x` as `("facts", "x")`, and `facts["x"]` likewise; None for what is no name."""
    parts: list[str] = []
    while not isinstance(node, ast.Name):
        match node:
            case ast.Attribute(value=inner, attr=name):
                pass
            case ast.Subscript(value=inner, slice=ast.Constant(value=str(name))):
                pass
            case _:
                return None
        parts.append(name)
        node = inner
    return (node.id, *reversed(parts))


def names_in(node: ast.AST) -> tuple[Path, ...]:
    """The facts and results that a tree names, in order, each once."""
    return tuple(dict.fromkeys(_paths(node)))


def _paths(node: ast.AST) -> list[Path]:
    if isinstance(node, ast.Attribute | ast.Subscript):
        path = path_of(node)
        return [] if path is None else [path]
    return [path for inner in ast.iter_child_nodes(node) for path in _paths(inner)]


def written(path: Path) -> str:
    """The name as an expression has it."""
    return path[0] + "".join(f".{part}" if part.isidentifier() else f"[{_told(part)}]" for part in path[1:])


def shown(value: Any) -> str:
    """The value, of any kind, as people read it: on one line that is not long."""
    return cut(_told(value), _SHOWN)


def cut(text: str, most: int) -> str:
    """The text, with a sign where it goes on."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _told(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):  # goes round in circles, or is too deep or too long to be written
        return f"a {type(value).__name__} that cannot be shown"
