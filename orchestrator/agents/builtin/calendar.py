"""The agent `calendar`: what is on, what clashes, and when there is time, from an .ics file.

Law: times are said in the local zone; what was called off is left out and named; all-day entries and those
marked as free take up no time.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import ClassVar

from orchestrator.agents.builtin.answers.beyond import deed_of, only_read
from orchestrator.agents.builtin.answers.free_time import WorkingHours, free_at, free_between, gap_item
from orchestrator.agents.builtin.asked import has_any, operation_of, telling_words, words_of
from orchestrator.agents.builtin.days import (
    ONE_DAY,
    Clock,
    Period,
    day_period,
    long_day,
    spoken_day,
    spoken_period,
)
from orchestrator.agents.builtin.files import Place, in_thread, place_of
from orchestrator.agents.builtin.formats.ics import Happenings, Occurrence, read_happenings
from orchestrator.agents.builtin.hours import find_time
from orchestrator.agents.builtin.sighting import FACT, fingerprint, watch
from orchestrator.agents.builtin.types.calendar import TYPE, CalendarOptions
from orchestrator.agents.builtin.when import blanked, find_period, find_periods
from orchestrator.agents.contract import Call, Item, Output, Surroundings, Tell
from orchestrator.errors import TaskError
from orchestrator.ids import Json
from orchestrator.workspace.agent_file import AgentFile

_MOST_DAYS = 10
_NOTES = 10
"""Most cancelled entries, and most complaints, that an answer names."""


@dataclass(frozen=True, slots=True)
class CalendarAgent:
    """The agent. `place` is the calendar."""

    reads_query: ClassVar[bool] = False
    place: Place
    options: CalendarOptions
    now: Callable[[], datetime]

    async def run(self, call: Call) -> Output:
        """The agenda, or the free time, of the days the call names."""
        operation, words = operation_of(call, TYPE), self.options.words
        if deed := deed_of(call.action, words.deeds, words.polite, words.readers):
            return Output(only_read(deed, self.place.shown), ())
        now = self.now()
        clock = Clock(now, self.options.shift(now.date()))
        periods = self._periods(call, clock)
        if operation == "free_time":
            moment = find_time(call.action)
            at = moment[0] if moment else None
            return await self._each(periods, clock, lambda period: self._free_time(period, at, clock))
        if not periods and has_any(call.action, words.find):
            return await in_thread(lambda: self._named(call.action, clock))
        names = _names_in(call.action, words.ignore, clock.today)
        return await self._each(periods, clock, lambda period: self._agenda(period, names, clock))

    def facts(self) -> Mapping[str, Json]:
        """What is in the calendar, as a fact: see Agent."""
        return {FACT: fingerprint(self.place.path)}

    async def watch(self, tell: Tell) -> None:
        """Tell when the calendar has changed: see Agent."""
        await watch(self.place.path, tell)

    async def _each(
        self, periods: Sequence[Period], clock: Clock, answer: Callable[[Period], Output]
    ) -> Output:
        """The answers for several days as one; for today where no day is named."""
        found = [await in_thread(lambda p=p: answer(p)) for p in periods or (day_period(clock.today),)]
        return Output("\n\n".join(o.text for o in found), tuple(i for o in found for i in o.items or ()))

    def _periods(self, call: Call, clock: Clock) -> tuple[Period, ...]:
        """The days of the action in order, or its one longer period; for the child of a mapped task those of
        its item.
        """
        past = has_any(call.action, self.options.words.past)
        texts = (call.action, *((call.item.text,) if call.item else ()))
        for text in texts:
            first = find_period(text, clock.today, past=past)
            if first is not None and not first.period.is_one_day:
                return (first.period,)
            if first is not None:
                return _days_in(text, clock.today, past=past)
        return ()

    def _read(self, period: Period, clock: Clock) -> Happenings:
        """What happens in a period; where it is open on one side, as far as the horizon."""
        far = timedelta(days=self.options.horizon)
        first = period.first or (clock.today if period.end is None else period.end - far)
        return read_happenings(self.place, first, period.end or first + far, clock)

    def _agenda(self, period: Period, names: Sequence[str], clock: Clock) -> Output:
        happenings = self._read(period, clock)
        wanted = set(words_of(" ".join(names)))
        named = tuple(o for o in happenings.held if wanted & set(words_of(o.title)))
        held = named or happenings.held
        shown, more = held[: self.options.most], len(held) - self.options.most
        lines = [*_agenda_lines(held, shown, period, clock)]
        if named:
            happenings = replace(happenings, cancelled=())
            lines[0] = f"{lines[0][:-1]} with {_quoted(names)}."
        elif names and held:
            lines.append(f"None of these has {_quoted(names)} in its title.")
        if more > 0:
            lines.append(f"… and {more} more; options.most sets how many are shown.")
        lines += _notes(happenings)
        if not shown:
            lines += self._next_line(clock)
        return Output("\n".join(lines), tuple(map(_item, shown)))

    def _next_line(self, clock: Clock) -> Iterator[str]:
        """The next entry, where the days asked for are empty."""
        coming = self._coming(clock)
        if coming:
            yield f"Next: {_dated_line(coming[0], clock)}."

    def _coming(self, clock: Clock) -> tuple[Occurrence, ...]:
        held = self._read(Period(clock.today, None), clock).held
        return tuple(o for o in held if o.end > clock.now)

    def _named(self, action: str, clock: Clock) -> Output:
        """When a named entry is; without a name, the next one of all."""
        wanted = set(words_of(" ".join(telling_words(action, self.options.words.ignore))))
        coming = self._coming(clock)
        named = tuple(o for o in coming if wanted & set(words_of(o.title)))[:5]
        found = named if wanted else tuple(o for o in coming if o.busy)[:1]
        if not found:
            what = f" with {_quoted(sorted(wanted))}" if wanted else ""
            days = f"in the next {self.options.horizon} days"
            return Output(f"Nothing{what} {days} in {self.place.shown}.", ())
        return Output("\n".join(f"{_dated_line(o, clock)}." for o in found), tuple(map(_item, found)))

    def _free_time(self, period: Period, at: time | None, clock: Clock) -> Output:
        first = max(period.first or clock.today, clock.today)
        end = period.end or first + timedelta(days=self.options.horizon)
        if end <= first:
            return Output(f"That is past: {spoken_period(period, clock.today)}.", ())
        happenings = self._read(Period(first, end), clock)
        if at is not None:
            moment = datetime.combine(first, at, clock.now.tzinfo)
            text, gaps = free_at(moment, happenings.held, self._hours(), clock)
        else:
            text, gaps = free_between(Period(first, end), happenings.held, self._hours(), clock)
        return Output("\n".join((text, *_notes(happenings))), tuple(map(gap_item, gaps)))

    def _hours(self) -> WorkingHours:
        return WorkingHours(
            self.options.day_start, self.options.day_end, timedelta(minutes=self.options.shortest_gap)
        )


def _days_in(text: str, today: date, *, past: bool) -> tuple[Period, ...]:
    found = {f.period for f in find_periods(text, today, past=past) if f.period.is_one_day}
    if len(found) > _MOST_DAYS:
        raise TaskError(
            f"{len(found)} days are named; name at most {_MOST_DAYS}, or a span such as next week"
        )
    return tuple(sorted(found, key=lambda day: day.first or today))


def _names_in(text: str, ignore: Collection[str], today: date) -> tuple[str, ...]:
    """The words of a request that may be in the titles asked for: written with a capital, of no other use."""
    for found in find_periods(text, today):
        text = blanked(text, found.span)
    return tuple(word for word in telling_words(text, ignore) if word[0].isupper())


def _quoted(words: Sequence[str]) -> str:
    return f'"{" ".join(words)}"'


# ── the agenda ──────────────────────────────────────────────────────────────────────────────────────


def clashes(held: Sequence[Occurrence]) -> tuple[tuple[Occurrence, Occurrence], ...]:
    """Pairs that take up the same time; `held` is in order of start."""
    busy = [o for o in held if o.busy]
    found: list[tuple[Occurrence, Occurrence]] = []
    for i, one in enumerate(busy):
        for other in busy[i + 1 :]:
            if other.start >= one.end:
                break
            found.append((one, other))
    return tuple(found)


def _agenda_lines(
    held: Sequence[Occurrence], shown: Sequence[Occurrence], period: Period, clock: Clock
) -> Iterator[str]:
    said = spoken_period(period, clock.today)
    if not held:
        yield f"Nothing on the calendar {'on ' if said[0].isupper() else ''}{said}."
        return
    entries = "entry" if len(held) == 1 else "entries"
    yield f"{said[0].upper()}{said[1:]}: {len(held)} {entries} on the calendar."
    several = period.end is None or period.first is None or (period.end - period.first) > ONE_DAY
    day: date | None = None
    for occurrence in shown:
        start = occurrence.start.date()
        if several and start != day:
            yield f"{long_day(start, clock.today)}:"
        day = start
        yield f"- {_line(occurrence)}"
    for one, other in clashes(shown):
        yield f"Clash: {_hours(one)} {one.title} and {_hours(other)} {other.title}."


def _hours(occurrence: Occurrence) -> str:
    last = occurrence.end - timedelta(days=1) if occurrence.all_day else occurrence.end
    same = last.date() <= occurrence.start.date()
    if occurrence.all_day:
        return "all day" if same else f"all day until {last:%Y-%m-%d}"
    until = f"–{last:%H:%M}" if same else f" until {last:%Y-%m-%d %H:%M}"
    return f"{occurrence.start:%H:%M}{until}"


def _line(occurrence: Occurrence) -> str:
    where = f" ({occurrence.location})" if occurrence.location else ""
    return f"{_hours(occurrence)} {occurrence.title}{where}"


def _dated_line(occurrence: Occurrence, clock: Clock) -> str:
    day = spoken_day(occurrence.start.date(), clock.today)
    return f"{day[0].upper()}{day[1:]}, {_line(occurrence)}"


def _notes(happenings: Happenings) -> Iterator[str]:
    for occurrence in happenings.cancelled[:_NOTES]:
        yield f"Cancelled, so left out: {_line(occurrence)}."
    for note in happenings.notes[:_NOTES]:
        yield f"Note: {note}."
    more = max(len(happenings.cancelled) - _NOTES, 0) + max(len(happenings.notes) - _NOTES, 0)
    if more:
        yield f"Note: {more} more are cancelled or cannot be read."


def _item(occurrence: Occurrence) -> Item:
    return Item(
        f"{occurrence.start:%Y-%m-%d} {_line(occurrence)}",
        {
            "title": occurrence.title,
            "start": occurrence.start.isoformat(),
            "end": occurrence.end.isoformat(),
            "all_day": occurrence.all_day,
            "location": occurrence.location,
            "uid": occurrence.uid,
        },
    )


def build(agent: AgentFile, options: CalendarOptions, surroundings: Surroundings) -> CalendarAgent:
    """The agent of a YAML file."""
    return CalendarAgent(place_of(agent.name, options, surroundings.root), options, surroundings.now)
