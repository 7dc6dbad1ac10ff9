"""A command line that cannot be understood: what to write instead stands below what is wrong."""

import pytest

from support.calling import cuewave


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        (("run", "--workspace", "mine", "hello"), "before the verb: cuewave --workspace DIR run"),
        (("runs", "list", "--workspace", "mine"), "before the verb: cuewave --workspace DIR runs list"),
        (("run", "-5 degrees"), "behind two dashes: cuewave run -- TEXT"),
        (("runs", "feedback", "abcdef", "- no"), "behind two dashes: cuewave runs feedback -- TEXT"),
        (("route",), "write what you want, or - to read it from stdin"),
        (("approve", "abcdef"), "did you mean 'cuewave runs approve'?"),
        (("runs", "status", "abcdef"), "did you mean 'cuewave status'?"),
        (("chekc",), "did you mean 'check'?"),
        (("list",), "did you mean 'cuewave agents list' or 'cuewave runs list'?"),
        (("runs", "list", "--since", "yesterday"), "'--since'"),
        (("runs", "prune", "--older-than", "30"), "'--older-than'"),
    ],
)
def test_what_stands_in_the_wrong_place_is_told_its_place(words: tuple[str, ...], remedy: str) -> None:
    done = cuewave(*words)
    assert (done.code, done.out) == (2, "")
    assert remedy in done.err
    assert remedy in cuewave(*words, "--json").json["error"]["message"]


@pytest.mark.parametrize("words", [("run", "--jsn", "hello"), ("check", "--no-such"), ("runs", "show")])
def test_a_mistake_that_is_said_well_enough_gets_nothing_added(words: tuple[str, ...]) -> None:
    done = cuewave(*words)
    assert done.code == 2
    assert done.err.splitlines()[-1].startswith("Error: ")
