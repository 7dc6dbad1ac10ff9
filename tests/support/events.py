"""Any event that can be: strategies read off the types of the fields, with texts that somebody meant ill."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from types import UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from orchestrator.ids import Json
from orchestrator.runs.codec import EVENT_TYPES
from orchestrator.runs.events import Event

_ILL_MEANT = [
    "",
    "\0",
    "a\udc80b",
    "\ud800",
    "\u202eevil",
    '"}],{',
    "\\ud83d",
    "\u2028",
    "𝔘",
    "İ",
    "x" * 5_000,
]


def _is_one_text(text: str) -> bool:
    """No two halves of a surrogate pair side by side: JSON has no way to say that they are two."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") == text


TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=12).filter(_is_one_text),
    st.sampled_from(_ILL_MEANT),
)
INTEGERS = st.integers() | st.sampled_from([0, -1, 2**63, -(10**300)])
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
JSON: SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | INTEGERS | FLOATS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
_PLAIN: Mapping[object, SearchStrategy[Any]] = {
    str: TEXTS,
    int: INTEGERS,
    float: FLOATS,
    bool: st.booleans(),
    type(None): st.none(),
    Json: JSON,
    Mapping[str, Json]: st.dictionaries(TEXTS, JSON, max_size=3),
}


def _of(hint: Any) -> SearchStrategy[Any]:
    """Values of a type, as it is written beside a field."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, NewType):
        return _of(hint.__supertype__)
    if is_dataclass(hint):
        return instances(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (Union, UnionType):
        return st.one_of(*map(_of, arguments))
    if origin in (tuple, Mapping):
        return _several(origin, arguments)
    raise NotImplementedError(f"no strategy for {hint}")


def _several(origin: Any, arguments: tuple[Any, ...]) -> SearchStrategy[Any]:
    """Tuples and mappings."""
    if origin is Mapping:
        return st.dictionaries(_of(arguments[0]), _of(arguments[1]), max_size=2)
    if arguments[-1] is Ellipsis:
        return st.lists(_of(arguments[0]), max_size=2).map(tuple)
    return st.tuples(*map(_of, arguments))


@cache
def instances(kind: Any) -> SearchStrategy[Any]:
    """Any instance of a frozen dataclass; not all of them are lawful."""
    hints = get_type_hints(kind)
    return st.builds(kind, **{field.name: _of(hints[field.name]) for field in fields(kind)})


def events() -> SearchStrategy[Event]:
    """Any event of any type, every type as likely."""
    return st.sampled_from(sorted(EVENT_TYPES)).flatmap(lambda name: instances(EVENT_TYPES[name]))


def reordered(value: Any) -> Any:
    """The same value with the keys of every mapping the other way round."""
    if isinstance(value, Mapping):
        return {key: reordered(inner) for key, inner in reversed(value.items())}
    if isinstance(value, list | tuple):
        return type(value)(map(reordered, value))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: reordered(getattr(value, f.name)) for f in fields(value)})
    return value
