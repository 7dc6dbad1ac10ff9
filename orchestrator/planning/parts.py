"""Which segments of a turn are parts, and which part is done once per item of another.

Laws: a segment that does not route with confidence is no part, it stays with the words before it (the first
ones with the words after them). Parts are in the order of execution. A distributive cue maps one part over
another, by what routes around it:

    find the overdue invoices, then write a reminder for each    nothing after it: mapped over the part before
    find the overdue invoices and for each write a reminder      it opens a part: mapped over the part before
    for each overdue invoice, write a reminder                   it opens the turn: the next part over this
    write a reminder for each overdue invoice                    both sides: the left one over the right one
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from orchestrator.ids import Span
from orchestrator.planning.segments import Segment, has_words, segments, trimmed
from orchestrator.planning.turn import Routed, Turn

RoutePart: TypeAlias = Callable[[str], Routed | None]
"""The confident route of a part, or None."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the turn that somebody serves. `stage` grows with every cue that orders; `maps`: once per
    item of the part before it, in the order of execution."""

    start: int
    end: int
    route: Routed
    stage: int = 0
    maps: bool = False


@dataclass(frozen=True, slots=True)
class Parts:
    """All parts, the segments they are made of, and those of the segments that do not route by themselves.

    `complete` is false where a cue stronger than a joiner did not come to separate two parts.
    """

    parts: tuple[Part, ...]
    detected: tuple[Span, ...]
    unrouted: tuple[Span, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class _Group:
    """What one segment came to, in the order of execution; nothing where it is no part.

    `opens`: the next segment is mapped over it. `clear`: no cue in it was left without effect.
    """

    parts: tuple[Part, ...]
    opens: bool = False
    clear: bool = True


def parts_of(turn: Turn, route_part: RoutePart) -> Parts:
    """The parts of a turn, by its cues."""
    found = segments(turn)
    reading = _Reading(turn, route_part)
    gathered = _Gathered()
    stage, opened = 0, False
    for place, segment in enumerate(found):
        stage += place > 0 and segment.ordered
        group = reading.group(segment, gathered.last, found[place + 1] if place + 1 < len(found) else None)
        gathered.complete = gathered.complete and group.clear
        if group.parts:
            first, *rest = (replace(part, stage=stage) for part in group.parts)
            gathered.take(segment, [replace(first, maps=first.maps or opened), *rest])
            opened = group.opens
        else:
            gathered.leave(segment, is_first=place == 0)
    for place in gathered.grown:
        gathered.parts[place] = reading.rerouted(gathered.parts[place])
    return Parts(
        tuple(gathered.parts),
        tuple((s.start, s.end) for s in found),
        tuple((s.start, s.end) for s in gathered.unrouted),
        gathered.complete,
    )


@dataclass(slots=True)
class _Gathered:
    """The parts found so far, left to right; `grown` are the places of those that took other words in."""

    parts: list[Part] = field(default_factory=list[Part])
    unrouted: list[Segment] = field(default_factory=list[Segment])
    grown: set[int] = field(default_factory=set[int])
    complete: bool = True

    @property
    def last(self) -> Part | None:
        """The part that ends the text so far."""
        return self.parts[self._last_place] if self.parts else None

    @property
    def _last_place(self) -> int:
        """A collection stands after what is mapped over it, but comes before it: look at the last two."""
        return max(range(max(0, len(self.parts) - 2), len(self.parts)), key=lambda n: self.parts[n].end)

    def take(self, segment: Segment, group: list[Part]) -> None:
        """Add the parts of a segment; the first ones of all take in the words before them."""
        if not self.parts:
            group[0] = replace(group[0], maps=False)
            if self.unrouted:
                first = min(range(len(group)), key=lambda n: group[n].start)
                group[first] = replace(group[first], start=self.unrouted[0].start)
                self.grown.add(first)
                self.complete = self.complete and not segment.strong
        self.parts += group

    def leave(self, segment: Segment, *, is_first: bool) -> None:
        """A segment that is no part stays with the words before it."""
        self.unrouted.append(segment)
        self.complete = self.complete and (is_first or not segment.strong)
        if self.parts:
            place = self._last_place
            self.parts[place] = replace(self.parts[place], end=segment.end)
            self.grown.add(place)


class _Reading:
    """A turn, read segment by segment."""

    def __init__(self, turn: Turn, route_part: RoutePart) -> None:
        self._text, self._route = turn.text, route_part
        self._joiners = {joint.end: joint.start for joint in turn.ignored}
        self._joiner_ends = sorted(self._joiners)

    def group(self, segment: Segment, previous: Part | None, following: Segment | None) -> _Group:
        """The parts of a segment, between the part before it and the segment after it."""
        whole = self._part((segment.start, segment.end))
        alone = (whole,) if whole else ()
        if segment.each is None:
            return _Group(alone)
        before = self._words(segment.start, segment.each[0])
        after = self._words(segment.each[1], segment.end)
        if before is None:
            group = self._opening(after, previous, following)
        elif after is None or self._part(after) is None:
            group = self._closing(segment, whole or self._part(before), previous)
        else:
            group = self._between(segment, before, after, previous)
        return group or _Group(alone, clear=after is None and whole is not None)

    def rerouted(self, part: Part) -> Part:
        """A part that took other words in goes where all its words go, if that is sure."""
        return replace(part, route=self._route(self._text[part.start : part.end]) or part.route)

    def _opening(self, after: Span | None, previous: Part | None, following: Segment | None) -> _Group | None:
        """The cue opens the segment: its words are mapped over what is before, or what follows over them."""
        if after is None:
            return None
        if previous is not None:
            part = self._part(self._without_pointer(after))
            return _Group((replace(part, maps=True),)) if part else None
        part = self._part(after)
        if part is None or following is None or self._part((following.start, following.end)) is None:
            return None
        return _Group((part,), opens=True)

    def _closing(self, segment: Segment, part: Part | None, previous: Part | None) -> _Group | None:
        """Nothing that routes is after the cue: the whole segment is mapped over the part before."""
        if part is None or previous is None:
            return None
        return _Group((replace(part, start=segment.start, end=segment.end, maps=True),))

    def _between(self, segment: Segment, before: Span, after: Span, previous: Part | None) -> _Group | None:
        """The cue stands between words, and those after it route."""
        unjoined = self._unjoined(segment, before)
        if unjoined is not None:
            left, right = self._part(unjoined), self._part(self._without_pointer(after))
            return _Group((left, replace(right, maps=True))) if left and right else None
        left, right = self._part(before), self._part(after)
        if left is None or right is None:
            return None
        if previous is not None and _is_same(previous, right):
            return self._closing(segment, left, previous)
        return None if _is_same(left, right) else _Group((right, replace(left, maps=True)))

    def _unjoined(self, segment: Segment, before: Span) -> Span | None:
        """What is before the joiner or punctuation that stands right before the cue; None where none does."""
        start, end = before
        if end in self._joiners:
            return self._words(start, self._joiners[end])
        cue = segment.each[0] if segment.each else end
        return before if self._text[end:cue].strip() else None

    def _without_pointer(self, after: Span) -> Span:
        """The words that follow "for each" without what only points back ("of them, write …")."""
        start, end = after
        place = bisect_right(self._joiner_ends, start)
        if place == len(self._joiner_ends):
            return after
        joiner_end = self._joiner_ends[place]
        rest = self._words(joiner_end, end)
        if rest is None or self._part(rest) is None or self._part((start, self._joiners[joiner_end])):
            return after
        return rest

    def _part(self, span: Span) -> Part | None:
        """The stretch as a part, if it routes with confidence."""
        route = self._route(self._text[slice(*span)])
        return None if route is None else Part(*span, route)

    def _words(self, start: int, end: int) -> Span | None:
        """The words of a stretch; None where it has none."""
        start, end = trimmed(self._text, start, end)
        return (start, end) if has_words(self._text[start:end]) else None


def _is_same(one: Part, other: Part) -> bool:
    return (one.route.agent, one.route.intent) == (other.route.agent, other.route.intent)
