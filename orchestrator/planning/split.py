"""A compound turn becomes tasks without a model: it is cut at its cues, and each part routes by itself.

Laws: a part that does not route with confidence is no part, it stays with the words before it (the first one
with the words after it). The action of a task is exactly the text its span cites. A task depends on earlier
ones only.

Edges go by stages. A sequential cue starts a stage, which waits for the whole stage before; a part that
points back ("email them") waits for the part before it. A cue of a flat list starts a stage too: with no
meaning declared, the order of the words is kept, since a write that runs too early is worse than a wait. A
distributive cue maps one part over another, by what routes around it:

    find the overdue invoices, then write a reminder for each    nothing after it: mapped over the part before
    find the overdue invoices and for each write a reminder      it opens a part: mapped over the part before
    for each overdue invoice, write a reminder                   it opens the turn: the next part over it
    write a reminder for each overdue invoice                    both sides: the left one over the right one
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from orchestrator.ids import AgentName, Span, TaskId
from orchestrator.planning.parts import Segment, has_words, segments, trimmed
from orchestrator.planning.task import Task, assigned
from orchestrator.planning.turn import Routed, Turn

if TYPE_CHECKING:
    from orchestrator.workspace.models import AgentFile

RoutePart: TypeAlias = Callable[[str], Routed | None]
"""The confident route of a part, or None."""

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Split:
    """The tasks of a turn, as far as its cues tell.

    `complete` is false where a cue stronger than a joiner did not come to separate two parts; `unrouted` are
    the stretches that did not route. `detected` are all stretches between the cues. There are no tasks where
    there are more `parts` than a plan may have tasks.
    """

    tasks: tuple[Task, ...]
    detected: tuple[Span, ...]
    unrouted: tuple[Span, ...]
    complete: bool
    parts: int


@dataclass(frozen=True, slots=True)
class _Part:
    """`maps`: once per item of the part before it, in the order of execution."""

    start: int
    end: int
    route: Routed | None
    stage: int = 0
    maps: bool = False


@dataclass(frozen=True, slots=True)
class _Group:
    """What one segment became, in the order of execution. `opens`: the next segment is mapped over it;
    `clear`: no cue in it was left without effect."""

    parts: tuple[_Part, ...]
    opens: bool = False
    clear: bool = True


def split(
    turn: Turn,
    agents: "Mapping[AgentName, AgentFile]",
    max_tasks: int,
    *,
    route_part: RoutePart,
    is_reference: Callable[[str], bool],
) -> Split:
    """Split the turn at its joints. `is_reference` says whether a text points back at earlier parts."""
    found = segments(turn)
    detected = tuple((s.start, s.end) for s in found)
    reading = _Reading(turn.text, route_part, {j.end: j.start for j in turn.ignored})
    parts, unrouted, complete = reading.parts(found)
    if len(parts) > max_tasks:
        return Split((), detected, unrouted, complete=False, parts=len(parts))
    tasks = tuple(
        assigned(
            Task(
                id=TaskId(f"t{place + 1}"),
                agent=route.agent,
                action=turn.text[part.start : part.end],
                request=turn.text,
                depends_on=tuple(TaskId(f"t{d + 1}") for d in dependencies),
                map_over=TaskId(f"t{place}") if part.maps else None,
                intent=route.intent,
                source_span=(part.start, part.end),
            ),
            agents,
        )
        for place, (part, route, dependencies) in enumerate(_edges(turn.text, parts, is_reference))
    )
    return Split(tasks, detected, unrouted, complete, len(parts))


def unrouted_text(turn: Turn, found: Split) -> str:
    """The first stretches that did not route, quoted."""
    quoted = [f"“{turn.text[start:end]}”" for start, end in found.unrouted]
    more = f" and {len(quoted) - _SHOWN} more" if len(quoted) > _SHOWN else ""
    return ", ".join(quoted[:_SHOWN]) + more


def _edges(
    text: str, parts: Sequence[_Part], is_reference: Callable[[str], bool]
) -> Iterator[tuple[_Part, Routed, tuple[int, ...]]]:
    """Each part with its route and the places of those it depends on."""
    before: tuple[int, ...] = ()
    start = 0
    for place, part in enumerate(parts):
        if part.stage != parts[start].stage:
            before, start = tuple(range(start, place)), place
        assert part.route is not None  # `_Reading.parts` gives out routed parts only
        back = part.maps or (place > 0 and is_reference(text[part.start : part.end]))
        yield part, part.route, tuple(dict.fromkeys((*before, place - 1) if back else before))


@dataclass(frozen=True, slots=True)
class _Reading:
    """A turn, read part by part. `ignored` are the starts of joiners that do not count, by their ends."""

    text: str
    route_part: RoutePart
    ignored: Mapping[int, int]

    def parts(self, found: Sequence[Segment]) -> tuple[tuple[_Part, ...], tuple[Span, ...], bool]:
        """The routed parts in the order of execution, what did not route, and whether nothing was lost."""
        parts: list[_Part] = []
        grown: set[int] = set()
        unrouted: list[Segment] = []
        complete, opened, stage = True, False, 0
        for place, segment in enumerate(found):
            stage += place > 0 and segment.ordered
            following = found[place + 1] if place + 1 < len(found) else None
            group = self._group(segment, _last(parts), following)
            is_part = all(p.route is not None for p in group.parts)
            led = is_part and not parts and bool(unrouted)
            complete = (
                complete and group.clear and not (place > 0 and segment.strong and (led or not is_part))
            )
            if not is_part:
                unrouted.append(segment)
                if parts:
                    last = _last_place(parts)
                    parts[last] = replace(parts[last], end=segment.end)
                    grown.add(last)
                continue
            if led:
                group = _led(group, unrouted[0].start)
                grown.update(range(len(group.parts)))
            first, *rest = (replace(p, stage=stage) for p in group.parts)
            parts += [replace(first, maps=bool(parts) and (first.maps or opened)), *rest]
            opened = group.opens
        for place in grown:
            parts[place] = self._rerouted(parts[place])
        return tuple(parts), tuple((s.start, s.end) for s in unrouted), complete

    def _group(self, segment: Segment, previous: _Part | None, following: Segment | None) -> _Group:
        whole = self._part(segment.start, segment.end)
        if segment.each is None:
            return _Group((whole,))
        before = self._side(segment.start, segment.each[0])
        after = self._side(segment.each[1], segment.end)
        if before is None:
            group = self._opening(after, previous, following)
        elif after is None or after.route is None:
            group = (
                _Group((replace(whole, route=whole.route or before.route, maps=True),)) if previous else None
            )
        else:
            group = self._inside(segment, before, after, previous)
        return group or _Group((whole,), clear=after is None)

    def _opening(
        self, after: _Part | None, previous: _Part | None, following: Segment | None
    ) -> _Group | None:
        """ "for each" opens the segment: its words over what is before, or what follows over its words."""
        if after is None or after.route is None:
            return None
        if previous is not None:
            return _Group((replace(after, maps=True),))
        if following is None or self._part(following.start, following.end).route is None:
            return None
        return _Group((after,), opens=True)

    def _inside(self, segment: Segment, before: _Part, after: _Part, previous: _Part | None) -> _Group | None:
        """ "for each" stands between words, and those after it route."""
        joined = self._unjoined(segment, before)
        if joined is not None:
            return _Group((joined, replace(after, maps=True))) if joined.route else None
        if before.route is None:
            return None
        if previous is not None and _same(previous.route, after.route):
            return _Group((replace(before, end=segment.end, maps=True),))
        if _same(before.route, after.route):
            return None
        return _Group((after, replace(before, maps=True)))

    def _unjoined(self, segment: Segment, before: _Part) -> _Part | None:
        """What is before the joiner or punctuation that stands right before the cue; None where none does."""
        if before.end in self.ignored:
            return self._side(before.start, self.ignored[before.end])
        each = segment.each[0] if segment.each else before.end
        return before if self.text[before.end : each].strip() else None

    def _part(self, start: int, end: int) -> _Part:
        return _Part(start, end, self.route_part(self.text[start:end]))

    def _side(self, start: int, end: int) -> _Part | None:
        """One side of a distributive cue; None where there is no word."""
        start, end = trimmed(self.text, start, end)
        return self._part(start, end) if has_words(self.text[start:end]) else None

    def _rerouted(self, part: _Part) -> _Part:
        """A part that took in its neighbour goes where all its words go, if that is sure."""
        return replace(part, route=self._part(part.start, part.end).route or part.route)


def _last_place(parts: Sequence[_Part]) -> int:
    """The place of the part that ends the text so far; a collection comes before what is mapped over it."""
    return max(range(max(0, len(parts) - 2), len(parts)), key=lambda place: parts[place].end)


def _last(parts: Sequence[_Part]) -> _Part | None:
    return parts[_last_place(parts)] if parts else None


def _led(group: _Group, start: int) -> _Group:
    """The group with the unrouted words before it taken in by the part that stands first in the text."""
    first = min(group.parts, key=lambda p: p.start)
    return replace(group, parts=tuple(replace(p, start=start) if p is first else p for p in group.parts))


def _same(one: Routed | None, other: Routed | None) -> bool:
    return one is not None and other is not None and (one.agent, one.intent) == (other.agent, other.intent)
