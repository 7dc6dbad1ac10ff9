"""How to make a workspace of one's own: a copy of the shipped one.

Law: all or nothing. What was there is never overwritten, and nothing is left of a copy that fails.
"""

import shutil
import tempfile
from pathlib import Path

from orchestrator.errors import WorkspaceNotFound
from orchestrator.workspace.find import shipped_workspace

_SHIPPED = ("config", "agents", "prompts", "samples", "schemas")


def init_workspace(target: Path, shipped: Path | None = None) -> list[Path]:
    """Copy the shipped workspace into a new or empty folder, and name the files that were made.

    Raises WorkspaceNotFound where the folder holds anything or cannot be written. Nothing is overwritten, and
    nothing is left of a copy that fails.
    """
    source = shipped or shipped_workspace()
    new = not target.exists()
    try:
        target.mkdir(parents=True, exist_ok=True)
        filled = any(target.iterdir())
    except OSError as error:
        raise _refusal(target, error) from error
    if filled:
        raise WorkspaceNotFound(f"{target}: this folder is not empty; name a new one")
    try:
        _fill(target, source)
    except BaseException as error:
        if new:
            shutil.rmtree(target, ignore_errors=True)
        if isinstance(error, OSError):
            raise _refusal(target, error) from error
        raise
    return sorted(path for path in target.rglob("*") if path.is_file())


def move_all(source: Path, target: Path) -> None:
    """Move everything of a folder into another one; nothing, where one of it cannot be moved."""
    moved: list[Path] = []
    try:
        for path in sorted(source.iterdir()):
            moved.append(path.rename(target / path.name))  # noqa: PERF401 - each move may fail
    except BaseException:
        for path in moved:
            path.rename(source / path.name)
        raise


def _fill(target: Path, shipped: Path) -> None:
    """Copy to a hidden folder inside the target, and move into place what is complete."""
    with tempfile.TemporaryDirectory(prefix=".cuewave-init-", dir=target) as beside:
        for folder in _SHIPPED:
            _copy(shipped / folder, Path(beside, folder))
        move_all(Path(beside), target)


def _copy(source: Path, copy: Path) -> None:
    """The files' contents only: a read-only installation must not make a read-only workspace."""
    for path in source.rglob("*"):
        below = path.relative_to(source)
        if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in below.parts):
            (copy / below).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy / below)


def _refusal(target: Path, error: OSError) -> WorkspaceNotFound:
    return WorkspaceNotFound(f"{target}: no workspace can be made here: {error.strerror or error}")
