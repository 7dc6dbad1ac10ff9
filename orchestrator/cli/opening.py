"""From the command line's `--workspace` to a running Orchestrator."""

import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from orchestrator.cli.output import say, warn
from orchestrator.errors import InternalFault

if TYPE_CHECKING:
    from orchestrator.app import Orchestrator

T = TypeVar("T")
_SHIPPED = "taking the shipped one, which knows sample data only. Your own: cuewave init DIR"


def open_app(ctx: click.Context) -> "Orchestrator":
    """Load the workspace that the command line names; its warnings go to stderr."""
    from orchestrator.app import Orchestrator
    from orchestrator.workspace.find import is_fallback

    app = Orchestrator.from_workspace(ctx.obj)
    if is_fallback(app.workspace.root, ctx.obj, os.environ, Path.cwd()):
        say(f"note: no workspace from {Path.cwd()} upwards; {_SHIPPED}", err=True)
    warn(map(str, app.workspace.warnings))
    return app


def closing(app: "Orchestrator", coroutine: Coroutine[Any, Any, T]) -> T:
    """The coroutine's result; afterwards the app is let go of."""
    import asyncio

    async def whole() -> T:
        try:
            return await coroutine
        finally:
            await app.aclose()

    return asyncio.run(whole())


def the_text(words: tuple[str, ...]) -> str:
    """The turn: the words of the command line, or stdin where the only word is `-`."""
    text = " ".join(words)
    if words == ("-",):
        text = sys.stdin.read() if sys.stdin is not None else ""
    if not text.strip():
        raise click.UsageError("the turn is empty; write what you want, or - to read it from stdin")
    return text.strip("\n")


def finished(coroutine: Coroutine[Any, Any, T], *, waits: bool) -> T:
    """The coroutine's result. One that waits for nothing, since no model is asked, needs no event loop."""
    if waits:
        import asyncio

        return asyncio.run(coroutine)
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise InternalFault("a dry run without a model waited for something")
