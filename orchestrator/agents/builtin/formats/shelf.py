"""A folder of notes: which there are, and what stands in them.

Laws: nothing outside the folder is read, wherever a link leads; reading changes and locks nothing; what
cannot be read is named, and spoils nothing else.
"""

import os
import stat
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from orchestrator.agents.builtin.formats.markdown import Note, read_note
from orchestrator.agents.builtin.formats.naming import same_name
from orchestrator.agents.builtin.formats.plain import one_line
from orchestrator.agents.builtin.options import size_text
from orchestrator.errors import TaskError

SUFFIX = ".md"


@dataclass(slots=True)
class Listing:
    """The names of the notes, sorted, and what was left out, with the reason."""

    names: list[str] = field(default_factory=list[str])
    left_out: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class Shelf:
    """The folder as its agent knows it: `shown` is the name in the YAML, `root` where that is."""

    agent: str
    shown: str
    root: Path
    max_size: int
    max_notes: int

    def listing(self) -> Listing:
        """All notes. Raises TaskError where there is no folder, or too many notes."""
        if not self.root.is_dir():
            raise TaskError(f"there is no {self.shown}: looked for {self.root}; {self._remedy}")
        found = Listing()
        for name in self._walk(self.root, "", found):
            found.names.append(name)
            if len(found.names) > self.max_notes:
                raise TaskError(
                    f"{self.shown} ({self.root}) has more than {self.max_notes} notes; raise "
                    f"options.max_notes of the agent {self.agent!r}, or take another folder"
                )
        found.names.sort()
        return found

    def notes(self, found: Listing) -> Iterator[Note]:
        """The notes of a listing, one by one; those that cannot be read are added to what is left out."""
        for name in found.names:
            try:
                yield read_note(name, self.decoded(name, self.read(name)))
            except TaskError as error:
                found.left_out.append(str(error))

    def read(self, name: str) -> bytes:
        """The bytes of a note. Raises TaskError, `passing` where that may pass."""
        try:
            handle = os.open(self.root / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(handle, "rb") as stream:
                if not stat.S_ISREG(os.fstat(handle).st_mode):
                    raise TaskError(f"{one_line(name)} is no file")
                data = stream.read(self.max_size + 1)
        except OSError as error:
            raise TaskError(f"{one_line(name)} cannot be read ({error.strerror})", passing=True) from error
        self.check_size(name, len(data))
        return data

    def decoded(self, name: str, data: bytes) -> str:
        """The text of a note. Raises TaskError where it is none."""
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise TaskError(f"{one_line(name)} is not UTF-8 (byte {error.start + 1})") from error

    def check_size(self, name: str, size: int) -> None:
        """Raises TaskError for more than a note may have."""
        if size > self.max_size:
            bound = size_text(self.max_size)
            raise TaskError(
                f"{one_line(name)} is larger than {bound}; raise options.max_size of the agent {self.agent!r}"
            )

    def called(self, name: str, found: Listing) -> str | None:
        """The note of this name: by its path, else its file's name, else its title. None where there is none.

        Raises TaskError where several are called so.
        """
        wanted = same_name(name)
        paths = {n: same_name(n.removesuffix(n[-len(SUFFIX) :])) for n in found.names}
        for same in (
            [n for n, path in paths.items() if path == wanted],
            [n for n, path in paths.items() if path.rpartition("/")[2] == wanted],
            [note.name for note in self.notes(found) if same_name(note.title) == wanted],
        ):
            if same:
                return self._one_of(same, name)
        return None

    def _one_of(self, same: Sequence[str], name: str) -> str:
        spelled = [n for n in same if n[: -len(SUFFIX)] == name]
        if len(same) > 1 and len(spelled) != 1:
            raise TaskError(
                f"several notes are called {name!r}: {', '.join(map(one_line, same))}; say which by its file"
            )
        return (spelled or same)[0]

    @contextmanager
    def explained(self) -> Generator[None]:
        """Inside this block an OSError becomes a TaskError that a person understands."""
        try:
            yield
        except OSError as error:
            reason, passing = error.strerror or str(error), not isinstance(error, PermissionError)
            message = f"{self.shown} ({self.root}) cannot be used: {reason}; {self._remedy}"
            raise TaskError(message, passing=passing, doubtful=passing) from error

    @property
    def _remedy(self) -> str:
        return f"set options.folder of the agent {self.agent!r}"

    def _walk(self, folder: Path, above: str, found: Listing) -> Iterator[str]:
        try:
            with os.scandir(folder) as entries:
                inside = list(entries)
        except OSError as error:
            found.left_out.append(f"{one_line(above) or self.shown} cannot be read ({error.strerror})")
            return
        for entry in inside:
            name = f"{above}{entry.name}"
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from self._walk(Path(entry.path), f"{name}/", found)
            elif entry.name.lower().endswith(SUFFIX):
                if reason := _unfit(entry):
                    found.left_out.append(f"{one_line(name)} {reason}")
                else:
                    yield name


def _unfit(entry: "os.DirEntry[str]") -> str:
    """Why a file is not read; empty where it is."""
    if entry.is_symlink():
        return "is a link, and links are not followed"
    if not entry.is_file():
        return "is no file"
    if any("\ud800" <= c <= "\udfff" for c in entry.name):
        return "has a name that is not UTF-8"
    return ""
