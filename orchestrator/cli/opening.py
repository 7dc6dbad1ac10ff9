"""From the command line's `--workspace` to a running Orchestrator."""

import sys
from typing import TYPE_CHECKING

import click

from orchestrator.cli.output import warn

if TYPE_CHECKING:
    from orchestrator.app import Orchestrator


def open_app(ctx: click.Context) -> "Orchestrator":
    """Load the workspace that the command line names; its warnings go to stderr."""
    from orchestrator.app import Orchestrator

    app = Orchestrator.from_workspace(ctx.obj)
    warn(app.workspace.warnings)
    return app


def the_text(words: tuple[str, ...]) -> str:
    """The turn: the words of the command line, or stdin where the only word is `-`."""
    text = sys.stdin.read() if words == ("-",) else " ".join(words)
    if not text.strip():
        raise click.UsageError("the turn is empty; write what you want, or - to read it from stdin")
    return text.strip("\n")
