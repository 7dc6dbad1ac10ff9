"""A table of dues or invoices as values: CSV in, entries and located complaints out, row by row.

Law: a row that cannot be understood is named by its line and left out of every number; nothing of it is
guessed.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal, Protocol, TypeAlias

from orchestrator.agents.builtin.files import Place
from orchestrator.agents.builtin.formats.money import parse_amount, parse_day
from orchestrator.agents.builtin.formats.plain import one_line
from orchestrator.agents.builtin.types.ledger import Columns, DateOrder, Statuses
from orchestrator.errors import TaskError

State: TypeAlias = Literal["open", "paid", "void"]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a table is read."""

    columns: Columns
    statuses: Statuses
    date_order: DateOrder | None
    currency: str
    shift: timedelta


@dataclass(frozen=True, slots=True)
class Entry:
    """One row that was understood. `line` counts from 1, the header included."""

    line: int
    name: str
    number: str
    amount: Decimal
    currency: str
    due: date
    state: State


@dataclass(frozen=True, slots=True)
class Complaint:
    """One row that was not."""

    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file, read as they are asked for, and what is to be said of its encoding."""

    rows: Iterator[Entry | Complaint]
    notes: tuple[str, ...]


class _Reader(Protocol):
    """What `csv.reader` makes; its class has no public name."""

    @property
    def line_num(self) -> int: ...

    def __next__(self) -> list[str]: ...


def read_table(place: Place, reading: Reading) -> Table:
    """The table in a file. Raises TaskError where a needed column is missing."""
    text, notes = _decoded(place.read(), place)
    header = next((line for line in text.splitlines() if line.strip()), "")
    if not header:
        raise TaskError(f"{place.shown} ({place.path}) is empty; it needs a header line; {place.remedy()}")
    delimiter = _delimiter(header, reading.columns)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    names = next(cells for cells in _cells(reader) if isinstance(cells, Complaint) or any(cells))
    if isinstance(names, Complaint):
        raise TaskError(f"{place.shown} ({place.path}), {names.where}: the header {names.message}")
    found = _found_columns(names, reading.columns)
    _refuse_missing(found, names, place)
    return Table(_rows(reader, len(names), found, reading), notes)


def _decoded(data: bytes, place: Place) -> tuple[str, tuple[str, ...]]:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace"), ()
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        note = (
            f"{place.shown} is not UTF-8, so it was read as Windows text (cp1252); check names with accents"
        )
        return data.decode("cp1252", "replace"), (note,)


# ── the header ──────────────────────────────────────────────────────────────────────────────────────


def _plain(header: str) -> str:
    return " ".join(header.replace("_", " ").replace("-", " ").replace(".", " ").casefold().split())


def _found_columns(names: Sequence[str], columns: Columns) -> Mapping[str, int]:
    """Where each known column is: the alias that is listed first wins, then the first column."""
    plain = [_plain(n) for n in names]
    found: dict[str, int] = {}
    for column in ("name", "amount", "due", "paid", "number", "currency"):
        aliases: tuple[str, ...] = getattr(columns, column)
        place = next((plain.index(_plain(a)) for a in aliases if _plain(a) in plain), None)
        if place is not None:
            found[column] = place
    return found


def _delimiter(header: str, columns: Columns) -> str:
    """The one of comma, semicolon and tab with which the header makes most sense."""

    def sense(delimiter: str) -> tuple[int, int]:
        try:
            names = next(csv.reader([header], delimiter=delimiter, skipinitialspace=True))
        except csv.Error:
            return 0, 0
        return len(_found_columns(names, columns)), len(names)

    return max(",;\t", key=sense)


def _refuse_missing(found: Mapping[str, int], names: Sequence[str], place: Place) -> None:
    missing = [c for c in ("name", "amount", "due") if c not in found]
    if missing:
        there = ", ".join(repr(n) for n in names[:20])
        raise TaskError(
            f"{place.shown} ({place.path}) has no column for {' and '.join(missing)}; it has {there}. "
            f"Add the header to options.columns.{missing[0]} of the agent {place.agent!r}"
        )


# ── the rows ────────────────────────────────────────────────────────────────────────────────────────


def _cells(reader: _Reader) -> Iterator[list[str] | Complaint]:
    """The rows as cells; one that the parser refuses does not end the table."""
    while True:
        try:
            yield [c.strip() if c.isprintable() else one_line(c) for c in next(reader)]
        except StopIteration:
            return
        except csv.Error as error:
            yield Complaint(f"line {reader.line_num}", f"cannot be read: {error}")


def _rows(
    reader: _Reader, width: int, found: Mapping[str, int], reading: Reading
) -> Iterator[Entry | Complaint]:
    line = reader.line_num + 1
    for cells in _cells(reader):
        first, line = line, reader.line_num + 1
        if isinstance(cells, Complaint):
            yield cells
        elif any(cells):
            where = f"line {first}" if line - first <= 1 else f"lines {first} to {line - 1}"
            try:
                yield _entry(first, cells, width, found, reading)
            except ValueError as error:
                yield Complaint(where, str(error))


def _entry(line: int, cells: Sequence[str], width: int, found: Mapping[str, int], reading: Reading) -> Entry:
    if len(cells) != width and any(cells[width:]):
        raise ValueError(f"it has {len(cells)} cells, the header {width}")
    values = {column: cells[i] if i < len(cells) else "" for column, i in found.items()}
    for needed in ("name", "amount", "due"):
        if not values[needed]:
            raise ValueError(f"the {needed} is missing")
    amount, currency = parse_amount(values["amount"], values.get("currency") or reading.currency)
    due = parse_day(values["due"], reading.date_order)
    return Entry(
        line=line,
        name=values["name"],
        number=values.get("number", ""),
        amount=amount,
        currency=currency,
        due=_moved(due, reading.shift),
        state=_state(values.get("paid", ""), reading),
    )


def _moved(due: date, shift: timedelta) -> date:
    try:
        return due + shift
    except OverflowError as error:
        raise ValueError(f"{due} cannot be moved by {shift.days} days") from error


def _state(said: str, reading: Reading) -> State:
    plain = " ".join(said.casefold().split())
    statuses = reading.statuses
    known: tuple[tuple[State, tuple[str, ...]], ...] = (
        ("paid", statuses.paid), ("open", statuses.open), ("void", statuses.void),
    )  # fmt: skip
    if not plain:
        return "open"
    for state, words in known:
        if plain in words:
            return state
    try:
        parse_day(said, reading.date_order or "dmy")  # paid on that day; which one does not matter
    except ValueError:
        raise ValueError(
            f"the status {said!r} is not known; add it to options.statuses.paid, open or void"
        ) from None
    return "paid"
