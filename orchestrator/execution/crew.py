"""The asyncio tasks of one run, and what may cut them off.

Laws: none outlives the run. Only an agent or a pause is cut off, never an append half-way: by the end of its
time, or because the run stops. A fault of one stops all. One alarm serves every deadline, so that a deadline
costs an attempt next to nothing.
"""

import asyncio
from collections.abc import Callable, Collection, Coroutine
from typing import Any

from orchestrator.errors import TaskError
from orchestrator.execution.clock import Alarm, Clock
from orchestrator.execution.retry import TimedOut
from orchestrator.ids import TaskId


class Recalled(BaseException):
    """What a hand was at work on has been called off. It is no Exception: no agent's failure."""


NEVER = float("inf")
"""Seconds that do not end: no deadline."""


class Hand:
    """One asyncio task of a crew. `work` is the task of the plan that it is at; `deadline` is `monotonic`."""

    __slots__ = ("_crew", "_cuttable", "_late", "_recalled", "_seconds", "deadline", "task", "work")

    def __init__(self, crew: "Crew") -> None:
        self._crew = crew
        self._cuttable = self._late = self._recalled = False
        self.work: TaskId | None = None
        self.deadline = self._seconds = NEVER
        self.task: asyncio.Task[None]

    def cuttable(self, seconds: float) -> "Hand":
        """For `with`: what is awaited in the block may be cut off, after `seconds` at the latest.

        The block then ends with TimedOut, or with CancelledError where the run stops, whatever the work makes
        of that, or where this asyncio task was cancelled by somebody else. Work that was cut off from within
        is an error of its own.
        """
        if self._crew.stopping:
            raise asyncio.CancelledError
        self._cuttable = True
        self._seconds = seconds
        self._crew.watch(self, seconds)
        return self

    def __enter__(self) -> None:
        """Nothing: the time runs since `cuttable`."""

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._cuttable = False
        self.deadline = NEVER
        try:
            if self._recalled:
                raise Recalled
            if isinstance(error, asyncio.CancelledError | Exception):
                meaning = self._meaning_of(error)
                if meaning is not error:
                    raise meaning from error
        finally:
            for _ in range(self._late + self._recalled):
                self.task.uncancel()
            self._late = self._recalled = False

    def cut(self, *, late: bool) -> None:
        """Cut off what may be cut off now."""
        if self._cuttable:
            self._late = self._late or late
            self.deadline = NEVER
            self.task.cancel()

    def recall(self) -> None:
        """Call off what may be cut off now: the block ends with Recalled, whatever the work makes of it."""
        if self._cuttable and not self._recalled:
            self._recalled = True
            self.deadline = NEVER
            self.task.cancel()

    def _meaning_of(self, error: BaseException) -> BaseException:
        """What an error of the work is, seen from here."""
        cancelled = isinstance(error, asyncio.CancelledError)
        if self._crew.stopping or (cancelled and self.task.cancelling() > self._late):
            return error if cancelled else asyncio.CancelledError()
        if self._late:
            return TimedOut(self._seconds)
        if cancelled:
            return TaskError("the agent's own work was cancelled from within", doubtful=True)
        return error


class Crew:
    """Hands at work. `stopping` is set once nothing new may begin."""

    def __init__(self, clock: Clock) -> None:
        self.stopping = False
        self._clock = clock
        self._hands: set[Hand] = set()
        self._over = asyncio.Event()
        self._fault: Exception | None = None
        self._alarm: Alarm | None = None
        self._alarm_at = NEVER

    @property
    def gone(self) -> bool:
        """Whether all have left."""
        return not self._hands

    def spawn(self, work: Callable[[Hand], Coroutine[Any, Any, None]]) -> None:
        """Put one more to work."""
        hand = Hand(self)
        hand.task = asyncio.create_task(self._at_work(hand, work))
        self._hands.add(hand)

    def stop(self) -> None:
        """Let nothing new begin, and cut off what may be."""
        self.stopping = True
        self._over.set()
        for hand in self._hands:
            hand.cut(late=False)

    def recall(self, tasks: Collection[TaskId]) -> None:
        """Call off the hands that are at work on these tasks, or on children of them."""
        for hand in self._hands:
            if hand.work in tasks:
                hand.recall()

    def watch(self, hand: Hand, seconds: float) -> None:
        """Cut the hand off when so much time has passed."""
        hand.deadline = self._clock.monotonic() + seconds
        if hand.deadline < self._alarm_at:
            self._set_alarm(hand.deadline, seconds)

    async def wait(self, cancel: asyncio.Event | None) -> None:
        """Return when all have left; `cancel`, or cancelling the caller, stops them first.

        The caller's cancellation is raised again afterwards, a fault of a hand too. A caller that is
        cancelled once more does not wait any longer; then some may not have left.
        """
        watch = None if cancel is None else asyncio.create_task(self._stop_at(cancel))
        try:
            await self._over.wait()
        except asyncio.CancelledError:
            self.stop()
            raise
        finally:
            if watch is not None:
                watch.cancel()
            await self._all_left()
            if watch is not None:
                await asyncio.wait((watch,))

    async def _stop_at(self, cancel: asyncio.Event) -> None:
        await cancel.wait()
        self.stop()

    async def _all_left(self) -> None:
        try:
            while self._hands:
                await asyncio.wait([hand.task for hand in self._hands])
        except asyncio.CancelledError:
            for hand in self._hands:
                hand.task.cancel()
            raise
        finally:
            if self._alarm is not None:
                self._alarm.cancel()
        if self._fault is not None:
            raise self._fault

    async def _at_work(self, hand: Hand, work: Callable[[Hand], Coroutine[Any, Any, None]]) -> None:
        try:
            await work(hand)
        except Exception as error:  # noqa: BLE001 - kept, and raised by `wait`
            self._fault = self._fault or error
            self.stop()
        finally:
            self._hands.discard(hand)
            if not self._hands:
                self._over.set()

    def _set_alarm(self, at: float, seconds: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_at = at
        self._alarm = self._clock.call_later(max(seconds, 0.0), self._ring)

    def _ring(self) -> None:
        """Cut off whose time is up, and set the alarm for the next."""
        self._alarm, self._alarm_at = None, NEVER
        now = self._clock.monotonic()
        for hand in self._hands:
            if hand.deadline <= now:
                hand.cut(late=True)
        next_one = min((hand.deadline for hand in self._hands), default=NEVER)
        if next_one < NEVER:
            self._set_alarm(next_one, next_one - now)
