"""From a path and the environment to a loaded workspace, with the agent types that are installed."""

import atexit
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.agents.registry import agent_type, type_names
from orchestrator.errors import WorkspaceInvalid, WorkspaceNotFound
from orchestrator.ids import Json
from orchestrator.runs.sql.places import usual_url
from orchestrator.workspace.find import find_workspace
from orchestrator.workspace.load import Check, load_workspace
from orchestrator.workspace.value import Workspace

if TYPE_CHECKING:
    from orchestrator.runs.store import Store
    from orchestrator.workspace.scenarios import ScenarioRule


def open_workspace(
    path: str | os.PathLike[str] | None = None,
    *,
    checks: Sequence[Check] = (),
    secrets: Mapping[str, str] | None = None,
    scenarios: "ScenarioRule | None" = None,
) -> Workspace:
    """Find and load a workspace; `secrets` instead of the environment, with `scenarios` those too.

    Raises WorkspaceInvalid with all faults, WorkspaceNotFound.
    """
    env = os.environ if secrets is None else secrets
    return load_workspace(workspace_root(path), agent_type, type_names, env, checks, scenarios)


def workspace_root(path: str | os.PathLike[str] | None = None) -> Path:
    """The folder of the workspace at `path`, or of the one that is found. Raises WorkspaceNotFound."""
    return find_workspace(Path(path) if path is not None else None, os.environ, _here())


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise WorkspaceNotFound("the current folder is not there any more; change to one that is") from None


def file_schema(name: str) -> dict[str, Json]:
    """The JSON Schema of a workspace file by its name. Raises UserError for an unknown one."""
    from orchestrator.workspace.schema import schema

    types = {n: found for n in type_names() if (found := agent_type(n)) is not None}
    return schema(name, types)


def schema_names() -> tuple[str, ...]:
    """The files that have a schema, by the names that `file_schema` takes."""
    from orchestrator.workspace.schema import schema_names

    return schema_names()


def open_snapshot(fingerprint: str, body: bytes, present: Workspace) -> tuple[Workspace, Path]:
    """A workspace as it was in a snapshot, and the folder of its templates; data files are the present ones.

    Secrets are those of the environment now. Raises WorkspaceInvalid where one is missing, in which the files
    are called the run's own, and StoreError for a damaged snapshot.
    """
    from tempfile import mkdtemp

    from orchestrator.workspace.snapshot import unpack

    folder = Path(mkdtemp(prefix="cuewave-snapshot-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    unpack(fingerprint, body, folder)
    try:
        found = load_workspace(folder, agent_type, type_names, os.environ)
    except WorkspaceInvalid as invalid:
        own = (replace(fault, file=f"the run's own {fault.file}") for fault in invalid.faults)
        raise WorkspaceInvalid(tuple(own)) from None
    return replace(found, root=present.root, packaged=present.packaged), folder / "prompts"


def store_of(workspace: Workspace, env: Mapping[str, str], url: str | None = None) -> "Store":
    """The store at this URL; else where the runs of the workspace usually are."""
    from orchestrator.runs.sql.opening import open_store

    return open_store(store_url(workspace, env, url))


def store_url(workspace: Workspace, env: Mapping[str, str], url: str | None = None) -> str:
    """Where `store_of` finds it."""
    return url or usual_url(workspace.root, env, packaged=workspace.packaged)
