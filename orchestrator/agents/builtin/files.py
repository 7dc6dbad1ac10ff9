"""From a name in YAML to bytes: where a file is looked for, how much is read, and what is said if not.

Law: reading never changes, creates or locks anything, and every failure is a sentence that names the file,
the place it was looked for, and the option that sets it.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from orchestrator.agents.builtin.options import FileOptions
from orchestrator.errors import TaskError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Place:
    """A file as its agent knows it: `shown` is the name in the YAML, `path` where that is."""

    agent: str
    shown: str
    path: Path
    limit: int

    def read(self) -> bytes:
        """The whole file. Raises TaskError where there is none, or too much of it."""
        with self.explained():
            if not self.path.exists():
                raise TaskError(self.missing())
            if not self.path.is_file():
                raise TaskError(f"{self.shown} ({self.path}) is not a file; {self.remedy()}")
            with self.path.open("rb") as stream:
                data = stream.read(self.limit + 1)
        self.check_size(len(data))
        return data

    def check_size(self, size: int) -> None:
        """Raises TaskError where `size` bytes are more than may be read."""
        if size > self.limit:
            bound = f"{self.limit / 1024**2:g} MiB"
            raise TaskError(
                f"{self.shown} ({self.path}) is larger than {bound}; raise options.max_size of the agent "
                f"{self.agent!r}, or split the file"
            )

    def missing(self) -> str:
        """What to say where nothing is at the place."""
        return f"there is no {self.shown}: looked for {self.path}; {self.remedy()}"

    def remedy(self) -> str:
        """Which knob sets the place."""
        return f"set options.file of the agent {self.agent!r}"

    @contextmanager
    def explained(self) -> Generator[None]:
        """Inside this block an OSError becomes a TaskError that a person understands."""
        what = f"{self.shown} ({self.path})"
        try:
            yield
        except PermissionError as error:
            raise TaskError(f"no permission for {what}; change that, or {self.remedy()}") from error
        except OSError as error:
            reason = error.strerror or str(error)
            raise TaskError(f"{what} cannot be used: {reason}; {self.remedy()}", passing=True) from error
        except ValueError as error:  # a name that no file can have
            raise TaskError(f"{what} cannot be used: {error}; {self.remedy()}") from error


def place_of(agent: str, options: FileOptions, root: Path) -> Place:
    """Where the agent's file is. Nothing is looked at yet."""
    return Place(agent, options.file, path_of(options.file, root), options.max_size)


def path_of(written: str, root: Path) -> Path:
    """The path that a name in YAML means."""
    path = Path(written)
    try:
        return root / path.expanduser()
    except RuntimeError:  # no home folder is known: the name is taken as it stands, and said to be missing
        return root / path


def read_only(root: Path) -> str:
    """What to say where the workspace must not be written in."""
    return (
        f"nothing was written: the workspace {root} is read-only; make your own copy with `cuewave init DIR` "
        f"and use it with `--workspace DIR`"
    )


async def in_thread(work: Callable[[], T]) -> T:
    """Do blocking work beside the event loop."""
    import asyncio

    return await asyncio.to_thread(work)


async def cuttably(work: Callable[[Callable[[], bool]], T]) -> T:
    """Do blocking work beside the event loop; it can ask whether its result is still wanted.

    A thread cannot be ended: one whose caller was cut off must not write any more.
    """
    import asyncio
    from threading import Event

    given_up = Event()
    try:
        return await asyncio.to_thread(work, given_up.is_set)
    except asyncio.CancelledError:
        given_up.set()
        raise
