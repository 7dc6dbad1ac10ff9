"""Plays a script: the program drives the run, and what came from outside comes again, in its order.

Law: the next thing comes only when everything is at rest, so that nothing depends on who is quicker.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from itertools import takewhile

from orchestrator.engine.bells import Bells
from orchestrator.engine.driver import Means, drive
from orchestrator.errors import Fenced, UserError
from orchestrator.execution.purse import RunPurse
from orchestrator.execution.settings import Budgets, Settings, Spending, World
from orchestrator.ids import MessageId, Render, RunId
from orchestrator.replay.adapted import Remembered
from orchestrator.replay.agents import Attempted, Recorded, RecordedPurse, Telling
from orchestrator.replay.places import Places
from orchestrator.replay.script import NEVER, Cue, Era, Kind, Script
from orchestrator.runs.events import Event, OutputChunk, Record, TaskStarted
from orchestrator.runs.fold import fold
from orchestrator.runs.journal import Journal
from orchestrator.runs.memory import MemoryStore
from orchestrator.runs.messages import Message
from orchestrator.runs.samples import Past
from orchestrator.runs.state import RunState

_STILL = 25
"""So many turns of the event loop without an append, and everything is at rest: no step takes more."""

_OUT_OF_TIME = Budgets(run=Spending(wall_time=0.0))


class Stage:
    """Where one run is played. `broke` is the first error that no replay should have."""

    def __init__(
        self,
        records: Sequence[Record],
        script: Script,
        *,
        settings: Settings,
        crash_limit: int,
        render: Render,
    ) -> None:
        self.broke = ""
        self._run, self._script, self._settings = records[0].run, script, settings
        self._crash_limit, self._render = crash_limit, render
        self._places = Places([record.at for record in records])
        self._attempted = Attempted(self._places, script.begins)
        self._cues: deque[Cue] = deque()
        self._store = _Store(self._word_has_come)
        self._bells = Bells(self._store, _Clock(self._places, self._attempted.pause))
        self._revisions = deque(script.revisions)
        self._appends = 0
        self._adaptation = Remembered(records)

    async def play(self) -> RunState:
        """The state that the run comes to."""
        if self._script.opening:
            await self._store.append(self._run, 0, self._script.opening)
        for era in self._script.eras:
            await self._play(era)
        return await self._state()

    async def _play(self, era: Era) -> None:
        self._places.go_to(era.first)
        self._cues = deque(era.cues)
        self._store.last = era.last if era.died else NEVER
        place = era.first + 1
        while self._cues and (self._cues[0].at, self._cues[0].kind) == (place, Kind.WORD):
            await self._say(self._cues.popleft())
            place += 1
        clock, state = _Clock(self._places, self._attempted.pause), await self._state()
        journal = Journal(self._store, self._run, now=self._places.now, listeners=(self._hear,), state=state)
        going = asyncio.ensure_future(
            drive(journal, self._means(era, state, clock), driver=era.driver, again=True)
        )
        await self._rest(going)
        while self._cues and not going.done():
            for cue in self._at_once():
                await self._act(cue, clock)
                if cue.kind is Kind.STOP:
                    await self._stop(cue, journal, going)
            await self._rest(going)
        if not going.done():
            self._store.last = 0
            going.cancel()
        await asyncio.wait([going])
        self._look_at(going)

    def _at_once(self) -> Sequence[Cue]:
        """The next cue, and all up to a stop where nothing but words is between.

        A stop comes in the very moment in which what came just before takes effect.
        """
        first = self._cues.popleft()
        if first.kind is Kind.REVISION:
            return [first]
        words = list(takewhile(lambda cue: cue.kind is Kind.WORD, self._cues))
        stopped = len(words) < len(self._cues) and self._cues[len(words)].kind is Kind.STOP
        return [first, *(self._cues.popleft() for _ in range(len(words) + 1 if stopped else 0))]

    async def _act(self, cue: Cue, clock: "_Clock") -> None:
        """Let come what came from outside."""
        self._places.go_to(cue.at)
        match cue.kind:
            case Kind.WORD:
                await self._say(cue)
                self._bells.ring(self._run)
            case Kind.TIME_UP:
                clock.ring()
            case Kind.ANSWER | Kind.REVISION | Kind.STOP:
                pass

    async def _stop(self, cue: Cue, journal: Journal, going: "asyncio.Future[RunState]") -> None:
        """Stop the run, where it was by a word with that."""
        if cue.said is not None:
            await journal.append(cue.said)
        going.cancel()

    async def _say(self, cue: Cue) -> None:
        if cue.said is not None:
            await self._store.post(Message(self._run, self._places.now(), cue.said))

    async def _word_has_come(self) -> bool:
        """Whether somebody spoke before the run was parked; then it is said."""
        if not self._cues or self._cues[0].said is None:
            return False
        cue = self._cues.popleft()
        self._places.go_to(cue.at)
        await self._say(cue)
        return True

    async def _rest(self, going: "asyncio.Future[RunState]") -> None:
        """Return when nothing moves any more."""
        still, seen = 0, self._appends
        while still < _STILL and not going.done():
            await asyncio.sleep(0)
            still, seen = (still + 1, seen) if seen == self._appends else (0, self._appends)

    def _hear(self, happening: Record | OutputChunk) -> None:
        self._appends += 1
        if isinstance(happening, Record) and isinstance(happening.event, TaskStarted):
            self._attempted.begun(happening.event.task)

    def _look_at(self, going: "asyncio.Future[RunState]") -> None:
        error = None if going.cancelled() else going.exception()
        if error is not None and not isinstance(error, Fenced):
            self.broke = self.broke or f"{type(error).__name__}: {error}"

    async def _state(self) -> RunState:
        return fold(await self._store.read(self._run), RunState(self._run))

    def _means(self, era: Era, state: RunState, clock: "_Clock") -> Means:
        own = RecordedPurse(era, state)

        async def purse(_: RunState) -> RunPurse:
            return own

        return Means(
            store=self._store,
            bells=self._bells,
            agents={
                name: (Telling if name in self._script.telling else Recorded)(self._attempted)
                for name in self._settings.agents
            },
            settings=replace(self._settings, budgets=_OUT_OF_TIME) if era.late else self._settings,
            world=World(self._render, clock, lambda: 0.0),
            revise=self._revise,
            purse=purse,
            crash_limit=self._crash_limit,
            adaptation=self._adaptation,
        )

    async def _revise(self, _: RunState) -> Sequence[Event]:
        """The plan as it was made anew."""
        await self._places.until(self._revisions[0].at if self._revisions else NEVER)
        made = self._revisions.popleft()
        if made.refused:
            raise UserError(made.refused)
        return made.events


class _Store(MemoryStore):
    """A store that takes nothing beyond the place at which a driver died, and parks no run too early."""

    def __init__(self, word_has_come: Callable[[], Awaitable[bool]]) -> None:
        super().__init__()
        self.last = NEVER
        self._word_has_come = word_has_come

    async def append(
        self,
        run: RunId,
        expected_seq: int,
        records: Sequence[Record],
        *,
        taken: Collection[MessageId] = (),
        past: Past | None = None,
    ) -> None:
        """See Store."""
        if expected_seq + len(records) > self.last:
            raise Fenced(run, expected_seq + len(records), expected_seq)
        await super().append(run, expected_seq, records, taken=taken, past=past)

    async def park(self, run: RunId, expected_seq: int, records: Sequence[Record]) -> bool:
        """See Store."""
        return not await self._word_has_come() and await super().park(run, expected_seq, records)


class _Clock:
    """A clock that shows the time of the records. Its alarms ring where they are told to."""

    def __init__(self, places: Places, pause: Callable[[], Awaitable[None]]) -> None:
        self.now, self._pause = places.now, pause
        self._alarms: list[_Alarm] = []

    def monotonic(self) -> float:
        """See Clock: nothing is timed in a replay."""
        return 0.0

    async def sleep(self, seconds: float) -> None:
        """See Clock: it takes as long as it took."""
        await self._pause()

    def call_later(self, seconds: float, call: Callable[[], object]) -> "_Alarm":
        """See Clock."""
        alarm = _Alarm(call)
        self._alarms.append(alarm)
        return alarm

    def ring(self) -> None:
        """It is time."""
        for alarm in self._alarms:
            alarm.call()


class _Alarm:
    """A call that is due some time."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.call = call

    def cancel(self) -> None:
        """See Alarm."""
        self.call = _nothing


def _nothing() -> None:
    """What a cancelled alarm does."""
