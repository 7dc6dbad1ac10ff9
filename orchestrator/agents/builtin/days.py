"""A period of days, and how days are said to a person.

Law: a period is half-open in whole days of the local calendar; what is said of a day depends on which day
it is today, and on nothing else.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `first` up to but not including `end`; None is without bound."""

    first: date | None
    end: date | None

    def __contains__(self, day: date) -> bool:
        return (self.first is None or self.first <= day) and (self.end is None or day < self.end)

    @property
    def is_one_day(self) -> bool:
        """Whether it is a single day."""
        return self.first is not None and self.end is not None and self.end - self.first == ONE_DAY


@dataclass(frozen=True, slots=True)
class Clock:
    """The local time, and by how much the dates of a file are moved."""

    now: datetime
    shift: timedelta = timedelta()

    @property
    def today(self) -> date:
        """The local day."""
        return self.now.date()

    def local(self, moment: datetime) -> datetime:
        """A moment of the file as the local time it counts for. A moment without zone is taken as local."""
        zone = self.now.tzinfo
        here = moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)
        return here + self.shift


def day_period(day: date) -> Period:
    """The period of one day."""
    return Period(day, day + ONE_DAY)


def midnight(day: date, now: datetime) -> datetime:
    """The beginning of a day in the zone of `now`."""
    return datetime.combine(day, time(), now.tzinfo)


def long_day(day: date, today: date) -> str:
    """`Monday 30 November`, with the year where it is not this one."""
    year = "" if day.year == today.year else f" {day.year}"
    return f"{WEEKDAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]}{year}"


def spoken_day(day: date, today: date) -> str:
    """`today`, `tomorrow` or `yesterday`, else the long form."""
    near = {0: "today", 1: "tomorrow", -1: "yesterday"}.get((day - today).days)
    return near or long_day(day, today)


def spoken_period(period: Period, today: date) -> str:
    """The period in words: a day, `from … to …`, `since …` or `until …`."""
    first, last = period.first, None if period.end is None else period.end - ONE_DAY
    if first is not None and last is not None:
        if first == last:
            return spoken_day(first, today)
        return f"from {long_day(first, today)} to {long_day(last, today)}"
    if first is not None:
        return (
            f"since {spoken_day(first, today)}" if first <= today else f"from {spoken_day(first, today)} on"
        )
    return "at any time" if last is None else f"until {spoken_day(last, today)}"


def counted(number: int, noun: str) -> str:
    """`1 day`, `3 days`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
