"""The asyncio tasks of one run.

Laws: none outlives the run. What stops them cuts off only what may be cut off (agents and pauses, never an
append half-way). A fault of one stops all.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from orchestrator.errors import InternalFault

T = TypeVar("T")


def this_task() -> "asyncio.Task[Any]":
    """The asyncio task that runs now."""
    task = asyncio.current_task()
    if task is None:
        raise InternalFault("this runs in an asyncio task, and nowhere else")
    return task


class Crew:
    """Tasks at work. `stopping` is set once nothing new may begin."""

    def __init__(self) -> None:
        self.stopping = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._cuttable: set[asyncio.Task[Any]] = set()
        self._over = asyncio.Event()
        self._fault: BaseException | None = None

    @property
    def gone(self) -> bool:
        """Whether all have left."""
        return not self._tasks

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Put one more to work."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._left)

    async def cuttably(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Do what may be cut off. Raises CancelledError where it is, whatever the work makes of that."""
        if self.stopping:
            raise asyncio.CancelledError
        task = this_task()
        self._cuttable.add(task)
        try:
            return await work()
        except Exception as error:
            if self.stopping:
                raise asyncio.CancelledError from error
            raise
        finally:
            self._cuttable.discard(task)

    def stop(self) -> None:
        """Let nothing new begin, and cut off what may be."""
        self.stopping = True
        self._over.set()
        for task in self._cuttable:
            task.cancel()

    async def wait(self, cancel: asyncio.Event | None) -> None:
        """Return when all have left; `cancel`, or cancelling the caller, stops them first.

        The caller's cancellation is raised again afterwards, a fault of a task too. A caller that is
        cancelled once more does not wait any longer; then some may not have left.
        """
        watch = None if cancel is None else asyncio.create_task(self._watch(cancel))
        try:
            await self._over.wait()
        except asyncio.CancelledError:
            self.stop()
            raise
        finally:
            if watch is not None:
                watch.cancel()
            await self._all_left()

    async def _watch(self, cancel: asyncio.Event) -> None:
        await cancel.wait()
        self.stop()

    async def _all_left(self) -> None:
        try:
            while self._tasks:
                await asyncio.wait(self._tasks)
        except asyncio.CancelledError:
            for task in self._tasks:
                task.cancel()
            raise
        if self._fault is not None:
            raise self._fault

    def _left(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        fault = None if task.cancelled() else task.exception()
        if fault is not None and self._fault is None:
            self._fault = fault
            self.stop()
        if not self._tasks:
            self._over.set()
