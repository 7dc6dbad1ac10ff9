"""The whole picture of a plan as a value: what is drawn, where, and what is said to whoever cannot see it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from orchestrator.ids import Phase, TaskId
from orchestrator.planning.drawing.critical import critical_path, emphasised
from orchestrator.planning.drawing.look import STATES
from orchestrator.planning.drawing.scene.card import Card, Words, card_of, room_of, words_at
from orchestrator.planning.drawing.scene.geometry import Curve, Point, Rect, Way
from orchestrator.planning.drawing.scene.layout import MARGIN, Layout, laid_out
from orchestrator.planning.drawing.scene.legend import WIDEST, Legend, legend_of
from orchestrator.planning.drawing.width import cut
from orchestrator.planning.drawing.words import DOES, LONGEST, Waves, edges, waits_for
from orchestrator.planning.task import Task

Direction: TypeAlias = Literal["auto", "down", "right"]

_BESIDE_EACH_OTHER = 4
"""So many boxes have room side by side on a page; a wider wave is drawn as a column."""
_NAMED, _TOLD = 40, 200
"""The description names so many tasks, with so much of each action; more would not be listened to."""
_LABEL, _AFTER_LABEL = 18.0, 8.0
"""The room that the names of waves take above their columns; and between them and the boxes beside."""


@dataclass(frozen=True, slots=True)
class Box:
    """A task's card and where it stands; whether it is on the longest path."""

    at: Rect
    card: Card
    longest: bool


@dataclass(frozen=True, slots=True)
class Line:
    """From a task to one that waits for it, as curves end to end; the arrow's tip is beyond the last."""

    curves: tuple[Curve, ...]
    mapped: bool
    longest: bool


@dataclass(frozen=True, slots=True)
class Band:
    """The ground of a wave, and its name, which stands before all that lies across."""

    at: Rect
    label: Words


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything in the picture, from the back to the front."""

    width: float
    height: float
    way: Way
    bands: tuple[Band, ...]
    lines: tuple[Line, ...]
    boxes: tuple[Box, ...]
    legend: Legend
    legend_at: Point
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown beside the plan itself: where its tasks are, how long they take, and the way it goes."""

    states: Mapping[TaskId, Phase] | None = None
    seconds: Mapping[TaskId, float] | None = None
    direction: Direction = "auto"


def scene_of(request: str, tasks: Sequence[Task], waves: Waves, shown: Shown) -> Scene:
    """The picture of these tasks. A task that `states` does not know is pending."""
    way, number = _way(waves, shown.direction), {t.id: n for n, t in enumerate(tasks)}
    states = shown.states
    cards = [card_of(t, None if states is None else states.get(t.id, "pending")) for t in tasks]
    layout = laid_out(
        [(c.width, c.height) for c in cards],
        [[number[id] for id in wave] for wave in waves],
        [(number[dependency], number[task.id]) for task, dependency in edges(tasks)],
        way,
        labels=_LABEL if way == "right" else room_of(_name(len(waves)), "note") + _AFTER_LABEL,
    )
    path = emphasised(critical_path(tasks, waves, shown.seconds), tasks)
    width = max(layout.width, WIDEST + 2 * MARGIN)
    legend = legend_of(tasks, cards, longest=bool(path), room=width - 2 * MARGIN)
    return Scene(
        width,
        layout.height + legend.height,
        way,
        tuple(
            Band(at, words_at(at.x + 10, at.y + 18, _name(n), "note")) for n, at in enumerate(layout.bands, 1)
        ),
        tuple(_lines(tasks, layout, number, set(pairwise(path)))),
        tuple(Box(layout.boxes[n], card, tasks[n].id in path) for n, card in enumerate(cards)),
        legend,
        Point(MARGIN, layout.height),
        f"Plan: {request}",
        "\n".join(_description(tasks, waves, shown, path)),
    )


def _way(waves: Waves, direction: Direction) -> Way:
    """What was asked for; else what fits on a page: columns for wide waves, rows for others."""
    if direction != "auto":
        return direction
    return "right" if max(map(len, waves), default=0) > _BESIDE_EACH_OTHER else "down"


def _name(wave: int) -> str:
    return f"wave {wave}"


def _lines(
    tasks: Sequence[Task],
    layout: Layout,
    number: Mapping[TaskId, int],
    longest: Collection[tuple[TaskId, TaskId]],
) -> Iterator[Line]:
    """Every edge; those of the longest path last, so that they lie above the others."""
    for task, dependency in sorted(edges(tasks), key=lambda edge: (edge[1], edge[0].id) in longest):
        curves = layout.lines[number[dependency], number[task.id]]
        yield Line(curves, dependency == task.map_over, (dependency, task.id) in longest)


def _description(tasks: Sequence[Task], waves: Waves, shown: Shown, path: Sequence[TaskId]) -> Iterator[str]:
    """The picture in words, for whoever cannot see it."""
    yield f"{_counted(len(tasks), 'task')} in {_counted(len(waves), 'wave')}."
    for task in tasks[:_NAMED]:
        state = "" if shown.states is None else f", {STATES[shown.states.get(task.id, 'pending')].word}"
        after = f", after {waits_for(task)}" if task.depends_on else ""
        action = cut(task.action, _TOLD)
        yield f"{task.id} ({task.agent}, {DOES[task.effects]}{state}): {action}{after}."
    if len(tasks) > _NAMED:
        yield f"And {len(tasks) - _NAMED} more."
    if path:
        yield f"{LONGEST.capitalize()}: {', '.join(path)}."


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
