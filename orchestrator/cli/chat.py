"""`cuewave chat`: a session in the terminal; each turn is routed afresh."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

import click

from orchestrator.cli.exits import explain
from orchestrator.cli.opening import open_app
from orchestrator.cli.output import emit, has_person, json_option
from orchestrator.cli.serving import Drive, served_by, turn
from orchestrator.errors import CuewaveError

if TYPE_CHECKING:
    from asyncio import Runner
    from collections.abc import Iterator, Mapping

    from orchestrator.app import Orchestrator
    from orchestrator.ids import Json


@click.command()
@click.option("--yes", is_flag=True, help="Approve effects without being asked.")
@json_option
@click.pass_context
def command(ctx: click.Context, yes: bool, as_json: bool) -> None:
    """Talk turn by turn; an empty line is passed over, end of input (Ctrl-D) ends the session.

    A turn that waits for a person's word says how to go on with it, and the session goes on.
    With --json the turns are read from stdin and their results are one document at the end.
    """
    import asyncio
    import uuid

    app = open_app(ctx)
    session = uuid.uuid4().hex
    results: list[object] = []
    with asyncio.Runner() as runner:
        try:
            for text in _turns(prompt=has_person() and not as_json):
                drive = turn(app, text, yes=yes, session=session)
                results.append(_served(runner, app, drive, text, quiet=as_json))
        finally:
            runner.run(app.aclose())
    if as_json:
        emit({"session": session, "turns": results})


def _served(
    runner: "Runner", app: "Orchestrator", drive: Drive, text: str, *, quiet: bool
) -> "Mapping[str, Json]":
    """What a turn came to, as JSON; a mistake in it ends the turn and not the session."""
    try:
        return runner.run(served_by(app, drive, quiet=quiet)).result.to_json()
    except CuewaveError as error:
        explain(error, as_json=False)
        return {"text": text, "error": str(error)}


def _turns(*, prompt: bool) -> "Iterator[str]":
    """The user's turns, until the end of input."""
    if prompt:
        import_module("readline")  # which gives `input` its history and line editing
    while sys.stdin is not None:
        try:
            line = input("you> " if prompt else "")
        except EOFError:
            return
        if line.strip():
            yield line
