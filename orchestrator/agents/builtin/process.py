"""A program at work: it is fed, heard out and seen off.

Laws: no process of its group outlives the call, however that ends: who is cut off first sends SIGTERM, after
a grace SIGKILL, and waits. Neither much input nor much output can make the two sides wait for one another:
the input is a file, which nobody has to read, and the output is taken as it comes, up to a bound.
"""

import asyncio
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile

_LAST_WORDS = 1.0
"""Seconds in which what was printed must come, once all of the group are gone."""
_TAIL = 8192
"""Bytes kept of the end of stderr."""
_OUT, _ERR = 1, 2


@dataclass(frozen=True, slots=True)
class Program:
    """What is run, where, with which environment. `most` bounds the bytes that it may print."""

    argv: Sequence[str]
    cwd: Path
    env: Mapping[str, str]
    most: int
    grace: float


@dataclass(frozen=True, slots=True)
class Ended:
    """What it came to: its exit code (negative: the signal that ended it), stdout, and the end of stderr.

    `too_much` says that it was ended because it printed more than it may.
    """

    code: int
    printed: bytes
    complaint: bytes
    too_much: bool


async def run_program(program: Program, given: bytes) -> Ended:
    """Run the program with `given` as its input. Raises OSError where it cannot be started.

    Where the caller is cut off, the program is ended first, which takes at most its grace and a moment.
    """
    watch = _Watch(program.most)
    life = asyncio.create_task(_life_of(program, given, watch))
    try:
        return await asyncio.shield(life)
    except asyncio.CancelledError:
        watch.enough.set()
        while not life.done():
            with suppress(asyncio.CancelledError):  # who is impatient waits all the same: it is bounded
                await asyncio.wait((life,))
        if not life.cancelled():
            life.exception()
        raise


@dataclass(slots=True)
class _Watch(asyncio.SubprocessProtocol):
    """Hears what the program prints, and when it ends.

    `enough` is set once there is nothing to wait for: it is `gone`, has printed `too_much`, or is to be
    ended.
    """

    most: int
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    enough: asyncio.Event = field(default_factory=asyncio.Event)
    silent: asyncio.Event = field(default_factory=asyncio.Event)
    printed: bytearray = field(default_factory=bytearray)
    complaint: bytearray = field(default_factory=bytearray)
    too_much: bool = False
    _open: set[int] = field(default_factory=lambda: {_OUT, _ERR})

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Keep it, within bounds."""
        if fd == _ERR:
            self.complaint += data
            del self.complaint[:-_TAIL]
            return
        self.printed += data[: self.most + 1 - len(self.printed)]
        if len(self.printed) > self.most:
            self.too_much = True
            self.enough.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Nothing more comes from there."""
        self._open.discard(fd)
        if not self._open:
            self.silent.set()

    def process_exited(self) -> None:
        """The program itself has ended; what it started may not have."""
        self.gone.set()
        self.enough.set()


async def _life_of(program: Program, given: bytes, watch: _Watch) -> Ended:
    if watch.enough.is_set():  # cut off before it began
        return Ended(-signal.SIGTERM, b"", b"", too_much=False)
    transport = await _started(program, given, watch)
    group = transport.get_pid()
    try:
        await watch.enough.wait()
        if not watch.gone.is_set():
            await _end(group, watch, program.grace)
        _signal(group, signal.SIGKILL)  # what it left at work
        await _within(watch.silent, _LAST_WORDS)
        code = transport.get_returncode()
        return Ended(
            0 if code is None else code, bytes(watch.printed), bytes(watch.complaint), watch.too_much
        )
    finally:
        if not watch.gone.is_set():  # the event loop itself is ending
            _signal(group, signal.SIGKILL)
            await watch.gone.wait()
        transport.close()


async def _started(program: Program, given: bytes, watch: _Watch) -> asyncio.SubprocessTransport:
    with TemporaryFile() as entry:
        entry.write(given)
        entry.seek(0)
        transport, _ = await asyncio.get_running_loop().subprocess_exec(
            lambda: watch,
            *program.argv,
            stdin=entry,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=program.cwd,
            env=program.env,
            start_new_session=True,
        )
    return transport


async def _end(group: int, watch: _Watch, grace: float) -> None:
    _signal(group, signal.SIGTERM)
    if not await _within(watch.gone, grace):
        _signal(group, signal.SIGKILL)
        await watch.gone.wait()


def _signal(group: int, what: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):  # none is left, or none that is ours
        os.killpg(group, what)


async def _within(event: asyncio.Event, seconds: float) -> bool:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
    return event.is_set()
