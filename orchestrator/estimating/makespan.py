"""How long a plan takes whose tasks take so long each. Pure.

Law: it is the executor's own order: what is ready by `execution.ready`, and of that who goes first by
`execution.slots`, as many at a time as the run and each agent allow. A mapped task is so many units of one
length.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from math import ceil
from typing import NamedTuple

from orchestrator.execution.ready import Ready, remaining_hops
from orchestrator.execution.settings import Settings
from orchestrator.execution.slots import Places, Slots, Unit
from orchestrator.ids import TaskId
from orchestrator.planning.plan import Plan

_MOST_UNITS = 64
"""More units of a mapped task are taken together, so that imagining it costs little."""


class Work(NamedTuple):
    """What a task is: so many units, each of so many seconds."""

    units: int
    seconds: float

    def alone(self, places: int) -> float:
        """How long it takes where so many units may run at a time, and nothing else does."""
        return ceil(self.units / places) * self.seconds

    def coarser(self) -> "Work":
        """About the same in fewer units."""
        together = ceil(self.units / _MOST_UNITS)
        return self if together <= 1 else Work(ceil(self.units / together), self.seconds * together)


class Timetable:
    """How long runs of one plan take, under these settings."""

    def __init__(self, plan: Plan, settings: Settings) -> None:
        self.hops = remaining_hops(plan)
        self.tasks = {task.id: task for task in plan.tasks}
        self.places = {task.agent: settings.agents[task.agent].concurrency for task in plan.tasks}
        self.plan, self.settings = plan, settings
        agents = Counter(task.agent for task in plan.tasks)
        self._no_queue = (
            settings.schedule == "eager"
            and len(plan.tasks) <= settings.concurrency
            and all(count <= self.places[agent] for agent, count in agents.items())
            and not any(task.map_over for task in plan.tasks)
        )

    def makespan(self, works: Mapping[TaskId, Work]) -> float:
        """The seconds from the first start to the last end."""
        return self._longest(works) if self._no_queue else _Simulation(self, works).run()

    def _longest(self, works: Mapping[TaskId, Work]) -> float:
        """The same where nobody ever waits for a place: the length of the longest path."""
        ends: dict[TaskId, float] = {}
        for wave in self.plan.waves:
            for task in wave:
                needs = self.tasks[task].depends_on
                ends[task] = works[task].seconds + (max([ends[d] for d in needs]) if needs else 0.0)
        return max(ends.values(), default=0.0)


class _Simulation:
    """One imagined run: units wait for a place or are at work, by their ends; of each task some are left."""

    def __init__(self, table: Timetable, works: Mapping[TaskId, Work]) -> None:
        places = {agent: Places(free) for agent, free in table.places.items()}
        self._units = {
            id: Unit(-table.hops[id], n, 0, id, task, places[task.agent])
            for n, (id, task) in enumerate(table.tasks.items())
        }
        self._ready = Ready(table.plan, table.settings.schedule)
        self._slots = Slots(table.settings.concurrency)
        self._works = {task: work.coarser() for task, work in works.items()}
        self._left = {task: work.units for task, work in self._works.items()}
        self._running: list[tuple[float, Unit]] = []

    def run(self) -> float:
        now = 0.0
        self._offer(self._ready.first())
        self._start(now)
        while self._running:
            now, unit = heappop(self._running)
            self._slots.release(unit)
            self._left[unit.task.id] -= 1
            if not self._left[unit.task.id]:
                self._offer(self._ready.ended(unit.task.id, well=True).ready)
            self._start(now)
        return now

    def _offer(self, ready: Sequence[TaskId]) -> None:
        """These tasks may start; one without units is over, and lets others."""
        for task in ready:
            for number in range(self._left[task]):
                self._slots.offer(self._units[task]._replace(number=number))
            if not self._left[task]:
                self._offer(self._ready.ended(task, well=True).ready)

    def _start(self, now: float) -> None:
        for unit in self._slots.take():
            heappush(self._running, (now + self._works[unit.task.id].seconds, unit))
