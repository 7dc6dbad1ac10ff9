"""A compound turn becomes tasks without a model: each of its parts is one, with edges between them.

Laws: the action of a task is exactly the text its span cites; a task depends on earlier ones only.

Edges go by stages. A sequential cue starts a stage, which waits for the whole stage before; a part that
points back ("email them") waits for the part before it. A cue of a flat list starts a stage too: with no
meaning declared, the order of the words is kept, since a write that runs too early is worse than a wait.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.ids import AgentName, Span, TaskId
from orchestrator.planning.parts import Part, RoutePart, parts_of
from orchestrator.planning.task import Task, assigned
from orchestrator.planning.turn import Turn

if TYPE_CHECKING:
    from orchestrator.workspace.agent_file import AgentFile

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Split:
    """The tasks of a turn, as far as its cues tell; none where its `parts` are more than a plan may have.

    `complete` says that every strong cue came to separate two parts. `detected` are all stretches between
    the cues, `unrouted` those that did not route by themselves.
    """

    tasks: tuple[Task, ...]
    detected: tuple[Span, ...]
    unrouted: tuple[Span, ...]
    complete: bool
    parts: int


def split(
    turn: Turn,
    agents: "Mapping[AgentName, AgentFile]",
    max_tasks: int,
    *,
    route_part: RoutePart,
    is_reference: Callable[[str], bool],
) -> Split:
    """Split the turn at its joints. `is_reference` says whether a text points back at earlier parts."""
    found = parts_of(turn, route_part)
    fits = len(found.parts) <= max_tasks
    tasks = tuple(
        assigned(_task(turn.text, place, part, needs), agents)
        for place, (part, needs) in enumerate(_edges(turn.text, found.parts if fits else (), is_reference))
    )
    return Split(tasks, found.detected, found.unrouted, found.complete and fits, len(found.parts))


def unrouted_text(turn: Turn, found: Split) -> str:
    """The first stretches that did not route, quoted."""
    quoted = [f"“{turn.text[start:end]}”" for start, end in found.unrouted]
    more = f" and {len(quoted) - _SHOWN} more" if len(quoted) > _SHOWN else ""
    return ", ".join(quoted[:_SHOWN]) + more


def _edges(
    text: str, parts: Sequence[Part], is_reference: Callable[[str], bool]
) -> Iterator[tuple[Part, tuple[int, ...]]]:
    """Each part with the places of those it waits for."""
    before: tuple[int, ...] = ()
    start = 0
    for place, part in enumerate(parts):
        if part.stage != parts[start].stage:
            before, start = tuple(range(start, place)), place
        points_back = part.maps or (place > 0 and is_reference(text[part.start : part.end]))
        yield part, tuple(dict.fromkeys((*before, place - 1) if points_back else before))


def _task(text: str, place: int, part: Part, needs: Sequence[int]) -> Task:
    return Task(
        id=_id(place),
        agent=part.route.agent,
        action=text[part.start : part.end],
        request=text,
        depends_on=tuple(map(_id, needs)),
        map_over=_id(place - 1) if part.maps else None,
        intent=part.route.intent,
        source_span=(part.start, part.end),
    )


def _id(place: int) -> TaskId:
    return TaskId(f"t{place + 1}")
