"""The journal of one run: events get their place and time, are stored, folded and told to listeners.

Law: an event counts once the store has it, and only then is it in the state or seen by a listener. Appends
that come in while the store is writing go into its next write together, in the order they came.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TypeAlias

from orchestrator.errors import StoreError
from orchestrator.ids import MessageId, RunId, TaskId
from orchestrator.runs.events import Event, OutputChunk, Record
from orchestrator.runs.fold import apply, fold
from orchestrator.runs.past import past_after
from orchestrator.runs.state import RunState
from orchestrator.runs.store import Store

Listener: TypeAlias = Callable[[Record | OutputChunk], None]
"""Told of every record once it is stored, and of every piece of output as it comes."""

Redact: TypeAlias = Callable[[Event], Event]
"""The event without what must not be stored."""


class Journal:
    """The journal of one run, and its state. Open it with `Journal.open`."""

    def __init__(
        self,
        store: Store,
        run: RunId,
        *,
        now: Callable[[], datetime],
        listeners: Iterable[Listener] = (),
        redact: Redact | None = None,
        state: RunState | None = None,
    ) -> None:
        self.run = run
        self.state = RunState(run) if state is None else state
        self._store, self._now, self._redact, self._listeners = store, now, redact, tuple(listeners)
        self._turn = _Turn(run)
        self._waiting: list[Event] = []
        self._taken: list[MessageId] = []
        self._put = self._stored = 0

    @classmethod
    async def open(
        cls,
        store: Store,
        run: RunId,
        *,
        now: Callable[[], datetime],
        listeners: Iterable[Listener] = (),
        redact: Redact | None = None,
    ) -> "Journal":
        """The journal as the store has it; an unknown run has an empty one. `now` tells the time in UTC."""
        state = fold(await store.read(run), RunState(run))
        return cls(store, run, now=now, listeners=listeners, redact=redact, state=state)

    async def append(self, *events: Event, taken: Iterable[MessageId] = ()) -> None:
        """Store the events in one piece, fold them, tell the listeners. Raises Fenced and StoreError.

        The messages `taken` leave the run's inbox with them. After any error, a listener's included, the
        journal takes nothing more and raises it again.
        """
        self._waiting.extend(events)
        self._taken.extend(taken)
        self._put += len(events)
        mine = self._put
        while self._turn.taken and self._stored < mine:
            await self._turn.end()
        if self._stored < mine and self._turn.fault is None:
            with self._turn:
                records, taking = self._placed(self._waiting), self._taken
                self._waiting, self._taken = [], []
                past = past_after(self.state, records)
                await self._store.append(self.run, self.state.seq, records, taken=taking, past=past)
                self._take_in(records)
                self._stored += len(records)
        if self._turn.fault is not None:
            raise self._turn.fault

    async def settle(self) -> None:
        """Return once all that was given is stored and in the state. Raises what `append` does."""
        while self._turn.fault is None and (self._turn.taken or self._waiting):
            await self._turn.end()
        if self._turn.fault is not None:
            raise self._turn.fault

    async def park(self, *events: Event) -> bool:
        """Store the events, unless there is something in the run's inbox: then False, and nothing is done.

        Only where nobody else is appending, since nothing may follow them.
        """
        parked = False
        if self._turn.fault is None:
            with self._turn:
                records = self._placed(events)
                parked = await self._store.park(self.run, self.state.seq, records)
                if parked:
                    self._take_in(records)
        if self._turn.fault is not None:
            raise self._turn.fault
        return parked

    def emit(self, task: TaskId, text: str) -> None:
        """Tell the listeners of a piece of output. Their errors are raised by the next `append`."""
        self._tell(OutputChunk(self.run, task, text))

    def _placed(self, events: Sequence[Event]) -> list[Record]:
        """The events in their places, after all that is stored."""
        run, at, redact = self.run, self._now(), self._redact
        return [
            Record(run, n, at, event if redact is None else redact(event))
            for n, event in enumerate(events, self.state.seq + 1)
        ]

    def _take_in(self, records: Sequence[Record]) -> None:
        """What the store has is in the state, and told."""
        apply(self.state, records)
        if self._listeners:
            for record in records:
                self._tell(record)

    def _tell(self, happening: Record | OutputChunk) -> None:
        for listener in self._listeners:
            try:
                listener(happening)
            except Exception as error:  # noqa: BLE001 - kept, and raised by the next append
                self._turn.fault = self._turn.fault or error


class _Turn:
    """The turn to write, for `with`: one at a time. The first error ends all turns; it is kept as `fault`."""

    def __init__(self, run: RunId) -> None:
        self.taken = False
        self.fault: Exception | None = None
        self._run = run
        self._asleep: list[asyncio.Future[None]] = []

    async def end(self) -> None:
        """Return once the present turn is over."""
        future = asyncio.get_running_loop().create_future()
        self._asleep.append(future)
        await future

    def __enter__(self) -> None:
        self.taken = True

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool:
        self.taken = False
        if error is not None:
            cut_off = StoreError(f"run {self._run}: an append was cut off; open the journal anew")
            self.fault = error if isinstance(error, Exception) else cut_off
        for future in self._asleep:
            if not future.done():
                future.set_result(None)
        self._asleep.clear()
        return isinstance(error, Exception)
