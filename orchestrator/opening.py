"""From a path and the environment to a loaded workspace, with the agent types that are installed."""

import os
from collections.abc import Sequence
from pathlib import Path

from orchestrator.agents.registry import agent_type, type_names
from orchestrator.ids import Json
from orchestrator.workspace.find import find_workspace
from orchestrator.workspace.load import Check, load_workspace
from orchestrator.workspace.value import Workspace


def open_workspace(path: str | os.PathLike[str] | None = None, *, checks: Sequence[Check] = ()) -> Workspace:
    """Find and load a workspace. Raises WorkspaceInvalid with all faults, WorkspaceNotFound."""
    root = find_workspace(Path(path) if path is not None else None, os.environ, Path.cwd())
    return load_workspace(root, agent_type, type_names, os.environ, checks)


def file_schema(name: str) -> dict[str, Json]:
    """The JSON Schema of a workspace file by its name. Raises UserError for an unknown one."""
    from orchestrator.workspace.schema import schema

    types = {n: found for n in type_names() if (found := agent_type(n)) is not None}
    return schema(name, types)
