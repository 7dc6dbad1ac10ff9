"""What must not be stored: known secrets, and the values of data fields that the operator names.

Laws: the event that is stored is the one that is folded and told of, so that nothing depends on what was
taken out. Names by which one thing finds another (of tasks, agents, plans, …) are no texts, and are left. So
is a secret too short to be one: it would be found in every other word.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from orchestrator.runs.codec import Encoded, canonical, decode, encode
from orchestrator.runs.events import Event
from orchestrator.runs.journal import Redact
from orchestrator.workspace.secrets import findable

HIDDEN = "***"

_ITEMS = "data"
_DATA = frozenset({_ITEMS, "route", "value"})
"""The fields of events that hold JSON of others; in them, nothing is one of ours."""
_NAMES = (
    {
        "agent",
        "critical_path",
        "depends_on",
        "driver",
        "effects",
        "id",
        "intent",
        "key",
        "kind",
        "map_over",
        "message",
    }
    | {"on_upstream_failure", "plan_hash", "prompts", "said", "session", "source", "status", "success"}
    | {"task", "to", "waits_for", "waves", "workspace"}
)
"""The fields of events that hold names."""


def redactor(secrets: Collection[str], fields: Collection[str]) -> Redact | None:
    """The function that takes out these secrets and fields; None where there is nothing to take out.

    `fields` are names of fields in the data of items, at any depth. Where a text of the same event says the
    value of one, as a word, it is taken out of that too.
    """
    hidden = findable(secrets)
    if not hidden and not fields:
        return None
    marks = tuple(json.dumps(secret)[1:-1] for secret in hidden)

    def redact(event: Event) -> Event:
        kind, version, body = encode(event)
        has_fields = bool(fields) and '"data":{"' in body
        if not has_fields and not any(mark in body for mark in marks):
            return event
        document = json.loads(body)
        values = frozenset(_values(document, fields)) if has_fields else frozenset[str]()
        clean = canonical(_Redaction(hidden, frozenset(fields), _words(values)).of(document))
        return event if clean == body else decode(Encoded(kind, version, clean))

    return redact


def _values(value: Any, fields: Collection[str], *, within: str = "") -> Iterator[str]:
    """What the fields hold, as texts may say it."""
    if isinstance(value, Mapping):
        for key, inner in cast("Mapping[str, Any]", value).items():
            hidden = within == _ITEMS and key in fields
            yield from _leaves(inner) if hidden else _values(inner, fields, within=_place(key, within))
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from _values(inner, fields, within=within)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from (value, json.dumps(value, ensure_ascii=False)[1:-1])
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield json.dumps(value)
    elif isinstance(value, Mapping):
        yield from _leaves(list(cast("Mapping[str, Any]", value).values()))
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from _leaves(inner)


def _words(values: Collection[str]) -> re.Pattern[str] | None:
    """Finds these where they are words of a text, or several."""
    longest_first = sorted((v for v in values if v.strip()), key=len, reverse=True)
    if not longest_first:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def _place(key: str, within: str) -> str:
    """The last field of ours that what stands under this key is in."""
    return within if within in _DATA else key


@dataclass(frozen=True, slots=True)
class _Redaction:
    """Takes secrets and fields out of the JSON of an event, and `words` out of its texts."""

    secrets: tuple[str, ...]
    fields: frozenset[str]
    words: re.Pattern[str] | None

    def of(self, value: Any, *, within: str = "") -> Any:
        """The value without them. `within` is the last field of ours that it is in."""
        if isinstance(value, Mapping):
            found = cast("Mapping[str, Any]", value)
            return {self._key(key, within): self._inner(key, inner, within) for key, inner in found.items()}
        if isinstance(value, list):
            return [self.of(inner, within=within) for inner in cast("list[Any]", value)]
        return self._text(value) if isinstance(value, str) and within not in _NAMES else value

    def _key(self, key: str, within: str) -> str:
        return self._without_secrets(key) if within in _DATA else key

    def _inner(self, key: str, value: Any, within: str) -> Any:
        if within == _ITEMS and key in self.fields:
            return HIDDEN
        return self.of(value, within=_place(key, within))

    def _text(self, text: str) -> str:
        clean = self._without_secrets(text)
        return clean if self.words is None else self.words.sub(HIDDEN, clean)

    def _without_secrets(self, text: str) -> str:
        for secret in self.secrets:
            text = text.replace(secret, HIDDEN)
        return text
