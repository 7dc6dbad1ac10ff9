"""Events as they are stored: canonical JSON, with the type and the version of the event beside it.

Laws: the same event has the same bytes, wherever and whenever it is written: keys sorted, no white space,
ASCII (RFC 8259), so that no store and no character set can change them. What is written can be read; what
cannot be (a number that is none, nesting without end) is not written. What an older version wrote is read as
today's event; what a newer one wrote is refused with what to do. `tests/runs/golden/` holds a file for every
type and version that was ever written.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from pydantic import TypeAdapter, ValidationError

from orchestrator.errors import StoreError
from orchestrator.runs import changes, events, messages
from orchestrator.runs.events import Event

_TYPES: tuple[type[Event], ...] = (
    events.TurnReceived,
    events.TurnRouted,
    events.PlanMade,
    events.ApprovalAsked,
    events.DriverStarted,
    events.MessageRefused,
    events.RunParked,
    events.ReviewFlagged,
    events.BudgetRanOut,
    events.TaskExpanded,
    events.TaskStarted,
    events.TaskRetrying,
    events.TaskHandedOver,
    events.TaskInDoubt,
    events.DoubtSettled,
    events.TaskDone,
    events.TaskFailed,
    events.TaskSkipped,
    events.TaskCancelled,
    events.RunEnded,
    changes.FactsGiven,
    changes.ScenarioBegun,
    changes.SignalJudged,
    changes.TaskRecalled,
    changes.PlanRevised,
    changes.OutcomeChecked,
    messages.PlanApproved,
    messages.PlanRejected,
    messages.FeedbackGiven,
    messages.DoubtAnswered,
    messages.SignalReceived,
    messages.CancelAsked,
    messages.ReviewCleared,
)
EVENT_TYPES: Mapping[str, type[Event]] = {kind.__name__: kind for kind in _TYPES}
"""Every type of event by the name under which it is stored."""

Body: TypeAlias = dict[str, Any]
"""The body of a stored event. Any: it is JSON that has not been checked yet."""

_DEEPEST = 100
"""How many levels of lists and objects an event may have; the reader gives up at about twice as many."""

_TOLD = 3
"""How many faults of a damaged event are told."""

_NO_USAGE = {"model_calls": 0, "input_tokens": 0, "output_tokens": 0}

UPCASTS: Mapping[tuple[str, int], Callable[[Body], Body]] = {
    ("TurnReceived", 1): lambda body: {**body, "workspace": "", "prompts": ""},
    ("PlanMade", 1): lambda body: {**body, "plan_hash": ""},
    ("PlanMade", 2): lambda body: {**body, "estimate": None},
    ("PlanMade", 3): lambda body: body,  # what is new in a task and a plan has a default
    ("SignalReceived", 1): lambda body: {**body, "id": "", "time": "", "urgent": False},
    ("ReviewCleared", 1): lambda body: {**body, "keep": False},
    ("PlanApproved", 1): lambda body: {**body, "plan_hash": "", "most_items": 0},
    ("TaskRetrying", 1): lambda body: {**body, "next_attempt": body["attempt"] + 1, "usage": _NO_USAGE},
    ("TaskFailed", 1): lambda body: {**body, "usage": _NO_USAGE},
}
"""What a body of this type and version is as one of the next version."""


class Encoded(NamedTuple):
    """An event as it is stored: `body` is canonical JSON."""

    type: str
    version: int
    body: str


def encode(event: Event) -> Encoded:
    """The event as it is stored. Raises StoreError for one that could not be read back."""
    kind = type(event)
    try:
        body = canonical(event)
    except (ValueError, TypeError, RecursionError) as error:
        raise StoreError(f"a {kind.__name__} that JSON cannot carry: {error}") from None
    if body.count("[") + body.count("{") > _DEEPEST and _depth(body) > _DEEPEST:
        raise StoreError(f"a {kind.__name__} that is nested more than {_DEEPEST} levels deep")
    return Encoded(kind.__name__, kind.version, body)


def canonical(value: object) -> str:
    """The one text of a value that is made of JSON and of frozen dataclasses."""
    return _encode(value)


def decode(stored: Encoded) -> Event:
    """The event that was stored, as today's version of its type.

    Raises StoreError for a type or version that this program does not know, and for a body that is not one.
    """
    kind = EVENT_TYPES.get(stored.type)
    if kind is None:
        raise StoreError(
            f"an event of the unknown type {stored.type!r}: a newer cuewave wrote it; upgrade this one"
        )
    try:
        if stored.version == kind.version and _is_text(stored.body):
            return _adapter(kind).validate_json(stored.body)
        return _adapter(kind).validate_python(_upcast(stored, kind.version))
    except ValidationError as error:
        raise StoreError(f"a damaged {stored.type}: {_said(error)}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise StoreError(f"a damaged {stored.type}: {error}") from None


def _is_text(body: str) -> bool:
    """Whether the fast reader can read it: it refuses half a surrogate pair, which a terminal can send."""
    return "\\ud" not in body


def _depth(body: str) -> int:
    """The levels of lists and objects in canonical JSON."""
    deepest = level = 0
    for mark in re.findall(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', body):
        level += 1 if mark in "[{" else -1 if mark in "]}" else 0
        deepest = max(deepest, level)
    return deepest


def _upcast(stored: Encoded, to: int) -> Body:
    """The body as one of version `to`, step by step."""
    if stored.version > to:
        raise StoreError(
            f"a {stored.type} of version {stored.version}, and this cuewave knows {to}: a newer one wrote it;"
            " upgrade this one"
        )
    body = json.loads(stored.body)
    for version in range(stored.version, to):
        step = UPCASTS.get((stored.type, version))
        if step is None:
            raise StoreError(f"a {stored.type} of version {version}, which never was")
        body = step(body)
    return body


def _said(error: ValidationError) -> str:
    """What is wrong and in which field, without the value or a key of it, which may be anybody's mail."""
    faults = error.errors(include_url=False, include_input=False, include_context=False)
    told = dict.fromkeys(f"{e['loc'][0] if e['loc'] else 'the body'}: {e['msg']}" for e in faults)
    return "; ".join(list(told)[:_TOLD])


@cache
def _adapter(kind: type[Event]) -> TypeAdapter[Event]:
    return TypeAdapter(kind)


@cache
def _reader(kind: type[Any]) -> Callable[[Any], Body]:
    """What makes an object of a value of this kind: a dataclass, or a mapping of another kind."""
    if issubclass(kind, Mapping):
        return dict
    names = tuple(field.name for field in fields(kind))
    if len(names) < 2:  # of one name, attrgetter gives no tuple
        return lambda value: {name: getattr(value, name) for name in names}
    values = attrgetter(*names)
    return lambda value: dict(zip(names, values(value), strict=True))


def _plain(value: object) -> Body:
    """What JSON has no word for, as an object."""
    return _reader(type(value))(value)


_encode = json.JSONEncoder(separators=(",", ":"), sort_keys=True, allow_nan=False, default=_plain).encode
