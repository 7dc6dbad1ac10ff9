"""From the command line's `--workspace` to a running Orchestrator."""

import sys
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

import click

from orchestrator.cli.output import warn
from orchestrator.errors import InternalFault

if TYPE_CHECKING:
    from orchestrator.app import Orchestrator

T = TypeVar("T")


def open_app(ctx: click.Context) -> "Orchestrator":
    """Load the workspace that the command line names; its warnings go to stderr."""
    from orchestrator.app import Orchestrator

    app = Orchestrator.from_workspace(ctx.obj)
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
