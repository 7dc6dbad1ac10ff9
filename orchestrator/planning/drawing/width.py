"""How much room a text takes, in cells of a fixed-width letter; and texts cut and wrapped to a room.

Law: East Asian wide characters take two cells, marks that combine take none, everything else one. A character
is never parted from its marks, nor a joined sequence at its joiners. Of a long text only what can have room
is measured.
"""

from collections.abc import Iterator
from itertools import islice
from unicodedata import bidirectional, category, east_asian_width

_JOINER = "\u200d"
_KEPT = frozenset("\u200c\u200d\u200e\u200f\u061c")
"""Joiners and direction marks: without them a word of Persian or Arabic reads otherwise."""
_RTL = ("R", "AL")
_DEPTH = 16
"""Most characters for each cell of room: a heap of marks upon one letter is no line."""


def cells(text: str) -> int:
    """The room of the text on one line."""
    return len(text) if text.isascii() else sum(map(_cells_of, text))


def clusters(text: str) -> Iterator[str]:
    """The characters, each with the marks that belong to it."""
    cluster = ""
    for c in text:
        if cluster and (cluster[-1] == _JOINER or category(c) in ("Mn", "Mc", "Me", "Cf") or _is_tail(c)):
            cluster += c
        else:
            if cluster:
                yield cluster
            cluster = c
    if cluster:
        yield cluster


def one_line(text: str) -> str:
    """The text on one line, with nothing in it that cannot be shown; joined letters stay joined."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join("".join(map(_shown, text)).split())


def cut(text: str, room: int) -> str:
    """The text on one line, with an ellipsis where it has more than the room."""
    line = one_line(text)
    looked_at = line[: _DEPTH * room]
    fits = cells(looked_at) <= room and looked_at == line
    return line if fits else _ellipsed(looked_at, room)


def wrapped(text: str, room: int, most: int) -> tuple[str, ...]:
    """The text in at most so many lines; an ellipsis ends the last one where there is more."""
    whole = one_line(text)
    looked_at = whole[: _DEPTH * room * most]
    lines = list(islice(_lines(looked_at, room), most + 1))
    if len(lines) > most or looked_at != whole:
        last = min(most, len(lines)) - 1
        lines = [*lines[:last], _ellipsed(lines[last], room)]
    return tuple(lines)


def is_rtl(text: str) -> bool:
    """Whether the first letter with a direction of its own runs from right to left."""
    return next((d in _RTL for d in map(bidirectional, text) if d in ("L", *_RTL)), False)


def _cells_of(c: str) -> int:
    if c.isascii():
        return 1
    if category(c) in ("Mn", "Me", "Cf") or _is_tail(c):
        return 0
    return 2 if east_asian_width(c) in ("W", "F") else 1


def _is_tail(c: str) -> bool:
    """A vowel or final of a Korean syllable written in letters: it joins the consonant before it."""
    return "\u1160" <= c <= "\u11ff"


def _shown(c: str) -> str:
    """The character; a space where it cannot be shown, nothing where it only steers others."""
    if c.isprintable() or c in _KEPT:
        return c
    return "" if category(c) == "Cf" else " "


def _beginning(text: str, room: int) -> str:
    kept, used = "", 0
    for cluster in clusters(text):
        used += cells(cluster)
        if used > room:
            break
        kept += cluster
    return kept


def _ellipsed(line: str, room: int) -> str:
    return f"{_beginning(line, room - 1).rstrip()}…"


def _lines(text: str, room: int) -> Iterator[str]:
    line, used = "", 0
    for piece in _pieces(text, room):
        if line and used + cells(piece.rstrip()) > room:
            yield line.rstrip()
            line, used = "", 0
        line, used = line + piece, used + cells(piece)
    if line:
        yield line.rstrip()


def _pieces(text: str, room: int) -> Iterator[str]:
    """Where a line may end: after spaces, between wide characters, and within what has no room as a whole."""
    piece, used = "", 0
    before = ""
    for cluster in clusters(text):
        size = cells(cluster)
        if piece and (_may_part(before, cluster) or (used + size > room and cluster != " ")):
            yield piece
            piece, used = "", 0
        piece, used, before = piece + cluster, used + size, cluster
    if piece:
        yield piece


def _may_part(left: str, right: str) -> bool:
    if left == " " or right == " ":
        return right != " "
    return (
        (cells(left) > 1 or cells(right) > 1) and category(right[0])[0] != "P" and category(left[0]) != "Ps"
    )
