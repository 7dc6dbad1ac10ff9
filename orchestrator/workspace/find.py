"""Which folder is the workspace.

Law: the first that is named wins, and one that is named is never silently replaced by another: `--workspace`,
then `CUEWAVE_WORKSPACE`, then the nearest folder upwards with a `config/orchestrator.yaml`, then the shipped
one.
"""

from collections.abc import Mapping
from pathlib import Path

from orchestrator.errors import WorkspaceNotFound

VARIABLE = "CUEWAVE_WORKSPACE"
_MARK = Path("config", "orchestrator.yaml")
_PACKAGE = Path(__file__).resolve().parents[1]


def find_workspace(explicit: Path | None, env: Mapping[str, str], cwd: Path) -> Path:
    """The folder to load. Raises WorkspaceNotFound where the one that is named is none."""
    if explicit is not None:
        return _named(explicit, "--workspace")
    if env.get(VARIABLE):
        return _named(Path(env[VARIABLE]), VARIABLE)
    for folder in (cwd, *cwd.parents):
        if _is_one(folder, "here"):
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


def is_fallback(root: Path, explicit: Path | None, env: Mapping[str, str], cwd: Path) -> bool:
    """Whether the folder was found since nothing names one, and no folder from here upwards is one."""
    return explicit is None and not env.get(VARIABLE) and root not in (cwd, *cwd.parents)


def is_packaged(root: Path) -> bool:
    """Whether the folder is the workspace inside the installed package."""
    return root.resolve() == _packaged()


def _named(folder: Path, by: str) -> Path:
    if _is_one(folder, by):
        return folder
    if not folder.is_dir():
        raise WorkspaceNotFound(f"{by}: there is no folder {folder}")
    remedy = f"`cuewave init {folder}` makes a workspace in an empty folder"
    raise WorkspaceNotFound(f"{by}: {folder} is no workspace, it has no {_MARK.as_posix()}; {remedy}")


def _is_one(folder: Path, by: str) -> bool:
    """Raises WorkspaceNotFound where that cannot be seen, since it may well be one."""
    try:
        return (folder / _MARK).is_file()
    except OSError as error:
        raise WorkspaceNotFound(
            f"{by}: whether {folder} is a workspace cannot be seen ({error.strerror}); permit that, or name"
            " another with --workspace"
        ) from error


def _packaged() -> Path:
    return _PACKAGE / "_workspace"
