"""Who goes first when not all that is ready may run at once. Pure.

Law: no more units at a time than the run allows, nor than their agent allows; of those that may start, the
one with the longest way still before it goes first, then plan order, then the order of items.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import NamedTuple

from orchestrator.ids import AgentName, TaskId
from orchestrator.planning.plan import Task
from orchestrator.runs.state import child_id


class Unit(NamedTuple):
    """What one agent is asked for at a time: a task (`number` 0), or the child of a mapped task (from 1).

    Units sort by who goes first; `hops` is negative, so that the longest way comes first.
    """

    hops: int
    order: int
    number: int
    id: TaskId
    task: Task

    def child(self, number: int) -> "Unit":
        """The child of this mapped task for its `number`-th item."""
        return self._replace(number=number, id=child_id(self.id, number))


class Slots:
    """Units that wait, and places that are free."""

    def __init__(self, concurrency: int, concurrency_of: Callable[[AgentName], int]) -> None:
        self._free = concurrency
        self._concurrency_of = concurrency_of
        self._free_of: dict[AgentName, int] = {}
        self._waiting: list[Unit] = []
        self._held: dict[AgentName, list[Unit]] = {}

    def offer(self, unit: Unit) -> None:
        """The unit may start as soon as there is a place for it."""
        heappush(self._waiting, unit)

    def take(self) -> Unit | None:
        """The next unit to start, which takes a place; None where there is none, or no place."""
        while self._free and self._waiting:
            unit = heappop(self._waiting)
            agent = unit.task.agent
            free = self._free_of.get(agent)
            if free is None:
                free = self._concurrency_of(agent)
            if free:
                self._free_of[agent] = free - 1
                self._free -= 1
                return unit
            heappush(self._held.setdefault(agent, []), unit)
        return None

    def release(self, unit: Unit) -> None:
        """The unit has ended, and its place is free."""
        agent = unit.task.agent
        self._free += 1
        self._free_of[agent] += 1
        held = self._held.get(agent)
        if held:
            heappush(self._waiting, heappop(held))
