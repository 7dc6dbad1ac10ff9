"""Where a turn comes apart: the segments between the cues that count.

Law: segments are in the order of the text, do not overlap, have a letter or digit each, and begin and end
with a word, not with the punctuation around it. No word of any language is in this module.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from orchestrator.ids import JUDGED, Meaning, Span
from orchestrator.planning.turn import Joint, Turn

_ORDERED: frozenset[Meaning] = frozenset({"sequential", "compound"})
_STOPS = ",;:!…、，；：。！—–\u200b\ufeff"
_LEAD = re.compile(rf"(?:[\s{_STOPS}]|\.(?=\s))*")
"""A full stop before a letter belongs to the word (`.net`, `.5`)."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of the turn.

    `ordered` says that it comes after what is before it, `strong` that more than a joiner separates the two.
    `each` is its first distributive cue.
    """

    start: int
    end: int
    ordered: bool = False
    strong: bool = False
    each: Span | None = None


@dataclass(frozen=True, slots=True)
class _Boundary:
    start: int
    end: int
    ordered: bool
    strong: bool
    counts: bool = True


def segments(turn: Turn) -> tuple[Segment, ...]:
    """The stretches of what is asked, between its sequential, parallel, compound, joining and weak cues."""
    low, high = turn.span
    bounds = [_Boundary(low, low, False, False), *_boundaries(turn), _Boundary(high, high, False, False)]
    openers = {
        first: end for j in turn.joints if len(j.pieces) > 1 for first, end in j.pieces[:1] if first < end
    }
    eaches = sorted((j.start, j.end) for j in turn.joints if j.meaning == "distributive" and j.start < j.end)
    found: list[Segment] = []
    for before, after in pairwise(bounds):
        start, end = trimmed(turn.text, before.end, after.start)
        if start in openers:
            start, end = trimmed(turn.text, min(openers[start], end), end)
        if has_words(turn.text[start:end]):
            found.append(Segment(start, end, before.ordered, before.strong))
    return tuple(_with_eaches(found, eaches))


def trimmed(text: str, start: int, end: int) -> Span:
    """The range without white space and separating punctuation at its edges."""
    lead = _LEAD.match(text, start, end)
    start = lead.end() if lead else start
    while end > start and (text[end - 1].isspace() or text[end - 1] in _STOPS or text[end - 1] == "."):
        end -= 1
    return start, end


def has_words(text: str) -> bool:
    """Whether anything in it can be asked for: a letter or a digit of any script."""
    return any(map(str.isalnum, text))


def _boundaries(turn: Turn) -> Iterator[_Boundary]:
    """The cues that separate, in order; those with no word between them are one, with the strength of all.

    A joiner that does not count parts nothing, but beside a cue that does it is no word of a part either.
    """
    idle = [joint for joint in turn.ignored if joint.meaning == "joiner"]
    found = [*_pieces(turn.joints, turn.span), *_pieces(idle, turn.span, counts=False)]
    last: _Boundary | None = None
    for piece in sorted(found, key=lambda piece: (piece.start, piece.end)):
        if last is not None and not has_words(turn.text[last.end : piece.start]):
            last = _merged(last, piece)
            continue
        if last is not None and last.counts:
            yield last
        last = piece
    if last is not None and last.counts:
        yield last


def _pieces(joints: Iterable[Joint], span: Span, *, counts: bool = True) -> Iterator[_Boundary]:
    low, high = span
    for joint in joints:
        if joint.meaning == "distributive":
            continue
        for start, end in _separators(joint):
            if low <= start < end <= high:
                yield _Boundary(start, end, joint.meaning in _ORDERED, joint.meaning not in JUDGED, counts)


def _merged(one: _Boundary, other: _Boundary) -> _Boundary:
    return _Boundary(
        one.start,
        max(one.end, other.end),
        one.ordered or other.ordered,
        one.strong or other.strong,
        one.counts or other.counts,
    )


def _separators(joint: Joint) -> tuple[Span, ...]:
    """A gapped cue separates at every piece but its first, which opens what is before."""
    return joint.pieces[1:] if len(joint.pieces) > 1 else ((joint.start, joint.end),)


def _with_eaches(found: list[Segment], eaches: list[Span]) -> Iterator[Segment]:
    """The segments, each with the first distributive cue inside it."""
    place = 0
    for segment in found:
        while place < len(eaches) and eaches[place][0] < segment.start:
            place += 1
        if place < len(eaches) and eaches[place][1] <= segment.end:
            yield replace(segment, each=eaches[place])
        else:
            yield segment
