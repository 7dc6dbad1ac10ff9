"""Times of day and spans of hours in a sentence: text in, a time and its place out. Pure, English.

Rules. An hour from one to six with nothing beside it is in the afternoon, for nobody is called at three in
the night; `03:00`, `3am` and `at 3 in the morning` are what they say. `in the evening` and `tonight` make
their hour one of the evening. A time that no clock shows is a TaskError.
"""

import re
from dataclasses import dataclass
from datetime import time, timedelta

from orchestrator.errors import TaskError
from orchestrator.ids import Span

HOUR_NAMES = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_MINUTE_NAMES = {"five": 5, "ten": 10, "quarter": 15, "a quarter": 15, "twenty": 20, "twenty-five": 25}
_NOONS = {"noon": time(12), "midday": time(12), "midnight": time(0)}
_SIZES = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_AFTERNOON_HOURS = range(1, 7)


@dataclass(frozen=True, slots=True)
class PartOfDay:
    """A part of the day: its time where no hour is said, when it is over, and whether it is today's."""

    at: time
    over: time
    today: bool
    span: Span


def pattern_of(source: str) -> re.Pattern[str]:
    """A phrase as a pattern: whole words, any case, any white space."""
    spaced = source.replace(" ?", r"\s*").replace(" ", r"\s+")
    return re.compile(rf"(?<![\w-])(?:{spaced})(?![\w-])", re.IGNORECASE)


def find_time(text: str) -> tuple[time, Span] | None:
    """The first time of day the text names, with its place: `at 9`, `3pm`, `noon`, `half past three`."""
    match = _TIME.search(text)
    if match is None:
        return None
    if match["word"]:
        return _NOONS[match["word"].lower()], match.span()
    hour, minute = _hour_and_minute(match)
    if hour > 23 or minute > 59:
        raise TaskError(f"{match[0]!r} is not a time of day; write 09:30 or 3pm")
    return time(_in_its_half(hour, match, text), minute), match.span()


def _hour_and_minute(match: re.Match[str]) -> tuple[int, int]:
    if match["spoken"]:
        hour, step = _number(match["spoken"]), (match["step"] or "half").lower()
        minute = 30 if step == "half" else _MINUTE_NAMES.get(" ".join(step.split())) or int(step)
        if (match["way"] or "past").lower() == "to":
            return (hour - 1) or 12, 60 - minute
        return hour, minute
    written = match["h"] or match["h2"] or match["h3"] or match["h4"]
    return _number(written), int(match["m"] or 0)


def _in_its_half(hour: int, match: re.Match[str], text: str) -> int:
    """The hour of 24, by the words beside it."""
    half = (match["half"] or match["half2"] or match["half3"] or "").lower()[:1]
    part = find_part(text)
    if not half and part is not None and 1 <= hour <= 12:
        half = "a" if part.at < time(12) else "p"
    if half and 1 <= hour <= 12:
        return hour % 12 + (12 if half == "p" else 0)
    written_out = (match["h"] or "").startswith("0")
    return hour + 12 if hour in _AFTERNOON_HOURS and not written_out else hour


def find_part(text: str) -> PartOfDay | None:
    """The first part of the day the text names: `in the evening`, `this afternoon`, `tomorrow morning`."""
    match = _PART.search(text)
    if match is None:
        return None
    words = match[0].lower().split()
    at, over = _PARTS[words[-1]]
    return PartOfDay(at, over, words[0] == "this" or words[-1] == "tonight", match.span())


def find_delay(text: str) -> tuple[timedelta, Span] | None:
    """How long from now, in minutes or hours: `in 20 minutes`, `in half an hour`, `2 hours from now`."""
    match = next((m for p in _DELAYS if (m := p.search(text))), None)
    return None if match is None else (_span_of(match), match.span())


def find_lead(text: str) -> tuple[timedelta, Span] | None:
    """How long ahead of what the reminder is for: `an hour before`, `2 days ahead`."""
    match = _LEAD.search(text)
    return None if match is None else (_span_of(match), match.span())


def _span_of(match: re.Match[str]) -> timedelta:
    if match["unit"] is None:
        return timedelta(minutes=30)
    size = _SIZES[match["unit"][0].lower()]
    return _number(match["n"]) * size + (size / 2 if match["more"] else timedelta())


def _number(word: str) -> int:
    word = word.lower()
    if word.isdecimal():
        return int(word)
    return 1 if word in ("a", "an") else _COUNTS[word]


_COUNTS = {n: i for i, n in enumerate(HOUR_NAMES, 1)} | {
    "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50, "sixty": 60,
    "ninety": 90,
}  # fmt: skip
_PARTS = {
    "morning": (time(9), time(12)), "lunchtime": (time(12, 30), time(14)), "afternoon": (time(14), time(18)),
    "evening": (time(19), time(23, 59)), "tonight": (time(20), time(23, 59)),
    "night": (time(21), time(23, 59)),
}  # fmt: skip
_HOUR = r"\d{1,2}|" + "|".join(HOUR_NAMES)
_AT = r"(?:at|around|about|by) |@ ?"
_AM = r"am|pm|a\.m\.?|p\.m\.?"
_TIME = pattern_of(
    rf"(?:{_AT})?(?P<h>\d{{1,2}}):(?P<m>\d{{2}})(?: ?(?P<half>{_AM}))?"
    rf"|(?:{_AT})?(?P<step>half|a quarter|quarter|five|ten|twenty|twenty-five|\d{{1,2}})(?: minutes)?"
    rf" (?P<way>past|to) (?P<spoken>{_HOUR})(?: ?(?P<half3>{_AM}))?"
    rf"|(?:{_AT})?(?P<h2>{_HOUR}) ?(?P<half2>{_AM})"
    rf"|(?:{_AT})?(?P<h4>{_HOUR}) o['’]?clock"
    rf"|(?:at |around |@ ?)(?P<h3>{_HOUR})(?![.,]?\d)"
    r"|(?:at |around |by )?(?P<word>noon|midday|midnight)"
)
_DAYTIME = r"(?:morning|afternoon|evening|night)"
_PART = pattern_of(
    rf"(?:in the |during the |this ){_DAYTIME}|at night|(?:at )?lunchtime|tonight"
    rf"|(?:(?<=day\s)|(?<=tomorrow\s)|(?<=every\s)|(?<=each\s)){_DAYTIME}"
)
_COUNT = r"\d{1,4}|an|a|" + "|".join(sorted(_COUNTS, key=len, reverse=True))


def _span_pattern(units: str) -> str:
    return rf"(?:(?P<n>{_COUNT}) (?P<unit>{units})(?P<more> and a half)?|half an hour)"


_SHORT = "minutes?|mins?|hours?|hrs?"
_DELAYS = tuple(
    map(pattern_of, (rf"in {_span_pattern(_SHORT)}(?: time)?", rf"{_span_pattern(_SHORT)} from now"))
)
_LEAD = pattern_of(rf"{_span_pattern(_SHORT + '|days?|weeks?')} (?:before|ahead|earlier|in advance)")
