"""The registered repair `reread`: what was read, and is not so any more, is read once more. Pure.

What only reads may be done again without harm. Each task that broke waits for a new reading of whatever it
depends on that assumed the same; the old readings stay what they were.
"""

from dataclasses import replace

from orchestrator.adaptation.repairing import Broken
from orchestrator.ids import TaskId
from orchestrator.planning.repair import Patch, Repair
from orchestrator.planning.task import Task


def reread(broken: Broken) -> Repair | None:
    """New readings for the tasks that broke; None where none of them depends on a reading of the key."""
    plan = broken.state.plan
    tasks = {} if plan is None else {task.id: task for task in plan.tasks}
    stale = {d: tasks[d] for task in broken.tasks for d in task.depends_on if _is_stale(broken, tasks[d])}
    if not stale:
        return None
    fresh = {id: _again(task, tasks) for id, task in stale.items()}
    patches = [_patch(task, fresh) for task in broken.tasks if not fresh.keys().isdisjoint(task.depends_on)]
    return Repair(broken.key, patches=tuple(patches), add=tuple(fresh.values()), because="it is read again")


def _is_stale(broken: Broken, task: Task) -> bool:
    done = broken.state.tasks[task.id].status == "done"
    return done and task.effects != "write" and any(a.key == broken.key for a in task.assumes)


def _again(task: Task, tasks: dict[TaskId, Task]) -> Task:
    stem, _, number = task.id.rpartition(".")
    stem, count = (stem, int(number)) if stem and number.isdecimal() else (task.id, 1)
    while (id := TaskId(f"{stem}.{count + 1}")) in tasks:
        count += 1
    return replace(task, id=id)


def _patch(task: Task, fresh: dict[TaskId, Task]) -> Patch:
    depends_on = tuple(fresh[d].id if d in fresh else d for d in task.depends_on)
    renewed = None if task.map_over is None else fresh.get(task.map_over)
    over = task.map_over if renewed is None else renewed.id
    return Patch(task.id, depends_on=depends_on, map_over=over)
