"""A scenario that goes on when a person says so, a task at a time."""

import asyncio
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from orchestrator.cli.output import say

if TYPE_CHECKING:
    from orchestrator.runs.state import RunState


async def stepped(state: "RunState") -> None:
    """Show what is known, and wait for a line on stdin; at its end, go on without waiting."""
    known = ", ".join(f"{key} = {value}" for key, value in state.facts.items())
    say(f"tick {state.ticks}: {known}", err=True)
    if sys.stdin is not None:
        say("Enter for the next task…", err=True)
        await _line()


async def _line() -> None:
    """A line of stdin has come, or its end; where it cannot be waited for (a file), it is there already."""
    loop, came = asyncio.get_running_loop(), asyncio.Event()
    with suppress(PermissionError, NotImplementedError):
        loop.add_reader(sys.stdin.fileno(), came.set)
        try:
            await came.wait()
        finally:
            loop.remove_reader(sys.stdin.fileno())
    sys.stdin.readline()
