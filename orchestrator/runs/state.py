"""Where a run is: the value that is folded from its events, and from nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from orchestrator.agents.contract import NO_USAGE, Item, Output, Usage
from orchestrator.ids import AgentName, Json, MessageId, Phase, RunId, RunStatus, SessionId, TaskId
from orchestrator.planning.estimate import Estimate
from orchestrator.planning.plan import Plan
from orchestrator.planning.task import Task
from orchestrator.runs.changes import OutcomeChecked, ScenarioBegun, Scripted, SignalJudged
from orchestrator.runs.containing import Memory
from orchestrator.runs.events import ApprovalAsked, BudgetRanOut
from orchestrator.runs.messages import CancelAsked, FeedbackGiven, PlanApproved, PlanRejected

ENDED: frozenset[Phase] = frozenset({"done", "failed", "skipped"})
"""What no driver goes back to. A cancelled task is not ended: the next driver takes it up again."""


@dataclass(slots=True)
class TaskState:
    """Where one task, or one child of a mapped task, is.

    `attempt` is the last one begun and `key` names its effect; `next_attempt` is the number of the one that
    would come next: the same while it has not ended. `agent` is who was handed the task, None for the plan's
    own, and `failures` counts that agent's failed attempts.
    `items` are what a mapped task was expanded to; None before. `usage` is what all its attempts have cost;
    `cut_short` says that a driver left it at work, so that nobody knows how long it was.
    """

    status: Phase = "pending"
    attempt: int = 0
    key: str = ""
    next_attempt: int = 1
    agent: AgentName | None = None
    failures: int = 0
    output: Output | None = None
    error: str | None = None
    started: datetime | None = None
    ended: datetime | None = None
    items: tuple[Item, ...] | None = None
    usage: Usage = NO_USAGE
    cut_short: bool = False

    @property
    def begun(self) -> bool:
        """Whether an attempt at it was ever begun; a mapped task has none, its children have."""
        return self.started is not None and self.items is None

    @property
    def cut_off(self) -> bool:
        """Whether an attempt began of which the journal does not say how it ended."""
        return self.status == "running" and self.items is None


@dataclass(slots=True)
class RunState:
    """Where a run is. Whoever is not its journal only reads it.

    `tasks` has every task of the plan in plan order, and each mapped task's children once they are known.
    `approval` is what was asked for, `approved` the consent to the present plan. `waits_for` says what a
    parked run waits for. `to_revise` is feedback that the plan does not have yet. `review` is why a person
    should look at the run, `held` that it does not go on before. `drivers` counts the drivers that took the
    run since something last went on in it.
    `driven` is the seconds in which a driver had the run, up to the present one.
    `facts` is what is known, `as_of` when what was told with its time came to be so. `assumed` has for each
    key the tasks that assume something of it. `decisions` are those on signals that were not ignored, which
    are only counted; `told` counts the signals of a script. `memory` is what containment knows of each key.
    """

    run: RunId
    seq: int = 0
    status: RunStatus = "running"
    text: str = ""
    session: SessionId | None = None
    workspace: str = ""
    prompts: str = ""
    route: Mapping[str, Json] | None = None
    plan: Plan | None = None
    plan_hash: str = ""
    estimate: Estimate | None = None
    kind: str | None = None
    approval: ApprovalAsked | None = None
    approved: PlanApproved | None = None
    rejected: PlanRejected | None = None
    cancel: CancelAsked | None = None
    feedback: tuple[FeedbackGiven, ...] = ()
    waits_for: tuple[str, ...] = ()
    to_revise: FeedbackGiven | None = None
    review: str | None = None
    held: bool = False
    budget: BudgetRanOut | None = None
    facts: dict[str, Json] = field(default_factory=dict[str, Json])
    as_of: dict[str, datetime] = field(default_factory=dict[str, datetime])
    assumed: dict[str, tuple[Task, ...]] = field(default_factory=dict[str, tuple[Task, ...]])
    scenario: ScenarioBegun | None = None
    told: int = 0
    decisions: list[SignalJudged] = field(default_factory=list[SignalJudged])
    ignored: int = 0
    memory: dict[str, Memory] = field(default_factory=dict[str, Memory])
    outcome: OutcomeChecked | None = None
    refused: dict[MessageId, str] = field(default_factory=dict[MessageId, str])
    driver: str | None = None
    drivers: int = 0
    driven: float = 0.0
    tasks: dict[TaskId, TaskState] = field(default_factory=dict[TaskId, TaskState])
    reply: str = ""
    usage: Usage = field(default_factory=Usage)
    started: datetime | None = None
    ended: datetime | None = None
    at: datetime | None = None
    driving_since: datetime | None = None

    @property
    def consented(self) -> bool:
        """Whether the present plan may be run: nobody was to be asked, or somebody has agreed to it."""
        return self.approval is None or self.approved is not None

    @property
    def following(self) -> Scripted | None:
        """The signal that is due next by the script of a scenario, whenever that is."""
        timeline = () if self.scenario is None else self.scenario.timeline
        return timeline[self.told] if self.told < len(timeline) else None

    @property
    def ticks(self) -> int:
        """How many tasks, and children of mapped ones, have been executed: the clock of a scenario."""
        return sum(t.items is None and t.status in ("done", "failed") for t in self.tasks.values())

    @property
    def units_begun(self) -> int:
        """How many tasks, and children of mapped ones, were ever begun."""
        return sum(task.begun for task in self.tasks.values())

    @property
    def doubts(self) -> tuple[TaskId, ...]:
        """The tasks of which nobody knows whether they took effect, in plan order."""
        return tuple(task for task, found in self.tasks.items() if found.status == "in_doubt")

    def children(self, task: TaskId) -> tuple[TaskId, ...]:
        """The children of a mapped task, in the order of their items; none before it was expanded."""
        return tuple(child_id(task, n) for n in range(1, len(self.tasks[task].items or ()) + 1))


def child_id(task: TaskId, number: int) -> TaskId:
    """The id of a mapped task's child; `number` counts its items from 1."""
    return TaskId(f"{task}[{number}]")
