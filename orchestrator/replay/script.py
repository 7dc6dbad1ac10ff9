"""What the records of a run say of the world outside: answers of agents, words of people, deaths of drivers.

Law: a record is either a decision of the program or what came to it from outside. Only what came from outside
is in the script, each at its place among the records; the decisions are made again, and compared. Pure.
"""

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from orchestrator.errors import BudgetExceeded
from orchestrator.ids import AgentName, TaskId
from orchestrator.runs.events import (
    DoubtSettled,
    Event,
    Record,
    TaskDone,
    TaskFailed,
    TaskHandedOver,
    TaskInDoubt,
    TaskRetrying,
)
from orchestrator.runs.messages import Said
from orchestrator.runs.state import RunState

NEVER = float("inf")
"""The place of what did not come."""

BUDGET = "the budget of "
"""How everything begins that is told of a budget which ran out."""

End: TypeAlias = TaskDone | TaskFailed | TaskRetrying | TaskHandedOver | TaskInDoubt


@dataclass(slots=True)
class Begin:
    """One attempt of an agent, as it was begun at place `at`. `end` is what came of it, at place `ended`.

    It is None where it was cut off; `doubted` says that it was in doubt, and `verdict` what its agent could
    tell; `dropped` that it was given up and not in doubt, `hushed` that its agent was about to tell when the
    run was cancelled. `paused` says that it was begun after a pause.
    """

    agent: AgentName
    at: int
    paused: bool
    end: End | None = None
    ended: float = NEVER
    doubted: bool = False
    dropped: bool = False
    hushed: bool = False
    verdict: DoubtSettled | None = None


class Kind(Enum):
    """What came from outside."""

    ANSWER = auto()
    """The end of an attempt or of a pause: time goes on to its place."""
    REVISION = auto()
    """The same for a plan made anew."""
    WORD = auto()
    TIME_UP = auto()
    STOP = auto()
    """The run is stopped while it is at work."""


class RanOut(BudgetExceeded):
    """A budget that ran out, as it was told of."""

    def __init__(self, told: str, budget: str = "", limit: float = 0, used: float = 0) -> None:
        BudgetExceeded.__init__(self, budget, limit, used)
        self.args = (told,) if told else self.args


class Cue(NamedTuple):
    """Something that came from outside, and its place; `said` is set of a word, and of a stop by one."""

    at: int
    kind: Kind
    said: Said | None = None


class Revision(NamedTuple):
    """What came of feedback: events of a plan made anew, or why there is none."""

    at: int
    events: tuple[Event, ...]
    refused: str = ""


@dataclass(slots=True)
class Era:
    """What one driver did, from place `first` to `last`; it `died` where it neither ended nor parked the run.

    `begun` counts the tasks, and children of mapped ones, that it began and nobody had before; it was `idle`
    where it began none at all. `ran_out` is a budget that was empty.
    """

    driver: str
    first: int
    last: int = 0
    died: bool = True
    begun: int = 0
    idle: bool = True
    ran_out: "RanOut | None" = None
    cues: list[Cue] = field(default_factory=list[Cue])

    @property
    def late(self) -> bool:
        """Whether there was no time left when it came."""
        return self.idle and str(self.ran_out).startswith(f"{BUDGET}wall time")


@dataclass(slots=True)
class Script:
    """All that came from outside. `opening` are the records before the first driver."""

    opening: tuple[Record, ...] = ()
    eras: list[Era] = field(default_factory=list[Era])
    begins: dict[TaskId, list[Begin]] = field(default_factory=dict[TaskId, list[Begin]])
    revisions: list[Revision] = field(default_factory=list[Revision])

    @property
    def telling(self) -> frozenset[AgentName]:
        """The agents that can tell, of some effects, whether they came about."""
        begins = (begin for its in self.begins.values() for begin in its)
        return frozenset(begin.agent for begin in begins if begin.verdict is not None or begin.hushed)

    @property
    def time_is_up(self) -> bool:
        """Whether the run was stopped since it had taken too long."""
        return any(cue.kind is Kind.TIME_UP for era in self.eras for cue in era.cues)


def agent_of(task: TaskId, state: RunState) -> AgentName:
    """Who does the task, or the child, now."""
    tasks = () if state.plan is None else state.plan.tasks
    return state.tasks[task].agent or next(t.agent for t in tasks if t.id == parent_of(task))


def parent_of(task: TaskId) -> TaskId:
    """The task itself, or the mapped one whose child it is."""
    return TaskId(task.partition("[")[0])
