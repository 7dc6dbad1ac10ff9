"""What must not be stored: known secrets, and the values of data fields that the operator names.

Law: the event that is stored is the one that is folded and told of, so that nothing depends on what was taken
out. A secret too short to be one is left: it would be found in every other word.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any, cast

from orchestrator.runs.codec import Encoded, decode, encode
from orchestrator.runs.events import Event
from orchestrator.runs.journal import Redact

HIDDEN = "***"
_SHORTEST = 8


def redactor(secrets: Collection[str], fields: Collection[str]) -> Redact | None:
    """The function that takes out these secrets and fields; None where there is nothing to take out.

    `fields` are names of fields in the data of items, at any depth. What the item's text says is not touched.
    """
    hidden = [json.dumps(s)[1:-1] for s in sorted(secrets, key=len, reverse=True) if len(s) >= _SHORTEST]
    names = frozenset(fields)
    if not hidden and not names:
        return None

    def redact(event: Event) -> Event:
        kind, version, body = encode(event)
        clean = body
        for secret in hidden:
            clean = clean.replace(secret, HIDDEN)
        if names and '"data":{"' in clean:
            clean = json.dumps(_hidden(json.loads(clean), names, inside=False))
        return event if clean == body else decode(Encoded(kind, version, clean))

    return redact


def _hidden(value: Any, names: Collection[str], *, inside: bool) -> Any:
    """JSON with the values of these fields hidden, where they are inside the data of an item."""
    if isinstance(value, Mapping):
        found = cast("Mapping[str, Any]", value)
        return {
            key: HIDDEN if inside and key in names else _hidden(inner, names, inside=inside or key == "data")
            for key, inner in found.items()
        }
    if isinstance(value, list):
        return [_hidden(inner, names, inside=inside) for inner in cast("list[Any]", value)]
    return value
