"""Records, messages and entries as rows of tables, and back. Pure.

Laws: what comes back is what went in. Texts of people and ids are packed. Times are microseconds since 1970,
UTC. Each event and each message carries a checksum over all that it is: a damaged disk is found out, not
believed.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from zlib import crc32

from orchestrator.errors import InternalFault, StoreError
from orchestrator.ids import MessageId, RunId, RunStatus, SessionId
from orchestrator.runs.codec import Encoded, decode, encode
from orchestrator.runs.entry import RunEntry
from orchestrator.runs.events import Event, Record
from orchestrator.runs.messages import Message, Said
from orchestrator.runs.sql.database import Row
from orchestrator.runs.sql.texts import packed, unpacked

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_DAMAGED = (
    "cannot be read; put the database back from a copy, or forget the run with `cuewave runs delete {run}`"
)


def microseconds(at: datetime) -> int:
    """The moment as a number. It must know its time zone."""
    return (at - _EPOCH) // _MICROSECOND


def moment(number: int) -> datetime:
    """The moment that the number stands for."""
    return _EPOCH + number * _MICROSECOND


def _stored(place: str, at: datetime, event: Event) -> tuple[int, str, int, str, int]:
    """What the tables of events and of messages have in common: at, type, version, body, checksum."""
    number = microseconds(at)
    kind, version, body = encode(event)
    return number, kind, version, body, _checksum(place, number, kind, version, body)


def _checksum(place: str, at: int, kind: str, version: int, body: str) -> int:
    return crc32(f"{place} {at} {kind} {version} {body}".encode())


def _event(place: str, stored: Sequence[Any]) -> tuple[datetime, Event]:
    """The event and its time. Raises StoreError, of which the caller says where it was."""
    *written, checksum = stored
    if _checksum(place, *written) != checksum:
        raise StoreError("what is stored is not what was written")
    at, kind, version, body = written
    return moment(at), decode(Encoded(kind, version, body))


def event_rows(tenant: str, run: RunId, after: int, records: Sequence[Record]) -> list[Row]:
    """The rows of records that come after the first `after` of the run; `tenant` is packed."""
    key, rows = packed(run), list[Row]()
    for expected, (its_run, seq, at, event) in enumerate(records, after + 1):
        if seq != expected or its_run != run:
            raise InternalFault(f"run {run}: record {its_run}/{seq} was to be stored as {expected}")
        rows.append((tenant, key, seq, *_stored(f"{key} {seq}", at, event)))
    return rows


def record_of(run: RunId, row: Row) -> Record:
    """The record of a row (seq, at, type, version, body, checksum). Raises StoreError naming run and seq."""
    seq, *stored = row
    try:
        return Record(run, seq, *_event(f"{packed(run)} {seq}", stored))
    except StoreError as error:
        raise StoreError(f"run {run}, record {seq} {_DAMAGED.format(run=run)}: {error}") from error


def message_row(tenant: str, message: Message) -> Row:
    """The row of a message; `tenant` is packed."""
    run, key = packed(message.run), packed(message.id)
    return (tenant, run, key, *_stored(f"{run} {key}", message.at, message.said))


def message_of(run: RunId, row: Row) -> Message:
    """The message of a row (id, at, type, version, body, checksum). Raises StoreError naming run and id."""
    key, *stored = row
    try:
        at, said = _event(f"{packed(run)} {key}", stored)
    except StoreError as error:
        raise StoreError(f"run {run}, message {key} {_DAMAGED.format(run=run)}: {error}") from error
    return Message(run, at, cast(Said, said))


def message_keys(tenant: str, run: RunId, messages: Iterable[MessageId]) -> list[Row]:
    """Where the messages are."""
    return [(tenant, packed(run), packed(name)) for name in messages]


ENTRY = "run, status, session, text, started, ended, needs_human_review, workspace"
"""The columns of an entry."""


def entry_row(tenant: str, entry: RunEntry) -> Row:
    """The row of an entry; `tenant` is packed."""
    return (
        tenant,
        packed(entry.run),
        entry.status,
        None if entry.session is None else packed(entry.session),
        packed(entry.text),
        None if entry.started is None else microseconds(entry.started),
        None if entry.ended is None else microseconds(entry.ended),
        int(entry.needs_human_review),
        packed(entry.workspace),
    )


def entry_of(row: Row) -> RunEntry:
    """The entry of a row of the columns `ENTRY`. Raises StoreError naming the run."""
    run, status, session, text, started, ended, needs_human_review, workspace = row
    try:
        return RunEntry(
            RunId(unpacked(run)),
            cast(RunStatus, status),
            None if session is None else SessionId(unpacked(session)),
            unpacked(text),
            None if started is None else moment(started),
            None if ended is None else moment(ended),
            bool(needs_human_review),
            unpacked(workspace),
        )
    except (ValueError, TypeError, OverflowError) as error:
        raise StoreError(f"run {run}, its entry {_DAMAGED.format(run=run)}: {error}") from error
