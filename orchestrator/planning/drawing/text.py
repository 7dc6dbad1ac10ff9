"""A plan for a terminal: its tasks by wave, and its edges as lines beside them.

Law: no line is wider than the terminal, as long as that has 40 columns. Where there is no room for columns a
task takes several lines; where there is none for the lines of the edges, the words `after …` tell them alone.
"""

from collections.abc import Iterator, Mapping, Sequence

from orchestrator.ids import TaskId
from orchestrator.planning.drawing.lanes import Rail, rails
from orchestrator.planning.drawing.width import cells, cut, one_line, wrapped
from orchestrator.planning.drawing.words import DOES, Waves, waits_for
from orchestrator.planning.task import Task

_NAME = 24
_LEAST_ACTION = 24
_LEAST_WIDTH = 40
_NO_RAIL = Rail("", "")


def to_text(tasks: Sequence[Task], waves: Waves, width: int = 100) -> str:
    """The waves, and in each its tasks with agent, effects, action and what they wait for."""
    if not tasks:
        return "no tasks"
    by_id, beside = {t.id: t for t in tasks}, _rails(tasks, waves, max(width, _LEAST_WIDTH))
    over = " " * len(next(iter(beside.values()), _NO_RAIL).at)
    columns = _Columns(tasks, max(width, _LEAST_WIDTH) - len(over) - 2)
    lines: list[str] = []
    for number, wave in enumerate(waves, 1):
        lines.append(f"{over}wave {number}")
        for task in (by_id[id] for id in wave):
            rail = beside.get(task.id, _NO_RAIL)
            first, *more = columns.lines(task)
            lines += [f"{rail.at}  {first}", *(f"{rail.below}  {line}" for line in more)]
            over = rail.below
    return "\n".join(line.rstrip() for line in lines)


def _rails(tasks: Sequence[Task], waves: Waves, width: int) -> Mapping[TaskId, Rail]:
    """Nothing where there are no edges, or where their lines would take more than a third of the room."""
    if not any(t.depends_on for t in tasks):
        return {}
    drawn = {id: Rail(f"{rail.at}  ", f"{rail.below}  ") for id, rail in rails(tasks, waves).items()}
    return drawn if len(drawn[tasks[0].id].at) <= width // 3 else {}


class _Columns:
    """How much room each column has; none of them where an action would have too little."""

    def __init__(self, tasks: Sequence[Task], room: int) -> None:
        self._room = room
        self._id = min(_NAME, max(cells(t.id) for t in tasks))
        self._agent = min(_NAME, max(cells(t.agent) for t in tasks))
        self._does = max(cells(DOES[t.effects]) for t in tasks)
        self._action = room - self._id - self._agent - self._does - 6

    def lines(self, task: Task) -> Iterator[str]:
        """What is told of the task, line by line."""
        after = one_line(f"after {waits_for(task)}") if task.depends_on else ""
        if self._action < _LEAST_ACTION:
            yield self._head(task)
            yield from (f"  {line}" for line in wrapped(task.action, self._room - 2, 4))
        else:
            fits = self._action - cells(after) - 2 >= _LEAST_ACTION
            yield self._row(task, after if fits else "")
            after = "" if fits else after
        yield from (f"  {line}" for line in wrapped(after, self._room - 2, len(after)))

    def _head(self, task: Task) -> str:
        id, does = cut(task.id, min(self._id, self._room // 2 - 2)), DOES[task.effects]
        return f"{id} {cut(task.agent, self._room - cells(id) - len(does) - 3)}, {does}"

    def _row(self, task: Task, after: str) -> str:
        room = self._action - (cells(after) + 2 if after else 0)
        columns = (
            _filled(task.id, self._id),
            _filled(task.agent, self._agent),
            _filled(DOES[task.effects], self._does),
            cut(task.action, room),
            *filter(None, [after]),
        )
        return "  ".join(columns)


def _filled(text: str, room: int) -> str:
    shown = cut(text, room)
    return shown + " " * (room - cells(shown))
