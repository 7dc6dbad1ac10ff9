"""A request to write something down, taken apart: what, and into which note. Pure.

Law: what a colon or "that" announces is written word for word; a denial, a question and a wish to take
something away write nothing. Time is linear in the text: only its ends are looked at for where it goes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from orchestrator.agents.builtin.answers.requested import any_of
from orchestrator.agents.builtin.formats.naming import said_name
from orchestrator.agents.builtin.types.notes import NoteWords

Meant: TypeAlias = Literal["write", "nothing", "answer", "take away"]

_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
_COLON = re.compile(r":(?=\s|$)")
_LONGEST_HEAD = 300
_MOST_PLACES = 12


@dataclass(frozen=True, slots=True)
class Jotting:
    """An entry. `text` is empty where it only points at what was found; `literal` says that it is complete.

    `note` is None for the note of the day.
    """

    text: str
    note: str | None = None
    literal: bool = False


@dataclass(frozen=True, slots=True)
class Writing:
    """A new note, or, with a `section`, another text for that. The text is empty where none is said."""

    note: str
    text: str
    section: str = ""


def meant_by(action: str, words: NoteWords) -> Meant:
    """What the request is for."""
    plain = _bare(action, words)
    if _after(plain, words.negating) is not None:
        return "nothing"
    if _after(plain, words.altering) is not None:
        return "take away"
    return "write" if _after(plain, words.asking) is None else "answer"


def jotting_of(action: str, words: NoteWords) -> Jotting:
    """The entry that is asked for."""
    bare = _bare(action, words)
    rest = _after(bare, words.opening)
    text = bare if rest is None else rest
    head, announced = _parted(text, words, holding=False)
    if announced is not None and (place := _place(head, words)):
        return Jotting(_unquoted(announced), place[0], literal=True)
    if announced is not None and not head:
        return Jotting(_unquoted(announced), literal=True)
    note = None
    for start in _places(text, words):
        if place := _place(text[start:].rstrip(" .!"), words):
            note, text = place[0], text[:start]
            break
    return _said(text, note, words)


def writing_of(action: str, words: NoteWords) -> Writing | None:
    """The note or the section that is asked for; None where that is not understood."""
    bare = _bare(action, words)
    head, text = _parted(bare, words, holding=True)
    if len(head) > _LONGEST_HEAD:
        return None
    of, name, called = rf"(?:of|from|{any_of(words.into)})", any_of(words.name), any_of(words.called)
    own = rf"(?:{any_of(words.own)}\s+)*"
    note = rf"{own}(?:{name}\s+(?:{called}\s+)?(?P<note>.+)|(?P<theirs>.+?)(?:\s+{name})?)"
    section = rf"{own}(?:{any_of(words.section)}\s+(?P<section>.+?)|(?P<its>.+?)\s+{any_of(words.section)})"
    match = re.fullmatch(rf"{any_of(words.replacing)}\s+{section}\s+{of}\s+{note}", head, re.IGNORECASE)
    if match:
        named = _name(match["note"] or match["theirs"], words)
        return Writing(named, _own(text, words), said_name(match["section"] or match["its"]))
    begin = rf"(?:{any_of((*words.making, *words.own))}\s+)*"
    match = re.fullmatch(rf"{begin}{name}\s+(?:{called}\s+)?(?P<note>.+)", head, re.IGNORECASE)
    return Writing(_name(match["note"], words), _own(text, words)) if match else None


# ── parts of a request ──────────────────────────────────────────────────────────────────────────────


def _bare(action: str, words: NoteWords) -> str:
    """The request without politeness."""
    polite = any_of(words.polite)
    text = re.sub(rf"^(?:{polite}(?!\w)[\s,]*)+", "", action.strip(), flags=re.IGNORECASE)
    return re.sub(rf"(?<=\w)[\s,]+{polite}[.!?]*$", "", text, flags=re.IGNORECASE)


def _after(text: str, phrases: tuple[str, ...]) -> str | None:
    """What follows the phrase that the text begins with; None where it begins with none."""
    match = re.match(rf"{any_of(phrases)}(?!\w)", text, re.IGNORECASE)
    return text[match.end() :].strip() if match else None


def _masked(text: str) -> str:
    return _QUOTED.sub(lambda m: "~" * len(m[0]), text)


def _parted(text: str, words: NoteWords, *, holding: bool) -> tuple[str, str | None]:
    """What stands before and after the first colon; with `holding` also words that announce a text."""
    masked = _masked(text)
    marks = [_COLON.search(masked)]
    if holding:
        marks.append(re.search(rf"(?<!\w){any_of(words.holding)}(?!\w)", masked, re.IGNORECASE))
    found = min((m for m in marks if m), key=lambda m: m.start(), default=None)
    if found is None:
        return text.strip(" .!"), None
    return text[: found.start()].strip(), text[found.end() :].strip(" :,\n\t")


def _places(text: str, words: NoteWords) -> Iterator[int]:
    """Where "to my notes" may begin, from the end."""
    tail = max(0, len(text) - _LONGEST_HEAD)
    starts = re.finditer(rf"(?<!\w){any_of(words.into)}(?!\w)", _masked(text)[tail:], re.IGNORECASE)
    yield from (tail + m.start() for m in list(starts)[: -_MOST_PLACES - 1 : -1])


def _place(text: str, words: NoteWords) -> tuple[str | None] | None:
    """The note that "to my notes about the fair" names, in a tuple; None where that is no such place."""
    if len(text) > _LONGEST_HEAD:
        return None
    name, called = any_of(words.name), any_of(words.called)
    into = rf"{any_of(words.into)}\s+(?:{any_of(words.own)}\s+)*"
    match = re.fullmatch(
        rf"{into}(?:{name}(?:\s+(?:{called}\s+)?(?P<after>.+))?"
        rf"|(?P<before>.+?)\s+{name}|(?P<file>\S+\.md))",
        text,
        re.IGNORECASE,
    )
    if match is None:
        return None
    said = _name(match["after"] or match["before"] or match["file"] or "", words)
    return (None if not said or said.casefold() in words.today else said,)


def _name(said: str, words: NoteWords) -> str:
    """A name without the `my` before it."""
    said = re.sub(r"’", "'", said.strip())
    return said_name(re.sub(rf"^(?:{any_of(words.own)}\s+)+", "", said, flags=re.IGNORECASE))


def _said(text: str, note: str | None, words: NoteWords) -> Jotting:
    text = text.strip(" ,")
    rest = _after(text, words.linking)
    literal = rest is not None and _after(text, words.literal) is not None
    own = _own(rest if rest is not None else text, words)
    return Jotting(own, note, literal and bool(own))


def _own(text: str | None, words: NoteWords) -> str:
    """A text that says something by itself; empty for one that only points, or for none."""
    said = _unquoted(text or "")
    points = " ".join(said.casefold().rstrip(" .!").split()) in words.pointing
    return "" if points else said[:1].upper() + said[1:]


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1].strip() if _QUOTED.fullmatch(text) else text
