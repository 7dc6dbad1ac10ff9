"""`cuewave runs signal ID key=value`: a fact has changed, and the run is told."""

import json
from dataclasses import replace
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
    from orchestrator.runs.messages import SignalReceived
    from orchestrator.runs.state import RunState


@verb(
    ends=(OK, MISTAKE, NOT_WELL, WAITS, INTERRUPTED),
    examples=(
        "cuewave runs signal ID flight_delay_hours=5 --source airline",
        "cuewave runs signal ID gate B4 --id e-7 --urgent",
    ),
    context_settings={"ignore_unknown_options": True},  # a value may be -5
)
@run_argument
@click.argument("fact", metavar="KEY=VALUE")
@click.argument("value", required=False, metavar="[VALUE]")
@click.option("--source", help="Who says so; else your login name.")
@click.option("--id", "id", default="", help="The id of the message; sent again, it counts once.")
@click.option("--time", "at", default="", help="Since when it is so, such as 2026-03-01T09:30:00Z.")
@click.option("--urgent", is_flag=True, help="It is not to wait, where its source is trusted.")
@json_option
@click.pass_context
def signal(
    ctx: click.Context, run: str, fact: str, value: str | None, source: str | None, as_json: bool, **more: str
) -> None:
    """Tell the run that a fact has changed: KEY=VALUE, or KEY VALUE.

    VALUE is JSON, or else a text. A signal that contradicts what a task assumes changes the plan.
    """
    key, written = _fact(fact, value)
    app = open_app(ctx)

    def said(_: "RunState") -> "SignalReceived":
        from orchestrator.adaptation.message import known_by, moment
        from orchestrator.cli.naming import login_name
        from orchestrator.runs.messages import SignalReceived

        since = moment(more["at"]) if more["at"] else ""
        told = SignalReceived(
            key,
            _value(written),
            source or login_name(),
            id=more["id"],
            time=since,
            urgent=bool(more["urgent"]),
        )
        return replace(told, message=known_by(told))

    serve(app, word(app, run, said), as_json=as_json)


def _fact(fact: str, value: str | None) -> tuple[str, str]:
    """The key and the value as they were written. Raises UsageError."""
    key, sign, inline = fact.partition("=")
    if value is None and not sign:
        raise click.UsageError(f"what is {fact} now? Say {fact}=VALUE")
    if not key:
        raise click.UsageError("which fact? Say KEY=VALUE")
    return (key, inline) if value is None else (fact, value)


def _value(written: str) -> "Json":
    """What was written, as JSON where it is that; a number that is none is a text."""
    try:
        return json.loads(written, parse_constant=_refused)
    except (ValueError, RecursionError):
        return written


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
