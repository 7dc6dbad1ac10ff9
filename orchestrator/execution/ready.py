"""Which tasks of a plan may start, and which never will, as others end. Pure; counters, O(1) an edge.

Laws: a task becomes ready once, and never before all it depends on has ended. Where one of those did not end
well it is skipped instead, and what depends on it in turn, unless it asked to run all the same; a mapped task
always needs the result it maps over. With `waves` a task also waits for the end of every earlier wave.
"""

from collections.abc import Sequence
from typing import NamedTuple

from orchestrator.ids import Schedule, TaskId
from orchestrator.planning.plan import Plan, Task


class Follows(NamedTuple):
    """What follows from the end of a task: tasks that may start, and tasks skipped, each with its reason."""

    ready: Sequence[TaskId]
    skipped: Sequence[tuple[TaskId, str]] = ()


_NOTHING = Follows(())


class Ready:
    """The ready set of one plan. Tell it what ended; it tells what follows. `left` tasks have not ended."""

    def __init__(self, plan: Plan, schedule: Schedule = "eager") -> None:
        self._blockers: dict[TaskId, int] = {}
        self._dependents: dict[TaskId, list[Task]] = {}
        for task in plan.tasks:
            needed = task.depends_on if len(task.depends_on) < 2 else dict.fromkeys(task.depends_on)
            self._blockers[task.id] = len(needed)
            for dependency in needed:
                self._dependents.setdefault(dependency, []).append(task)
        self._ended: set[TaskId] = set()
        self._gate = _Gate(plan) if schedule == "waves" else None
        self.left = len(plan.tasks)

    def first(self) -> list[TaskId]:
        """What may start at the beginning: the tasks that depend on nothing."""
        return [task for task, blockers in self._blockers.items() if not blockers]

    def ended(self, task: TaskId, *, well: bool) -> Follows:
        """What follows from the end of this task; nothing, where its end is known already."""
        if task in self._ended:
            return _NOTHING
        skipped = () if well else self._skipped_by(task)
        over = (task, *(lost for lost, _ in skipped)) if skipped else (task,)
        ended, blockers = self._ended, self._blockers
        ended.update(over)
        self.left -= len(over)
        free: list[TaskId] = []
        for one in over:
            for dependent in self._dependents.get(one, ()):
                id = dependent.id
                blockers[id] = left = blockers[id] - 1
                if not left and id not in ended:
                    free.append(id)
        if self._gate is not None:
            free = self._gate.passed(over, free)
        return Follows(free, skipped) if free or skipped else _NOTHING

    def _skipped_by(self, failed: TaskId) -> list[tuple[TaskId, str]]:
        """What cannot run any more since `failed` did not end well, nearest first."""
        lost = dict.fromkeys((failed,))
        queue = [failed]
        for gone in queue:
            for dependent in self._dependents.get(gone, ()):
                known = dependent.id in lost or dependent.id in self._ended
                if not known and _needs(dependent, gone):
                    lost[dependent.id] = None
                    queue.append(dependent.id)
        return [(task, f"{failed} failed") for task in queue[1:]]


class _Gate:
    """Holds back what is ready before its wave's turn."""

    def __init__(self, plan: Plan) -> None:
        self._wave = {task: n for n, wave in enumerate(plan.waves) for task in wave}
        self._left = [len(wave) for wave in plan.waves]
        self._held: list[list[TaskId]] = [[] for _ in plan.waves]
        self._open = 0

    def passed(self, ended: Sequence[TaskId], free: Sequence[TaskId]) -> list[TaskId]:
        """What of `free`, and of what was held before, is let through now that `ended` has ended."""
        for task in ended:
            self._left[self._wave[task]] -= 1
        through: list[TaskId] = []
        for task in free:
            wave = self._wave[task]
            (through if wave <= self._open else self._held[wave]).append(task)
        while self._open < len(self._left) - 1 and not self._left[self._open]:
            self._open += 1
            through.extend(self._held[self._open])
        return through


def _needs(task: Task, dependency: TaskId) -> bool:
    return task.on_upstream_failure == "skip" or task.map_over == dependency


def remaining_hops(plan: Plan) -> dict[TaskId, int]:
    """For each task the number of tasks on the longest way from it to an end, itself included."""
    hops = dict.fromkeys((task.id for task in plan.tasks), 1)
    tasks = {task.id: task for task in plan.tasks}
    for wave in reversed(plan.waves):
        for task in wave:
            for dependency in tasks[task].depends_on:
                if hops[dependency] <= hops[task]:
                    hops[dependency] = hops[task] + 1
    return hops
