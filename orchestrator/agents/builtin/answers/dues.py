"""What is owed, in words and as items: overdue, totals by name, rows. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from orchestrator.agents.builtin.days import Period, counted, day_period, spoken_period
from orchestrator.agents.builtin.formats.money import spoken_amount
from orchestrator.agents.builtin.formats.rows import Entry, State
from orchestrator.agents.contract import Item, Output
from orchestrator.ids import Json


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Which rows an answer is about: due in these days, open and late by at least so many, in this state."""

    period: Period | None = None
    days_late: int = 0
    state: State | None = None

    def is_ahead(self, today: date) -> bool:
        """Whether only days are asked for of which nothing can be late yet."""
        period = self.period
        return period is not None and (
            period == day_period(today) or (period.first is not None and period.first > today)
        )

    def takes(self, entry: Entry, today: date) -> bool:
        """Whether the row is in the days and the state asked for, and as late."""
        in_period = self.period is None or entry.due in self.period
        is_late = entry.state == "open" and (today - entry.due).days >= self.days_late
        return in_period and (is_late or not self.days_late) and self.state in (None, entry.state)


@dataclass(frozen=True, slots=True)
class Answer:
    """How answers are put: the name of the file, what a row is called, how many are shown, the day, and
    whose rows these are, where somebody was named."""

    file: str
    noun: str
    most: int
    today: date
    names: tuple[str, ...] = ()

    def to(self, operation: str, entries: Sequence[Entry], narrowing: Narrowing) -> Output:
        """The answer to one operation. What falls due in days to come cannot be overdue: it is listed."""
        if operation == "totals":
            return self.totals(entries, narrowing)
        if operation == "list":
            return self.rows(entries, narrowing)
        if narrowing.is_ahead(self.today):
            return self.rows(entries, replace(narrowing, state="open"))
        return self.overdue(entries, replace(narrowing, state="open"))

    def overdue(self, entries: Sequence[Entry], narrowing: Narrowing) -> Output:
        """What is open and past its day, the longest overdue first."""
        owed = [e for e in entries if e.state == "open"]
        wanted = replace(narrowing, days_late=max(narrowing.days_late, 1))
        late = [e for e in owed if wanted.takes(e, self.today)]
        said = self._late_by(narrowing) + self._due(narrowing)
        if not late:
            rest = f"{len(owed)} open in all" if said else f"{len(owed)} open, none of them late"
            return Output(f"No overdue {self.noun}s{self._of()} in {self.file}{said}: {rest}.", ())
        late.sort(key=lambda e: (e.due, e.line))
        are = "is" if len(late) == 1 else "are"
        head = f"{len(late)} of {counted(len(owed), f'open {self.noun}')} {are} overdue{said}, {_sums(late)}:"
        return self._listed(head, late)

    def rows(self, entries: Sequence[Entry], narrowing: Narrowing) -> Output:
        """The rows asked for, by day."""
        found = sorted((e for e in entries if narrowing.takes(e, self.today)), key=lambda e: (e.due, e.line))
        what = f"{narrowing.state} {self.noun}" if narrowing.state else self.noun
        said = self._said(narrowing)
        if not found:
            return Output(f"No {what}s{self._of()} in {self.file}{said}.", ())
        return self._listed(f"{counted(len(found), what)} in {self.file}{said}, {_sums(found)}:", found)

    def totals(self, entries: Sequence[Entry], narrowing: Narrowing) -> Output:
        """What each name owes, or where the request says so has paid, in each currency."""
        state = narrowing.state or "open"
        groups: dict[tuple[str, str], list[Entry]] = defaultdict(list)
        for entry in entries:
            if entry.state == state and narrowing.takes(entry, self.today):
                groups[entry.name, entry.currency].append(entry)
        said = self._said(narrowing)
        if not groups:
            return Output(f"No {state} {self.noun}s{self._of()} in {self.file}{said}.", ())
        largest = sorted(groups.values(), key=lambda g: (-_sum(g), g[0].name))
        every = [e for g in largest for e in g]
        owed = "Owed" if state == "open" else "Paid"
        head = f"{owed}{said}: {_sums(every)} by {counted(len({e.name for e in every}), 'name')}."
        items = tuple(self._total(g) for g in largest[: self.most])
        return Output("\n".join((head, *(f"- {i.text}" for i in items), *self._rest(len(largest)))), items)

    def _total(self, group: Sequence[Entry]) -> Item:
        name, currency, amount = group[0].name, group[0].currency, _sum(group)
        late = sum(self._late(e) > 0 for e in group if e.state == "open")
        overdue = f", {late} overdue" if late else ""
        text = f"{name}: {spoken_amount(amount, currency)} ({counted(len(group), self.noun)}{overdue})"
        data: dict[str, Json] = {"name": name, "amount": str(amount), "currency": currency}
        return Item(text, {**data, "count": len(group), "overdue": late})

    def _listed(self, head: str, entries: Sequence[Entry]) -> Output:
        items = tuple(self._item(e) for e in entries[: self.most])
        return Output("\n".join((head, *(f"- {i.text}" for i in items), *self._rest(len(entries)))), items)

    def _rest(self, number: int) -> tuple[str, ...]:
        """What is said where more was found than is shown."""
        more = number - self.most
        return (f"… and {more} more; options.most sets how many are shown.",) if more > 0 else ()

    def _item(self, entry: Entry) -> Item:
        number = f", {self.noun} {entry.number}" if entry.number else ""
        days = self._late(entry) if entry.state == "open" else 0
        state = (
            f", {counted(days, 'day')} late"
            if days > 0
            else ""
            if entry.state == "open"
            else f", {entry.state}"
        )
        amount = spoken_amount(entry.amount, entry.currency)
        data: dict[str, Json] = {
            "name": entry.name,
            "number": entry.number,
            "amount": str(entry.amount),
            "currency": entry.currency,
            "due": entry.due.isoformat(),
            "days_late": max(days, 0),
            "state": entry.state,
        }
        return Item(f"{entry.name}{number}: {amount}, due {entry.due}{state}", data)

    def _of(self) -> str:
        return f" of {' or '.join(self.names)}" if self.names else ""

    def _late(self, entry: Entry) -> int:
        return (self.today - entry.due).days

    def _said(self, narrowing: Narrowing) -> str:
        late = self._late_by(narrowing)
        return f"{late and f', late{late}'}{self._due(narrowing)}"

    def _late_by(self, narrowing: Narrowing) -> str:
        return f" by {counted(narrowing.days_late, 'day')} or more" if narrowing.days_late > 1 else ""

    def _due(self, narrowing: Narrowing) -> str:
        if narrowing.period is None:
            return ""
        said = spoken_period(narrowing.period, self.today)
        return f", due {'on ' if said[0].isupper() else ''}{said}"


def _sum(entries: Iterable[Entry]) -> Decimal:
    return sum((e.amount for e in entries), Decimal())


def _sums(entries: Iterable[Entry]) -> str:
    """The sums, each currency for itself."""
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for entry in entries:
        sums[entry.currency] += entry.amount
    return " and ".join(spoken_amount(amount, currency) for currency, amount in sorted(sums.items()))
