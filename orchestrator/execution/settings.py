"""What the executor is told: the numbers of the workspace, and the few things it may reach of the world."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.ids import AgentName, Render, Schedule

if TYPE_CHECKING:
    from orchestrator.execution.clock import Clock
    from orchestrator.runs.changes import OutcomeChecked
    from orchestrator.runs.events import Event
    from orchestrator.runs.state import RunState
    from orchestrator.workspace.agent_file import AgentFile
    from orchestrator.workspace.models import OrchestratorFile


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one agent's work; `timeout` in seconds, None for the run's.

    `idempotent`: what may have been done can be done again under the same key. `fallbacks` try in turn what
    the agent cannot do.
    """

    timeout: float | None
    retries: int
    concurrency: int
    idempotent: bool = False
    fallbacks: tuple[AgentName, ...] = ()


@dataclass(frozen=True, slots=True)
class Budget:
    """How much of upstream results a dependent sees, in characters."""

    per_result: int
    total: int


@dataclass(frozen=True, slots=True)
class Spending:
    """The most that may be spent; None where there is no limit. `tokens` are those of prompts and answers."""

    model_calls: int | None = None
    tokens: int | None = None
    money: float | None = None
    wall_time: float | None = None
    tasks: int | None = None

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return self != NO_LIMITS


NO_LIMITS = Spending()


@dataclass(frozen=True, slots=True)
class Budgets:
    """What a run may spend, and all runs of its session together."""

    run: Spending = NO_LIMITS
    session: Spending = NO_LIMITS


@dataclass(frozen=True, slots=True)
class Settings:
    """How a plan is run; `task_timeout` in seconds. Meanings and defaults are on the page of knobs."""

    schedule: Schedule
    concurrency: int
    task_timeout: float
    max_items: int
    budget: Budget
    agents: Mapping[AgentName, Limits]
    budgets: Budgets = Budgets()


@dataclass(frozen=True, slots=True)
class World:
    """What the executor may reach: templates, time, and chance (`rng()` is in [0, 1)).

    `between` gives, whenever a task has ended, what happens then by the script of a scenario; `pace` is
    awaited before it goes on. `judge` looks at the real result of a run that is about to end.
    """

    render: Render
    clock: "Clock"
    rng: Callable[[], float]
    between: Callable[["RunState"], Sequence["Event"]] | None = None
    pace: Callable[["RunState"], Awaitable[None]] | None = None
    judge: Callable[["RunState"], Awaitable["OutcomeChecked"]] | None = None


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
            AgentName(a.name): Limits(
                a.limits.timeout,
                a.limits.retries,
                a.limits.concurrency,
                a.idempotent,
                tuple(map(AgentName, a.fallbacks)),
            )
            for a in agents
        },
        budgets=Budgets(
            run=Spending(**dict(file.budgets.run)),  # a dump would have durations as texts
            session=Spending(**dict(file.budgets.session)),
        ),
    )
