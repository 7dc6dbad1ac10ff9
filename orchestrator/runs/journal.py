"""The journal of one run: events get their place and time, are stored, folded and told to listeners.

Law: an event counts once the store has it, and only then is it in the state or seen by a listener. Appends
that come in while the store is writing go into its next write together, in the order they came.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias

from orchestrator.errors import StoreError
from orchestrator.ids import MessageId, RunId, TaskId
from orchestrator.runs.events import Event, OutputChunk, Record
from orchestrator.runs.fold import apply, fold
from orchestrator.runs.state import RunState
from orchestrator.runs.store import Store

Listener: TypeAlias = Callable[[Record | OutputChunk], None]
"""Told of every record once it is stored, and of every piece of output as it comes."""

Redact: TypeAlias = Callable[[Event], Event]
"""The event without what must not be stored."""


def _as_it_is(event: Event) -> Event:
    return event


class Journal:
    """The journal of one run, and its state. Open it with `Journal.open`."""

    def __init__(
        self,
        store: Store,
        run: RunId,
        *,
        now: Callable[[], datetime],
        listeners: Iterable[Listener] = (),
        redact: Redact = _as_it_is,
        state: RunState | None = None,
    ) -> None:
        self.run = run
        self.state = RunState(run) if state is None else state
        self._store, self._now, self._redact, self._listeners = store, now, redact, tuple(listeners)
        self._writing = False
        self._asleep: list[asyncio.Future[None]] = []
        self._waiting: list[Event] = []
        self._taken: list[MessageId] = []
        self._put = self._stored = 0
        self._broken: Exception | None = None

    @classmethod
    async def open(
        cls,
        store: Store,
        run: RunId,
        *,
        now: Callable[[], datetime],
        listeners: Iterable[Listener] = (),
        redact: Redact = _as_it_is,
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
        while self._writing and self._stored < mine:
            await self._end_of_write()
        if self._stored < mine and self._broken is None:
            self._writing = True
            try:
                await self._write()
            finally:
                self._writing = False
                if self._asleep:
                    self._wake()
        if self._broken is not None:
            raise self._broken

    async def park(self, *events: Event) -> bool:
        """Store the events, unless there is something in the run's inbox: then False, and nothing is done.

        Only where nobody else is appending, since nothing may follow them.
        """
        if self._broken is not None:
            raise self._broken
        parked = await self._sent(events, partial(self._store.park, self.run, self.state.seq))
        if self._broken is not None:
            raise self._broken
        return parked

    def emit(self, task: TaskId, text: str) -> None:
        """Tell the listeners of a piece of output. Their errors are raised by the next `append`."""
        self._tell(OutputChunk(self.run, task, text))

    async def _end_of_write(self) -> None:
        future = asyncio.get_running_loop().create_future()
        self._asleep.append(future)
        await future

    def _wake(self) -> None:
        for future in self._asleep:
            if not future.done():
                future.set_result(None)
        self._asleep.clear()

    async def _write(self) -> None:
        """Store all that waits."""
        events, self._waiting = self._waiting, []
        taken, self._taken = self._taken, []
        if await self._sent(events, partial(self._store.append, self.run, self.state.seq, taken=taken)):
            self._stored += len(events)

    def _placed(self, events: Sequence[Event]) -> list[Record]:
        """The events in their places, after all that is stored."""
        at, redact = self._now(), self._redact
        return [Record(self.run, n, at, redact(event)) for n, event in enumerate(events, self.state.seq + 1)]

    async def _sent(
        self, events: Sequence[Event], store: Callable[[list[Record]], Coroutine[Any, Any, bool | None]]
    ) -> bool:
        """Wait until the events are stored, and take them in; False where they were not."""
        try:
            records = self._placed(events)
            if await store(records) is False:
                return False
            apply(self.state, records)
        except Exception as error:  # noqa: BLE001 - kept, and raised by every append from here on
            self._broken = error
            return False
        except asyncio.CancelledError:
            self._broken = StoreError(f"run {self.run}: an append was cut off; open the journal anew")
            raise
        if self._listeners:
            for record in records:
                self._tell(record)
        return True

    def _tell(self, happening: Record | OutputChunk) -> None:
        for listener in self._listeners:
            try:
                listener(happening)
            except Exception as error:  # noqa: BLE001 - kept, and raised by the next append
                self._broken = self._broken or error
