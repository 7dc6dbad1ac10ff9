"""The longest path through a plan: what decides how long it takes at least.

Law: its length is the sum of its tasks' seconds, or their number where no seconds are known; of equally long
paths it is the one whose tasks stand first in the plan. Linear in tasks and dependencies.
"""

from collections.abc import Mapping, Sequence

from orchestrator.ids import TaskId
from orchestrator.planning.drawing.words import Waves
from orchestrator.planning.task import Task


def critical_path(
    tasks: Sequence[Task], waves: Waves, seconds: Mapping[TaskId, float] | None = None
) -> tuple[TaskId, ...]:
    """The longest path, first task first. A task that `seconds` does not know counts as nothing."""
    by_id = {t.id: t for t in tasks}
    length: dict[TaskId, float] = {}
    before: dict[TaskId, TaskId | None] = {}
    for id in (i for wave in waves for i in wave):
        last = max(by_id[id].depends_on, key=length.__getitem__, default=None)
        before[id] = last
        own = 1.0 if seconds is None else seconds.get(id, 0.0)
        length[id] = own + (length[last] if last is not None else 0.0)
    at = max((t.id for t in tasks), key=length.__getitem__, default=None)
    path: list[TaskId] = []
    while at is not None:
        path.append(at)
        at = before[at]
    return tuple(reversed(path))


def emphasised(path: Sequence[TaskId], tasks: Sequence[Task]) -> tuple[TaskId, ...]:
    """The path where showing it says something: it has an edge, and there is something beside it."""
    return tuple(path) if 1 < len(path) < len(tasks) else ()
