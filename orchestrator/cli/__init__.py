"""The command line: one file per verb, and rooms imported in the command bodies.

`main` is the only place where an exception becomes an exit code: 0 done, 1 the user's mistake, 2 usage,
3 a fault of ours (its traceback goes to a log file), 4 the run ended but not well, 5 it waits for a person,
130 interrupted; 141 where the reader of our output has gone, as shells count it.
"""

import os
import sys
from typing import TextIO

import click

from orchestrator.cli.codes import MISTAKE
from orchestrator.cli.completing import VARIABLE, folders
from orchestrator.cli.terminal import soften
from orchestrator.cli.verbs import Verb, Verbs

_VERBS = {
    "agents": "list the agents and what each can be asked for",
    "chat": "a session in the terminal",
    "check": "validate the workspace, all faults at once",
    "compare": "a scenario carried out in two ways, side by side",
    "completion": "the completion script for a shell",
    "init": "copy the shipped workspace into a new folder",
    "models": "list the language models, and whether their keys are there",
    "plan": "dry run: cues, route, tasks, waves, approval, cost",
    "route": "where a turn goes, and why",
    "run": "route, plan, execute and reply",
    "runs": "list, show, resume, approve, cancel, export, …",
    "schema": "print the JSON Schema of a workspace file, or of all",
    "simulate": "containment policies under noise",
    "status": "where a run stands, and why",
}
"""Each verb with its line of help; its module has the same name and exports `command`."""


def _version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from importlib.metadata import version

    click.echo(f"cuewave {version('cuewave')}")
    ctx.exit()


@click.command(
    cls=Verbs,
    verbs={verb: Verb(line, f"orchestrator.cli.{verb}:command") for verb, line in _VERBS.items()},
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--workspace",
    metavar="DIR",
    shell_complete=folders,
    help="The workspace; else CUEWAVE_WORKSPACE, else the nearest parent that is one, else the shipped one.",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version."
)
@click.pass_context
def cli(ctx: click.Context, workspace: str | None) -> None:
    """Route a turn, plan it, run the waves, answer."""
    ctx.obj = workspace


def main() -> None:
    """Run the command line and leave with its exit code."""
    stdout = sys.stdout
    soften(sys.stdin, stdout, sys.stderr)
    try:
        code = cli.main(prog_name="cuewave", standalone_mode=False)
        sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001 - the one border where every exception becomes an exit code
        # Where the reader went away (`cuewave plan … | head`) click puts other streams in the place of ours.
        unread = isinstance(error, BrokenPipeError) or sys.stdout is not stdout
        code = _unread(stdout) if unread else _explained(error)
    sys.exit(code if isinstance(code, int) else 0)


def _unread(stdout: TextIO | None) -> int:
    """The exit code, as of a program that SIGPIPE ends. Nothing more is said, also not at exit."""
    if stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())
        sys.stdout = stdout
    return 141


def _explained(error: BaseException) -> int:
    """The exit code. Where a shell completes a word nothing is said, since it would stand in the prompt."""
    if VARIABLE in os.environ and not isinstance(error, SystemExit):
        return MISTAKE
    from orchestrator.cli.exits import explain

    return explain(error, as_json="--json" in sys.argv)
