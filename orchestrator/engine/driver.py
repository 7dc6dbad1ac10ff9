"""`drive`: takes a run from wherever its journal is to its end, or parks it.

Laws: it may be called anywhere, any number of times, after any crash; the newest driver wins, and an older
one stops at its next append. A message becomes part of the journal once. Nothing is begun before its event is
stored. A parked run has no driver and costs nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from orchestrator.agents.contract import Agent
from orchestrator.engine.adaptation import UNMOVED, Adaptation
from orchestrator.engine.bells import Bells
from orchestrator.engine.moves import Do, Park, next_move
from orchestrator.engine.waiting import waiting_reply
from orchestrator.errors import UserError
from orchestrator.execution.purse import RunPurse
from orchestrator.execution.reins import Reins
from orchestrator.execution.reply import reply_of
from orchestrator.execution.scheduler import execute
from orchestrator.execution.settings import Settings, World
from orchestrator.ids import AgentName
from orchestrator.runs.events import (
    DriverStarted,
    Event,
    MessageRefused,
    ReviewFlagged,
    RunEnded,
    RunParked,
    TaskCancelled,
    TaskSkipped,
)
from orchestrator.runs.journal import Journal, Redact
from orchestrator.runs.messages import CancelAsked, ReviewCleared, Said, SignalReceived
from orchestrator.runs.objections import objection
from orchestrator.runs.state import ENDED, RunState
from orchestrator.runs.store import Store

Revise: TypeAlias = Callable[[RunState], Awaitable[Sequence[Event]]]
"""The plan made anew with the feedback that the state has, as events. Raises UserError where it cannot be."""

_AT_ONCE = (CancelAsked, SignalReceived, ReviewCleared)
"""What is taken in while tasks are at work; all else changes what may be begun, and waits for them."""


@dataclass(frozen=True, slots=True)
class Means:
    """What a driver drives with. `purse` makes what a run may spend, from its state.

    `redact` takes out of events what must not be stored, where that is more than of any run of this store.
    """

    store: Store
    bells: Bells
    agents: Mapping[AgentName, Agent]
    settings: Settings
    world: World
    revise: Revise
    purse: Callable[[RunState], Awaitable[RunPurse]]
    crash_limit: int
    redact: Redact | None = None
    adaptation: Adaptation = UNMOVED


async def drive(
    journal: Journal, means: Means, *, driver: str, begun: bool = False, again: bool = False
) -> RunState:
    """Drive the run until it has ended or is parked; the state it is in then. An ended one is only told.

    `begun` says that the journal's last event has this driver as its `DriverStarted`; `again` takes up a run
    that was cancelled. Cancelling the caller stops what is at work and ends the run as `cancelled`; it is
    raised again once that is journaled. Raises Fenced, StoreError, and what a listener of the journal raised.
    """
    state, at_wheel = journal.state, _Driver(journal, means)
    if state.ended is None or (again and resumable(state)):
        if not begun:
            await journal.append(DriverStarted(driver))
        await at_wheel.run()
    else:
        await at_wheel.listen()
    return state


def resumable(state: RunState) -> bool:
    """Whether a run that has ended can be taken up again: it was cancelled, not rejected."""
    return state.status == "cancelled" and state.rejected is None


class _Driver:
    """One driver of one run."""

    def __init__(self, journal: Journal, means: Means) -> None:
        self._journal, self._state, self._means = journal, journal.state, means
        self._stalled = False
        self._reins = Reins()

    async def listen(self) -> None:
        """Take in what is said to a run that has ended; nothing is done for it."""
        await self._take(self._everything)

    async def run(self) -> None:
        """Make the moves, until there is none."""
        await self._take(self._everything)
        while True:
            move = next_move(self._state, crash_limit=self._means.crash_limit, stalled=self._stalled)
            if move is Do.NOTHING:
                return
            if isinstance(move, Park):
                if await self._journal.park(RunParked(move.waits_for, waiting_reply(self._state, move))):
                    return
                self._stalled = False
                await self._take(self._everything)
            else:
                await self._do(move)

    async def _do(self, move: Do) -> None:
        match move:
            case Do.REJECT:
                await self._reject()
            case Do.REVISE:
                await self._revise()
            case Do.HOLD:
                times = self._state.drivers
                reason = f"{times} drivers in a row took it up and nothing went on in it"
                await self._journal.append(ReviewFlagged(reason, holds=True))
            case Do.CANCEL:
                await self._cancel()
            case _:
                await self._execute()
                self._stalled = True

    async def _execute(self) -> None:
        """Run the plan, and listen at the same time."""
        means, cancel = self._means, asyncio.Event()
        purse = await means.purse(self._state)
        with means.bells.of(self._journal.run) as bell:
            listener = asyncio.create_task(self._listen(bell, cancel))
            watcher = asyncio.create_task(means.adaptation.watch(self._state))
            try:
                await execute(
                    self._journal,
                    means.agents,
                    settings=self._settings(),
                    world=self._world(),
                    purse=purse,
                    cancel=cancel,
                    reins=self._reins,
                )
            finally:
                cancel.set()
                bell.set()
                watcher.cancel()
                await asyncio.gather(listener, watcher, return_exceptions=True)
        listener.result()
        if not watcher.cancelled():
            watcher.result()

    def _settings(self) -> Settings:
        """Those of the workspace, bound by what a person has agreed to."""
        approved, settings = self._state.approved, self._means.settings
        if self._state.scenario is not None:
            settings = replace(settings, concurrency=1)
        if approved is None or not approved.most_items:
            return settings
        return replace(settings, max_items=min(settings.max_items, approved.most_items))

    def _world(self) -> World:
        """What the executor may reach; in a scenario also its script."""
        adaptation = self._means.adaptation
        between = None if self._state.scenario is None else adaptation.due
        return replace(self._means.world, between=between, judge=adaptation.outcome)

    async def _listen(self, bell: asyncio.Event, cancel: asyncio.Event) -> None:
        """Take in what need not wait, until the plan has been run or is to be stopped."""
        while not cancel.is_set():
            await bell.wait()
            bell.clear()
            if not cancel.is_set():
                await self._take(self._at_once)
                if self._state.cancel is not None:
                    cancel.set()

    async def _take(self, wanted: Callable[[Said], bool]) -> None:
        """Take these messages into the journal, in the order in which they came."""
        for message in await self._means.store.inbox(self._journal.run):
            if wanted(message.said):
                follows, taken = partial(self._follows, message.said), (message.id,)
                if wanted == self._at_once:
                    await self._reins.change(follows, taken)
                else:
                    await self._journal.append(*follows(), taken=taken)

    def _follows(self, said: Said) -> Sequence[Event]:
        """What was said, and what follows from it; or that it cannot be."""
        why_not = objection(self._state, said)
        if why_not is not None:
            return (MessageRefused(said.message, type(said).__name__, why_not),)
        if isinstance(said, SignalReceived):
            return self._means.adaptation.signal(self._state, said)
        if isinstance(said, ReviewCleared):
            return self._means.adaptation.cleared(self._state, said)
        return (said,)

    def _everything(self, _: Said) -> bool:
        return True

    def _at_once(self, said: Said) -> bool:
        return isinstance(said, _AT_ONCE)

    async def _cancel(self) -> None:
        """Nothing is at work: what is left is left. That needs no agent, and none may be there any more."""
        left = [t for t, found in self._state.tasks.items() if found.status not in (*ENDED, "in_doubt")]
        reply = reply_of(self._state, "cancelled", self._means.world.render)
        await self._journal.append(*map(TaskCancelled, left), RunEnded("cancelled", reply))

    async def _reject(self) -> None:
        rejected = self._state.rejected
        reason = f"the plan was rejected{f': {rejected.reason}' if rejected and rejected.reason else ''}"
        await self._journal.append(
            *(TaskSkipped(t, reason) for t, found in self._state.tasks.items() if found.status not in ENDED),
            RunEnded("cancelled", f"Nothing was run: {reason}."),
        )

    async def _revise(self) -> None:
        feedback = self._state.to_revise
        try:
            await self._journal.append(*await self._means.revise(self._state))
        except UserError as error:
            if feedback is None:
                raise
            await self._journal.append(MessageRefused(feedback.message, "FeedbackGiven", str(error)))
