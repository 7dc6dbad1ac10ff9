"""Calendars as values: what happens between two days, with every recurrence in its place.

Law: one entry that cannot be read is named and left out, never the rest with it; nothing that ends is said to
go on, and no rule in a file may run away with the program.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, cast

from orchestrator.agents.builtin.days import Clock, Period, midnight
from orchestrator.agents.builtin.files import Place
from orchestrator.agents.builtin.formats.plain import one_line
from orchestrator.errors import TaskError

if TYPE_CHECKING:
    from icalendar import Calendar, Component

_TOO_OFTEN = {"SECONDLY", "MINUTELY"}
_ESSENTIAL = {"DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID"}


@dataclass(frozen=True, slots=True, order=True)
class Occurrence:
    """One happening, in local time. An all-day one goes from midnight to midnight; `busy` takes up time."""

    start: datetime
    end: datetime
    title: str
    all_day: bool = field(compare=False, default=False)
    location: str = field(compare=False, default="")
    uid: str = field(compare=False, default="")
    busy: bool = field(compare=False, default=True)
    cancelled: bool = field(compare=False, default=False)


@dataclass(frozen=True, slots=True)
class Happenings:
    """What happens in a period, in order; what was called off; what a person should know of the file."""

    held: tuple[Occurrence, ...]
    cancelled: tuple[Occurrence, ...]
    notes: tuple[str, ...]


def parse_calendars(data: bytes, place: Place) -> "list[Calendar]":
    """The calendars in these bytes. Raises TaskError where that is not what they are."""
    from icalendar import Calendar

    remedy = f"correct the file, or {place.remedy()}"
    try:
        components = cast(Any, Calendar).from_ical(data, multiple=True)
    except Exception as error:  # the parser passes on whatever its parts raise
        raise TaskError(f"{place.shown} ({place.path}) is not a calendar: {error}; {remedy}") from error
    calendars = [c for c in components if isinstance(c, Calendar)]
    if not calendars:
        raise TaskError(
            f"{place.shown} ({place.path}) is not a calendar: no BEGIN:VCALENDAR … END:VCALENDAR; {remedy}"
        )
    return calendars


def read_happenings(place: Place, first: date, end: date, clock: Clock) -> Happenings:
    """What happens from `first` up to `end`, in the zone of the clock."""
    found: list[Occurrence] = []
    notes: list[str] = []
    for calendar in parse_calendars(place.read(), place):
        sound, complaints = _sound_series(calendar)
        occurrences, more = _read_series(sound, calendar, Period(first, end), clock)
        found += occurrences
        notes += [*complaints, *more]
    held = tuple(sorted(o for o in found if not o.cancelled))
    return Happenings(held, tuple(sorted(o for o in found if o.cancelled)), tuple(dict.fromkeys(notes)))


def _sound_series(calendar: "Calendar") -> "tuple[list[list[Component]], list[str]]":
    """The series that may be read, and what is to be said of the others and of unknown zones."""
    sound: list[list[Component]] = []
    notes: list[str] = []
    for series in _series(calendar):
        fault = _fault(series)
        if fault:
            notes.append(_left_out(series, fault))
        else:
            sound.append(series)
            notes += _unknown_zones(series)
    return sound, notes


def _read_series(
    all_series: "Sequence[list[Component]]", calendar: "Calendar", period: Period, clock: Clock
) -> tuple[list[Occurrence], list[str]]:
    """All series at once, which is fast; where that fails, each for itself, so that only it is lost."""
    together = [event for series in all_series for event in series]
    try:
        return _occurrences(together, calendar, period, clock), []
    except Exception as error:  # noqa: BLE001 - the library passes on whatever its parts raise
        if len(all_series) == 1:
            return [], [_left_out(together, str(error))]
    found: list[Occurrence] = []
    notes: list[str] = []
    for series in all_series:
        occurrences, more = _read_series([series], calendar, period, clock)
        found += occurrences
        notes += more
    return found, notes


def _series(calendar: "Calendar") -> "list[list[Component]]":
    """The events of a calendar, those with one UID together: a rule and its exceptions."""
    together: dict[str, list[Component]] = {}
    for position, event in enumerate(parts_of(calendar, "VEVENT")):
        together.setdefault(str(event.get("UID", f"#{position}")), []).append(event)
    return list(together.values())


def parts_of(calendar: "Calendar", name: str | None = None) -> "list[Component]":
    """The components of a calendar, those within others too, of one kind or all."""
    return cast(Any, calendar).walk(name)


def _fault(series: "Sequence[Component]") -> str:
    """Why a series must not be read; empty where it may."""
    for event in series:
        broken = _ESSENTIAL & {str(name).upper() for name, _ in event.errors}
        if broken:
            return f"its {', '.join(sorted(broken))} is malformed"
        if "DTSTART" not in event:
            return "it has no DTSTART"
        rules: Any = event.get("RRULE", [])
        for rule in cast("list[Any]", rules if isinstance(rules, list) else [rules]):
            if _TOO_OFTEN & {str(f).upper() for f in rule.get("FREQ", [])}:
                return "it repeats every minute or second"
    return ""


def _left_out(series: "Sequence[Component]", why: str) -> str:
    return f"left out {_named(series)}, which cannot be read: {why}"


def _occurrences(
    events: "Sequence[Component]", calendar: "Calendar", period: Period, clock: Clock
) -> list[Occurrence]:
    import recurring_ical_events
    from icalendar import Calendar

    alone = Calendar(calendar)
    for part in (*parts_of(calendar, "VTIMEZONE"), *events):
        alone.add_component(part)
    first, end = cast(date, period.first), cast(date, period.end)
    begin, stop = midnight(first, clock.now), midnight(end, clock.now)
    query: Any = cast(Any, recurring_ical_events).of(alone)
    found = (_occurrence(e, clock) for e in query.between(begin - clock.shift, stop - clock.shift))
    return [o for o in found if o.start < stop and (o.end > begin or o.start >= begin)]


def _occurrence(event: Any, clock: Clock) -> Occurrence:
    start, end = event["DTSTART"].dt, event["DTEND"].dt
    all_day = not isinstance(start, datetime)
    return Occurrence(
        start=_local(start, clock),
        end=_local(end, clock),
        title=_line(event.get("SUMMARY")) or "(no title)",
        all_day=all_day,
        location=_line(event.get("LOCATION")),
        uid=_line(event.get("UID")),
        busy=not all_day and _line(event.get("TRANSP")).upper() != "TRANSPARENT",
        cancelled=_line(event.get("STATUS")).upper() == "CANCELLED",
    )


def _local(moment: date, clock: Clock) -> datetime:
    if isinstance(moment, datetime):
        return clock.local(moment)
    return midnight(moment + clock.shift, clock.now)


def _line(value: Any) -> str:
    """A text property as one line; of one that is there twice, the first."""
    values = cast("list[Any]", value) if isinstance(value, list) else [value]
    return one_line(str(values[0])) if values and values[0] is not None else ""


def _named(series: "Sequence[Component]") -> str:
    titles = (_line(event.get("SUMMARY")) for event in series)
    return f'"{next((t for t in titles if t), "an event without title")}"'


def _unknown_zones(series: "Sequence[Component]") -> Iterator[str]:
    """A zone nobody knows leaves a time without zone; it is taken as local, and that is said."""
    for event in series:
        start: Any = event.get("DTSTART")
        zone = getattr(start, "params", {}).get("TZID")
        if zone and getattr(getattr(start, "dt", None), "tzinfo", None) is None:
            yield f'the time zone "{zone}" of {_named([event])} is unknown; its times are taken as local'
