"""`cuewave run TEXT`: the whole way of a turn, with live progress, and the reply on stdout."""

from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import INTERRUPTED, MISTAKE, NOT_WELL, OK, WAITS
from orchestrator.cli.completing import kind_option, text_argument
from orchestrator.cli.opening import open_app, the_text
from orchestrator.cli.output import json_option
from orchestrator.cli.serving import serve, turn
from orchestrator.cli.verbs import verb

if TYPE_CHECKING:
    from orchestrator.ids import Schedule


@verb(
    ends=(OK, MISTAKE, NOT_WELL, WAITS, INTERRUPTED),
    examples=(
        'cuewave run "summarize my inbox and check my calendar"',
        'cuewave run --yes "remind me to water the plants"',
        "cuewave run @calendar what is on today --json",
    ),
)
@text_argument
@click.option("--yes", is_flag=True, help="Approve the plan's effects without being asked.")
@click.option("--schedule", type=click.Choice(["eager", "waves"]), help="Instead of the workspace's.")
@kind_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    text: tuple[str, ...],
    yes: bool,
    schedule: "Schedule | None",
    kind: str | None,
    as_json: bool,
) -> None:
    """Route, plan and execute TEXT (- reads stdin), and print the reply.

    Where the plan needs a person's word and nobody can be asked, the run waits for it, and says how to go on.
    Ctrl-C stops cleanly, with what was done so far, and the run can be resumed; a second one stops at once.
    """
    app = open_app(ctx)
    serve(app, turn(app, the_text(text), yes=yes, kind=kind, schedule=schedule), as_json=as_json)
