"""What of an output a journal can keep. Pure.

Law: a result is the same before it was stored and after, so that nobody reads anything else after a crash:
sequences are lists, mappings are dicts, and a number that is none (a NaN, an infinity) is null, since JSON
has no word for it. What JSON cannot carry at all is a fault of the agent, and is told as one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import cast

from orchestrator.agents.contract import Item, Output
from orchestrator.errors import TaskError
from orchestrator.ids import Json

_DEEPEST = 64
_MOST_BITS = 4096


def plain_output(output: Output) -> Output:
    """The output with its data as JSON. Raises TaskError where that cannot be."""
    if not isfinite(output.usage.money):
        raise TaskError(
            f"the agent's usage has {output.usage.money} for money; count 0 where there is no price"
        )
    if not output.items or not any(item.data for item in output.items):
        return output
    items = tuple(_item(item, f"items[{n}].data") for n, item in enumerate(output.items))
    return replace(output, items=items)


def _item(item: Item, where: str) -> Item:
    return Item(item.text, cast("Mapping[str, Json]", plain(item.data, where)))


def plain(value: object, where: str, depth: int = 0) -> Json:
    """The value as JSON; `where` it is, for the message. Raises TaskError where it cannot be JSON."""
    if depth > _DEEPEST:
        raise TaskError(f"{where}: it is nested more than {_DEEPEST} levels deep; make it flatter")
    match value:
        case None | bool() | str():
            return value
        case int():
            if value.bit_length() > _MOST_BITS:
                raise TaskError(f"{where}: a number has too many digits; give it as text")
            return value
        case float():
            return value if isfinite(value) else None
        case Mapping():
            return {
                _key(key, where): plain(inner, f"{where}.{key}", depth + 1)
                for key, inner in cast("Mapping[object, object]", value).items()
            }
        case Sequence() if not isinstance(value, bytes | bytearray | memoryview):
            return [
                plain(inner, f"{where}[{n}]", depth + 1)
                for n, inner in enumerate(cast("Sequence[object]", value))
            ]
        case _:
            kind = type(value).__name__
            raise TaskError(f"{where}: a {kind} is nothing that JSON can carry; give it as text")


def _key(key: object, where: str) -> str:
    if not isinstance(key, str):
        raise TaskError(f"{where}: a key is {type(key).__name__}; keys must be text")
    return key
