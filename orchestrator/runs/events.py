"""What can happen in a run: one vocabulary for journal, hooks and streams.

Events are facts, frozen, each type with a version. The state of a run is folded from them and from nothing
else. `Record` is an event in its place: run, sequence number (from 1, without gaps), time (UTC).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, NamedTuple, TypeAlias

from orchestrator.agents.contract import Item, Output, Usage
from orchestrator.ids import Json, RunId, RunStatus, SessionId, TaskId
from orchestrator.planning.plan import Plan


@dataclass(frozen=True, slots=True)
class TurnReceived:
    """A person said something."""

    version: ClassVar[int] = 1
    text: str
    session: SessionId | None


@dataclass(frozen=True, slots=True)
class TurnRouted:
    """It was decided who serves the turn; `route` is the decision with its evidence, as JSON."""

    version: ClassVar[int] = 1
    route: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class PlanMade:
    """The turn became a plan. `usage` is what routing and planning cost."""

    version: ClassVar[int] = 1
    plan: Plan
    kind: str
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class PlanApproved:
    """A person, or `--yes` in a person's name, agreed to the plan's effects."""

    version: ClassVar[int] = 1
    by: str


@dataclass(frozen=True, slots=True)
class DriverStarted:
    """A driver took the run; every older driver of it is fenced."""

    version: ClassVar[int] = 1
    driver: str


@dataclass(frozen=True, slots=True)
class TaskExpanded:
    """A mapped task found its items; its children are `id[1]`, `id[2]`, … in their order."""

    version: ClassVar[int] = 1
    task: TaskId
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class TaskStarted:
    """An attempt began. `attempt` counts from 1; `key` names its effect."""

    version: ClassVar[int] = 1
    task: TaskId
    attempt: int
    key: str


@dataclass(frozen=True, slots=True)
class TaskRetrying:
    """An attempt failed with an error that can pass; the next one begins after `delay` seconds."""

    version: ClassVar[int] = 1
    task: TaskId
    attempt: int
    error: str
    delay: float


@dataclass(frozen=True, slots=True)
class TaskDone:
    """A task has its result."""

    version: ClassVar[int] = 1
    task: TaskId
    output: Output


@dataclass(frozen=True, slots=True)
class TaskFailed:
    """A task has no result and will not get one. `output` is what a mapped task gathered all the same."""

    version: ClassVar[int] = 1
    task: TaskId
    error: str
    output: Output | None = None


@dataclass(frozen=True, slots=True)
class TaskSkipped:
    """A task was not run, since what it depends on did not come to be."""

    version: ClassVar[int] = 1
    task: TaskId
    reason: str


@dataclass(frozen=True, slots=True)
class TaskCancelled:
    """A task was cut off, or never begun, because the run was cancelled."""

    version: ClassVar[int] = 1
    task: TaskId


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The run is over; `reply` is what the person reads."""

    version: ClassVar[int] = 1
    status: RunStatus
    reply: str


Event: TypeAlias = (
    TurnReceived
    | TurnRouted
    | PlanMade
    | PlanApproved
    | DriverStarted
    | TaskExpanded
    | TaskStarted
    | TaskRetrying
    | TaskDone
    | TaskFailed
    | TaskSkipped
    | TaskCancelled
    | RunEnded
)


class Record(NamedTuple):
    """An event in its place in the journal. A tuple, since two are made for every task."""

    run: RunId
    seq: int
    at: datetime
    event: Event


@dataclass(frozen=True, slots=True)
class OutputChunk:
    """A piece of a task's output as it arrives. It is streamed, not journaled: the result holds the whole."""

    run: RunId
    task: TaskId
    text: str
