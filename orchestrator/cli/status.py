"""`cuewave status ID`: where a run stands, and why."""

import click

from orchestrator.cli.codes import MISTAKE, OK
from orchestrator.cli.completing import run_argument
from orchestrator.cli.opening import closing, open_app
from orchestrator.cli.output import emit, json_option, say
from orchestrator.cli.verbs import verb


@verb(
    ends=(OK, MISTAKE),
    examples=("cuewave status ID --json",),
)
@run_argument
@json_option
@click.pass_context
def command(ctx: click.Context, run: str, as_json: bool) -> None:
    """Show where the run stands: its plan with the states of its tasks, what was decided, how to go on."""
    from orchestrator.cli.naming import records_of
    from orchestrator.cli.standing import status_lines, status_of
    from orchestrator.runs.fold import fold

    app = open_app(ctx)
    records = closing(app, records_of(app.runs, run))
    state = fold(records)
    if as_json:
        emit(status_of(state, records))
    else:
        say("\n".join(status_lines(state, records)))
