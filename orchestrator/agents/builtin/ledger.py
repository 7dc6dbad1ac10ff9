"""The agent `ledger`: what is overdue, who owes how much, from a CSV of dues or invoices.

Law: amounts are exact and currencies are kept apart; what could not be read is named in the answer and is in
none of its numbers.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import ClassVar

from orchestrator.agents.builtin.answers.dues import Answer, Narrowing
from orchestrator.agents.builtin.answers.whose import Chosen, Mentions, chosen
from orchestrator.agents.builtin.asked import (
    any_phrase,
    has_any,
    operation_of,
    phrases_after,
    telling_words,
    without,
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
from orchestrator.workspace.agent_file import AgentFile

_COMPLAINTS_SHOWN = 10
_LENGTHS = {"day": 1, "week": 7, "month": 30}
_SPAN = r"\s+(\d{1,4}|an?|one|two|three|four|five|six)\s+(day|week|month)s?\b"
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


@dataclass(frozen=True, slots=True)
class Asked:
    """What narrows a request: days and state, and what it may name."""

    narrowing: Narrowing
    mentions: Mentions


def asked_of(call: Call, words: LedgerWords, today: date) -> Asked:
    """What the call narrows down to; for the child of a mapped task its item says whom."""
    days_late, text = _lateness(call.action, words)
    found = find_period(text, today, past=True)
    period = found.period if found else None
    if found and period == day_period(today) and not _ends_with(text[: found.span[0]], words.due_on):
        period = None
    text = without(text, found.span) if found else text
    paid, owed = has_any(text, words.paid), has_any(text, words.open)
    phrases = phrases_after(text, words.name, (*words.name, *words.stop))
    return Asked(
        Narrowing(period, days_late, None if paid == owed else "paid" if paid else "open"),
        Mentions(
            text,
            names=tuple(p for p in phrases if telling_words(p, words.ordinary)),
            person=None if call.item is None else _person(call.item),
        ),
    )


def _lateness(text: str, words: LedgerWords) -> tuple[int, str]:
    """The least number of days late that is asked for, and the text without it; 0 where none is."""
    for markers, more in ((words.late, 1), (words.at_least, 0)):
        match = re.search(rf"{any_phrase(markers)}{_SPAN}", text, re.IGNORECASE)
        if match is not None:
            count, length = match[1].lower(), match[2].lower()
            days = (int(count) if count.isdigit() else _COUNTS[count]) * _LENGTHS[length]
            return days + more, without(text, match.span())
    return 0, text


def _ends_with(text: str, phrases: Sequence[str]) -> bool:
    return re.search(rf"{any_phrase(phrases)}\s*$", text, re.IGNORECASE) is not None


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
        found = chosen(entries, asked.mentions, options, self.place.shown)
        answer = Answer(self.place.shown, options.noun, options.most, today, found.names)
        output = _answered(answer, operation, found, asked.narrowing)
        return replace(output, text="\n".join((output.text, *(f"{n}." for n in found.notes), *notes)))


def _answered(answer: Answer, operation: str, found: Chosen, narrowing: Narrowing) -> Output:
    """The answer on the rows. Those named by their numbers are shown as they are, whatever their state."""
    if found.stranger is not None:
        return Output(f"{found.stranger}.", ())
    if found.by_number:
        return answer.to("list", found.rows, Narrowing())
    return answer.to(operation, found.rows, narrowing)


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


def build(agent: AgentFile, options: LedgerOptions, surroundings: Surroundings) -> Ledger:
    """The agent of a YAML file."""
    return Ledger(place_of(agent.name, options, surroundings.root), options, surroundings.now)
