"""What drawings say of a task, in the same words in each."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from orchestrator.ids import Effects, TaskId
from orchestrator.planning.task import Task

Waves: TypeAlias = Sequence[Sequence[TaskId]]

DOES: Mapping[Effects, str] = {"none": "no effects", "read": "reads", "write": "writes"}
PER_ITEM = "once per item"
LONGEST = "longest path"


def edges(tasks: Sequence[Task]) -> Iterator[tuple[Task, TaskId]]:
    """Each task with each of its dependencies."""
    return ((task, dependency) for task in tasks for dependency in task.depends_on)


def waits_for(task: Task) -> str:
    """`each item of t1, t2`; empty where the task waits for nothing."""
    return ", ".join(f"each item of {d}" if d == task.map_over else d for d in task.depends_on)
