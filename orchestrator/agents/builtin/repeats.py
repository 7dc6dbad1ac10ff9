"""How often something comes again, in a sentence: `every Monday`. Text in, a rule out. Pure, English.

Law: a rule is only read where its words say all of it; `every second Tuesday` is nobody's `every Tuesday`.
"""

import re
from dataclasses import dataclass
from datetime import date

from orchestrator.agents.builtin.days import ONE_DAY, WEEKDAYS
from orchestrator.agents.builtin.hours import pattern_of
from orchestrator.ids import Json, Span

_UNITS = {"day": "DAILY", "week": "WEEKLY", "fortnight": "WEEKLY", "month": "MONTHLY", "year": "YEARLY"}
_ADVERBS = {
    "daily": "day",
    "weekly": "week",
    "fortnightly": "fortnight",
    "monthly": "month",
    "yearly": "year",
}
_COUNTS = {"other": 2, "two": 2, "three": 3, "four": 4, "six": 6}
_LAST_DAYS = 28
"""Every month has so many days; a rule for a later one takes the last day of a shorter month."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """A rule: every `interval` of `unit`, in a week on these days (Monday is 0)."""

    unit: str
    interval: int = 1
    weekdays: tuple[int, ...] = ()

    @property
    def said(self) -> str:
        """The rule in words, after `every`."""
        if len(self.weekdays) == 5:
            return "every weekday"
        if self.weekdays:
            *most, last = (WEEKDAYS[n] for n in self.weekdays)
            return f"every {', '.join(most)} and {last}" if most else f"every {last}"
        return f"every {self.unit}" if self.interval == 1 else f"every {self.interval} {self.unit}s"

    def first_from(self, day: date) -> date:
        """The first day of the rule from `day` on."""
        while self.weekdays and day.weekday() not in self.weekdays:
            day += ONE_DAY
        return day

    def rule(self, first: date) -> dict[str, Json]:
        """The rule as a calendar file has it (RFC 5545, RRULE), for a series that begins on `first`."""
        rule: dict[str, Json] = {"FREQ": _UNITS[self.unit], "INTERVAL": self.interval}
        if self.weekdays:
            rule["BYDAY"] = [WEEKDAYS[n][:2].upper() for n in self.weekdays]
        if self.unit == "month" and first.day > _LAST_DAYS:
            rule |= {"BYMONTHDAY": list(range(_LAST_DAYS, first.day + 1)), "BYSETPOS": -1}
        return rule


def find_repeat(text: str) -> tuple[Repeat, Span] | None:
    """The first rule the text names, with its place."""
    match = _REPEAT.search(text)
    if match is None:
        return None
    return _read(match), match.span()


def _read(match: re.Match[str]) -> Repeat:
    words = match[0].lower()
    if match["days"] or match["plural"]:
        if "weekday" in words or "working" in words:
            return Repeat("week", weekdays=tuple(range(5)))
        return Repeat("week", weekdays=tuple(n for n, day in enumerate(WEEKDAYS) if day.lower() in words))
    if match["part"]:  # `every morning`: the part itself is left for whoever reads times of day
        return Repeat("day")
    unit = _ADVERBS[words] if match["adverb"] else match["unit"].lower().rstrip("s")
    count = (match["count"] or "1").lower()
    interval = _COUNTS.get(count) or int(count)
    return Repeat("week", 2 * interval) if unit == "fortnight" else Repeat(unit, interval)


_DAY = "|".join(WEEKDAYS)
_MANY = "|".join(f"{day}s" for day in WEEKDAYS)
_REPEAT = pattern_of(
    rf"(?:on )?(?:every|each) (?P<days>(?:{_DAY}|weekday|working day)"
    rf"(?:(?:,| and|, and) (?:(?:every|each) )?(?:{_DAY}))*)"
    rf"|on (?P<plural>(?:{_MANY}|weekdays)(?:(?:,| and|, and) (?:{_MANY}))*)"
    rf"|(?:every|each) (?:(?P<count>{'|'.join(_COUNTS)}|[1-9]\d?) )?"
    r"(?P<unit>days?|weeks?|fortnights?|months?|years?)"
    r"|(?P<part>every|each)(?= (?:morning|afternoon|evening|night))"
    rf"|(?P<adverb>{'|'.join(_ADVERBS)})(?= (?:at|about|for|of|on|that|to)| ?[.!]? ?$)"
)
