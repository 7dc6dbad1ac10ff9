"""Ctrl-C: the first one stops a run cleanly, a second one leaves at once, whatever is still at work.

Law: while a run is on its way a signal is never an exception in the middle of somebody's code; while a person
is asked something it always is, so that the question can be left.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import TypeAlias

from orchestrator.cli.codes import INTERRUPTED

Handler: TypeAlias = Callable[[int, FrameType | None], None]

_SHOW_CURSOR = b"\x1b[?25h"


@contextmanager
def stoppable(task: "asyncio.Task[object]") -> Generator[None]:
    """Inside, the first SIGINT cancels the task and a second one ends the process with exit code 130."""
    loop, pressed = asyncio.get_running_loop(), False

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            if sys.stderr is not None and sys.stderr.isatty():
                os.write(2, _SHOW_CURSOR)
            os._exit(INTERRUPTED)
        pressed = True
        loop.call_soon_threadsafe(task.cancel)

    with _handled_by(on_signal):
        yield


@contextmanager
def leavable() -> Generator[None]:
    """Inside, SIGINT raises KeyboardInterrupt: a question to a person is being asked."""
    with _handled_by(signal.default_int_handler):
        yield


@contextmanager
def _handled_by(handler: Handler) -> Generator[None]:
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
