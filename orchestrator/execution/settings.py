"""What the executor is told: the numbers of the workspace, and the few things it may reach of the world."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.ids import AgentName, Render, Schedule

if TYPE_CHECKING:
    from orchestrator.execution.clock import Clock
    from orchestrator.workspace.models import AgentFile, OrchestratorFile


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one agent's work; `timeout` in seconds, None for the run's."""

    timeout: float | None
    retries: int
    concurrency: int


@dataclass(frozen=True, slots=True)
class Budget:
    """How much of upstream results a dependent sees, in characters."""

    per_result: int
    total: int


@dataclass(frozen=True, slots=True)
class Settings:
    """How a plan is run; `task_timeout` in seconds. Meanings and defaults are on the page of knobs."""

    schedule: Schedule
    concurrency: int
    task_timeout: float
    max_items: int
    budget: Budget
    agents: Mapping[AgentName, Limits]


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
