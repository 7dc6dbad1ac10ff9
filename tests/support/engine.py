"""Driving whole runs in tests: a run in a store, its means, and a person who says things."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from orchestrator.agents.contract import Agent
from orchestrator.control import Control
from orchestrator.engine.adaptation import UNMOVED, Adaptation
from orchestrator.engine.bells import Bells
from orchestrator.engine.driver import Means
from orchestrator.execution.purse import RunPurse
from orchestrator.execution.settings import Settings, World
from orchestrator.ids import AgentName
from orchestrator.planning.plan import Plan
from orchestrator.runs.events import ApprovalAsked, Event, PlanMade, Record, TurnReceived
from orchestrator.runs.identity import plan_hash
from orchestrator.runs.state import RunState
from orchestrator.runs.store import Store
from orchestrator.testing import FakeClock, MemoryStore

from support.driving import PROMPTS, settings_with

MOST = 100


def opening(plan: Plan, *, ask: bool = False) -> list[Event]:
    """The first events of a run of this plan; `ask`: a person is to agree to it."""
    events: list[Event] = [
        TurnReceived(plan.request, None),
        PlanMade(plan, "answer", plan_hash=plan_hash(plan)),
    ]
    return [*events, ApprovalAsked(plan_hash(plan), "t1 (a) writes", MOST)] if ask else events


async def no_revision(_: RunState) -> Sequence[Event]:
    raise AssertionError("nothing was to be revised")


@dataclass
class Desk:
    """A store with its control. `revise` makes plans anew; `heard` is all that was told of."""

    agents: Mapping[str, Agent]
    store: Store = field(default_factory=MemoryStore)
    clock: FakeClock = field(default_factory=FakeClock)
    settings: Settings = field(default_factory=settings_with)
    revise: Callable[[RunState], Any] = no_revision
    crash_limit: int = 5
    adaptation: Adaptation = UNMOVED
    heard: list[Record] = field(default_factory=list[Record])

    def __post_init__(self) -> None:
        self._made = 0
        self.bells = Bells(self.store, self.clock)
        self.control = Control(self.store, self.clock, self.bells, self.means, self.present, self.chance)

    def chance(self, count: int) -> bytes:
        """Bytes that are different each time, and the same in each test."""
        self._made += 1
        return self._made.to_bytes(count, "big")

    async def means(self, state: RunState, changed: bool = False) -> Means:
        return self.present()

    def present(self) -> Means:
        return Means(
            self.store,
            self.bells,
            {AgentName(name): agent for name, agent in self.agents.items()},
            self.settings,
            World(PROMPTS.render, self.clock, lambda: 0.5),
            self.revise,
            self.purse,
            self.crash_limit,
            adaptation=self.adaptation,
        )

    async def purse(self, state: RunState) -> RunPurse:
        return RunPurse(self.settings.budgets, spent=state.usage, tasks=state.units_begun)

    async def begun(self, plan: Plan, *more: Event, ask: bool = False) -> RunState:
        """A run of this plan, driven as far as it goes; `more` is what else it begins with."""
        journal = await self.control.begin([*opening(plan, ask=ask), *more], [self.listen])
        return await self.control.go(journal, await self.means(journal.state))

    def listen(self, happening: Any) -> None:
        if isinstance(happening, Record):
            self.heard.append(happening)

    async def events(self, run: str) -> list[Event]:
        return [record.event for record in await self.store.read(run)]  # pyright: ignore[reportArgumentType]


def restarted(desk: Desk, **changes: Any) -> Desk:
    """The same store in another process."""
    return replace(desk, **changes)
