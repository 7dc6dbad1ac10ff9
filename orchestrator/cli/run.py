"""`cuewave run TEXT`: the whole way of a turn, with live progress, and the reply on stdout."""

import sys
from typing import TYPE_CHECKING

import click

from orchestrator.cli.exits import OF_STATUS
from orchestrator.cli.opening import open_app, the_text
from orchestrator.cli.output import emit, has_person, json_option, say

if TYPE_CHECKING:
    from orchestrator.app import Orchestrator
    from orchestrator.ids import Schedule
    from orchestrator.preview import Preview
    from orchestrator.runs.result import RunResult


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Approve the plan's effects without being asked.")
@click.option("--schedule", type=click.Choice(["eager", "waves"]), help="Instead of the workspace's.")
@click.option("--kind", help="The job kind, instead of the routed one.")
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

    Ctrl-C stops cleanly, with what was done so far; a second one stops at once.
    """
    import asyncio

    app = open_app(ctx)
    with asyncio.Runner() as runner:
        result = runner.run(serve(app, the_text(text), yes=yes, schedule=schedule, kind=kind, quiet=as_json))
    if as_json:
        emit(result.to_json())
    sys.exit(OF_STATUS[result.status])


async def serve(
    app: "Orchestrator",
    text: str,
    *,
    yes: bool = False,
    schedule: "Schedule | None" = None,
    kind: str | None = None,
    session: str | None = None,
    quiet: bool = False,
) -> "RunResult":
    """Run one turn with progress on stderr and the reply on stdout; `quiet` leaves the reply to the caller.

    The same for `run` and `chat`.
    """
    import asyncio

    from orchestrator.cli.interrupt import stoppable
    from orchestrator.cli.progress import Progress

    with Progress(live=sys.stderr.isatty() and not quiet, reply=not quiet) as progress:

        def approve(preview: "Preview") -> bool:
            progress.warn(preview.warnings)
            return yes or _ask(preview)

        turn = asyncio.ensure_future(
            app.run(
                text, session=session, approve=approve, kind=kind, schedule=schedule, listeners=(progress,)
            )
        )
        with stoppable(turn):
            try:
                return await turn
            except asyncio.CancelledError:
                if progress.run is None:
                    raise
                return await app.result(progress.run)


def _ask(preview: "Preview") -> bool:
    """Ask the person at the terminal; where there is none, the answer is no and says what to do."""
    from orchestrator.cli.interrupt import leavable

    if not has_person():
        return False
    say(f"{preview.plan.to_text()}\n\nThis plan needs your word: {preview.approval.reason}", err=True)
    with leavable():
        return click.confirm("Go on?", err=True)
