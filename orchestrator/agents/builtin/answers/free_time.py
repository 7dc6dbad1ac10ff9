"""When there is time: what the working hours of some days have left beside what takes up time. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TypeAlias, cast

from orchestrator.agents.builtin.days import ONE_DAY, Clock, Period, long_day, spoken_day, spoken_period
from orchestrator.agents.builtin.formats.ics import Occurrence
from orchestrator.agents.contract import Item

Gap: TypeAlias = tuple[datetime, datetime]
"""Free from, free until."""


@dataclass(frozen=True, slots=True)
class WorkingHours:
    """When a day begins and ends, and the shortest time worth naming."""

    start: time
    end: time
    least: timedelta


def gaps_of(day: date, held: Sequence[Occurrence], hours: WorkingHours, clock: Clock) -> Iterator[Gap]:
    """What is left of the working hours of a day, from now on if it is today. `held` is in order of start."""
    zone = clock.now.tzinfo
    free = max(datetime.combine(day, hours.start, zone), _next_quarter(clock.now))
    close = datetime.combine(day, hours.end, zone)
    for occurrence in held:
        if occurrence.busy and occurrence.end > free and occurrence.start < close:
            if occurrence.start - free >= hours.least:
                yield free, occurrence.start
            free = occurrence.end
    if close - free >= hours.least:
        yield free, close


def free_between(
    period: Period, held: Sequence[Occurrence], hours: WorkingHours, clock: Clock
) -> tuple[str, tuple[Gap, ...]]:
    """The free times of a bounded period, said and as values."""
    first, end = cast(date, period.first), cast(date, period.end)
    days = (first + timedelta(days=n) for n in range((end - first).days))
    gaps = tuple(g for day in days for g in gaps_of(day, held, hours, clock))
    said = spoken_period(period, clock.today)
    between = f"{said} between {hours.start:%H:%M} and {hours.end:%H:%M}"
    if not gaps:
        return f"No free time of {_length(hours.least)} or more {between}.", ()
    lines = (f"- {_line(g, end - first > ONE_DAY, clock)}" for g in gaps)
    whole_days = (f"All day, but taking up no time: {o.title}." for o in held if o.all_day)
    return "\n".join((f"Free {between}:", *lines, *whole_days)), gaps


def free_at(
    start: datetime, held: Sequence[Occurrence], hours: WorkingHours, clock: Clock
) -> tuple[str, tuple[Gap, ...]]:
    """Yes or no for one moment."""
    end = start + hours.least
    in_the_way = [o for o in held if o.busy and o.start < end and o.end > start]
    said = f"{spoken_day(start.date(), clock.today)} at {start:%H:%M}"
    if not in_the_way:
        return f"Yes, free {said}.", ((start, end),)
    lines = (f"- {o.start:%H:%M}–{o.end:%H:%M} {o.title}" for o in in_the_way)
    return "\n".join((f"No, not free {said}:", *lines)), ()


def gap_item(gap: Gap) -> Item:
    """A free time as an item."""
    start, end = gap
    minutes = int((end - start).total_seconds()) // 60
    text = f"{start:%Y-%m-%d} {start:%H:%M}–{end:%H:%M} free ({_length(end - start)})"
    return Item(text, {"start": start.isoformat(), "end": end.isoformat(), "minutes": minutes})


def _next_quarter(now: datetime) -> datetime:
    """Nobody begins at 10:07."""
    whole = now.replace(minute=now.minute // 15 * 15, second=0, microsecond=0)
    return whole if whole == now else whole + timedelta(minutes=15)


def _line(gap: Gap, with_day: bool, clock: Clock) -> str:
    day = f"{long_day(gap[0].date(), clock.today)}, " if with_day else ""
    return f"{day}{gap[0]:%H:%M}–{gap[1]:%H:%M} ({_length(gap[1] - gap[0])})"


def _length(length: timedelta) -> str:
    hours, minutes = divmod(int(length.total_seconds()) // 60, 60)
    return " ".join(p for p in (f"{hours} h" if hours else "", f"{minutes} min" if minutes else "") if p)
