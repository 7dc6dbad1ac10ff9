"""Help and what is said of a mistyped word."""

from collections.abc import Iterator

import pytest
from click import Command, Context
from orchestrator.cli import cli
from orchestrator.cli.verbs import Told, Verbs

from support.calling import cuewave


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("plam", "x"), "there is no verb 'plam'; did you mean 'plan'?"),
        (("runs", "aprove", "x"), "there is no verb 'aprove'; did you mean 'approve'?"),
        (("agents", "lits"), "there is no verb 'lits'; did you mean 'list'?"),
        (("xqzj",), "there is no verb 'xqzj'; there are agents, chat, check, "),
        (("plan", "--josn", "x"), "--json"),
        (("run", "--schedul", "waves", "x"), "--schedule"),
    ],
)
def test_a_mistyped_word_names_the_nearest(words: tuple[str, ...], told: str) -> None:
    done = cuewave(*words)
    assert done.code == 2
    assert told in done.err


def test_help_shows_examples_and_what_the_exit_codes_mean() -> None:
    out = cuewave("runs", "approve", "--help").out
    assert "Examples:\n  cuewave runs approve ID\n" in out
    assert "  5    the run waits for a person\n" in out


def verbs_of(group: Verbs, ctx: Context) -> Iterator[tuple[str, Command | None]]:
    for name in group.list_commands(ctx):
        found = group.get_command(ctx, name)
        if isinstance(found, Verbs):
            yield from verbs_of(found, Context(found, ctx, name))
        else:
            yield f"{ctx.command_path} {name}", found


@pytest.mark.parametrize(("name", "found"), list(verbs_of(cli, Context(cli, None, "cuewave"))))
def test_the_help_of_each_verb_has_an_example_of_it_and_its_exit_codes(
    name: str, found: Command | None
) -> None:
    assert isinstance(found, Told), "make it with `verb`"
    assert found.ends
    assert any(name in example for example in found.examples)
