"""Verbs: groups that load the module of one only when it is called, and help that says how a verb ends.

Laws: start-up is a feature; a mistyped verb names the nearest; whoever reads the help of a verb finds there
what its exit codes mean and how it is used.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from orchestrator.cli.codes import MEANINGS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Verb(NamedTuple):
    """A verb's line of help, and where its command is: `module:name`."""

    help: str
    place: str


class Told(click.Command):
    """A command whose help also says with which exit codes it ends, and shows it in use."""

    def __init__(
        self, *arguments: Any, ends: Sequence[int] = (), examples: Sequence[str] = (), **more: Any
    ) -> None:
        super().__init__(*arguments, **more)
        self.ends, self.examples = tuple(ends), tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples and the exit codes."""
        if self.examples:
            with formatter.section("Examples"):
                formatter.write("".join(f"{'':{formatter.current_indent}}{line}\n" for line in self.examples))
        if self.ends:
            with formatter.section("Exit codes"):
                formatter.write_dl([(str(code), MEANINGS[code]) for code in self.ends])
        super().format_epilog(ctx, formatter)


def verb(
    name: str | None = None, *, ends: Sequence[int], examples: Sequence[str], **more: Any
) -> Callable[[Callable[..., Any]], Told]:
    """What makes a function a verb; `ends` are its exit codes but for 2 and 3, which all verbs have."""
    return click.command(name, cls=Told, ends=ends, examples=examples, **more)


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
            ctx.fail(f"there is no verb '{args[0]}'; {self._meant(ctx, args[0])}")
        return super().resolve_command(ctx, args)

    def _meant(self, ctx: click.Context, written: str) -> str:
        """The same verb in another group, or the nearest one here, or all that there are."""
        root = ctx.find_root()
        if isinstance(root.command, Verbs) and (places := root.command.places_of(root, written)):
            return "did you mean '" + "' or '".join(places) + "'?"
        return nearest(written, self._verbs)

    def places_of(self, ctx: click.Context, verb: str) -> list[str]:
        """How the verb is called from here: itself, and in the groups below."""
        groups = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        here = [ctx.command_path] if verb in self._verbs else []
        below = [n for n, group in groups.items() if isinstance(group, Verbs) and verb in group._verbs]
        return [f"{path} {verb}" for path in (*here, *(f"{ctx.command_path} {name}" for name in below))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb's command, or None where there is no such verb."""
        if cmd_name not in self._verbs:
            return None
        module, _, name = self._verbs[cmd_name].place.partition(":")
        return getattr(import_module(module), name)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """The verbs and options that begin so, without loading any verb."""
        from click.shell_completion import CompletionItem

        verbs = [verb for verb in self.list_commands(ctx) if verb.startswith(incomplete)]
        found = [CompletionItem(verb, help=self._verbs[verb].help) for verb in verbs]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of verbs."""
        with formatter.section("Verbs"):
            formatter.write_dl([(verb, self._verbs[verb].help) for verb in self.list_commands(ctx)])


def nearest(word: str, known: Mapping[str, object]) -> str:
    """What is added to a message about a word that there is not: the nearest one, else all."""
    from difflib import get_close_matches

    near = get_close_matches(word, known, 1)
    return f"did you mean '{near[0]}'?" if near else f"there are {', '.join(sorted(known))}"
