"""`cuewave runs resume|cancel ID`: take a run up where it was left; stop one."""

from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import INTERRUPTED, MISTAKE, NOT_WELL, OK, WAITS
from orchestrator.cli.completing import run_argument
from orchestrator.cli.opening import open_app
from orchestrator.cli.output import has_person, json_option
from orchestrator.cli.serving import serve, word
from orchestrator.cli.verbs import verb

if TYPE_CHECKING:
    from orchestrator.cli.progress import Progress
    from orchestrator.runs.messages import CancelAsked
    from orchestrator.runs.result import RunResult
    from orchestrator.runs.state import RunState


@verb(
    ends=(OK, MISTAKE, NOT_WELL, WAITS, INTERRUPTED),
    examples=(
        "cuewave runs resume ID",
        "cuewave runs resume ID --yes",
    ),
)
@run_argument
@click.option("--yes", is_flag=True, help="Approve the plan, where it waits for that.")
@click.option(
    "--changed", is_flag=True, help="Go on with the present workspace, where the run's own is gone."
)
@json_option
@click.pass_context
def resume(ctx: click.Context, run: str, yes: bool, changed: bool, as_json: bool) -> None:
    """Take the run up where it was left, also one that was cancelled, and print its reply.

    Another process that drives it is stopped by that, so resume what nobody drives.
    """
    app = open_app(ctx)

    async def drive(progress: "Progress") -> "RunResult":
        from orchestrator.cli.naming import login_name, run_of
        from orchestrator.errors import WorkspaceChanged
        from orchestrator.runs.result import result_of

        known, by = await run_of(app.runs, run), login_name() if yes else ""
        progress.take_up(await app.runs.state(known))
        try:
            state = await app.runs.resume(known, yes=by, changed=changed, listeners=(progress,))
        except WorkspaceChanged as error:
            if not error.may_ask or not has_person() or not _wants_the_present_one(error):
                raise
            state = await app.runs.resume(known, changed=True, listeners=(progress,))
        return result_of(state)

    serve(app, drive, as_json=as_json)


def _wants_the_present_one(error: Exception) -> bool:
    from orchestrator.cli.asking import confirmed

    return confirmed(f"{error}\nGo on with the present workspace?")


@verb(
    ends=(OK, MISTAKE),
    examples=('cuewave runs cancel ID --reason "no longer needed"',),
)
@run_argument
@click.option("--reason", default="", help="Why; it is kept with the run.")
@json_option
@click.pass_context
def cancel(ctx: click.Context, run: str, reason: str, as_json: bool) -> None:
    """Stop the run with what it has done so far; it can be resumed."""
    app = open_app(ctx)

    def said(_: "RunState") -> "CancelAsked":
        from orchestrator.cli.naming import login_name
        from orchestrator.runs.messages import CancelAsked

        return CancelAsked(login_name(), reason)

    serve(app, word(app, run, said), as_json=as_json, well=("cancelled",))
