"""The prompt of a session: line editing, and a history that outlives it.

Law: the history is the person's own: a file that nobody else may read, of so many lines at most. Where it
cannot be kept the session goes on without one; where there is no terminal there is neither prompt nor
history.
"""

import os
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from orchestrator.cli.output import warn

PROMPT = "you> "
_MOST = 1_000


def history_file() -> Path:
    """Where the history is kept."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "cuewave" / "history"


@contextmanager
def remembering(file: Path | None) -> Generator[None]:
    """Inside, lines can be edited, and those of earlier sessions are at hand; `None` remembers nothing."""
    try:
        import readline
    except ImportError:  # a Python without it: lines are read as they are
        yield
        return
    readline.set_history_length(_MOST)
    if file is not None and file.is_file():
        _try(file, readline.read_history_file)
    try:
        yield
    finally:
        if file is not None:
            _try(file, _keep)


def _keep(file: Path) -> None:
    import readline

    file.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600))
    file.chmod(0o600)
    readline.write_history_file(file)


def _try(file: Path, work: Callable[[Path], object]) -> None:
    try:
        work(file)
    except OSError as error:
        warn([f"{file}: the history of sessions cannot be kept: {error.strerror or error}"])


def lines(*, prompt: bool) -> Iterator[str]:
    """What is typed, line by line, until the end of input. Ctrl-C at the prompt begins the line anew."""
    while sys.stdin is not None:
        try:
            line = input(PROMPT if prompt else "")
        except EOFError:
            return
        except KeyboardInterrupt:
            if not prompt:
                raise
            line = ""
            print(file=sys.stderr)
        if line.strip():
            yield line
