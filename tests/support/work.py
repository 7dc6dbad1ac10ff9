"""A plan at work, made of chance: its agents answer, fail, hand over or leave doubt, and it is journaled."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from orchestrator.agents.contract import Item, Output, Usage
from orchestrator.ids import AgentName, TaskId
from orchestrator.planning.task import Task
from orchestrator.runs.events import (
    DoubtSettled,
    Event,
    Record,
    TaskDone,
    TaskExpanded,
    TaskFailed,
    TaskHandedOver,
    TaskInDoubt,
    TaskRetrying,
    TaskSkipped,
    TaskStarted,
)

from support.driving import RUN

OVER = ("done", "failed", "skipped")


@dataclass
class Unit:
    """A task, or a child of a mapped one, as the journal's author sees it.

    `number` is that of the last attempt that counts; `at_work` says that it had no end when it was cancelled.
    """

    task: Task
    phase: str = "pending"
    number: int = 0
    at_work: bool = False
    children: list[TaskId] | None = None


@dataclass
class Work:
    """The tasks of one run, and the journal of what becomes of them."""

    chance: Random
    records: list[Record] = field(default_factory=list[Record])
    units: dict[TaskId, Unit] = field(default_factory=dict[TaskId, Unit])
    usage: Usage = field(default_factory=Usage)
    clock: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    def write(self, *events: Event) -> None:
        """One append: its records have one time, which may be before that of the append before."""
        self.clock += timedelta(seconds=self.chance.choice([0, 0.25, 1, 1, 60, -30, 3600, -7200]))
        for event in events:
            self.records.append(Record(RUN, len(self.records) + 1, self.clock, event))

    def maybe(self, times_in_ten: int = 5) -> bool:
        return self.chance.randrange(10) < times_in_ten

    def cost(self) -> Usage:
        """What something costs, which is counted at once."""
        cost = Usage(1, self.chance.randint(0, 9), 2, 0.5) if self.maybe() else Usage()
        self.usage += cost
        return cost

    def in_phase(self, *phases: str) -> list[TaskId]:
        return [task for task, unit in self.units.items() if unit.phase in phases]

    def skip(self, tasks: list[TaskId], reason: str) -> None:
        for task in tasks:
            self.units[task].phase = "skipped"
        self.write(*(TaskSkipped(task, reason) for task in tasks))

    def able(self, task: TaskId) -> bool:
        unit = self.units[task]
        if unit.children is not None:
            return unit.phase == "running" and all(self.units[c].phase in OVER for c in unit.children)
        if unit.phase == "pending":
            return all(self.units[needed].phase in OVER for needed in unit.task.depends_on)
        return unit.phase in ("running", "waiting", "cut off")

    def step(self, task: TaskId) -> None:
        unit = self.units[task]
        if unit.children is not None:
            self._gather(task, unit)
        elif unit.phase == "pending" and any(self.units[d].phase != "done" for d in unit.task.depends_on):
            self.skip([task], "what it needs did not come to be")
        elif unit.phase == "pending" and unit.task.map_over is not None:
            self._expand(task, unit)
        elif unit.phase in ("pending", "waiting"):
            self._start(task, unit, unit.number + 1)
        elif unit.phase == "cut off" or self.maybe(2):
            self._look_into(task, unit)
        else:
            self._attempted(task, unit)

    def _expand(self, task: TaskId, unit: Unit) -> None:
        items = tuple(Item(f"item {n}", {"n": n}) for n in range(self.chance.randint(0, 3)))
        unit.phase, unit.children = "running", [TaskId(f"{task}[{n}]") for n in range(1, len(items) + 1)]
        for child in unit.children:
            self.units[child] = Unit(Task(child, unit.task.agent, "", ""))
        self.write(TaskExpanded(task, items))

    def _gather(self, task: TaskId, unit: Unit) -> None:
        well = all(self.units[child].phase == "done" for child in unit.children or ())
        unit.phase = "done" if well else "failed"
        output = Output("all", (Item("all"),))
        self.write(TaskDone(task, output) if well else TaskFailed(task, "1 of 2 items failed", output))

    def _start(self, task: TaskId, unit: Unit, number: int) -> None:
        unit.phase, unit.number = "running", number
        self.write(TaskStarted(task, number, f"{RUN}/{task}/{number}"))

    def _look_into(self, task: TaskId, unit: Unit) -> None:
        """A driver finds an attempt of an earlier one without its end."""
        match self.chance.randrange(4):
            case 0:
                unit.phase = "done"
                self.write(DoubtSettled(task, happened=True, output=Output("it did", usage=self.cost())))
            case 1:
                unit.phase, unit.number = "pending", unit.number - 1
                self.write(DoubtSettled(task, happened=False))
            case 2:
                unit.phase = "in_doubt"
                self.write(TaskInDoubt(task, "it was cut off"))
            case _:
                self._start(task, unit, unit.number or 1)

    def _attempted(self, task: TaskId, unit: Unit) -> None:
        match self.chance.randrange(8):
            case 0:
                unit.phase = "failed"
                output = Output("", usage=self.cost()) if self.maybe() else None
                self.write(TaskFailed(task, "HTTP 500", output, self.cost()))
            case 1:
                same = self.maybe()
                self.write(
                    TaskRetrying(task, unit.number, "busy", 0.5, unit.number + (not same), self.cost())
                )
                unit.phase, unit.number = "waiting", unit.number - same
            case 2:
                unit.phase = "waiting"
                self.write(TaskHandedOver(task, unit.number, "HTTP 500", AgentName("b"), self.cost()))
            case 3:
                unit.phase = "in_doubt"
                self.write(TaskInDoubt(task, "timed out after 30 s", self.cost()))
            case _:
                unit.phase = "done"
                self.write(TaskDone(task, Output("so", usage=self.cost())))
