"""Who goes first when not all that is ready may run at once. Pure.

Law: no more units at a time than the run allows, nor than their agent allows; of those that may start, the
one with the longest way still before it goes first, then plan order, then the order of items.
"""

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from typing import NamedTuple

from orchestrator.ids import TaskId
from orchestrator.planning.plan import Task
from orchestrator.runs.state import child_id


class Places:
    """How many more units of one agent may start, and those that wait for one of them to end."""

    __slots__ = ("free", "held")

    def __init__(self, free: int) -> None:
        self.free = free
        self.held: list[Unit] = []


class Unit(NamedTuple):
    """What one agent is asked for at a time: a task (`number` 0), or the child of a mapped task (from 1).

    Units sort by who goes first; `hops` is negative, so that the longest way comes first. `places` are those
    of the agent.
    """

    hops: int
    order: int
    number: int
    id: TaskId
    task: Task
    places: Places

    def child(self, number: int) -> "Unit":
        """The child of this mapped task for its `number`-th item."""
        return self._replace(number=number, id=child_id(self.id, number))


class Slots:
    """Units that wait, and places that are free."""

    def __init__(self, concurrency: int) -> None:
        self._free = concurrency
        self._waiting: list[Unit] = []

    def offer(self, unit: Unit) -> None:
        """The unit may start as soon as there is a place for it."""
        heappush(self._waiting, unit)

    def take(self, may: Callable[[Unit], bool] | None = None) -> list[Unit]:
        """The units that start now, each on its place, in the order in which they may.

        `may` is asked of each that has a place; one that may not goes on waiting.
        """
        taken: list[Unit] = []
        if not self._waiting:
            return taken
        kept: list[Unit] = []
        while self._waiting and self._free:
            unit = heappop(self._waiting)
            if not unit.places.free:
                heappush(unit.places.held, unit)
            elif may is not None and not may(unit):
                kept.append(unit)
            else:
                unit.places.free -= 1
                self._free -= 1
                taken.append(unit)
        for unit in kept:
            heappush(self._waiting, unit)
        return taken

    def drain(self, places: Iterable[Places]) -> list[Unit]:
        """Let nothing wait any more, for these places either; what did."""
        drained, self._waiting = self._waiting, []
        for those in places:
            drained += those.held
            those.held = []
        return drained

    def release(self, unit: Unit) -> None:
        """The unit has ended, and its place is free."""
        self._free += 1
        places = unit.places
        places.free += 1
        if places.held:
            heappush(self._waiting, heappop(places.held))
