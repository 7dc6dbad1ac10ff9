"""The clock as the executor sees it, and the real one. Tests have a FakeClock (`orchestrator.testing`)."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol


class Alarm(Protocol):
    """A call that is due later."""

    def cancel(self) -> None:
        """Let it not happen."""
        ...


class Clock(Protocol):
    """Tells the time, and when some of it has passed."""

    def now(self) -> datetime:
        """The time, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds since some moment, never going back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after so many seconds."""
        ...

    def call_later(self, seconds: float, call: Callable[[], object]) -> Alarm:
        """Call after so many seconds, from the event loop, unless the alarm is cancelled first."""
        ...


class SystemClock:
    """The Clock of the machine and the running event loop."""

    def now(self) -> datetime:
        """See Clock."""
        return datetime.now(UTC)

    monotonic = staticmethod(time.monotonic)

    async def sleep(self, seconds: float) -> None:
        """See Clock."""
        await asyncio.sleep(seconds)

    def call_later(self, seconds: float, call: Callable[[], object]) -> Alarm:
        """See Clock."""
        return asyncio.get_running_loop().call_later(seconds, call)
