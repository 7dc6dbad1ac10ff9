"""Everything that a person, or a program in a person's name, can do to runs.

Law: whatever is said to a run goes through its inbox, so that it counts once and in order, whoever drives the
run. Who says something to a run that nobody drives, since it is parked, drives it.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, cast

from orchestrator.engine.bells import Bells
from orchestrator.engine.driver import Means, drive, resumable
from orchestrator.errors import Fenced, MessageObjected, RunUnknown, UserError
from orchestrator.ids import MessageId, RunId
from orchestrator.runs.entry import ALL, RunEntry, Wanted
from orchestrator.runs.events import DriverStarted, Event, Record
from orchestrator.runs.identity import RANDOM_BYTES, run_id
from orchestrator.runs.journal import Journal, Listener, Redact
from orchestrator.runs.messages import CancelAsked, Message, PlanApproved, PlanRejected, Said
from orchestrator.runs.objections import objection
from orchestrator.runs.state import RunState
from orchestrator.runs.store import Store

if TYPE_CHECKING:
    from orchestrator.execution.clock import Clock

_STOPS = (CancelAsked, PlanRejected)
"""What begins nothing, and needs no workspace but for the words of the reply."""

_LOOK = 0.2
"""Seconds between two looks at the journal of a run that another process drives."""


@dataclass(frozen=True, slots=True)
class Control:
    """The runs of one store. `chance(n)` makes n random bytes, for ids.

    `means` are what a run, as it is, can be driven with; it is told whether a person wants the run to go on
    also where its workspace has changed. It raises WorkspaceChanged. `present` are those of the workspace as
    it is now.
    """

    store: Store
    clock: "Clock"
    bells: Bells
    means: Callable[[RunState, bool], Awaitable[Means]]
    present: Callable[[], Means]
    chance: Callable[[int], bytes]
    redact: Redact | None = None

    async def begin(
        self, opening: Sequence[Event], listeners: Iterable[Listener] = (), *, at_once: bool = False
    ) -> Journal:
        """The journal of a new run, with its first events stored; `at_once`, with those of its driver."""
        run = run_id(self.clock.now(), self.chance(RANDOM_BYTES))
        journal = self._journal(RunState(run), listeners)
        await journal.append(*opening, *([DriverStarted(self._driver())] if at_once else []))
        return journal

    async def go(
        self, journal: Journal, means: Means, word: PlanApproved | PlanRejected | None = None
    ) -> RunState:
        """Drive a run that was just begun; `word` is what the person at hand has said of its plan."""
        said = [] if word is None else [word]
        if journal.state.driver is None:
            await journal.append(*said, DriverStarted(self._driver()))
        elif said:
            await journal.append(*said)
        return await drive(journal, means, driver=journal.state.driver or "", begun=True)

    async def state(self, run: str) -> RunState:
        """Where the run is now. Raises RunUnknown."""
        from orchestrator.runs.fold import fold

        state = fold(await self.store.read(RunId(run)), RunState(RunId(run)))
        if not state.seq:
            raise RunUnknown(run)
        return state

    async def entries(self, wanted: Wanted = ALL) -> Sequence[RunEntry]:
        """The runs that fit, the youngest first."""
        return await self.store.runs(wanted)

    async def resume(
        self, run: str, *, yes: str = "", changed: bool = False, listeners: Iterable[Listener] = ()
    ) -> RunState:
        """Take the run up, wherever it was left, also one that was cancelled; another driver of it stops.

        With `yes`, the name of who says so, the plan that waits for approval is approved; with `changed` the
        run goes on with the present workspace, where its own is gone and that may be asked. Raises
        RunUnknown, WorkspaceChanged, and UserError for a run that has ended for good.
        """
        state = await self.state(run)
        if state.ended is not None and not resumable(state):
            raise UserError(f"run {run} has ended ({state.status}); there is nothing to resume")
        if yes and not state.consented:
            await self._put(state, approval_of_plan(state, yes))
        means = await self.means(state, changed)
        journal = self._journal(state, listeners, means.redact)
        return await drive(journal, means, driver=self._driver(), again=True)

    async def tell(self, run: str, said: Said, listeners: Iterable[Listener] = ()) -> RunState:
        """Say it to the run, and drive the run where nobody else does. Raises RunUnknown and MessageObjected.

        The state afterwards: of a run that another process drives, what it was when the message was posted.
        """
        state = await self.state(run)
        await self._post(state, said)
        state = await self.state(run)
        if state.status == "running":
            return state
        try:
            means = self.present() if isinstance(said, _STOPS) else await self.means(state, False)
            journal = self._journal(state, listeners, means.redact)
            return await drive(journal, means, driver=self._driver())
        except Fenced:  # somebody else said something too, and drives the run
            return await self.state(run)

    async def approve(self, run: str, by: str, listeners: Iterable[Listener] = ()) -> RunState:
        """Agree to the plan the run has now, and drive the run. Raises RunUnknown and MessageObjected."""
        state = await self.state(run)
        return await self.tell(run, approval_of_plan(state, by), listeners)

    async def follow(self, run: str) -> AsyncGenerator[Record]:
        """The run's records from the first on, as they come, until it ends or waits. Raises RunUnknown."""
        await self.state(run)
        state = RunState(RunId(run))
        from orchestrator.runs.fold import apply

        while True:
            records = await self.store.read(RunId(run), state.seq)
            apply(state, records)
            for record in records:
                yield record
            if not records and state.status != "running":
                return
            if not records:
                await self.clock.sleep(_LOOK)

    async def delete(self, run: str) -> None:
        """Forget the run. Raises RunUnknown, and UserError for one that may be at work."""
        state = await self.state(run)
        if state.status == "running":
            raise UserError(f"run {run} is not at rest; cancel it first: cuewave runs cancel {run}")
        await self.store.delete([RunId(run)])

    async def prune(self, before: datetime) -> Sequence[RunEntry]:
        """Forget all runs that ended before then; which they were."""
        old = await self.store.runs(Wanted(ended_before=before))
        await self.store.delete([entry.run for entry in old])
        return old

    async def _post(self, state: RunState, said: Said) -> None:
        why_not = objection(state, said)
        if why_not is not None:
            raise MessageObjected(f"run {state.run}: {why_not}")
        await self._put(state, said)

    async def _put(self, state: RunState, said: Said) -> None:
        """Put it into the run's inbox; whether it can be said, its driver decides."""
        said = replace(said, message=said.message or MessageId(self.chance(16).hex()))
        clean = cast("Said", self.redact(said)) if self.redact is not None else said
        await self.store.post(Message(state.run, self.clock.now(), clean))
        self.bells.ring(state.run)

    def _journal(
        self, state: RunState, listeners: Iterable[Listener], redact: Redact | None = None
    ) -> Journal:
        redact, now = redact or self.redact, self.clock.now
        return Journal(self.store, state.run, now=now, listeners=listeners, redact=redact, state=state)

    def _driver(self) -> str:
        return f"driver-{self.chance(4).hex()}"


def approval_of_plan(state: RunState, by: str) -> PlanApproved:
    """A person's consent to the plan that the run has now. Raises MessageObjected where none is asked for."""
    if state.approval is None:
        raise MessageObjected(f"run {state.run}: its plan needs nobody's word")
    return PlanApproved(by, state.plan_hash, state.approval.most_items)
