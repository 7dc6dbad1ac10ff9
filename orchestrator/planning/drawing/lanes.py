"""The edges of a plan as lines beside its rows, a lane for each result that is still waited for.

    ●    t1            A task stands in its own lane, which goes on to the last task that waits for it.
    │ ●  t2            A line that leads across another lane leaves it whole: only `├ ┤ ┼ ╰ ╯ ┴` join.
    ├─╯● t3
    ●    t4

Law: a task takes the lane of a dependency that ends with it, else the first free one; a free lane is never
drawn, so that two tasks below one another are joined by a line or by nothing. Linear in rows times lanes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from orchestrator.ids import TaskId
from orchestrator.planning.drawing.words import Waves
from orchestrator.planning.task import Task

_JOINS: Mapping[tuple[bool, bool, bool], str] = {
    (True, False, True): "├",
    (True, True, False): "┤",
    (True, True, True): "┼",
    (False, False, True): "╰",
    (False, True, False): "╯",
    (False, True, True): "┴",
}
"""By whether the lane goes on, and whether the line leads to its left and to its right."""


@dataclass(frozen=True, slots=True)
class Rail:
    """What stands beside a task's row, and beside any line between it and the next task's."""

    at: str
    below: str


def rails(tasks: Sequence[Task], waves: Waves) -> Mapping[TaskId, Rail]:
    """A rail for each task, all of one width, in the order of the waves."""
    by_id = {t.id: t for t in tasks}
    rows = [by_id[id] for wave in waves for id in wave]
    lanes = _Lanes({dependency: task.id for task in rows for dependency in task.depends_on})
    drawn = {task.id: lanes.drawn(task) for task in rows}
    width = 2 * len(lanes.held) - 1
    return {id: Rail(f"{rail.at:{width}}", f"{rail.below:{width}}") for id, rail in drawn.items()}


@dataclass(slots=True)
class _Lanes:
    """`last` says of each result which row is the last to wait for it; `held` whose result a lane carries."""

    last: Mapping[TaskId, TaskId]
    held: list[TaskId | None] = field(default_factory=list["TaskId | None"])

    def drawn(self, task: Task) -> Rail:
        """The task's rail; from then on its own result has its lane, and what ended with it has none."""
        needs = set(task.depends_on)
        joined = {n: self.last[held] != task.id for n, held in enumerate(self.held) if held and held in needs}
        own = next((n for n, goes_on in joined.items() if not goes_on), None)
        own = self._free() if own is None else own
        at = self._row(joined, own)
        for n in (n for n, goes_on in joined.items() if not goes_on):
            self.held[n] = None
        self.held[own] = task.id if task.id in self.last else None
        return Rail(at, " ".join("│" if held else " " for held in self.held))

    def _free(self) -> int:
        if None not in self.held:
            self.held.append(None)
        return self.held.index(None)

    def _row(self, joined: Mapping[int, bool], own: int) -> str:
        """`joined` says of the lanes that the task is joined to whether they go on."""
        first, last = min([own, *joined]), max([own, *joined])
        row = ""
        for n, held in enumerate(self.held):
            if n == own:
                mark = "●"
            elif n in joined:
                mark = _JOINS[joined[n], n > first, n < last]
            else:
                mark = "│" if held else "─" if first < n < last else " "
            row += mark + ("─" if first <= n < last else " ")
        return row.rstrip()
