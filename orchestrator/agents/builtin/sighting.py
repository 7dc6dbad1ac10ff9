"""What a file is like, as a fact, and being told when it changes: for agents whose file is the world.

Law: a file is known by what is in it. That somebody wrote the same again is no change, and a file that is
gone is one.
"""

import asyncio
import hashlib
from pathlib import Path
from typing import TypeAlias

from orchestrator.agents.contract import Tell

FACT = "content"
"""The fact that such an agent publishes; tasks know it as `AGENT.content`."""

_LOOK = 0.2
"""Seconds between two looks at a file that is watched."""

_Stamp: TypeAlias = tuple[int, int, int] | None


def fingerprint(path: Path) -> str:
    """What is in the file, in 16 hexadecimal digits; empty where there is none that can be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:16]
    except OSError:
        return ""


async def watch(path: Path, tell: Tell) -> None:
    """Tell what is in the file, now and whenever that has changed, until this is cancelled."""
    stamp, known = _NEVER, ""
    while True:
        now = _stamp(path)
        if now != stamp:
            stamp, found = now, await asyncio.to_thread(fingerprint, path)
            if found != known:
                known = found
                await tell(FACT, found)
        await asyncio.sleep(_LOOK)


_NEVER: _Stamp = (-1, -1, -1)


def _stamp(path: Path) -> _Stamp:
    """What changes when the file is written, or another takes its place."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
