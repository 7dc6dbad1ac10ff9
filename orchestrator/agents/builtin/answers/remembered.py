"""What is to be remembered, and when: from the request, and from what was found. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from string import Template

from orchestrator.agents.builtin.asked import has_any
from orchestrator.agents.builtin.days import ONE_DAY
from orchestrator.agents.builtin.formats.money import spoken_amount
from orchestrator.agents.builtin.types.reminders import ReminderWords
from orchestrator.agents.builtin.when import find_period, find_time
from orchestrator.agents.contract import Call, Item
from orchestrator.errors import TaskError
from orchestrator.ids import Json

_ADDRESS = re.compile(r"[!-~]+@[A-Za-z0-9.-]+")


@dataclass(frozen=True, slots=True)
class Wishes:
    """How reminders are wanted: time of day, how long ahead, the letter to a name, the words of requests."""

    at: time
    lead: timedelta
    letter: str | None
    words: ReminderWords


@dataclass(frozen=True, slots=True)
class Asked:
    """A request taken apart: its words without day and time, the day, the last day if there are several."""

    text: str
    first: date | None
    last: date | None
    at: time | None


def asked_of(action: str, today: date) -> Asked:
    """The request taken apart. Raises TaskError for a day or a time that does not exist."""
    found = find_period(action, today)
    text = action if found is None else f"{action[: found.span[0]]} {action[found.span[1] :]}"
    moment = find_time(text)
    if moment is not None:
        text = f"{text[: moment[1][0]]} {text[moment[1][1] :]}"
    end = found.period.end if found else None
    return Asked(
        text=" ".join(text.split()),
        first=found.period.first if found else None,
        last=end - ONE_DAY if end else None,
        at=moment[0] if moment else None,
    )


# ── what is to be remembered ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Subject:
    """What is to be remembered. `due` is its own day or moment, if it has one."""

    summary: str
    details: str
    due: str = ""
    address: str = ""


def subjects_of(call: Call, asked: Asked, wishes: Wishes) -> tuple[Subject, ...]:
    """One subject for each reminder: the item of a mapped child, each thing found, or the request itself."""
    if call.item is not None:
        return (subject_of(call.item, wishes.letter),)
    found = [item for u in call.inputs for item in u.output.items or ()]
    if found and has_any(call.action, wishes.words.each):
        return tuple(subject_of(item, wishes.letter) for item in found)
    if call.inputs and all(u.error is None and u.output.items == () for u in call.inputs):
        return ()
    texts = [f"{u.task} failed: {u.error}" if u.error else u.output.text for u in call.inputs]
    summary = _what(asked.text, wishes.words) or next(
        (t.strip().splitlines()[0] for t in texts if t.strip()), ""
    )
    if not summary:
        raise TaskError(
            'nothing to remind of was named; say for example "remind me tomorrow to call the bank"'
        )
    return (Subject(summary, "\n\n".join((call.action.strip(), *texts))),)


def _what(text: str, words: ReminderWords) -> str:
    """`remind me to call Bob` → `Call Bob`; empty where nothing is left that says something."""
    opening, linking = _any_of(words.opening), _any_of(words.linking)
    lead = re.compile(rf"(?:{opening}\b[\s:,]*)*(?:{linking}\b\s*)?", re.IGNORECASE)
    what = text[match.end() :].strip(" .:;,") if (match := lead.match(text)) else text
    return "" if what.casefold() in words.pointing else what[:1].upper() + what[1:]


def _any_of(phrases: Sequence[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(phrases, key=len, reverse=True))) or '(?!)'})"


def subject_of(item: Item, letter: str | None) -> Subject:
    """What an item is about: from its data where they name somebody and an amount, else its own words."""
    data = item.data
    name = _said(data, "name") or _said(data, "from")
    what = _owed(data) if data.get("amount") else item.text
    details = Template(letter).safe_substitute(name=name, what=what) if name and letter else item.text
    return Subject(
        summary=f"{name}: {what}" if name and data.get("amount") else what,
        details=details,
        due=_said(data, "due") or _said(data, "start"),
        address=next((a for k in ("address", "email") if _ADDRESS.fullmatch(a := _said(data, k))), ""),
    )


def _said(data: Mapping[str, Json], key: str) -> str:
    value = data.get(key)
    return " ".join(value.split()) if isinstance(value, str) else ""


def _owed(data: Mapping[str, Json]) -> str:
    """`EUR 1,250.00 for 2026-031, due 2026-10-21`."""
    try:
        amount = spoken_amount(Decimal(str(data["amount"])), _said(data, "currency"))
    except InvalidOperation:  # not a number, but somebody's way of saying how much
        amount = str(data["amount"])
    number = f" for {_said(data, 'number')}" if _said(data, "number") else ""
    due = f", due {_said(data, 'due')}" if _said(data, "due") else ""
    return f"{amount}{number}{due}"


# ── when ────────────────────────────────────────────────────────────────────────────────────────────


def moment_of(subject: Subject, asked: Asked, wishes: Wishes, now: datetime) -> datetime:
    """When to remind: on the first day asked for, or ahead of the last where they have begun ("by Friday");
    else ahead of the day of the matter itself. Never in the past."""
    at = asked.at or wishes.at
    if asked.first is not None and (asked.first > now.date() or asked.first == asked.last):
        wanted = datetime.combine(asked.first, at, now.tzinfo)
    elif asked.last is not None:
        wanted = datetime.combine(asked.last, at, now.tzinfo) - wishes.lead
    else:
        wanted = _ahead_of(subject.due, at, wishes.lead, now)
    return wanted if wanted > now else _next(at, now)


def _ahead_of(due: str, at: time, lead: timedelta, now: datetime) -> datetime:
    """`lead` before a day or a moment; now where there is none."""
    try:
        moment = datetime.fromisoformat(due)
        plain_day = datetime.combine(moment.date(), at, now.tzinfo)
        return (plain_day if len(due) <= len("2026-12-03") or moment.tzinfo is None else moment) - lead
    except (ValueError, OverflowError):
        return now


def _next(at: time, now: datetime) -> datetime:
    today = datetime.combine(now.date(), at, now.tzinfo)
    return today if today > now else today + ONE_DAY
