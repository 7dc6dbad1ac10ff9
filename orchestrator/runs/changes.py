"""What can happen to a plan while it runs: signals are judged, tasks recalled, plans revised.

Like all events these are facts, frozen, each type with a version.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from orchestrator.ids import Decision, Json, MessageId, TaskId
from orchestrator.planning.grounds.outcome import OutcomeFound
from orchestrator.planning.task import Task
from orchestrator.runs.containing import Memory, Rules


@dataclass(frozen=True, slots=True)
class Scripted:
    """A signal of a scenario, due once so many tasks have been executed."""

    tick: int
    id: str
    key: str
    value: Json
    source: str
    time: str = ""
    urgent: bool = False


@dataclass(frozen=True, slots=True)
class FactsGiven:
    """What is known when the run begins."""

    version: ClassVar[int] = 1
    facts: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ScenarioBegun:
    """The run is a scenario: tasks one after another, time in ticks, signals by script.

    The `timeline` is in the order of its ticks. A `baseline` carries its first plan out whatever it is told.
    `rules` contain the changes for a key, those under the empty key for all that are not named.
    """

    version: ClassVar[int] = 1
    name: str
    baseline: bool
    timeline: tuple[Scripted, ...]
    rules: Mapping[str, Rules] = field(default_factory=dict[str, Rules])


@dataclass(frozen=True, slots=True)
class SignalJudged:
    """What became of a signal, or of a contradiction that was looked at again (`signal` is then empty).

    `tasks` are those whose assumptions it contradicts, `at` is the time on the run's clock. `memory` is what
    containment knows of the key from now on, None where that is as before.
    """

    version: ClassVar[int] = 1
    signal: MessageId
    key: str
    decision: Decision
    reason: str
    at: float
    tasks: tuple[TaskId, ...] = ()
    memory: Memory | None = None


@dataclass(frozen=True, slots=True)
class TaskRecalled:
    """A task that was at work was called off, since what it went by is not so; it is pending again."""

    version: ClassVar[int] = 1
    task: TaskId
    reason: str


@dataclass(frozen=True, slots=True)
class PlanRevised:
    """The plan was changed: `changed` are tasks as they are now, those that are new among them.

    `dropped` are in it no longer. `waves` are the new ones, None where they are as before.
    """

    version: ClassVar[int] = 1
    reason: str
    changed: tuple[Task, ...]
    plan_hash: str
    dropped: tuple[TaskId, ...] = ()
    waves: tuple[tuple[TaskId, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class OutcomeChecked:
    """The real result was looked at, before the run ended."""

    version: ClassVar[int] = 1
    found: tuple[OutcomeFound, ...] = ()

    @property
    def well(self) -> bool:
        """Whether all is as it should be."""
        return all(found.well for found in self.found)
