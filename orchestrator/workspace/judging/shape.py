"""What a model expects at a place of a file, read from its annotations, so that it is said only once."""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeAlias, Union, cast, get_args, get_origin

from pydantic import BaseModel

from orchestrator.workspace.document.nodes import Trail
from orchestrator.workspace.fields import Secret

Places: TypeAlias = tuple[Any, ...]
"""The annotations that a value may satisfy: the members of a union, else one; empty where none is known."""


def expected(model: type[BaseModel], trail: Trail) -> Places:
    """What may stand at the trail of a file of this model."""
    places: Places = (model,)
    for step in trail:
        places = _below(places, step)
    return places


def keys_of(places: Places) -> tuple[str, ...]:
    """The keys that a mapping here may have; empty where they are the operator's own."""
    return tuple(key for p in places if _is_model(p) for key in _fields(p))


def secret_trails(model: type[BaseModel], data: object) -> Iterator[Trail]:
    """Where the data holds what is meant to be secret."""
    return _secrets((model,), data, ()) if has_secrets(model) else iter(())


def strings(data: object, trail: Trail = ()) -> Iterator[tuple[Trail, str]]:
    """Every text of the data that is no key, with its trail."""
    if isinstance(data, str):
        yield trail, data
    for step, below in _entries(data):
        yield from strings(below, (*trail, step))


def _secrets(places: Places, data: object, trail: Trail) -> Iterator[Trail]:
    if Secret in places:
        yield trail
        return
    for step, below in _entries(data):
        if inner := _below(places, step):
            yield from _secrets(inner, below, (*trail, step))


def _entries(data: object) -> Iterator[tuple[str | int, object]]:
    if isinstance(data, dict):
        yield from cast(dict[str, object], data).items()
    elif isinstance(data, list):
        yield from enumerate(cast(list[object], data))


def _below(places: Places, step: str | int) -> Places:
    return tuple(member for p in places for inner in _inside(p, step) for member in _members(inner))


def _inside(place: Any, step: str | int) -> Iterator[Any]:
    """The annotation of a model's field, a mapping's values or a list's entries."""
    if _is_model(place):
        if step in (fields := _fields(place)):
            yield fields[str(step)]
        return
    origin, args = get_origin(place), get_args(place)
    if not isinstance(origin, type) or not args:
        return
    if isinstance(step, str):
        if issubclass(origin, Mapping):
            yield args[1]
    elif issubclass(origin, tuple) and args[-1] is not Ellipsis:
        yield from args[step : step + 1]
    elif issubclass(origin, (Sequence, Set)):
        yield args[0]


def _members(annotation: Any) -> Iterator[Any]:
    """The annotation without `Annotated`, or each member of a union."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _members(get_args(annotation)[0])
    elif origin in (Union, UnionType):
        for member in get_args(annotation):
            yield from _members(member)
    else:
        yield annotation


def _fields(model: type[BaseModel]) -> dict[str, Any]:
    """The annotation of each key that the model reads."""
    return {field.alias or name: field.annotation for name, field in model.model_fields.items()}


def _is_model(place: Any) -> bool:
    return isinstance(place, type) and issubclass(place, BaseModel) and place is not Secret


@cache
def has_secrets(model: type[BaseModel]) -> bool:
    """Whether any field, however deep, is meant for a secret."""
    todo: list[Any] = [model]
    seen: list[Any] = []
    while todo:
        place = todo.pop()
        if place is Secret:
            return True
        if place in seen:
            continue
        seen.append(place)
        todo.extend(_fields(place).values() if _is_model(place) else get_args(place))
    return False
