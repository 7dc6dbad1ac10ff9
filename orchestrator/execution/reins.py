"""How a plan is changed while it runs, by whoever drives the run.

Law: a change is decided at a moment at which all that has happened is in the state, and nothing begins
between the decision and its being stored. So what was pending when it was decided is pending still.
"""

from collections.abc import Awaitable, Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from orchestrator.ids import MessageId
from orchestrator.runs.events import Event

Decide: TypeAlias = Callable[[], Sequence[Event]]
"""What follows, from the state as it is by then."""

Change: TypeAlias = Callable[[Decide, Collection[MessageId]], Awaitable[bool]]


class Reins:
    """Held by the executor of a run as long as it is at work."""

    def __init__(self) -> None:
        self._change: Change | None = None

    @contextmanager
    def held_by(self, change: Change) -> Generator[None]:
        """Pass every change on to this executor."""
        self._change = change
        try:
            yield
        finally:
            self._change = None

    async def change(self, decide: Decide, taken: Collection[MessageId]) -> bool:
        """Decide, and store what follows; the messages `taken` leave the inbox with it.

        False, and nothing is decided, where no executor is at work, or the run is about to end.
        """
        return self._change is not None and await self._change(decide, taken)
