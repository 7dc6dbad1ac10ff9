"""`cuewave runs answer|signal|clear-review ID`: what a person knows, and the run does not."""

import json
from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import INTERRUPTED, MISTAKE, NOT_WELL, OK, WAITS
from orchestrator.cli.completing import run_argument
from orchestrator.cli.opening import open_app
from orchestrator.cli.output import json_option
from orchestrator.cli.serving import serve, word
from orchestrator.cli.verbs import verb

if TYPE_CHECKING:
    from orchestrator.ids import Json
    from orchestrator.runs.messages import DoubtAnswered, ReviewCleared, SignalReceived
    from orchestrator.runs.state import RunState


@verb(
    ends=(OK, MISTAKE, NOT_WELL, WAITS, INTERRUPTED),
    examples=(
        "cuewave runs answer ID t3 --done",
        "cuewave runs answer ID t3 --redo",
    ),
)
@run_argument
@click.argument("task")
@click.option(
    "--done/--redo", "happened", default=None, help="It took effect; or it did not, and is done again."
)
@click.option("--output", default="", help="With --done: what the task came to, where you know.")
@json_option
@click.pass_context
def answer(
    ctx: click.Context, run: str, task: str, happened: bool | None, output: str, as_json: bool
) -> None:
    """Say whether the effect of TASK, which is in doubt, came about; then the run goes on here."""
    if happened is None:
        raise click.UsageError(f"did {task} take effect? Say --done if it did, or --redo if it did not")
    if output and not happened:
        raise click.UsageError("--output belongs to --done: what is done again has no output yet")
    app = open_app(ctx)

    def said(_: "RunState") -> "DoubtAnswered":
        from orchestrator.cli.naming import login_name
        from orchestrator.ids import TaskId
        from orchestrator.runs.messages import DoubtAnswered

        return DoubtAnswered(login_name(), TaskId(task), happened, output)

    serve(app, word(app, run, said), as_json=as_json)


@verb(
    ends=(OK, MISTAKE, NOT_WELL, WAITS, INTERRUPTED),
    examples=("cuewave runs signal ID flight_delay_hours 5 --source airline",),
    context_settings={"ignore_unknown_options": True},  # a value may be -5
)
@run_argument
@click.argument("key")
@click.argument("value")
@click.option("--source", help="Who says so; else your login name.")
@json_option
@click.pass_context
def signal(ctx: click.Context, run: str, key: str, value: str, source: str | None, as_json: bool) -> None:
    """Tell the run that the fact KEY now is VALUE, which is JSON, or else a text."""
    app = open_app(ctx)

    def said(_: "RunState") -> "SignalReceived":
        from orchestrator.cli.naming import login_name
        from orchestrator.runs.messages import SignalReceived

        return SignalReceived(key, _value(value), source or login_name())

    serve(app, word(app, run, said), as_json=as_json)


def _value(written: str) -> "Json":
    """What was written, as JSON where it is that; a number that is none is a text."""
    try:
        return json.loads(written, parse_constant=_refused)
    except (ValueError, RecursionError):
        return written


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


@verb(
    "clear-review",
    ends=(OK, MISTAKE, NOT_WELL, WAITS, INTERRUPTED),
    examples=("cuewave runs clear-review ID",),
)
@run_argument
@json_option
@click.pass_context
def clear_review(ctx: click.Context, run: str, as_json: bool) -> None:
    """Say that you have looked at a run that was flagged for that; one that was held goes on here."""
    app = open_app(ctx)

    def said(_: "RunState") -> "ReviewCleared":
        from orchestrator.cli.naming import login_name
        from orchestrator.runs.messages import ReviewCleared

        return ReviewCleared(login_name())

    serve(app, word(app, run, said), as_json=as_json)
