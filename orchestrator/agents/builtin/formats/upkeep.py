"""Writing into a folder of notes.

Laws: nothing outside the folder is written, whatever a name says and wherever a link leads; a note is
replaced as a whole, by one writer at a time, and only where it still is what was read; nothing is written
over by a new note; what was given up is not written at all.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from orchestrator.agents.builtin.formats.naming import fault_of_name, same_name
from orchestrator.agents.builtin.formats.plain import one_line
from orchestrator.agents.builtin.formats.replacing import alone, create_file, replace_file, sweep
from orchestrator.agents.builtin.formats.shelf import SUFFIX, Shelf
from orchestrator.errors import TaskError

_TRIES = 5
_KEPT = ".replaced"
"""The folder of what was replaced; hidden, so that it is no part of the notes."""


@dataclass(frozen=True, slots=True)
class Upkeep:
    """Who writes into the folder. `given_up` says that the result is not wanted any more."""

    shelf: Shelf
    given_up: Callable[[], bool]

    @contextmanager
    def alone(self) -> Generator[None]:
        """One writer of the whole folder at a time; it is made where there is none."""
        with self.shelf.explained():
            self.shelf.root.mkdir(parents=True, exist_ok=True)
            with alone(self.shelf.root):
                yield

    def holding(self, mark: str, names: Sequence[str]) -> tuple[str, str] | None:
        """The note that an effect came about in, and its text; None where it did not."""
        looked_for = f"<!-- {mark}".encode()
        for name in names:
            try:
                data = self.shelf.read(name)
                if looked_for in data:
                    return name, self.shelf.decoded(name, data)
            except TaskError:  # what cannot be read was not written here
                continue
        return None

    def change(self, name: str, changed: Callable[[str], str]) -> str:
        """Put another text in the place of a note's own; the new one.

        Raises TaskError where somebody else keeps changing it, or where it cannot be read.
        """
        path = self._path(name)
        for _ in range(_TRIES):
            old = self.shelf.read(name)
            text = changed(self.shelf.decoded(name, old))
            data = text.encode()
            self.shelf.check_size(name, len(data))
            sweep(path)
            self._go_on()
            if replace_file(path, data, only_over=old):
                return text
        message = f"{one_line(name)} is being changed by somebody else, so nothing was written; try again"
        raise TaskError(message, passing=True)

    def create(self, name: str, text: str) -> bool:
        """Make a note; False where there is something of its name."""
        data = text.encode()
        self.shelf.check_size(name, len(data))
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        sweep(path)
        self._go_on()
        return create_file(path, data)

    def keep(self, name: str, text: str) -> str:
        """Keep what is going to be replaced; where it is, as people are told."""
        self.create(f"{_KEPT}/{name}", text)
        return kept_in(self.shelf, name)

    def new_name(self, said: str) -> str:
        """The file for a new note; folders that are there keep their own spelling.

        Raises TaskError for what no note can be called.
        """
        if fault := fault_of_name(said):
            raise TaskError(
                f"no note can be called {one_line(said)!r}: {fault}; nothing was written; say another name"
            )
        *folders, file = said.split("/")
        place, spelled = self.shelf.root, list[str]()
        for folder in folders:
            spelled.append(_spelling(place, folder))
            place /= spelled[-1]
        return "/".join((*spelled, f"{file}{SUFFIX}"))

    def _path(self, name: str) -> Path:
        """Where a note is or is to be. Raises TaskError where a link leads out of the folder."""
        root, path = self.shelf.root.resolve(), self.shelf.root / name
        if path.is_symlink() or not path.parent.resolve().is_relative_to(root):
            raise TaskError(f"{one_line(name)} is behind a link, which is not followed; nothing was written")
        return path

    def _go_on(self) -> None:
        if self.given_up():
            raise TaskError("it was cut off, so nothing was written", passing=True)


def kept_in(shelf: Shelf, name: str) -> str:
    """Where a part that was replaced is kept, as people are told."""
    return f"{shelf.shown}/{_KEPT}/{name}"


def _spelling(place: Path, folder: str) -> str:
    """The folder's own name where it is there by another spelling."""
    if not place.is_dir() or (place / folder).is_dir():
        return folder
    there = sorted(p.name for p in place.iterdir() if p.is_dir() and same_name(p.name) == same_name(folder))
    return there[0] if there else folder
