"""`cuewave check`: is the workspace whole? All faults at once, each with its place."""

import sys
from dataclasses import asdict

import click

from orchestrator.cli.exits import MISTAKE, explain
from orchestrator.cli.output import emit, json_option, say, warn


@click.command()
@click.option("--strict", is_flag=True, help="Warnings count as faults.")
@json_option
@click.pass_context
def command(ctx: click.Context, strict: bool, as_json: bool) -> None:
    """Validate every file of the workspace: YAML, cross references, prompts, secrets."""
    from orchestrator.app import Orchestrator
    from orchestrator.errors import WorkspaceInvalid

    try:
        workspace = Orchestrator.from_workspace(ctx.obj, thorough=True).workspace
    except WorkspaceInvalid as invalid:
        if not as_json:
            sys.exit(explain(invalid, as_json=False))
        emit({"ok": False, "faults": [asdict(f) for f in invalid.faults], "warnings": []})
        sys.exit(MISTAKE)
    failed = strict and bool(workspace.warnings)
    if as_json:
        emit(
            {
                "ok": not failed,
                "workspace": str(workspace.root),
                "faults": [],
                "warnings": list(workspace.warnings),
            }
        )
    else:
        warn(workspace.warnings)
        agents = len(workspace.agents)
        say(f"{workspace.root}: {'not ok' if failed else 'ok'}, {agents} agent{'s' if agents != 1 else ''}")
    sys.exit(MISTAKE if failed else 0)
