"""The page of all `--help` texts, generated from the program, so that the docs cannot drift from it.

`python -m orchestrator.cli.help_page` writes `docs/cli.md`; a test holds the file against it.
"""

from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import click

from orchestrator.cli import cli

_WIDTH = 100
_CODE = "    "


def page() -> str:
    """The whole page as Markdown: a section for each verb, and for each verb below it."""
    head = "# The command line\n\nGenerated from `--help`; exit codes are in the README.\n"
    return head + "".join(f"\n## {name}\n\n{indent(text, _CODE)}\n" for name, text in _helps())


def _helps() -> Iterator[tuple[str, str]]:
    yield from _below(cli, _context(cli, "cuewave", None))


def _context(command: click.Command, name: str, parent: click.Context | None) -> click.Context:
    return click.Context(
        command,
        parent,
        name,
        max_content_width=_WIDTH,
        terminal_width=_WIDTH,
        help_option_names=["-h", "--help"],
    )


def _below(command: click.Command, ctx: click.Context) -> Iterator[tuple[str, str]]:
    yield ctx.command_path, "\n".join(line.rstrip() for line in command.get_help(ctx).splitlines())
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            inner = command.get_command(ctx, name)
            if inner is not None:
                yield from _below(inner, _context(inner, name, ctx))


if __name__ == "__main__":
    (Path(__file__).parents[2] / "docs" / "cli.md").write_text(page(), encoding="utf-8")
