"""`cuewave chat`: a session in the terminal; each turn is routed afresh.

Laws: nothing that goes wrong with one turn ends the session, nor does Ctrl-C at a terminal, though it does
where the turns come from a pipe; the session has one id from its first turn to its last. Where a person has
seen what became of the turns it ends with 0, else with the exit code of the last one, as a script does.
"""

import os
import sys
from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import INTERRUPTED, MISTAKE, NOT_WELL, OK, WAITS
from orchestrator.cli.completing import sessions
from orchestrator.cli.opening import open_app
from orchestrator.cli.output import emit, has_person, json_option, say
from orchestrator.cli.verbs import verb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.app import Orchestrator
    from orchestrator.cli.talk import Talk

_LEAVE = frozenset({"/quit", "/exit"})
_PLAIN_LEAVE = frozenset({"quit", "exit"})


@verb(
    ends=(OK, MISTAKE, NOT_WELL, WAITS, INTERRUPTED),
    examples=(
        "cuewave chat",
        "cuewave chat --session planning",
        "printf 'check my calendar\\n' | cuewave chat --json",
    ),
)
@click.option("--yes", is_flag=True, help="Approve effects without being asked.")
@click.option(
    "--session",
    metavar="NAME",
    shell_complete=sessions,
    help="Go on with this session instead of a new one.",
)
@click.option("--no-history", is_flag=True, help="Neither read nor keep what was typed.")
@json_option
@click.pass_context
def command(ctx: click.Context, yes: bool, session: str | None, no_history: bool, as_json: bool) -> None:
    """Talk turn by turn; /help lists what else can be typed, Ctrl-D ends the session.

    A turn that waits for a person's word says how to go on with it, and the session goes on. Ctrl-C stops a
    turn; where the turns come from a pipe, the session too. What is typed at a terminal is kept for the next
    session, but for lines that begin with a space. With --json the turns are read from stdin and their
    results are one document at the end.

    At a terminal it ends with 0. Where the turns come from a pipe, or with --json, it ends as `run` would
    with the last of them, and with 0 where there was none.
    """
    import asyncio
    import uuid

    from orchestrator.cli.prompting import piped
    from orchestrator.cli.talk import Talk

    app = open_app(ctx)
    prompt = has_person() and not as_json
    with asyncio.Runner() as runner:
        talk = Talk(app, runner, session or uuid.uuid4().hex, yes=yes, quiet=as_json, prompt=prompt)
        if not as_json:
            say(f"session {talk.session}{'; /help for more than turns' if prompt else ''}", err=True)
        try:
            code = _talked(talk, _typed(app, keep=not no_history) if prompt else piped())
        finally:
            runner.run(app.aclose())
    if as_json:
        emit({"session": talk.session, "turns": talk.results})
    sys.exit(code)


def _talked(talk: "Talk", lines: "Iterator[str]") -> int:
    """Take the lines until the end, or until one says so; the exit code of the session."""
    try:
        for line in lines:
            word = line.strip().lower()
            if word in _LEAVE or (talk.prompt and word in _PLAIN_LEAVE):
                break
            if not talk.take(line) and not talk.prompt:
                break
    except KeyboardInterrupt:  # a pipe was waited for
        return INTERRUPTED
    return OK if talk.prompt else talk.code


def _typed(app: "Orchestrator", *, keep: bool) -> "Iterator[str]":
    from orchestrator.cli.history import History
    from orchestrator.cli.prompting import typed
    from orchestrator.cli.talk import COMMANDS
    from orchestrator.runs.sql.places import state_folder

    history = History(state_folder(os.environ) / "history" if keep else None)
    return typed(history, [*COMMANDS, *(f"@{name}" for name in app.workspace.agents)])
