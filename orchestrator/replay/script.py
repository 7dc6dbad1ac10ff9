"""What the records of a run say of the world outside: answers of agents, words of people, deaths of drivers.

Law: a record is either a decision of the program or what came to it from outside. Only what came from outside
is in the script, each at its place among the records; the decisions are made again, and compared. Pure.
"""

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from orchestrator.ids import TaskId
from orchestrator.runs.events import (
    BudgetRanOut,
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

NEVER = float("inf")
"""The place of what did not come."""

End: TypeAlias = TaskDone | TaskFailed | TaskRetrying | TaskHandedOver | TaskInDoubt


@dataclass(slots=True)
class Begin:
    """One attempt, as it was begun at place `at`. `end` is what came of it, at place `ended`.

    It is None where it was cut off; `doubted` says that this was looked into, and `verdict` what its agent
    could tell. `paused` says that it was begun after a pause.
    """

    at: int
    paused: bool
    end: End | None = None
    ended: float = NEVER
    doubted: bool = False
    verdict: DoubtSettled | None = None


class Kind(Enum):
    """What came from outside."""

    ANSWER = auto()
    """The end of an attempt or of a pause, or a plan made anew: time goes on to its place."""
    WORD = auto()
    TIME_UP = auto()
    INTERRUPT = auto()
    """Who waited for the run has stopped it."""


class Cue(NamedTuple):
    """Something that came from outside, and its place; `said` is set of a word."""

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

    `begun` counts the attempts that waited for nothing but their turn; `ran_out` is a budget that was empty.
    """

    driver: str
    first: int
    last: int = 0
    died: bool = True
    begun: int = 0
    ran_out: BudgetRanOut | None = None
    cues: list[Cue] = field(default_factory=list[Cue])


@dataclass(slots=True)
class Script:
    """All that came from outside. `opening` are the records before the first driver; `out_of_tasks` says that
    the run was ended since it had begun as many tasks as it might."""

    opening: tuple[Record, ...] = ()
    eras: list[Era] = field(default_factory=list[Era])
    begins: dict[TaskId, list[Begin]] = field(default_factory=dict[TaskId, list[Begin]])
    revisions: list[Revision] = field(default_factory=list[Revision])
    out_of_tasks: bool = False

    @property
    def time_is_up(self) -> bool:
        """Whether the run was stopped since it had taken too long."""
        return any(cue.kind is Kind.TIME_UP for era in self.eras for cue in era.cues)
