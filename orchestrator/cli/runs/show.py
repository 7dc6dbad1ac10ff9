"""`cuewave runs show ID`: what happened in a run; with `--follow` as it happens, whoever drives it."""

import sys
from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import INTERRUPTED, MISTAKE, NOT_WELL, OK, WAITS
from orchestrator.cli.completing import run_argument
from orchestrator.cli.exits import OF_STATUS
from orchestrator.cli.opening import closing, open_app
from orchestrator.cli.output import emit, json_option, say
from orchestrator.cli.picture import alone, drawn, svg_option
from orchestrator.cli.verbs import verb

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from orchestrator.app import Orchestrator
    from orchestrator.runs.events import Record
    from orchestrator.runs.state import RunState


@verb(
    ends=(OK, MISTAKE, NOT_WELL, WAITS, INTERRUPTED),
    examples=(
        "cuewave runs show ID",
        "cuewave runs show ID --follow",
        "cuewave runs show ID --svg run.svg",
    ),
)
@run_argument
@click.option(
    "--follow", is_flag=True, help="Go on until the run ends or waits; the exit code is by its status."
)
@svg_option
@json_option
@click.pass_context
def show(ctx: click.Context, run: str, follow: bool, svg: "Path | None", as_json: bool) -> None:
    """Show the turn, the plan with the states of its tasks, and every event.

    --follow watches a run that another process drives; leaving it (Ctrl-C) leaves the run alone.
    """
    from orchestrator.cli.naming import records_of
    from orchestrator.cli.standing import head_lines, reply_lines
    from orchestrator.cli.telling import line
    from orchestrator.runs.fold import fold

    alone(svg, beside="--json" if as_json else "--follow" if follow else None)
    app = open_app(ctx)
    records = closing(app, _followed(app, run, tell=not as_json) if follow else records_of(app.runs, run))
    state = fold(records)
    if svg and drawn(_picture(state), svg):
        return
    if as_json:
        from orchestrator.runs.export import record_json
        from orchestrator.runs.result import result_of

        emit({**result_of(state).to_json(), "events": [record_json(record) for record in records]})
    elif follow:
        say("\n".join(["", *head_lines(state), *reply_lines(state)]))
    else:
        events = ["", "events", *(f"  {line(record)}" for record in records)]
        say("\n".join([*head_lines(state), *events, *reply_lines(state)]))
    sys.exit(OF_STATUS[state.status] if follow else OK)


def _picture(state: "RunState") -> str:
    """The run's plan, drawn with the states of its tasks."""
    from orchestrator.errors import UserError

    if state.plan is None:
        raise UserError(f"run {state.run} has no plan (yet): there is nothing to draw")
    return state.plan.to_svg(states={task: found.status for task, found in state.tasks.items()})


async def _followed(app: "Orchestrator", written: str, *, tell: bool) -> "Sequence[Record]":
    """The run's records until it ends or waits, each told as it comes."""
    from orchestrator.cli.naming import run_of
    from orchestrator.cli.telling import line

    records: list[Record] = []
    async for record in app.runs.follow(await run_of(app.runs, written)):
        records.append(record)
        if tell:
            say(line(record))
            sys.stdout.flush()
    return records
