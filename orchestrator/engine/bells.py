"""Tells the drivers of this process that something has come into their runs' inboxes, whoever put it there.

Law: one look at the store serves all runs that are being driven; while none is, nobody looks. Who posts in
this process rings the bell itself, and nobody waits.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from orchestrator.errors import StoreError
from orchestrator.execution.clock import Alarm, Clock
from orchestrator.ids import RunId
from orchestrator.runs.store import Store

SECONDS = 0.5
"""Longest time until a message from another process is seen."""


class Bells:
    """A bell for every run that is being driven in this process."""

    def __init__(self, store: Store, clock: Clock, seconds: float = SECONDS) -> None:
        self._store, self._clock, self._seconds = store, clock, seconds
        self._bells: dict[RunId, asyncio.Event] = {}
        self._alarm: Alarm | None = None
        self._looking: asyncio.Task[None] | None = None

    @contextmanager
    def of(self, run: RunId) -> Generator[asyncio.Event]:
        """The run's bell; inside, it is set when something has come in."""
        bell = self._bells[run] = asyncio.Event()
        if self._alarm is None:
            self._wait()
        try:
            yield bell
        finally:
            if self._bells.get(run) is bell:
                del self._bells[run]
            if not self._bells and self._alarm is not None:
                self._alarm.cancel()
                self._alarm = None

    def ring(self, run: RunId) -> None:
        """Something has come into this run's inbox."""
        if run in self._bells:
            self._bells[run].set()

    def _wait(self) -> None:
        self._alarm = self._clock.call_later(self._seconds, self._look)

    def _look(self) -> None:
        self._looking = asyncio.get_running_loop().create_task(self._ring_the_called())

    async def _ring_the_called(self) -> None:
        """Ring for all that have been called. A store that cannot be read is found out by the next append."""
        try:
            for run in await self._store.called():
                self.ring(run)
        except StoreError:
            pass
        if self._alarm is not None:
            self._wait()
