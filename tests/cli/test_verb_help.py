"""Help and what is said of a mistyped word."""

import pytest

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
