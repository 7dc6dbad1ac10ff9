"""A store with its control, for benchmarks that drive whole runs."""

import os
import random
from collections.abc import Mapping, Sequence

from orchestrator.agents.contract import Agent
from orchestrator.control import Control
from orchestrator.engine.bells import Bells
from orchestrator.engine.driver import Means
from orchestrator.execution.clock import SystemClock
from orchestrator.execution.purse import RunPurse
from orchestrator.execution.settings import Settings, World
from orchestrator.ids import AgentName
from orchestrator.planning.plan import Plan
from orchestrator.runs.events import ApprovalAsked, Event, PlanMade, TurnReceived
from orchestrator.runs.identity import plan_hash
from orchestrator.runs.state import RunState
from orchestrator.runs.store import Store

from benchmarks.schedule import PROMPTS


class Desk:
    """Begins and drives runs of one plan."""

    def __init__(self, store: Store, agents: Mapping[AgentName, Agent], settings: Settings) -> None:
        self.store, self.clock = store, SystemClock()
        bells = Bells(store, self.clock)

        async def purse(state: RunState) -> RunPurse:
            return RunPurse(settings.budgets, spent=state.usage, tasks=state.units_begun)

        async def revise(state: RunState) -> Sequence[Event]:
            raise NotImplementedError(state.run)

        world = World(PROMPTS.render, self.clock, random.random)
        self.means = Means(store, bells, agents, settings, world, revise, purse, crash_limit=5)
        self.control = Control(store, self.clock, bells, self._means, lambda: self.means, os.urandom)

    async def _means(self, _: RunState, __: bool) -> Means:
        return self.means

    async def run(self, plan: Plan, *, ask: bool = False) -> RunState:
        """One run, as far as it goes; with `ask` it waits for a person."""
        known = plan_hash(plan)
        events: list[Event] = [TurnReceived(plan.request, None), PlanMade(plan, "answer", plan_hash=known)]
        if ask:
            events.append(ApprovalAsked(known, "the benchmark asks", 100))
        journal = await self.control.begin(events, at_once=not ask)
        return await self.control.go(journal, self.means)
