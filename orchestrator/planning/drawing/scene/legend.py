"""What the signs of a picture mean: those that occur in it, in rows.

Law: no entry is parted, and none reaches beyond the room that was given, if that has place for the widest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from orchestrator.ids import EFFECTS, Phase
from orchestrator.planning.drawing import look
from orchestrator.planning.drawing.scene.card import SIGN, Card, Kind, Mark, Words, room_of, words_at
from orchestrator.planning.drawing.words import DOES, LONGEST, PER_ITEM
from orchestrator.planning.task import Task

SWATCH = 30.0
WIDEST = SWATCH + 130.0
"""Room for the longest entry there can be."""
_ROW, _BETWEEN = 24.0, 20.0


@dataclass(frozen=True, slots=True)
class Entry:
    """A sign and its meaning; with `state` a small box in the state's dress is around the sign."""

    mark: Mark
    words: Words
    state: Phase | None


@dataclass(frozen=True, slots=True)
class Legend:
    """The entries, seen from the legend's own corner, and how high they are together."""

    entries: tuple[Entry, ...]
    height: float


def legend_of(tasks: Sequence[Task], cards: Sequence[Card], *, longest: bool, room: float) -> Legend:
    """The legend of what occurs in these tasks and their cards, in rows of this room."""
    entries: list[Entry] = []
    left = top = 0.0
    for sign, text, state in _meanings(tasks, cards, longest=longest):
        kind: Kind = "state" if state else "note"
        width = SWATCH + room_of(text, kind)
        if left and left + width > room:
            left, top = 0.0, top + _ROW
        mark = Mark(left + (SWATCH - 6 - SIGN) / 2, top + 3, sign, kind)
        entries.append(Entry(mark, words_at(left + SWATCH, top + 14, text, kind), state))
        left += width + _BETWEEN
    return Legend(tuple(entries), top + _ROW if entries else 0.0)


def _meanings(
    tasks: Sequence[Task], cards: Sequence[Card], *, longest: bool
) -> Iterator[tuple[look.Sign, str, Phase | None]]:
    done, states = {t.effects for t in tasks}, {c.state for c in cards}
    yield from ((look.EFFECTS[effect], DOES[effect], None) for effect in EFFECTS if effect in done)
    for state, known in look.STATES.items():
        if state in states:
            yield known.sign, known.word, state
    if any(c.mapped for c in cards):
        yield look.PER_ITEM_SIGN, PER_ITEM, None
    if longest:
        yield look.LONGEST_SIGN, LONGEST, None
