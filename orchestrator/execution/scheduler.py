"""Runs a plan: the only place that makes asyncio tasks for a run, and none of them outlives it.

Laws: what is decided is journaled before it is done, and what follows from one end is one append. Whatever an
agent does ends as an event; only faults of the journal stop the driver, which then touches nothing more.
A run that was cut off anywhere can be driven again, from its journal.
"""

import asyncio
import logging
from collections.abc import Mapping
from functools import partial

from orchestrator.agents.contract import Agent
from orchestrator.errors import CuewaveError, InternalFault
from orchestrator.execution.calls import Calls
from orchestrator.execution.course import Course
from orchestrator.execution.crew import NEVER, Crew, Hand
from orchestrator.execution.outcome import judged, said
from orchestrator.execution.reply import reply_of, status_of
from orchestrator.execution.retry import pause_before_retry
from orchestrator.execution.settings import Settings, World
from orchestrator.execution.slots import Unit
from orchestrator.ids import AgentName
from orchestrator.planning.plan import Plan
from orchestrator.runs.events import (
    DriverStarted,
    Event,
    RunEnded,
    TaskCancelled,
    TaskDone,
    TaskFailed,
    TaskRetrying,
    TaskStarted,
)
from orchestrator.runs.journal import Journal
from orchestrator.runs.state import ENDED, RunState

_BREATH = 32
"""After so many units in a row a worker lets the event loop turn, though its agents may never suspend."""

_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())


async def drive(
    journal: Journal,
    agents: Mapping[AgentName, Agent],
    *,
    settings: Settings,
    world: World,
    driver: str = "local",
    cancel: asyncio.Event | None = None,
) -> RunState:
    """Run the journal's plan, from wherever the journal is, to its end; the final state.

    `cancel.set()` ends the run as `cancelled`. So does cancelling the caller, which is then raised again once
    everything has stopped and is journaled; a second time leaves at once. Raises Fenced and StoreError, and
    what a listener of the journal raised; the run is then left as its journal says.
    """
    state = journal.state
    if state.plan is None:
        raise InternalFault(f"run {journal.run} has no plan to drive")
    if state.status not in ("running", "cancelled"):
        return state
    await _Driver(journal, agents, settings, world, state.plan).run(driver, cancel)
    return state


class _Driver:
    """One driver at work. A worker is an asyncio task that runs one unit after another."""

    def __init__(
        self,
        journal: Journal,
        agents: Mapping[AgentName, Agent],
        settings: Settings,
        world: World,
        plan: Plan,
    ) -> None:
        self._journal, self._state = journal, journal.state
        self._agents, self._settings, self._world = agents, settings, world
        self._course = Course(plan, settings)
        self._crew = Crew(world.clock)
        agent_of = {task.id: task.agent for task in plan.tasks}
        self._calls = Calls(
            journal.state, agent_of, render=world.render, budget=settings.budget, emit=journal.emit
        )

    async def run(self, driver: str, cancel: asyncio.Event | None) -> None:
        """Drive to the end, or until told to stop; what was cut off is then journaled."""
        if cancel is not None and cancel.is_set():
            self._crew.stop()
        self._crew.spawn(self._begin, driver)
        try:
            await self._crew.wait(cancel)
        except asyncio.CancelledError:
            if self._crew.gone:
                await self._close()
            raise
        await self._close()

    async def _close(self) -> None:
        if self._state.ended is not None:
            return
        left = [task for task, found in self._state.tasks.items() if found.status not in ENDED]
        if not self._crew.stopping:
            raise InternalFault(f"run {self._journal.run}: nobody is at work on {', '.join(left)}")
        await self._journal.append(*map(TaskCancelled, left), self._ending())

    def _ending(self) -> RunEnded:
        return RunEnded(status_of(self._state), reply_of(self._state, self._world.render))

    async def _begin(self, hand: Hand, driver: str) -> None:
        first = await self._advance([DriverStarted(driver), *self._course.begin(self._state)])
        await self._work(hand, first)

    async def _work(self, hand: Hand, unit: Unit | None) -> None:
        """Run the unit, then the first of those that its end lets start, and so on."""
        count = 0
        while unit is not None:
            end = await self._end_of(unit, hand)
            unit = await self._advance([end, *self._course.end(unit, well=type(end) is TaskDone)])
            count += 1
            if not count % _BREATH:
                await asyncio.sleep(0)

    async def _advance(self, events: list[Event]) -> Unit | None:
        """Journal what happened together with what begins by it; begin it. The first unit is the caller's."""
        mine: Unit | None = None
        while True:
            begun = () if self._crew.stopping else self._course.start()
            events.extend(map(self._started, begun))
            due, last = self._course.take_due(), self._course.complete
            await self._journal.append(*events)
            for unit in begun:
                if mine is None:
                    mine = unit
                else:
                    self._crew.spawn(self._work, unit)
            if last:
                await self._journal.append(self._ending())
            if not due:
                return mine
            events = [event for unit in due for event in self._course.resolve(unit, self._state)]

    def _started(self, unit: Unit) -> TaskStarted:
        """The next attempt of a unit; one that was cut off has the same number, and key, again."""
        found = self._state.tasks.get(unit.id)
        number = found.retried + 1 if found else 1
        return TaskStarted(unit.id, number, f"{self._journal.run}/{unit.id}/{number}")

    async def _end_of(self, unit: Unit, hand: Hand) -> TaskDone | TaskFailed:
        """Attempt the unit until it ends."""
        limits = self._settings.agents[unit.task.agent]
        seconds = limits.timeout or self._settings.task_timeout
        found = self._state.tasks[unit.id]
        while True:
            number = found.attempt
            try:
                agent = self._agents[unit.task.agent]
                call = self._calls.of(unit, found.key, query=getattr(agent, "reads_query", True))
                return judged(unit, await hand.cuttably(partial(agent.run, call), seconds))
            except Exception as error:  # noqa: BLE001 - an agent's error ends its attempt, never the run
                self._log_failure(unit, number, error)
                text = said(error, unit.task.effects)
                pause = pause_before_retry(
                    error, number, retries=limits.retries, effects=unit.task.effects, rng=self._world.rng
                )
            if pause is None:
                return TaskFailed(unit.id, text)
            await self._journal.append(TaskRetrying(unit.id, number, text, pause))
            await hand.cuttably(partial(self._world.clock.sleep, pause), NEVER)
            await self._journal.append(self._started(unit))

    def _log_failure(self, unit: Unit, number: int, error: Exception) -> None:
        """For the log: an error of ours in a line, one that an agent did not mean with its traceback."""
        trace = None if isinstance(error, CuewaveError) else error
        _log.warning("%s: attempt %d of %s: %s", self._journal.run, number, unit.id, error, exc_info=trace)
