"""The README promises two commands; what checks a change takes them from there, as they stand."""

import re
import subprocess

import pytest

from support.pages import ROOT

CI = ROOT / ".ci" / "run"
README = (ROOT / "README.md").read_text(encoding="utf-8")

pytestmark = pytest.mark.skipif(not CI.is_file(), reason="a source distribution has no .ci")


def commands() -> list[str]:
    """The commands as `.ci/run` finds them, by its own line."""
    (line,) = [x for x in CI.read_text(encoding="utf-8").splitlines() if x.startswith("mapfile -t commands")]
    script = f'{line}\nfor command in "${{commands[@]}}"; do printf "%s\\0" "$command"; done'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    return done.stdout.split("\0")[:-1]


def test_there_are_exactly_two_and_nothing_else_between_the_marks() -> None:
    between = re.search(r"<!-- commands -->\n```sh\n(.*?)```\n<!-- /commands -->", README, re.DOTALL)
    assert between is not None
    assert commands() == between[1].splitlines()
    assert len(commands()) == 2


def test_the_first_sets_up_and_does_the_main_job() -> None:
    first = commands()[0].split(" && ")
    assert first == [
        "python3 -m venv .venv",
        ".venv/bin/pip install -q -e .",
        '.venv/bin/cuewave run "summarize my inbox and check my calendar"',
    ]


def test_the_second_installs_what_tests_need_and_passes_them() -> None:
    assert commands()[1].split(" && ") == [
        '.venv/bin/pip install -q -e ".[test]"',
        ".venv/bin/python -m pytest",
    ]


@pytest.mark.parametrize("which", [0, 1])
def test_a_shell_takes_them_as_they_stand(which: int) -> None:
    assert subprocess.run(["bash", "-n", "-c", commands()[which]], check=False).returncode == 0
