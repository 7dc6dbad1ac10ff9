"""What can happen in a run: one vocabulary for journal, hooks and streams.

Events are facts, frozen, each type with a version. The state of a run is folded from them and from nothing
else. What the world outside says (`orchestrator.runs.messages`) is an event too, once a driver took it in.
`Record` is an event in its place: run, sequence number (from 1, without gaps), time (UTC).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, NamedTuple, TypeAlias

from orchestrator.agents.contract import Item, Output, Usage
from orchestrator.ids import AgentName, Json, MessageId, RunId, RunStatus, SessionId, TaskId
from orchestrator.planning.estimate import Estimate
from orchestrator.planning.plan import Plan
from orchestrator.runs.changes import (
    FactsGiven,
    OutcomeChecked,
    PlanRevised,
    ScenarioBegun,
    SignalJudged,
    TaskRecalled,
)
from orchestrator.runs.messages import Said


@dataclass(frozen=True, slots=True)
class TurnReceived:
    """A person said something.

    `workspace` and `prompts` are the fingerprints of what the run was begun with; version 1 had none.
    """

    version: ClassVar[int] = 2
    text: str
    session: SessionId | None
    workspace: str = ""
    prompts: str = ""


@dataclass(frozen=True, slots=True)
class TurnRouted:
    """It was decided who serves the turn; `route` is the decision with its evidence, as JSON."""

    version: ClassVar[int] = 1
    route: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class PlanMade:
    """The turn became a plan, or the plan was made anew. `usage` is what routing and planning cost.

    `plan_hash` is that of the plan as it was then; version 1 had none. `estimate` is what the run was
    expected to take, None where nobody has estimated it; version 2 had none. The plan of version 3 had no
    assumptions and no repairs.
    """

    version: ClassVar[int] = 4
    plan: Plan
    kind: str
    usage: Usage = field(default_factory=Usage)
    plan_hash: str = ""
    estimate: Estimate | None = None


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """Nothing is begun before a person has agreed to this plan, with so many items a mapped task at most."""

    version: ClassVar[int] = 1
    plan_hash: str
    reason: str
    most_items: int


@dataclass(frozen=True, slots=True)
class DriverStarted:
    """A driver took the run; every older driver of it is fenced."""

    version: ClassVar[int] = 1
    driver: str


@dataclass(frozen=True, slots=True)
class MessageRefused:
    """A message came in that cannot be, as the run is now."""

    version: ClassVar[int] = 1
    message: MessageId
    said: str
    reason: str


@dataclass(frozen=True, slots=True)
class RunParked:
    """Only the world outside can move the run: it waits for these, and nobody drives it.

    They are `approval`, `answer TASK` or `review`; `reply` is what the person reads meanwhile.
    """

    version: ClassVar[int] = 1
    waits_for: tuple[str, ...]
    reply: str


@dataclass(frozen=True, slots=True)
class ReviewFlagged:
    """A person should look at the run; where it `holds`, nothing goes on before somebody has."""

    version: ClassVar[int] = 1
    reason: str
    holds: bool


@dataclass(frozen=True, slots=True)
class BudgetRanOut:
    """The next step would have cost more than the run, or its session, may. `needed` is for people."""

    version: ClassVar[int] = 1
    budget: str
    limit: float
    used: float
    needed: str


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
    """An attempt failed with an error that can pass; after `delay` seconds comes the attempt `next_attempt`.

    That is the same number, and key, where nobody knows whether the failed one took effect. `usage` is what
    the failed one cost; version 1 had neither.
    """

    version: ClassVar[int] = 2
    task: TaskId
    attempt: int
    error: str
    delay: float
    next_attempt: int
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class TaskHandedOver:
    """The task's agent cannot do it; another one tries."""

    version: ClassVar[int] = 1
    task: TaskId
    attempt: int
    error: str
    to: AgentName
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class TaskInDoubt:
    """An attempt had no end that could be seen, and nobody knows whether its effect came about."""

    version: ClassVar[int] = 1
    task: TaskId
    reason: str
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class DoubtSettled:
    """The agent itself could tell, by the key, whether the effect came about; `output` is then its result."""

    version: ClassVar[int] = 1
    task: TaskId
    happened: bool
    output: Output | None = None


@dataclass(frozen=True, slots=True)
class TaskDone:
    """A task has its result."""

    version: ClassVar[int] = 1
    task: TaskId
    output: Output


@dataclass(frozen=True, slots=True)
class TaskFailed:
    """A task has no result and will not get one. `output` is what a mapped task gathered all the same.

    `usage` is what the last attempt cost, without the output; version 1 had none.
    """

    version: ClassVar[int] = 2
    task: TaskId
    error: str
    output: Output | None = None
    usage: Usage = field(default_factory=Usage)


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
    | ApprovalAsked
    | DriverStarted
    | MessageRefused
    | RunParked
    | ReviewFlagged
    | BudgetRanOut
    | TaskExpanded
    | TaskStarted
    | TaskRetrying
    | TaskHandedOver
    | TaskInDoubt
    | DoubtSettled
    | TaskDone
    | TaskFailed
    | TaskSkipped
    | TaskCancelled
    | RunEnded
    | FactsGiven
    | ScenarioBegun
    | SignalJudged
    | TaskRecalled
    | PlanRevised
    | OutcomeChecked
    | Said
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
