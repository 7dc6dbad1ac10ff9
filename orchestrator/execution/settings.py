"""What the executor is told: the numbers of the workspace, and the few things it may reach of the world."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from orchestrator.ids import AgentName, Schedule

if TYPE_CHECKING:
    from orchestrator.execution.clock import Clock
    from orchestrator.workspace.models import AgentFile, OrchestratorFile

Render: TypeAlias = Callable[[str, Mapping[str, object]], str]
"""A template's name and its variables become text."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one agent's work; `timeout` in seconds, None for the run's."""

    timeout: float | None = None
    retries: int = 2
    concurrency: int = 8


@dataclass(frozen=True, slots=True)
class Budget:
    """How much of upstream results a dependent sees, in characters."""

    per_result: int = 4000
    total: int = 16000


@dataclass(frozen=True, slots=True)
class Settings:
    """How a plan is run; `task_timeout` in seconds. The meaning of each is on the page of knobs."""

    schedule: Schedule = "eager"
    concurrency: int = 16
    task_timeout: float = 120.0
    max_items: int = 100
    budget: Budget = field(default_factory=Budget)
    agents: Mapping[AgentName, Limits] = field(default_factory=dict[AgentName, Limits])

    def limits(self, agent: AgentName) -> Limits:
        """The agent's limits, the usual ones where it sets none."""
        return self.agents.get(agent, _USUAL)


_USUAL = Limits()


@dataclass(frozen=True, slots=True)
class World:
    """What the executor may reach: templates, time, and chance (`rng()` is in [0, 1))."""

    render: Render
    clock: "Clock"
    rng: Callable[[], float]


def settings_of(
    file: "OrchestratorFile", agents: Iterable["AgentFile"], schedule: Schedule | None = None
) -> Settings:
    """The settings of a workspace; `schedule` overrides its own."""
    return Settings(
        schedule=schedule or file.execution.schedule,
        concurrency=file.execution.concurrency,
        task_timeout=file.execution.task_timeout,
        max_items=file.execution.max_items,
        budget=Budget(file.inject.per_result, file.inject.total),
        agents={
            AgentName(a.name): Limits(a.limits.timeout, a.limits.retries, a.limits.concurrency)
            for a in agents
        },
    )
