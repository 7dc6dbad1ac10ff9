"""Which folder is the workspace, and how to make one of one's own.

Law: the first that is named wins, and one that is named is never silently replaced by another: `--workspace`,
then `CUEWAVE_WORKSPACE`, then the nearest folder upwards with a `config/orchestrator.yaml`, then the shipped
one.
"""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from orchestrator.errors import WorkspaceNotFound

VARIABLE = "CUEWAVE_WORKSPACE"
_MARK = Path("config", "orchestrator.yaml")
_PACKAGE = Path(__file__).resolve().parents[1]
_SHIPPED = ("config", "agents", "prompts", "samples", "schemas")


def find_workspace(explicit: Path | None, env: Mapping[str, str], cwd: Path) -> Path:
    """The folder to load. Raises WorkspaceNotFound where the one that is named is none."""
    if explicit is not None:
        return _named(explicit, "--workspace")
    if env.get(VARIABLE):
        return _named(Path(env[VARIABLE]), VARIABLE)
    for folder in (cwd, *cwd.parents):
        if (folder / _MARK).is_file():
            return folder
    return shipped_workspace()


def shipped_workspace() -> Path:
    """The workspace inside the installed package, or, in a source checkout, the one beside it."""
    for folder in (_packaged(), _PACKAGE.parent):
        if (folder / _MARK).is_file():
            return folder
    raise WorkspaceNotFound(
        "this installation carries no workspace; name one with --workspace, or reinstall cuewave"
    )


def is_packaged(root: Path) -> bool:
    """Whether the folder is the workspace inside the installed package."""
    return root.resolve() == _packaged()


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


def _named(folder: Path, by: str) -> Path:
    if not folder.is_dir():
        raise WorkspaceNotFound(f"{by}: there is no folder {folder}")
    if not (folder / _MARK).is_file():
        remedy = f"`cuewave init {folder}` makes a workspace in an empty folder"
        raise WorkspaceNotFound(f"{by}: {folder} is no workspace, it has no {_MARK.as_posix()}; {remedy}")
    return folder


def _packaged() -> Path:
    return _PACKAGE / "_workspace"
