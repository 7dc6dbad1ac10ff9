"""When a reminder rings: from what was asked, the day of the matter, and the time it is now. Pure.

Law: never in the past. A moment asked for that is past is refused; where only a day or nothing was asked for,
the next sensible moment is taken, and the answer says it.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from orchestrator.agents.builtin.answers.requested import Asked
from orchestrator.agents.builtin.days import ONE_DAY, spoken_day
from orchestrator.agents.builtin.repeats import Repeat
from orchestrator.errors import TaskError

_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Defaults:
    """What holds where a request says nothing: the time of day, and how long ahead of the matter's day."""

    at: time
    lead: timedelta


def moment_of(due: str, asked: Asked, defaults: Defaults, now: datetime) -> datetime:
    """When to remind of something with the day or moment `due` (empty where it has none).

    On the first day asked for, or ahead of the last where they have begun ("by Friday"); else ahead of the
    day of the matter itself. Raises TaskError for a moment that is past.
    """
    at = asked.at or (asked.part.at if asked.part else defaults.at)
    if asked.delay is not None:
        return (now.astimezone(UTC) + asked.delay).astimezone(now.tzinfo).replace(microsecond=0)
    if asked.repeat is not None:
        return _first_of_many(asked.repeat, asked.first, at, now)
    if asked.first is not None or asked.last is not None:
        return _on_a_day(asked, at, defaults.lead, now)
    wanted = _ahead_of(due, at, asked.lead or defaults.lead, now)
    if asked.lead is not None and wanted is None:
        raise TaskError("it is not known when that is, so nothing was written; name the day and the time")
    if asked.lead is not None and wanted is not None and wanted <= now:
        raise _past(wanted.date(), wanted.time(), now)
    return wanted if wanted is not None and wanted > now else _next(at, now)


def _on_a_day(asked: Asked, at: time, lead: timedelta, now: datetime) -> datetime:
    today, first, last = now.date(), asked.first, asked.last
    if (last is not None and last < today) or (last is None and first is not None and first <= today):
        raise _past(first or last or today, None, now)
    if first is not None and (first > today or first == last):
        wanted = datetime.combine(first, at, now.tzinfo)
        is_over = asked.at is not None or (asked.part is not None and now.time() >= asked.part.over)
        if wanted <= now and is_over:
            raise _past(first, at, now)
    else:
        wanted = datetime.combine(last or today, at, now.tzinfo) - lead
    return wanted if wanted > now else _soon(at, now)


def _first_of_many(repeat: Repeat, first: date | None, at: time, now: datetime) -> datetime:
    wanted = datetime.combine(repeat.first_from(first or now.date()), at, now.tzinfo)
    if wanted > now:
        return wanted
    if first is not None and first < now.date():
        raise _past(first, at, now)
    return datetime.combine(repeat.first_from(now.date() + ONE_DAY), at, now.tzinfo)


def _past(day: date, at: time | None, now: datetime) -> TaskError:
    hour = f" at {at:%H:%M}" if at else ""
    return TaskError(
        f"{spoken_day(day, now.date())}{hour} is past (it is {now:%Y-%m-%d %H:%M}), so nothing was written; "
        f"name a moment to come"
    )


def _ahead_of(due: str, at: time, lead: timedelta, now: datetime) -> datetime | None:
    """`lead` before a day or a moment; None where there is none."""
    try:
        moment = datetime.fromisoformat(due)
        plain_day = datetime.combine(moment.date(), at, now.tzinfo)
        return (plain_day if len(due) <= len("2026-12-03") or moment.tzinfo is None else moment) - lead
    except (ValueError, OverflowError):
        return None


def _next(at: time, now: datetime) -> datetime:
    """The next time the clock shows this."""
    today = datetime.combine(now.date(), at, now.tzinfo)
    return today if today > now else today + ONE_DAY


def _soon(at: time, now: datetime) -> datetime:
    """This time today, or if that is over the next full hour."""
    today = datetime.combine(now.date(), at, now.tzinfo)
    return today if today > now else now.replace(minute=0, second=0, microsecond=0) + _HOUR
