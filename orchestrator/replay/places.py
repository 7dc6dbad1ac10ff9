"""Time in a replay: a place among the records.

Law: it goes on only where it is told to; whoever waits for a later place waits. No clock and no chance is in
it, so that a replay is the same wherever and whenever it is made.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime


class Places:
    """The present place, and who waits for a later one. `times` are those of the records."""

    def __init__(self, times: Sequence[datetime]) -> None:
        self._times, self._place = times, 0.0
        self._waiting: dict[float, asyncio.Event] = {}

    async def until(self, place: float) -> None:
        """Return when time has come to this place."""
        if place > self._place:
            await self._waiting.setdefault(place, asyncio.Event()).wait()

    def go_to(self, place: int) -> None:
        """Time has come to this place."""
        self._place = place
        for due in [due for due in self._waiting if due <= place]:
            self._waiting.pop(due).set()

    def now(self) -> datetime:
        """The time of the record at the present place."""
        return self._times[max(int(self._place), 1) - 1]
