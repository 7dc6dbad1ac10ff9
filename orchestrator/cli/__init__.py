"""The command line: one file per verb, and rooms imported in the command bodies.

`main` is the only place where an exception becomes an exit code: 0 done, 1 the user's mistake, 2 usage,
3 a fault of ours (its traceback goes to a log file), 4 the run ended but not well, 5 it waits for a person,
130 interrupted; 141 where the reader of our output has gone, as shells count it.
"""

import os
import sys
from importlib import import_module

import click

VERBS = {
    "agents": "list the agents and what each can be asked for",
    "chat": "a session in the terminal",
    "check": "validate the workspace, all faults at once",
    "init": "copy the shipped workspace into a new folder",
    "plan": "dry run: cues, route, tasks, waves, approval, cost",
    "route": "where a turn goes, and why",
    "run": "route, plan, execute and reply",
    "schema": "print the JSON Schema of a workspace file",
}
"""Each verb with its line of help; its module has the same name and exports `command`."""


class Verbs(click.Group):
    """Loads a verb's module only when the verb is called: start-up is a feature."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs, sorted."""
        return sorted(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb's command, or None where there is no such verb."""
        if cmd_name not in VERBS:
            return None
        return import_module(f"orchestrator.cli.{cmd_name}").command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of verbs without importing any of them."""
        with formatter.section("Verbs"):
            formatter.write_dl([(verb, VERBS[verb]) for verb in self.list_commands(ctx)])


def _version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from importlib.metadata import version

    click.echo(f"cuewave {version('cuewave')}")
    ctx.exit()


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--workspace",
    metavar="DIR",
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
    try:
        code = cli.main(prog_name="cuewave", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output went away (`cuewave plan … | head`): nothing more to say, also not at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141
    except BaseException as error:  # noqa: BLE001 - the one border where every exception becomes an exit code
        from orchestrator.cli.exits import explain

        code = explain(error, as_json="--json" in sys.argv)
    sys.exit(code if isinstance(code, int) else 0)
