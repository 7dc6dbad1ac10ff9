"""A program with a person at its terminal, who waits for what is shown and then types.

What is waited for has a deadline, never a fixed time.
"""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from types import TracebackType

DEADLINE = 60.0
PATIENCE = 2.0
TAKES = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"
"""The terminal is taken first, so that Ctrl-C at it is a signal."""
MAIN = "from orchestrator.cli import main; main()"
_ESCAPE = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[=>])")


class Terminal:
    """The command line at a terminal of so many columns; its stdout may be a pipe instead."""

    def __init__(
        self,
        *arguments: str,
        columns: int = 80,
        stdout: int | None = None,
        env: Mapping[str, str] = {},
        code: str = MAIN,
    ) -> None:
        self._person, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        usual = {**os.environ, "TERM": "xterm"}
        usual.pop("COLUMNS", None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"{TAKES}\n{code}", *arguments],
            stdin=far,
            stdout=far if stdout is None else stdout,
            stderr=far,
            env={**usual, **env},
            start_new_session=True,
        )
        os.close(far)
        self.raw = ""
        self._seen = 0

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._person)

    @property
    def shown(self) -> str:
        """All that was shown, without what only moves the cursor or colours."""
        return visible(self.raw)

    def sees(self, text: str) -> None:
        """Wait until this is shown, after what was waited for before."""
        assert self._sees(text, time.monotonic() + DEADLINE), self._without(text)

    def types(self, text: str) -> None:
        """Type this; `\\x03` is Ctrl-C, `\\x04` Ctrl-D."""
        os.write(self._person, text.encode())

    def interrupts(self, text: str) -> None:
        """Press Ctrl-C until this is shown, as a person does: one that comes in the moment before a program
        begins to wait for a key is taken up with the next key only."""
        deadline = time.monotonic() + DEADLINE
        self.types("\x03")
        while not self._sees(text, time.monotonic() + PATIENCE):
            assert time.monotonic() < deadline, self._without(text)
            self.types("\x03")

    def leaves(self, text: str) -> None:
        """Press Ctrl-D, and wait until this is shown."""
        self.types("\x04")
        self.sees(text)

    def ends(self) -> int:
        """Wait until the program has ended; its exit code."""
        deadline = time.monotonic() + DEADLINE
        while self._reads(deadline):
            assert time.monotonic() < deadline, f"it goes on: {self.raw[self._seen :]!r}"
        return self.process.wait(DEADLINE)

    def _sees(self, text: str, deadline: float) -> bool:
        """Whether this is shown by then."""
        while (found := self.raw.find(text, self._seen)) < 0:
            if time.monotonic() > deadline:
                return False
            assert self._reads(deadline), f"it ended; {self._without(text)}"
        self._seen = found + len(text)
        return True

    def _without(self, text: str) -> str:
        return f"{text!r} was not shown: {self.raw[self._seen :]!r}"

    def _reads(self, deadline: float) -> bool:
        """Take in what is shown; False where nothing more will be."""
        if not select.select([self._person], [], [], max(deadline - time.monotonic(), 0))[0]:
            return True
        try:
            piece = os.read(self._person, 65536)
        except OSError:  # nobody has the other end any more
            return False
        self.raw += piece.decode(errors="replace")
        return bool(piece)


def visible(raw: str) -> str:
    """What was shown, without what only moves the cursor or colours."""
    return _ESCAPE.sub("", raw).replace("\r", "")
