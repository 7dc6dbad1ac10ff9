"""Runs a plan: the only place that makes asyncio tasks for a run, and none of them outlives it.

Laws: what is decided is journaled before it is done, and what follows from one end is one append. Only faults
of the journal stop the executor, which then touches nothing more. A run that was cut off anywhere can be
taken up again, from its journal; an effect that may have come about is not brought about twice.
"""

import asyncio
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from orchestrator.agents.contract import Agent
from orchestrator.errors import BudgetExceeded, InternalFault
from orchestrator.execution.attempts import Attempts
from orchestrator.execution.calls import Calls
from orchestrator.execution.clock import Alarm
from orchestrator.execution.course import Course
from orchestrator.execution.crew import NEVER, Crew, Hand, Recalled
from orchestrator.execution.ending import Ending
from orchestrator.execution.outcome import End
from orchestrator.execution.purse import RunPurse
from orchestrator.execution.reins import Decide, Reins
from orchestrator.execution.reply import status_of
from orchestrator.execution.settings import Settings, World
from orchestrator.execution.slots import Unit
from orchestrator.ids import AgentName, MessageId, TaskId
from orchestrator.planning.plan import Plan
from orchestrator.runs.changes import TaskRecalled
from orchestrator.runs.events import (
    Event,
    TaskDone,
    TaskHandedOver,
    TaskInDoubt,
    TaskRetrying,
    TaskStarted,
)
from orchestrator.runs.journal import Journal

_BREATH = 32
"""After so many units in a row a worker lets the event loop turn, though its agents may never suspend."""


async def execute(
    journal: Journal,
    agents: Mapping[AgentName, Agent],
    *,
    settings: Settings,
    world: World,
    purse: RunPurse | None = None,
    cancel: asyncio.Event | None = None,
    reins: Reins | None = None,
) -> None:
    """Run the journal's plan, from wherever the journal is, to its end, or to where only doubt is left.

    It also returns where a person must agree to a changed plan, or look at the run, before anything else may
    begin. `purse` is what may be spent, everything where it is None. `reins` let the plan be changed
    meanwhile. `cancel.set()` ends the run as `cancelled`. So does cancelling the caller, which is then raised
    again once everything has stopped and is journaled; a second time leaves at once. Raises Fenced and
    StoreError, and what a listener of the journal raised; the run is then left as its journal says.
    """
    state = journal.state
    if state.plan is None:
        raise InternalFault(f"run {journal.run} has no plan to execute")
    if state.ended is not None:
        raise InternalFault(f"run {journal.run} has ended; a driver that takes it up says so first")
    purse = purse or RunPurse(settings.budgets, spent=state.usage, tasks=state.units_begun)
    executor = _Executor(journal, agents, settings=settings, world=world, purse=purse, plan=state.plan)
    with (reins or Reins()).held_by(executor.change):
        await executor.run(cancel)


class _Executor:
    """One plan being executed. A worker is an asyncio task that runs one unit after another.

    What has begun and has no worker yet is in `_begun`. Workers come as they are needed: each that comes
    calls two more, as long as there is something for them, so that agents which never suspend are served by
    few of them, and others all start within a few turns of the event loop.
    """

    def __init__(
        self,
        journal: Journal,
        agents: Mapping[AgentName, Agent],
        *,
        settings: Settings,
        world: World,
        purse: RunPurse,
        plan: Plan,
    ) -> None:
        self._journal, self._state, self._plan = journal, journal.state, plan
        self._world, self._purse = world, purse
        self._wall_time = settings.budgets.run.wall_time
        self._may = self._may_begin if purse.limits_tasks else None
        self._crew = Crew(world.clock)
        self._begun: deque[Unit] = deque()
        self._coming = 0
        self._course = Course(plan, settings)
        self._changing, self._epoch = 0, 0
        self._halted = False
        self._ending = Ending(journal, self._course, world=world, purse=purse)
        self._agent_of = {task.id: task.agent for task in plan.tasks}
        calls = Calls(
            journal.state, self._agent_of, render=world.render, budget=settings.budget, emit=journal.emit
        )
        self._attempts = Attempts(journal.state, agents, calls, settings=settings, world=world, purse=purse)

    async def run(self, cancel: asyncio.Event | None) -> None:
        """Execute until nothing is left to do, or until told to stop; what was cut off is then journaled."""
        if cancel is not None and cancel.is_set():
            self._crew.stop()
        alarm = self._time_limit()
        self._crew.spawn(self._begin)
        try:
            await self._crew.wait(cancel)
        except asyncio.CancelledError:
            if self._crew.gone:
                await self._close()
            raise
        finally:
            if alarm is not None:
                alarm.cancel()
        await self._close()

    async def change(self, decide: Decide, taken: Collection[MessageId]) -> bool:
        """See Reins. False where it is too late: the run is ending."""
        if self._crew.stopping or self._ending.begun:
            return False
        done = asyncio.get_running_loop().create_future()

        async def work(hand: Hand) -> None:
            try:
                await self._change(decide, taken)
            finally:
                done.cancel()
            if not self._changing:
                await self._go_on(hand)

        self._crew.spawn(work)
        await asyncio.wait((done,))
        return True

    async def _change(self, decide: Decide, taken: Collection[MessageId] = ()) -> bool:
        """Let nothing begin until what follows is stored, and go by the plan there is then. Was there any?"""
        self._changing += 1
        try:
            await self._journal.settle()
            events = decide()
            recalled = [event.task for event in events if isinstance(event, TaskRecalled)]
            if recalled:
                self._course.recall(recalled, self._state)
                self._crew.recall(recalled)
            if events:
                await self._journal.append(*events, taken=taken)
                await self._journal.settle()
                self._adopt(recalled)
        finally:
            self._changing -= 1
        return bool(events)

    def _adopt(self, recalled: Sequence[TaskId]) -> None:
        plan = self._state.plan
        if plan is not None and (plan is not self._plan or recalled):
            self._plan = plan
            self._agent_of.update((task.id, task.agent) for task in plan.tasks)
            self._course.adopt(plan, self._state)
            self._epoch += 1
        self._halted = self._state.held or not self._state.consented

    async def _go_on(self, hand: Hand) -> None:
        """Begin what may begin now."""
        unit = await self._advance(hand, [])
        if unit is not None:
            await self._work(hand, unit)

    def _time_limit(self) -> Alarm | None:
        """The alarm for when the run has been driven for as long as it may."""
        if self._wall_time is None:
            return None
        left = self._wall_time - self._state.driven
        if left <= 0:
            self._time_is_up()
            return None
        return self._world.clock.call_later(left, self._time_is_up)

    def _time_is_up(self) -> None:
        limit = self._wall_time or 0.0
        self._ending.out_of_time = True
        self._purse.run_out(BudgetExceeded("seconds of wall time of the run", limit, limit))
        self._crew.stop()

    async def _close(self) -> None:
        """Nobody is at work any more. Where a person has to say something first, nothing has ended."""
        if self._crew.stopping or not self._halted:
            await self._ending.of_what_is_left(stopping=self._crew.stopping)

    async def _begin(self, hand: Hand) -> None:
        settled = [
            await self._attempts.settled(unit, hand) for unit in self._course.cut_off_writes(self._state)
        ]
        if settled:
            await self._journal.append(*settled)
        unit = await self._advance(hand, self._course.begin(self._state))
        if unit is not None:
            await self._work(hand, unit)

    async def _come(self, hand: Hand) -> None:
        """Take what has begun, unless others have by now."""
        self._coming -= 1
        if self._begun:
            unit = self._begun.popleft()
            self._call_workers()
            await self._work(hand, unit)

    def _call_workers(self) -> None:
        for _ in range(min(2, len(self._begun) - self._coming)):
            self._coming += 1
            self._crew.spawn(self._come)

    async def _work(self, hand: Hand, unit: Unit | None) -> None:
        """Run the unit, then the first that its end lets start, and so on; then what else has begun."""
        count = 0
        while unit is not None:
            hand.work = unit.task.id
            try:
                end = await self._end_of(unit, hand)
            except Recalled:
                self._course.back(unit)
                unit = await self._advance(hand, []) or (self._begun.popleft() if self._begun else None)
                continue
            if type(end) is TaskDone:
                events: list[Event] = [end, *self._course.end(unit, well=True)]
            else:
                events = [end, *self._follows(unit, end)]
            if type(end) is TaskHandedOver:  # the next attempt has its number from the state
                await self._journal.append(*events)
                events = []
            unit = await self._advance(hand, events) or (self._begun.popleft() if self._begun else None)
            count += 1
            if not count % _BREATH:
                await asyncio.sleep(0)

    async def _end_of(self, unit: Unit, hand: Hand) -> End:
        """How the unit ends, after as many attempts as it takes. Raises Recalled."""
        if self._course.is_recalled(unit):
            raise Recalled
        end = await self._attempts.end_of(unit, hand)
        while type(end) is TaskRetrying:
            end = await self._again(unit, end, hand)
        return end

    async def _advance(self, hand: Hand, events: list[Event]) -> Unit | None:
        """Journal what happened together with what begins by it; begin it. The first unit is the caller's."""
        mine: Unit | None = None
        if self._world.between is not None:
            events = await self._between(hand, events)
        while True:
            waits = self._crew.stopping or self._changing or self._halted
            begun = () if waits else self._course.start(self._may)
            events.extend(map(self._started, begun))
            due, last, epoch = self._course.take_due(), self._course.complete, self._epoch
            await self._journal.append(*events)
            if begun:
                self._begun.extend(begun)
                mine = mine or self._begun.popleft()
                self._call_workers()
            if last and self._course.complete and not self._changing and not self._ending.begun:
                await self._ending.of_run(status_of(self._state))
            if not due or epoch != self._epoch:
                return mine
            events = [event for unit in due for event in self._course.resolve(unit, self._state)]

    async def _between(self, hand: Hand, events: list[Event]) -> list[Event]:
        """Journal what happened, and what a scenario has in store then; wait until it is to go on."""
        between, pace, more = self._world.between, self._world.pace, True
        await self._journal.append(*events)
        while between is not None and more:
            more = await self._change(partial(between, self._state))
        if pace is not None and not self._course.complete and not self._halted:
            with hand.cuttable(NEVER):
                await pace(self._state)
        return []

    def _may_begin(self, unit: Unit) -> bool:
        """Whether the unit was begun before, or can be paid for."""
        found = self._state.tasks.get(unit.id)
        if found is not None and found.begun:
            return True
        if self._purse.tasks_left() == 0:
            return False
        self._purse.begin_tasks(1)
        return True

    def _started(self, unit: Unit) -> TaskStarted:
        """The next attempt of a unit; one that was cut off has the same number, and key, again."""
        found = self._state.tasks.get(unit.id)
        number = found.next_attempt if found else 1
        return TaskStarted(unit.id, number, f"{self._journal.run}/{unit.id}/{number}")

    async def _again(self, unit: Unit, end: TaskRetrying, hand: Hand) -> End:
        """Wait as long as is due, and make another attempt."""
        await self._journal.append(end)
        with hand.cuttable(NEVER):
            await self._world.clock.sleep(end.delay)
        await self._journal.append(self._started(unit))
        return await self._attempts.end_of(unit, hand)

    def _follows(self, unit: Unit, end: End) -> Sequence[Event]:
        if type(end) is TaskInDoubt:
            return self._course.hold(unit)
        if type(end) is TaskHandedOver:
            return self._course.hand_over(unit, end.to)
        return self._course.end(unit, well=type(end) is TaskDone)
