"""What is to be remembered: from the request without its words of time, and from what was found. Pure.

Law: what is asked to be done is kept in every title; what was found fills the place of `each …` and `them`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from string import Template

from orchestrator.agents.builtin.answers.requested import Asked, any_of, opening_of
from orchestrator.agents.builtin.asked import has_any
from orchestrator.agents.builtin.formats.money import spoken_amount
from orchestrator.agents.builtin.types.reminders import ReminderWords
from orchestrator.agents.contract import Call, Item
from orchestrator.errors import TaskError
from orchestrator.ids import Json

_ADDRESS = re.compile(r"[!-~]+@[A-Za-z0-9.-]+")
_NOUNS = 4
"""Most words that belong to `each`."""
_SHOWN = 3
"""Most things found that a title lists."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is to be remembered. `due` is its own day or moment, if it has one."""

    summary: str
    details: str
    due: str = ""
    address: str = ""


def subjects_of(call: Call, asked: Asked, letter: str | None, words: ReminderWords) -> tuple[Subject, ...]:
    """One subject for each reminder: the item of a mapped child, each thing found, or the request itself."""
    act = _act_of(asked.text, words)
    if call.item is not None:
        return (subject_of(call.item, letter, act, words),)
    found = [item for u in call.inputs for item in u.output.items or ()]
    if found and has_any(call.action, words.each):
        return tuple(subject_of(item, letter, act, words) for item in found)
    if call.inputs and all(u.error is None and u.output.items == () for u in call.inputs):
        return ()
    return (_one_for_all(call, asked, found, words),)


def _one_for_all(call: Call, asked: Asked, found: Sequence[Item], words: ReminderWords) -> Subject:
    """One subject: the request, with what was found where it ends by pointing at that, or only points."""
    texts = [f"{u.task} failed: {u.error}" if u.error else u.output.text for u in call.inputs]
    things = [subject_of(item, None, "", words) for item in found]
    what, listed = _what(asked.text, words), _listed([thing.summary for thing in things])
    points = re.search(rf"\b{any_of(words.pointing)}$", what, re.IGNORECASE)
    summary = f"{what}: {listed}" if points and listed else what or listed
    summary = summary or next((t.strip().splitlines()[0] for t in texts if t.strip()), "")
    if not summary:
        raise TaskError(
            'nothing to remind of was named; say for example "remind me tomorrow to call the bank"'
        )
    due = things[0].due if len(things) == 1 and (asked.lead or not what) else ""
    return Subject(summary, "\n\n".join((call.action.strip(), *texts)), due)


def _listed(texts: Sequence[str]) -> str:
    """The texts in a line, each once, as many as a title may hold."""
    each = list(dict.fromkeys(texts))
    more = [f"and {len(each) - _SHOWN} more"] if len(each) > _SHOWN else []
    return "; ".join((*each[:_SHOWN], *more))


# ── the words of the request ────────────────────────────────────────────────────────────────────────


def _what(text: str, words: ReminderWords) -> str:
    """`remind me to call Bob` → `Call Bob`; empty where nothing is left that says something."""
    text = text[len(opening_of(text, words)) :]
    linked = re.match(rf"{any_of(words.linking)}\b\s*", text, re.IGNORECASE)
    what = _bare(text[linked.end() :] if linked else text)
    return "" if what.casefold() in words.pointing else what[:1].upper() + what[1:]


def _act_of(text: str, words: ReminderWords) -> str:
    """What is to be done about each thing found: `Call each customer`; empty where only to remember it."""
    text = re.sub(rf"^(?:for\s+)?{_each_pattern(words)},?\s+", "", text, count=1, flags=re.IGNORECASE)
    rest = text[len(opening_of(text, words)) :]
    linked = re.match(rf"({any_of(words.acting)}\s+)?(?:{any_of(words.linking)}\s+)?", rest, re.IGNORECASE)
    act = _bare(rest[linked.end() :] if linked else rest)
    place = rf"(?:{_each_pattern(words)}|{any_of(words.pointing)})"
    does = len(rest) == len(text) or (linked is not None and linked[1])  # `call …`, `remind me to call …`
    if re.fullmatch(place, act, re.IGNORECASE) or not (
        does or re.search(rf"\b{place}\b", act, re.IGNORECASE)
    ):
        return ""
    return act[:1].upper() + act[1:]


def _each_pattern(words: ReminderWords) -> str:
    """`each`, `every customer`, `each of them`, `each overdue invoice`, up to a word that ends it."""
    ends = any_of(words.ends)
    return (
        rf"{any_of(words.each)}\b(?:\s+of\s+(?:{any_of(words.pointing)}|the\s+\w+))?"
        rf"(?:\s+(?!{ends}\b)[\w-]+\b){{0,{_NOUNS}}}"
    )


def _bare(text: str) -> str:
    """The text without the marks around it, and without quotation marks around the whole of it."""
    text = text.strip(" .:;,?!")
    return text[1:-1] if re.fullmatch(r'"[^"]*"|“[^”]*”', text) else text


# ── what was found ──────────────────────────────────────────────────────────────────────────────────


def subject_of(item: Item, letter: str | None, act: str, words: ReminderWords) -> Subject:
    """What an item is about: from its data where they name somebody and an amount, else its own words."""
    data = item.data
    name = _said(data, "name") or _said(data, "from")
    what = _owed(data) if data.get("amount") else item.text
    details = Template(letter).safe_substitute(name=name, what=what) if name and letter else item.text
    named = f"{name}: {what}" if name and data.get("amount") else what
    return Subject(
        summary=_filled(act, name, what, words) if act else named,
        details=details,
        due=_said(data, "due") or _said(data, "start"),
        address=next((a for k in ("address", "email") if _ADDRESS.fullmatch(a := _said(data, k))), ""),
    )


def _filled(act: str, name: str, what: str, words: ReminderWords) -> str:
    """`Call each customer` → `Call Ann (EUR 5.00, due …)`; without such a place, `Call the bank: Ann …`."""
    whole = f"{name} ({what})" if name else what
    for place in (_each_pattern(words), any_of(words.pointing)):
        filled, count = re.subn(rf"\b{place}(?!\w)", lambda _: whole, act, count=1, flags=re.IGNORECASE)
        if count:
            return filled
    return f"{act}: {whole}"


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
