"""What must not be stored: known secrets, and the values of data fields that the operator names.

Laws: the event that is stored is the one that is folded and told of, so that nothing depends on what was
taken out. Names by which one thing finds another (of tasks, agents, plans, …) are no texts, and are left. So
is a secret too short to be one: it would be found in every other word.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, cast

from orchestrator.runs.codec import Encoded, canonical, decode, encode
from orchestrator.runs.events import Event
from orchestrator.runs.journal import Redact
from orchestrator.workspace.secrets import findable

HIDDEN = "***"

_DATA = frozenset({"data", "route", "value"})
"""The fields of events that hold JSON of others; in them, nothing is one of ours."""
_NAMES = (
    {"agent", "depends_on", "driver", "effects", "id", "intent", "key", "kind", "map_over", "message"}
    | {"on_upstream_failure", "plan_hash", "prompts", "said", "session", "source", "status", "success"}
    | {"task", "to", "waits_for", "waves", "workspace"}
)
"""The fields of events that hold names."""


def redactor(secrets: Collection[str], fields: Collection[str]) -> Redact | None:
    """The function that takes out these secrets and fields; None where there is nothing to take out.

    `fields` are names of fields in the data of items, at any depth. What the item's text says is not touched.
    """
    hidden = findable(secrets)
    if not hidden and not fields:
        return None
    redaction = _Redaction(hidden, frozenset(fields))
    marks = tuple(json.dumps(secret)[1:-1] for secret in hidden)

    def redact(event: Event) -> Event:
        kind, version, body = encode(event)
        if not any(mark in body for mark in marks) and not (fields and '"data":{"' in body):
            return event
        clean = canonical(redaction.of(json.loads(body)))
        return event if clean == body else decode(Encoded(kind, version, clean))

    return redact


@dataclass(frozen=True, slots=True)
class _Redaction:
    """Takes secrets and fields out of the JSON of an event."""

    secrets: tuple[str, ...]
    fields: frozenset[str]

    def of(self, value: Any, *, within: str = "") -> Any:
        """The value without them. `within` is the last field of ours that it is in."""
        if isinstance(value, Mapping):
            found = cast("Mapping[str, Any]", value)
            return {self._key(key, within): self._inner(key, inner, within) for key, inner in found.items()}
        if isinstance(value, list):
            return [self.of(inner, within=within) for inner in cast("list[Any]", value)]
        return self._text(value) if isinstance(value, str) and within not in _NAMES else value

    def _key(self, key: str, within: str) -> str:
        return self._text(key) if within in _DATA else key

    def _inner(self, key: str, value: Any, within: str) -> Any:
        if within == "data" and key in self.fields:
            return HIDDEN
        return self.of(value, within=within if within in _DATA else key)

    def _text(self, text: str) -> str:
        for secret in self.secrets:
            text = text.replace(secret, HIDDEN)
        return text
