"""The box of one task: its words, wrapped and cut, and so its size before anything is placed.

Law: by the rule of `width` all text lies within its box; what is cut is whole in the box's title. Texts that
run from right to left stand at the right.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from orchestrator.ids import Phase
from orchestrator.planning.drawing.look import EFFECTS, PER_ITEM_SIGN, STATES, Sign
from orchestrator.planning.drawing.width import cells, cut, is_rtl, one_line, wrapped
from orchestrator.planning.drawing.words import DOES, PER_ITEM, waits_for
from orchestrator.planning.task import Task

Kind: TypeAlias = Literal["id", "agent", "action", "note", "state"]
_Note: TypeAlias = tuple[Sign, str, Kind]

CELL: Mapping[Kind, float] = {"id": 8.0, "agent": 8.0, "action": 8.0, "note": 7.0, "state": 7.0}
"""The room of a cell, in pixels: a little more than fixed-width letters of 13 and 11 pixels take."""
PAD = 12.0
SIGN = 14.0
_LINE = 18.0
_ID, _HEAD, _ACTION = 12, 30, 30
_LINES = 3
_LEAST = 128.0
_BETWEEN = 14.0
_BROAD = re.compile("[\u0b80-\u0bff\u0d00-\u0dff\u1000-\u109f\ufdf0-\ufdfd\U0001d400-\U0001d7ff]")
"""Tamil, Malayalam, Sinhala, Burmese, Arabic words of one letter, letters of mathematics."""


class Words(NamedTuple):
    """One line of text by where its baseline starts: at the right, if it runs from right to left."""

    x: float
    y: float
    text: str
    kind: Kind
    rtl: bool

    @property
    def width(self) -> float:
        """The room it takes."""
        return room_of(self.text, self.kind)

    @property
    def broad(self) -> bool:
        """Whether it has letters that fonts draw wider than a cell: it has to be fitted to its room."""
        return _BROAD.search(self.text) is not None


class Mark(NamedTuple):
    """A sign by its upper left corner; it has the colour of words of this kind."""

    x: float
    y: float
    sign: Sign
    kind: Kind


@dataclass(frozen=True, slots=True)
class Card:
    """A task's box, seen from its own corner. `title` is all that there is to say of it."""

    width: float
    height: float
    words: tuple[Words, ...]
    marks: tuple[Mark, ...]
    state: Phase | None
    title: str
    mapped: bool


def room_of(text: str, kind: Kind) -> float:
    """How wide a text of this kind is, in pixels."""
    return cells(text) * CELL[kind]


def words_at(left: float, y: float, text: str, kind: Kind) -> Words:
    """The line of text whose left end is there, whichever way it runs."""
    rtl = is_rtl(text)
    return Words(left + room_of(text, kind) if rtl else left, y, text, kind, rtl)


def card_of(task: Task, state: Phase | None) -> Card:
    """The box of the task; without a state it shows none."""
    lines = wrapped(task.action, _ACTION, _LINES)
    id = cut(task.id, _ID)
    agent = cut(task.agent, _HEAD - cells(id) - 1)
    notes = list(_notes(task, state))
    width = max(
        _LEAST,
        room_of(f"{id} {agent}", "id"),
        *(room_of(line, "action") for line in lines),
        *(_note_room(row) for row in notes),
    )
    words = [
        words_at(PAD, PAD + 11, id, "id"),
        words_at(PAD + room_of(f"{id} ", "id"), PAD + 11, agent, "agent"),
    ]
    marks: list[Mark] = []
    rtl, y = is_rtl(one_line(task.action)), PAD + 11
    for line in lines:
        y += _LINE
        words.append(Words(PAD + width if rtl else PAD, y, line, "action", rtl))
    y += 4
    for row in notes:
        y, left = y + _LINE, PAD
        for sign, text, kind in row:
            marks.append(Mark(left, y - 11, sign, kind))
            words.append(words_at(left + SIGN + 5, y, text, kind))
            left += _note_room([(sign, text, kind)]) + _BETWEEN
    mapped = task.map_over is not None
    return Card(width + 2 * PAD, y + PAD - 2, tuple(words), tuple(marks), state, _title(task, state), mapped)


def _notes(task: Task, state: Phase | None) -> Iterator[list[_Note]]:
    row: list[_Note] = [(EFFECTS[task.effects], DOES[task.effects], "note")]
    if state is not None:
        row.append((STATES[state].sign, STATES[state].word, "state"))
    yield row
    if task.map_over is not None:
        yield [(PER_ITEM_SIGN, f"{PER_ITEM} of {cut(task.map_over, _ID)}", "note")]


def _note_room(row: list[_Note]) -> float:
    return sum(SIGN + 5 + room_of(text, kind) for _, text, kind in row) + _BETWEEN * (len(row) - 1)


def _title(task: Task, state: Phase | None) -> str:
    told = [task.id, task.agent, DOES[task.effects], *([STATES[state].word] if state else [])]
    after = f"\nafter {waits_for(task)}" if task.depends_on else ""
    return f"{' · '.join(told)}\n{task.action}{after}"
