"""`cuewave chat`: a session in the terminal; each turn is routed afresh."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

import click

from orchestrator.cli.exits import explain
from orchestrator.cli.opening import open_app
from orchestrator.cli.output import emit, has_person, json_option
from orchestrator.cli.run import serve
from orchestrator.errors import CuewaveError

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command()
@click.option("--yes", is_flag=True, help="Approve effects without being asked.")
@json_option
@click.pass_context
def command(ctx: click.Context, yes: bool, as_json: bool) -> None:
    """Talk turn by turn; an empty line is passed over, end of input (Ctrl-D) ends the session.

    With --json the turns are read from stdin and their results are one document at the end.
    """
    import asyncio
    import uuid

    app = open_app(ctx)
    session = uuid.uuid4().hex
    results: list[object] = []
    with asyncio.Runner() as runner:
        for text in _turns(prompt=has_person() and not as_json):
            try:
                result = runner.run(serve(app, text, yes=yes, session=session, quiet=as_json))
            except CuewaveError as error:
                results.append({"text": text, "error": str(error)})
                explain(error, as_json=False)
                continue
            results.append(result.to_json())
    if as_json:
        emit({"session": session, "turns": results})


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
