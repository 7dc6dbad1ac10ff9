"""Cuewave: a turn goes in, the smallest plan that does the job is run, an answer comes out."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from orchestrator.app import Orchestrator
    from orchestrator.errors import CuewaveError, UserError, WorkspaceInvalid
    from orchestrator.runs.result import RunResult

__all__ = ["CuewaveError", "Orchestrator", "RunResult", "UserError", "WorkspaceInvalid"]

_HOMES = {
    "CuewaveError": "orchestrator.errors",
    "Orchestrator": "orchestrator.app",
    "RunResult": "orchestrator.runs.result",
    "UserError": "orchestrator.errors",
    "WorkspaceInvalid": "orchestrator.errors",
}


def __getattr__(name: str) -> object:
    """Load a public name at its first use (PEP 562), so that the command line starts fast."""
    if name not in _HOMES:
        raise AttributeError(f"module 'orchestrator' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
