"""`cuewave run TEXT`: the whole way of a turn, with live progress, and the reply on stdout."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from orchestrator.cli.codes import INTERRUPTED, MISTAKE, NOT_WELL, OK, WAITS
from orchestrator.cli.completing import agents, kind_option, scenarios
from orchestrator.cli.opening import open_app, the_text
from orchestrator.cli.output import json_option
from orchestrator.cli.serving import scenario, serve, turn
from orchestrator.cli.verbs import verb


@verb(
    ends=(OK, MISTAKE, NOT_WELL, WAITS, INTERRUPTED),
    examples=(
        'cuewave run "summarize my inbox and check my calendar"',
        'cuewave run --yes "remind me to water the plants"',
        "cuewave run @calendar what is on today --json",
        "cuewave run --scenario flight_delay",
    ),
)
@click.argument("text", nargs=-1, shell_complete=agents)
@click.option("--yes", is_flag=True, help="Approve the plan's effects without being asked.")
@click.option("--schedule", type=click.Choice(["eager", "waves"]), help="Instead of the workspace's.")
@kind_option
@click.option(
    "--signals",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="Follow this file meanwhile: a line of JSON for each signal.",
)
@click.option(
    "--scenario",
    "scene",
    metavar="NAME",
    shell_complete=scenarios,
    help="Run this scenario instead of a turn.",
)
@click.option("--step", is_flag=True, help="With --scenario: wait for Enter before each task.")
@click.option(
    "--baseline", is_flag=True, help="With --scenario: keep to the first plan, whatever it is told."
)
@json_option
@click.pass_context
def command(ctx: click.Context, text: tuple[str, ...], scene: str | None, as_json: bool, **how: Any) -> None:
    """Route, plan and execute TEXT (- reads stdin), and print the reply.

    Where the plan needs a person's word and nobody can be asked, the run waits for it, and says how to go on.
    Ctrl-C stops cleanly, with what was done so far, and the run can be resumed; a second one stops at once.
    """
    of_turn, of_scenario = _parted(how)
    if scene is None:
        _refuse(of_scenario, "belongs to --scenario NAME")
        app = open_app(ctx)
        drive = turn(app, the_text(text), yes=how["yes"], **of_turn)
    else:
        _refuse({"text": text, **of_turn}, "is for a turn, and --scenario has its own plan and signals")
        app = open_app(ctx)
        drive = scenario(app, scene, yes=how["yes"], **of_scenario)
    serve(app, drive, as_json=as_json)


def _parted(how: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What was said of how to run a turn, and a scenario. Any: options, as click gives them."""
    return {n: how[n] for n in ("schedule", "kind", "signals")}, {n: how[n] for n in ("step", "baseline")}


def _refuse(options: Mapping[str, object], why: str) -> None:
    for name, given in options.items():
        if given:
            raise click.UsageError(f"{name.upper() if name == 'text' else f'--{name}'} {why}")
