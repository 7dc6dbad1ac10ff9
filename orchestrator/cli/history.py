"""What a person has typed in sessions, kept for the next one.

Laws: it is the person's own, a file that nobody else may read, of so many lines at most; a line is kept when
it is typed, so that no end of the program loses it; one that begins with a space is not kept. Where it cannot
be kept, the session goes on without.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from orchestrator.agents.builtin.formats.replacing import replace_file
from orchestrator.cli.output import warn

MOST = 1_000
"""Lines that are kept."""
_LONGEST = 4_000
"""Characters of a line that is kept."""


class History:
    """The lines in a file, the oldest first; with no file, nothing is read or kept."""

    def __init__(self, file: Path | None) -> None:
        self._file = file

    def read(self) -> Sequence[str]:
        """The lines of earlier sessions; a file that has become too long keeps the youngest."""
        if self._file is None or not self._file.exists():
            return ()
        try:
            lines = self._file.read_text(encoding="utf-8", errors="replace").splitlines()
            if len(lines) > MOST:
                replace_file(self._file.resolve(), "".join(f"{line}\n" for line in lines[-MOST:]).encode())
        except OSError as error:
            self._give_up(error)
            return ()
        return lines[-MOST:]

    def add(self, line: str) -> str | None:
        """Keep the line, on one line; what was kept, None where it is not to be."""
        kept = " ".join(line.split())
        if not kept or line[0].isspace() or len(kept) > _LONGEST:
            return None
        try:
            self._append(kept)
        except OSError as error:
            self._give_up(error)
        return kept

    def _append(self, line: str) -> None:
        if self._file is None:
            return
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self._file, os.O_APPEND | os.O_CREAT | os.O_WRONLY, 0o600)
        with open(descriptor, "w", encoding="utf-8", errors="replace") as file:
            os.fchmod(descriptor, 0o600)
            file.write(f"{line}\n")

    def _give_up(self, error: OSError) -> None:
        warn([f"{self._file}: what is typed cannot be kept: {error.strerror or error}"])
        self._file = None
