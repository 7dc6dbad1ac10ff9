"""The files of a workspace folder, each read once.

Law: what is judged is what is fingerprinted. A file that is too big is not read, and one that cannot be read
is a fault, never a file that is not there.
"""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from orchestrator.errors import Fault
from orchestrator.workspace.document.source import MAX_BYTES

SCENARIOS = "config/scenarios"
FOLDERS = ("config", "agents", "prompts")
_YAML = (".yaml", ".yml")


@dataclass(slots=True)
class Contents:
    """`yaml` is the bytes of the YAML files that are read, by name; `names` is every file."""

    yaml: dict[str, bytes] = field(default_factory=dict[str, bytes])
    names: list[str] = field(default_factory=list[str])
    faults: list[Fault] = field(default_factory=list[Fault])
    digests: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def fingerprint(self) -> str:
        """SHA-256 of all names and contents, whatever order the file system gives them in."""
        lines = "".join(f"{name}\0{digest}\n" for name, digest in sorted(self.digests.items()))
        return hashlib.sha256(lines.encode()).hexdigest()


def contents(root: Path) -> Contents:
    """Read the folders of a workspace; hidden files are nobody's."""
    found = Contents()
    for folder in FOLDERS:
        if os.path.lexists(root / folder) and not (root / folder).is_dir():
            found.faults.append(Fault(folder, 0, 0, "", "this is to be a folder"))
        for path in sorted(_files(root, folder, found)):
            _take(path, _name(path, root), found)
    return found


def is_yaml(name: str, folder: str) -> bool:
    """Whether the file is one of the YAML files directly in the folder."""
    path = PurePosixPath(name)
    return str(path.parent) == folder and path.suffix in _YAML


def is_scenario(name: str) -> bool:
    """Whether the file is a scenario."""
    return is_yaml(name, SCENARIOS) and name.endswith(".yaml")


def _is_read(name: str) -> bool:
    """Whether it is one of the files that are read as YAML."""
    return is_yaml(name, "config") or is_yaml(name, "agents") or is_scenario(name)


def _files(root: Path, folder: str, found: Contents) -> Iterator[Path]:
    if not (root / folder).is_dir():
        return
    for place, folders, files in os.walk(root / folder, onerror=lambda e: _unreadable(e, root, found)):
        for name in (_name(Path(place, f), root) for f in folders):
            if _is_read(name):
                found.faults.append(Fault(name, 0, 0, "", "this is to be a file"))
        folders[:] = [f for f in folders if not f.startswith((".", "__pycache__"))]
        yield from (Path(place, f) for f in files if not f.startswith("."))


def _take(path: Path, name: str, found: Contents) -> None:
    read_as_yaml = _is_read(name)
    try:
        size = path.stat().st_size
        if not path.is_file():
            found.faults.append(Fault(name, 0, 0, "", "this is no regular file"))
        elif read_as_yaml and size > MAX_BYTES:
            message = f"{size:,} bytes are more than a file may have ({MAX_BYTES:,}); split it"
            found.faults.append(Fault(name, 0, 0, "", message))
        elif read_as_yaml:
            raw = found.yaml[name] = path.read_bytes()
            found.digests[name] = hashlib.sha256(raw).hexdigest()
        else:
            with path.open("rb") as file:
                found.digests[name] = hashlib.file_digest(file, "sha256").hexdigest()
        found.names.append(name)
    except OSError as error:
        found.faults.append(Fault(name, 0, 0, "", f"this cannot be read: {error.strerror or error}"))


def _unreadable(error: OSError, root: Path, found: Contents) -> None:
    name = _name(Path(os.fsdecode(error.filename or root)), root)
    found.faults.append(Fault(name, 0, 0, "", f"this cannot be read: {error.strerror or error}"))


def _name(path: Path, root: Path) -> str:
    """The path below the root; bytes that are no text are escaped."""
    return path.relative_to(root).as_posix().encode("utf-8", "backslashreplace").decode()
