"""A group of verbs, each in a module that is loaded only when the verb is called: start-up is a feature."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that is meant. Raises UsageError, which names the nearest where there is none."""
        if args[0] not in self._verbs and not args[0].startswith("-") and not ctx.resilient_parsing:
            from difflib import get_close_matches

            near = get_close_matches(args[0], self._verbs, n=1)
            meant = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(sorted(self._verbs))}"
            ctx.fail(f"there is no verb '{args[0]}'; {meant}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """The verbs that begin so, none of them loaded; and the options."""
        from click.shell_completion import CompletionItem

        verbs = [
            CompletionItem(verb, help=self._verbs[verb].help)
            for verb in self.list_commands(ctx)
            if verb.startswith(incomplete)
        ]
        return [*verbs, *click.Command.shell_complete(self, ctx, incomplete)]

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
