"""A run while it is on its way: what happens as it happens, and the reply in pieces.

Law: the pieces of a reply end with the reply's own text; where one task makes the whole reply they are its
output as it arrives, so nothing is shown twice unless an attempt was broken off and made again.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeAlias

from orchestrator.ids import TaskId
from orchestrator.runs.changes import PlanRevised, TaskRecalled
from orchestrator.runs.events import (
    OutputChunk,
    PlanMade,
    Record,
    RunEnded,
    RunParked,
    TaskHandedOver,
    TaskRetrying,
)
from orchestrator.runs.journal import Listener

Happening: TypeAlias = Record | OutputChunk


async def happenings(start: Callable[[Listener], Coroutine[Any, Any, object]]) -> AsyncGenerator[Happening]:
    """Start a run with a listener, and give what it is told. Closing the generator cancels the run."""
    queue: asyncio.Queue[Happening | None] = asyncio.Queue()
    run = asyncio.create_task(start(queue.put_nowait))
    run.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (happening := await queue.get()) is not None:
            yield happening
        await run
    finally:
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)


async def reply_pieces(run: AsyncIterator[Happening]) -> AsyncGenerator[str]:
    """The reply of a run in pieces, none of them empty."""
    reply = ReplyText()
    async for happening in run:
        if piece := reply.take(happening):
            yield piece


@dataclass(slots=True)
class ReplyText:
    """Turns what happens in a run into the next piece of its reply."""

    _leaf: TaskId | None = None
    _given: str = ""

    def take(self, happening: Happening) -> str:
        """The text to add for this happening; empty for most."""
        match happening:
            case OutputChunk(task=task, text=text) if task == self._leaf:
                self._given += text
                return text
            case Record(event=PlanMade(plan=plan)):
                self._leaf = plan.leaves[0] if len(plan.leaves) == 1 else None
            case Record(event=PlanRevised(waves=waves)) if waves is not None:
                self._leaf = None
            case Record(
                event=TaskRetrying(task=task) | TaskHandedOver(task=task) | TaskRecalled(task=task)
            ) if task == self._leaf and self._given:
                self._given = ""
                return "\n"
            case Record(event=RunEnded(reply=reply) | RunParked(reply=reply)):
                return self._rest(reply)
            case _:
                pass
        return ""

    def _rest(self, reply: str) -> str:
        """What of the reply is still to be given; white space around it does not count."""
        given = self._given.lstrip()
        for shown in (given, given.rstrip()):
            if reply.startswith(shown):
                return reply[len(shown) :]
        return f"\n{reply}"
