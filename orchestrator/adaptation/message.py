"""Signals as other programs write them: CloudEvents 1.0 in JSON, or the same in short. Pure.

Law: a message is known by its source and its id; whoever sends it twice has sent it once.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from orchestrator.errors import UserError
from orchestrator.ids import Json, MessageId
from orchestrator.runs.messages import UNSENT, SignalReceived

_SHORT = frozenset({"key", "value", "source", "id", "time", "urgent"})
_NEEDED = ("id", "source", "type")


class SignalMalformed(UserError):
    """A message that is no signal; says what is wrong, and what is due."""


def signal_of(text: str, source: str) -> SignalReceived:
    """The signal that a line of JSON is; `source` is who says so where the line does not say.

    A CloudEvent (JSON event format, section 3) has the fact in its `data` as `key` and `value`, or the key as
    its `subject` and the value as its `data`; the extension attribute `urgent` is a truth value. In short, it
    is an object of `key`, `value`, and what else there is to say. Raises SignalMalformed.
    """
    try:
        found = json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise SignalMalformed(f"this is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise SignalMalformed('an object is due, such as {"key": "level", "value": 5}')
    body = cast("dict[str, Any]", found)
    return _of_event(body) if "specversion" in body else _in_short(body, source)


def known_by(signal: SignalReceived) -> MessageId:
    """The id of the message, made of its source and its own id (CloudEvents 1.0, section 3.1.1)."""
    if not signal.id:
        return UNSENT
    return MessageId(hashlib.sha256(f"{signal.source}\0{signal.id}".encode()).hexdigest()[:32])


def moment(text: object) -> str:
    """The time as RFC 3339 writes it, in UTC. Raises SignalMalformed."""
    try:
        at = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        raise SignalMalformed(
            f"`time` is {text!r}; write it with its time zone, such as 2026-03-01T09:30:00Z"
        )
    return at.astimezone(UTC).isoformat()


def _of_event(event: Mapping[str, Any]) -> SignalReceived:
    if event["specversion"] != "1.0":
        raise SignalMalformed(f"`specversion` is {event['specversion']!r}; only 1.0 is known")
    missing = [name for name in _NEEDED if not isinstance(event.get(name), str) or not event[name]]
    if missing:
        raise SignalMalformed(f"a CloudEvent needs {', '.join(f'`{name}`' for name in missing)}, each a text")
    data = event.get("data")
    fact = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    if "key" in fact and "value" in fact:
        return _signal(fact["key"], fact["value"], event)
    if event.get("subject") is not None and "data" in event:
        return _signal(event["subject"], event["data"], event)
    raise SignalMalformed('its `data` is to be {"key": …, "value": …}, or its `subject` the key of the fact')


def _in_short(body: Mapping[str, Any], source: str) -> SignalReceived:
    unknown = sorted(body.keys() - _SHORT)
    if unknown:
        raise SignalMalformed(f"unknown: {', '.join(unknown)}; known are: {', '.join(sorted(_SHORT))}")
    if "key" not in body or "value" not in body:
        raise SignalMalformed("a signal needs `key` and `value`")
    return _signal(body["key"], body["value"], {"source": source, **body})


def _signal(key: object, value: Json, said: Mapping[str, Any]) -> SignalReceived:
    if not isinstance(key, str) or not key:
        raise SignalMalformed(f"the key of a fact is a text, and this is {key!r}")
    for name in ("source", "id"):
        if not isinstance(said.get(name, ""), str):
            raise SignalMalformed(f"`{name}` is to be a text, and is {said[name]!r}")
    urgent = said.get("urgent", False)
    if not isinstance(urgent, bool):
        raise SignalMalformed(f"`urgent` is true or false, and not {urgent!r}")
    at = "" if said.get("time") is None else moment(said["time"])
    signal = SignalReceived(key, value, said["source"], UNSENT, said.get("id", ""), at, urgent)
    return _known(signal)


def _known(signal: SignalReceived) -> SignalReceived:
    return SignalReceived(
        signal.key, signal.value, signal.source, known_by(signal), signal.id, signal.time, signal.urgent
    )


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
