"""`cuewave check`: is the workspace whole? All faults at once, each in its place; with `--strict` doubts."""

import sys
from dataclasses import asdict

import click

from orchestrator.cli.codes import MISTAKE, OK
from orchestrator.cli.exits import explain
from orchestrator.cli.output import emit, json_option, say, warn
from orchestrator.cli.verbs import verb


@verb(
    ends=(OK, MISTAKE),
    examples=(
        "cuewave check",
        "cuewave check --strict",
    ),
)
@click.option("--strict", is_flag=True, help="Show warnings too, and exit with 1 where there are any.")
@json_option
@click.pass_context
def command(ctx: click.Context, strict: bool, as_json: bool) -> None:
    """Validate every file of the workspace: YAML, cross references, prompts, secrets.

    A fault is refused. A warning is about a workspace that runs, but hardly does what its author means.
    """
    from orchestrator.app import Orchestrator
    from orchestrator.errors import WorkspaceInvalid

    try:
        app = Orchestrator.from_workspace(ctx.obj, thorough=True)
    except WorkspaceInvalid as invalid:
        if not as_json:
            sys.exit(explain(invalid, as_json=False))
        emit({"ok": False, "faults": [asdict(f) for f in invalid.faults], "warnings": []})
        sys.exit(MISTAKE)
    from orchestrator.workspace.doubts import findings

    root, doubts = app.workspace.root, app.doubts()
    failed = strict and bool(doubts)
    shown = findings(doubts, app.workspace) if strict or as_json else ()
    if as_json:
        warnings = [finding.to_json() for finding in shown]
        emit({"ok": not failed, "workspace": str(root), "faults": [], "warnings": warnings})
        sys.exit(MISTAKE if failed else 0)
    warn(map(str, shown))
    if doubts and not strict:
        say(f"{_count(len(doubts), 'warning')}; `cuewave check --strict` shows what and where", err=True)
    told = f", {_count(len(doubts), 'warning')}" if failed else ""
    say(f"{root}: {'not ok' if failed else 'ok'}, {_count(len(app.workspace.agents), 'agent')}{told}")
    sys.exit(MISTAKE if failed else 0)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
