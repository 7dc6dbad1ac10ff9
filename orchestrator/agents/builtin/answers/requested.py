"""A request for a reminder taken apart: its words, and the moment it names. Pure.

Law: a word of time is either read, or belongs to the matter by a sign of its own (quotation marks, an article
as in `the morning flight`), or the request is refused with a sentence that names it. One request names one
moment; a day within the matter of a request that begins with its moment stays in the matter.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta

from orchestrator.agents.builtin.asked import has_any
from orchestrator.agents.builtin.days import MONTHS, ONE_DAY, WEEKDAYS
from orchestrator.agents.builtin.hours import (
    PartOfDay,
    find_delay,
    find_lead,
    find_part,
    find_time,
    pattern_of,
)
from orchestrator.agents.builtin.repeats import Repeat, find_repeat
from orchestrator.agents.builtin.types.reminders import ReminderWords
from orchestrator.agents.builtin.when import Found, blanked, find_periods
from orchestrator.errors import TaskError
from orchestrator.ids import Span


@dataclass(frozen=True, slots=True)
class Asked:
    """The request without its words of time, and what those said.

    `first` and `last` are the days (one day, if they are the same), `at` the time, `part` the part of the
    day, `delay` how long from now, `lead` how long ahead of the matter, `repeat` how often.
    """

    text: str
    first: date | None = None
    last: date | None = None
    at: time | None = None
    part: PartOfDay | None = None
    delay: timedelta | None = None
    lead: timedelta | None = None
    repeat: Repeat | None = None


def asked_of(action: str, today: date, words: ReminderWords) -> Asked:
    """The request taken apart. Raises TaskError where its time is not understood in full."""
    heard = _masked(action)
    at, part, repeat = find_time(heard), find_part(heard), find_repeat(heard)
    cuts = [at[1]] if at else []
    cuts += [part.span] if part else []
    cuts += [repeat[1]] if repeat else []
    heard = _blanked(heard, cuts)
    delay, lead = find_delay(heard), find_lead(heard)
    cuts += [found[1] for found in (delay, lead) if found]
    heard = _blanked(heard, cuts)
    if possessive := _POSSESSIVE.search(heard):
        raise _unread(possessive[0])
    day, within = _day_of(find_periods(heard, today), heard, at, words)
    cuts += [day.span] if day else []
    heard = _blanked(heard, [*cuts, *within])
    if at and (other := find_time(heard)):
        raise _two(_said(action, at[1]), _said(action, other[1]))
    text = _without(action, heard, cuts)
    _refuse_unread(heard, text, words)
    last = day.period.end - ONE_DAY if day and day.period.end else None
    is_today = day is None and part is not None and part.today
    return _consistent(
        Asked(
            text=text,
            first=today if is_today else day.period.first if day else None,
            last=today if is_today else last,
            at=at[0] if at else None,
            part=part,
            delay=delay[0] if delay else None,
            lead=lead[0] if lead else None,
            repeat=repeat[0] if repeat else None,
        )
    )


def opening_of(text: str, words: ReminderWords) -> str:
    """The words at the beginning that ask for a reminder, as they stand there; empty where there are none."""
    opening = any_of((*words.polite, *words.opening))
    return match[0] if (match := re.match(rf"(?:{opening}\b[\s:,_]*)*", text, re.IGNORECASE)) else ""


def any_of(phrases: Sequence[str]) -> str:
    """A pattern for one of the phrases, the longest first; an apostrophe may be a curly one."""
    sources = (re.escape(p).replace("'", "['’]") for p in sorted(phrases, key=len, reverse=True))
    return f"(?:{'|'.join(sources) or '(?!)'})"


# ── one moment ──────────────────────────────────────────────────────────────────────────────────────


def _day_of(
    days: Sequence[Found], heard: str, at: tuple[time, Span] | None, words: ReminderWords
) -> tuple[Found | None, Sequence[Span]]:
    """The day of the reminder, and the days within its matter. Raises TaskError for two of one rank."""
    if len(days) < 2:
        return (days[0] if days else None), ()
    first, second = days[0].span, days[1].span
    begins = not heard[len(opening_of(heard, words)) : first[0]].strip(" _,")
    between = heard[first[1] : second[0]]
    joined = has_any(between, words.join) or any(c in between for c in ",;.\n")
    fixed = all(_FIXED_DAY.fullmatch(heard, *found.span) for found in days[1:])
    if not begins or joined or not fixed or (at is not None and at[1][0] > second[0]):
        raise _two(_said(heard, first), _said(heard, second))
    return days[0], [found.span for found in days[1:]]


def _consistent(asked: Asked) -> Asked:
    """The same, unless its words of time say different things."""
    absolute = asked.first or asked.last or asked.at or asked.part or asked.repeat
    if (asked.delay and (absolute or asked.lead)) or (asked.lead and absolute):
        raise TaskError(
            "a reminder has one moment: say either how long from now or ahead, or a day and a time; "
            "nothing was written"
        )
    repeat, one_day = asked.repeat, asked.first is not None and asked.first == asked.last
    if repeat and (asked.first or asked.last) and (not one_day or repeat.weekdays or repeat.unit == "day"):
        raise TaskError(
            f"a reminder for {repeat.said} has no other days beside; say only how often, such as "
            f'"every Monday at 9"; nothing was written'
        )
    return asked


def _two(one: str, other: str) -> TaskError:
    return TaskError(
        f'two moments are named, "{one}" and "{other}": ask for one reminder at a time, or put words that '
        f"belong to the matter in quotation marks; nothing was written"
    )


# ── what is left over ───────────────────────────────────────────────────────────────────────────────


def _refuse_unread(heard: str, text: str, words: ReminderWords) -> None:
    """Raise TaskError where a word of time is left."""
    if left := _UNREAD.search(heard):
        raise _unread(left[0])
    if dangling := _DANGLING.search(heard):
        raise _unread(dangling[0].strip(" _"))
    opening = opening_of(text, words)
    condition = rf"(?:{any_of(words.linking)}\s+)?({any_of(words.conditions)}(?:\s+\S+){{0,2}})(?!\w)"
    if opening and (unmet := re.match(condition, text[len(opening) :], re.IGNORECASE)):
        raise _unread(unmet[1])


def _unread(what: str) -> TaskError:
    return TaskError(
        f'"{" ".join(what.split())}" is not understood as a time, so nothing was written; say it like '
        f'"tomorrow at 9", "in 20 minutes" or "every Monday", or put words that belong to the matter in '
        f"quotation marks"
    )


def _masked(action: str) -> str:
    """The text with what belongs to the matter by a sign of its own made unreadable, otherwise than a cut."""
    for pattern in (_QUOTED, _ATTRIBUTE):
        action = pattern.sub(lambda m: "~" * len(m[0]), action)
    return action


def _blanked(text: str, spans: Sequence[Span]) -> str:
    for span in spans:
        text = blanked(text, span)
    return text


def _without(action: str, heard: str, cuts: Sequence[Span]) -> str:
    """The action without the cuts, and without a `for` that stood before one."""
    for start, end in sorted(cuts, reverse=True):
        before = action[:start].rstrip()
        if before.lower().endswith(" for") and heard[: len(before)].lower().endswith(" for"):
            before = before[:-4]
        action = f"{before} {action[end:]}"
    return re.sub(r"\s+([,;.:?!])", r"\1", " ".join(action.split()))


def _said(text: str, span: Span) -> str:
    return " ".join(text[slice(*span)].split())


_DAY = "|".join(WEEKDAYS)
_NEAR = "today|tomorrow|yesterday|tonight"
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
_ATTRIBUTE = pattern_of(
    rf"(?:{_DAY})['’]s"
    r"|(?<!in\s)(?<!during\s)(?<!on\s)(?:the|a|an|my|our|your|his|her|their) "
    rf"(?:{_DAY}|morning|afternoon|evening|night|weekend|daily|weekly|monthly|yearly|hourly|nightly)"
    r"(?= (?!to |at |on |in |that |about |for |of |i |and |or |before |after )\w)"
)
_FIXED_DAY = pattern_of(
    rf"(?:on )?(?:{_DAY})|(?:on |in |for |of |during )?(?:the )?(?:[\w ]* )?(?:{'|'.join(MONTHS)})\b.*"
    r"|(?:on )?\d{4}-\d{1,2}-\d{1,2}"
)
_POSSESSIVE = pattern_of(rf"(?:{_NEAR})['’]s")
_LONG = "days?|weeks?|months?|years?"
_UNREAD = pattern_of(
    rf"(?:{_NEAR}|(?:{_DAY}|weekday|weekend)s?|(?:mid)?(?:noon|night)s?|mornings?|afternoons?|evenings?"
    r"|o['’]?clock|hourly|nightly|daily|weekly|monthly|yearly|annually|later|(?<!as\s)soon|sometime|next time"
    r"|(?:\w+ )?(?:minutes?|mins?|hours?|hrs?)|\d{1,2}:\d\d|\d{1,2} ?[ap]m|at \d[\d.,:]*"
    r"|(?:half|quarter) past"
    r"|\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{1,2}\.\d{1,2}\.(?:\d{2,4})?"
    rf"|(?:every|each) (?:\w+ )?(?:{_LONG}|time|second|third|first|last)|on the \d+(?:st|nd|rd|th)"
    rf"|(?:in|within|after|for|until) (?:\w+ ){{0,3}}(?:{_LONG}))"
)
_DANGLING = re.compile(
    r"\b(?:every|each|on|at|in|by|the|this|next|last|first|second|third|past|after|before|until|till|since|from"
    r"|between|around|half|quarter|not|or)\s+_+|_+\s*(?:or|ago|before|after|past)\b",
    re.IGNORECASE,
)
