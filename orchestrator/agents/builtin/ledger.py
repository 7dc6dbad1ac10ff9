"""The agent `ledger`: what is overdue, who owes how much, from a CSV of dues or invoices.

Law: amounts are exact and currencies are kept apart; what could not be read is named in the answer and is in
none of its numbers.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import ClassVar

from orchestrator.agents.builtin.answers.dues import Answer, Narrowing
from orchestrator.agents.builtin.asked import (
    has_any,
    operation_of,
    phrases_after,
    split_names,
    telling_words,
    without,
    words_of,
)
from orchestrator.agents.builtin.days import counted, day_period
from orchestrator.agents.builtin.files import Place, in_thread, place_of
from orchestrator.agents.builtin.formats.rows import (
    Complaint,
    Entry,
    Reading,
    read_table,
)
from orchestrator.agents.builtin.types.ledger import TYPE, LedgerOptions, LedgerWords
from orchestrator.agents.builtin.when import find_period
from orchestrator.agents.contract import Call, Item, Output, Surroundings
from orchestrator.workspace.models import AgentFile

_COMPLAINTS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Asked:
    """What narrows a request. `names` may be names: the table tells. `person` is one for sure."""

    text: str
    narrowing: Narrowing
    names: tuple[str, ...] = ()
    person: str | None = None


def asked_of(call: Call, words: LedgerWords, today: date) -> Asked:
    """What the call narrows down to; for the child of a mapped task its item says whom."""
    found = find_period(call.action, today, past=True)
    text = without(call.action, found.span) if found else call.action
    phrases = phrases_after(text, words.name, (*words.name, *words.stop, *words.late))
    late = (re.match(r"([0-9]{1,4})\b", p) for p in phrases_after(text, words.late, ()))
    paid, owed = has_any(text, words.paid), has_any(text, words.open)
    return Asked(
        text=text,
        narrowing=Narrowing(
            period=found.period if found and found.period != day_period(today) else None,
            days_late=next((int(m[1]) + 1 for m in late if m), 1),
            state=None if paid == owed else "paid" if paid else "open",
        ),
        names=tuple(p for p in phrases if telling_words(p, words.ignore)),
        person=None if call.item is None else _person(call.item),
    )


def _person(item: Item) -> str:
    return next((str(item.data[k]) for k in ("name", "from") if item.data.get(k)), item.text)


@dataclass(frozen=True, slots=True)
class Ledger:
    """The agent. `place` is the table."""

    reads_query: ClassVar[bool] = False
    place: Place
    options: LedgerOptions
    now: Callable[[], datetime]

    async def run(self, call: Call) -> Output:
        """What is overdue, the totals, or the rows, as the call's operation says."""
        operation = operation_of(call, TYPE)
        today = self.now().date()
        asked = asked_of(call, self.options.words, today)
        return await in_thread(lambda: self._answer(operation, asked, today))

    def _answer(self, operation: str, asked: Asked, today: date) -> Output:
        options = self.options
        shift = options.shift(today)
        reading = Reading(options.columns, options.statuses, options.date_order, options.currency, shift)
        table = read_table(self.place, reading)
        entries, complaints = _parted(table.rows)
        notes = [*table.notes, *_complaint_lines(complaints)]
        narrowed = narrow(entries, asked, options.words)
        if narrowed is None:
            whom = asked.person or " or ".join(asked.names)
            output = Output(f'No name in {self.place.shown} matches "{whom}".', ())
        else:
            answer = Answer(self.place.shown, options.noun, options.most, today)
            output = answer.to(operation, narrowed, asked.narrowing)
        return replace(output, text="\n".join((output.text, *notes)))


def _parted(rows: Iterable[Entry | Complaint]) -> tuple[list[Entry], list[Complaint]]:
    entries: list[Entry] = []
    complaints: list[Complaint] = []
    for row in rows:
        if isinstance(row, Entry):
            entries.append(row)
        else:
            complaints.append(row)
    return entries, complaints


def _complaint_lines(complaints: Sequence[Complaint]) -> Iterator[str]:
    if complaints:
        yield f"Left out of all numbers, since they cannot be read: {counted(len(complaints), 'row')}."
    yield from (f"- {c.where}: {c.message}" for c in complaints[:_COMPLAINTS_SHOWN])
    if len(complaints) > _COMPLAINTS_SHOWN:
        yield f"- … and {len(complaints) - _COMPLAINTS_SHOWN} more"


def narrow(entries: Sequence[Entry], asked: Asked, words: LedgerWords) -> Sequence[Entry] | None:
    """The rows of whom the request names; all where it names nobody; None where it names a stranger.

    A phrase that matches no name is one all the same where it is written with a capital.
    """
    known = {e.name: words_of(e.name) for e in entries}
    if asked.person is not None:
        chosen = _whose(known, [asked.person])
    else:
        said = f" {' '.join(words_of(asked.text))} "
        chosen = {n for n, w in known.items() if w and f" {' '.join(w)} " in said}
        chosen = chosen or _whose(known, asked.names)
        chosen = chosen or _whose(known, [n for p in asked.names for n in split_names(p, words.join)])
        if not chosen and not any(n[0].isupper() for n in asked.names):
            return entries
    return [e for e in entries if e.name in chosen] if chosen else None


def _whose(known: Mapping[str, tuple[str, ...]], names: Sequence[str]) -> set[str]:
    wanted = [set(words_of(n)) for n in names]
    return {name for name, words in known.items() if any(w and w <= set(words) for w in wanted)}


def build(agent: AgentFile, options: LedgerOptions, surroundings: Surroundings) -> Ledger:
    """The agent of a YAML file."""
    return Ledger(place_of(agent.name, options, surroundings.root), options, surroundings.now)
