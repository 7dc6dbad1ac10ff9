"""A group of verbs, each in a module that is loaded only when the verb is called: start-up is a feature."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import click


class Verb(NamedTuple):
    """A verb's line of help, and where its command is: `module:name`."""

    help: str
    place: str


class Verbs(click.Group):
    """Shows all verbs without loading any of them."""

    def __init__(self, *arguments: Any, verbs: Mapping[str, Verb], **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._verbs = verbs

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs, sorted."""
        return sorted(self._verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb's command, or None where there is no such verb."""
        if cmd_name not in self._verbs:
            return None
        module, _, name = self._verbs[cmd_name].place.partition(":")
        return getattr(import_module(module), name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of verbs."""
        with formatter.section("Verbs"):
            formatter.write_dl([(verb, self._verbs[verb].help) for verb in self.list_commands(ctx)])
