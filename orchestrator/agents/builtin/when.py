"""Days in a sentence: text and today in, a period and its place in the text out. Pure, English.

Rules. A weekday is its next occurrence, today included; where the question looks back (`past`), the last
one, today included. `next Friday` is the Friday of next week, `last Friday` the last one before today. Weeks
begin on Monday. A date without a year, or a month alone, goes like a weekday: the next one, or looking back
the last one. `since` and `after` have no end; `until` and `by` begin today, or looking back have no
beginning. A day that no calendar has, such as 31 February, is a TaskError.
"""

import re
from calendar import isleap, monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from orchestrator.agents.builtin.days import MONTHS, ONE_DAY, WEEKDAYS, Period, day_period
from orchestrator.agents.builtin.hours import pattern_of
from orchestrator.errors import TaskError
from orchestrator.ids import Span

_NUMBERS = ("a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_LENGTHS = {"day": 1, "week": 7, "fortnight": 14}
_NEAR = {
    "day after tomorrow": 2, "tomorrow": 1, "today": 0, "tonight": 0, "yesterday": -1,
    "day before yesterday": -2,
}  # fmt: skip
_STEPS = {"next": 1, "following": 1, "coming": 1, "last": -1, "past": -1, "previous": -1}


@dataclass(frozen=True, slots=True)
class Found:
    """A period and the characters that name it."""

    period: Period
    span: Span


@dataclass(frozen=True, slots=True)
class _Scene:
    """What a phrase is read against."""

    today: date
    past: bool

    @property
    def monday(self) -> date:
        return self.today - timedelta(days=self.today.weekday())


def find_period(text: str, today: date, *, past: bool = False) -> Found | None:
    """The first period the text names; None where it names none."""
    for pattern, read in _PERIODS:
        match = pattern.search(text)
        if match is not None:
            try:
                return Found(read(match, _Scene(today, past)), match.span())
            except (ValueError, OverflowError) as error:
                raise TaskError(
                    f"{match[0]!r} is not in the calendar; write a day like 2026-12-03"
                ) from error
    return None


def find_periods(text: str, today: date, *, past: bool = False) -> tuple[Found, ...]:
    """Every period the text names, in the order of their places."""
    found: list[Found] = []
    while (one := find_period(text, today, past=past)) is not None:
        found.append(one)
        text = blanked(text, one.span)
    return tuple(sorted(found, key=lambda f: f.span))


def blanked(text: str, span: Span) -> str:
    """The text with a stretch that is read made unreadable; all other places stay where they are."""
    return f"{text[: span[0]]}{'_' * (span[1] - span[0])}{text[span[1] :]}"


# ── one day ─────────────────────────────────────────────────────────────────────────────────────────


def _day_of(words: str, scene: _Scene) -> date:
    text = " ".join(words.lower().replace(",", " ").split()).removeprefix("on ").removeprefix("the ")
    if text in _NEAR:
        return scene.today + timedelta(days=_NEAR[text])
    if re.fullmatch(r"\d{4}-\d{1,2}-\d{1,2}", text):
        year, month, day = map(int, text.split("-"))
        return date(year, month, day)
    if text.startswith("in ") or text.endswith(" ago"):
        number, unit = text.removeprefix("in ").removesuffix(" ago").split()
        return _moved(scene.today, -_count(number) if text.endswith(" ago") else _count(number), unit)
    if any(c.isdigit() for c in text):
        return _dated(text, scene)
    return _weekday(text, scene)


def _dated(text: str, scene: _Scene) -> date:
    """`3rd of December 2026`, `December 3`. Without a year the search goes on to the next leap year."""
    words = text.replace(" of ", " ").split()
    month = next(_month(w) for w in words if w[0].isalpha())
    numbers = [int(re.sub(r"\D", "", w)) for w in words if w[0].isdigit()]
    if len(numbers) == 2:
        return date(numbers[1], month, numbers[0])
    for step in range(9):
        year = scene.today.year + (-step if scene.past else step)
        if (month, numbers[0]) == (2, 29) and not isleap(year):
            continue
        day = date(year, month, numbers[0])
        if day == scene.today or (day < scene.today) == scene.past:
            return day
    raise ValueError(text)


def _weekday(text: str, scene: _Scene) -> date:
    lead, _, name = text.rpartition(" ")
    wanted = next(i for i, w in enumerate(WEEKDAYS) if w.lower().startswith(name[:3]))
    if lead == "next":
        return scene.monday + timedelta(days=7 + wanted)
    ahead = scene.today + timedelta(days=(wanted - scene.today.weekday()) % 7)
    back = lead == "last" or (scene.past and ahead > scene.today)
    return ahead - timedelta(days=7) if back else ahead


def _count(word: str) -> int:
    return int(word) if word.isdigit() else 1 if word == "an" else max(_NUMBERS.index(word), 1)


def _month(word: str) -> int:
    return next(i for i, m in enumerate(MONTHS, 1) if m.lower().startswith(word[:3]))


def _moved(day: date, count: int, unit: str) -> date:
    return (
        _add_months(day, count)
        if unit.startswith("month")
        else day + count * timedelta(_LENGTHS[unit.rstrip("s")])
    )


def _add_months(day: date, months: int) -> date:
    """The same day of another month, or that month's last."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


# ── several days ────────────────────────────────────────────────────────────────────────────────────


def _read_day(match: re.Match[str], scene: _Scene) -> Period:
    return day_period(_day_of(match[0], scene))


def _read_between(match: re.Match[str], scene: _Scene) -> Period:
    first, last = _day_of(match["a"], scene), _day_of(match["b"], scene)
    if last < first and not any(c.isdigit() for c in match[0]):  # weekdays: the pair that belongs together
        first, last = (first - timedelta(7), last) if scene.past else (first, last + timedelta(7))
    if last < first:
        raise ValueError("the end is before the beginning")
    return Period(first, last + ONE_DAY)


def _read_bound(match: re.Match[str], scene: _Scene) -> Period:
    word = match["word"].lower()
    scene = _Scene(scene.today, scene.past or word == "since")
    read = _read_month if match["month"] else _read_named
    edge = day_period(_day_of(match["a"], scene)) if match["a"] else read(match, scene)
    if word in ("since", "after"):
        return Period(edge.first if word == "since" else edge.end, None)
    return Period(None if scene.past else scene.today, edge.first if word == "before" else edge.end)


def _read_named(match: re.Match[str], scene: _Scene) -> Period:
    """`next week`, `this month`, `last year`, `the weekend`."""
    step, unit = _STEPS.get(match["which"].lower(), 0), match["unit"].lower()
    if unit == "year":
        return Period(date(scene.today.year + step, 1, 1), date(scene.today.year + step + 1, 1, 1))
    if unit == "month":
        first = _add_months(scene.today.replace(day=1), step)
        return Period(first, _add_months(first, 1))
    monday = scene.monday + timedelta(days=7 * step)
    return Period(monday + timedelta(days=5 if unit == "weekend" else 0), monday + timedelta(days=7))


def _read_count(match: re.Match[str], scene: _Scene) -> Period:
    """`the next 3 days` from today on, `the last two weeks` up to and with today."""
    count, unit = _count(match["n"].lower()), match["length"].lower()
    if _STEPS[match["which"].lower()] > 0:
        return Period(scene.today, _moved(scene.today, count, unit))
    tomorrow = scene.today + ONE_DAY
    return Period(_moved(tomorrow, -count, unit), tomorrow)


def _read_month(match: re.Match[str], scene: _Scene) -> Period:
    first = date(int(match["year"] or scene.today.year), _month(match["month"].lower()), 1)
    if not match["year"] and scene.past and first > scene.today:
        first = _add_months(first, -12)
    elif not match["year"] and not scene.past and _add_months(first, 1) <= scene.today:
        first = _add_months(first, 12)
    return Period(first, _add_months(first, 1))


# ── the phrases, longer ones before the shorter ones they contain ───────────────────────────────────


_FULL_WEEKDAY = "|".join(WEEKDAYS)
_WEEKDAY = f"{_FULL_WEEKDAY}|mon|tues?|weds?|thu|thurs?|fri|sat|sun"
_MONTH = "|".join((*MONTHS, *(m[:3] for m in MONTHS if m != "May"), "sept"))
_N = rf"\d{{1,4}}|an|{'|'.join(_NUMBERS)}"
_LENGTH = r"days?|weeks?|fortnights?|months?"
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?"
_BARE_DAY = (
    r"(?:the )?day after tomorrow|(?:the )?day before yesterday|today|tonight|tomorrow|yesterday"
    r"|\d{4}-\d{1,2}-\d{1,2}"
    rf"|(?:the )?{_ORDINAL}(?: of)? (?:{_MONTH})(?:,? \d{{4}})?"
    rf"|(?:{_MONTH}) {_ORDINAL}(?!\d)(?:,? \d{{4}})?"
    rf"|in (?:{_N}) (?:{_LENGTH})|(?:{_N}) (?:{_LENGTH}) ago"
    rf"|(?:this|next|last|coming) (?:{_WEEKDAY})|{_FULL_WEEKDAY}"
)
_ONE_DAY = rf"(?:on )?(?:{_BARE_DAY})|on (?:{_WEEKDAY})"
_EDGE = f"{_ONE_DAY}|{_WEEKDAY}"  # a short weekday only where a word before it says so: "sat" is a verb too
_NAMED = r"(?P<which>this|the|my|next|following|coming|last|past|previous) (?P<unit>weekend|week|month|year)"
_MONTH_NAME = rf"(?P<month>{_MONTH})(?: (?P<year>\d{{4}}))?"
_PERIODS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], _Scene], Period]], ...] = (
    (pattern_of(rf"between (?P<a>{_EDGE}) and (?P<b>{_EDGE})"), _read_between),
    (pattern_of(rf"(?:from )?(?P<a>{_EDGE}) (?:to|until|till|through) (?P<b>{_EDGE})"), _read_between),
    (
        pattern_of(
            r"(?<!day\s)(?P<word>since|after|before|until|till|by) "
            rf"(?:(?P<a>{_EDGE})|(?:the )?{_NAMED}|(?:the end of )?{_MONTH_NAME})"
        ),
        _read_bound,
    ),
    (
        pattern_of(rf"(?:the )?(?P<which>next|coming|last|past|previous) (?P<n>{_N}) (?P<length>{_LENGTH})"),
        _read_count,
    ),
    (pattern_of(_ONE_DAY), _read_day),
    (pattern_of(_NAMED), _read_named),
    (pattern_of(rf"(?:in|during|for|of) {_MONTH_NAME}"), _read_month),
    (pattern_of(rf"(?P<month>{_MONTH}) (?P<year>\d{{4}})"), _read_month),
)
