"""Completion as a shell asks for it: by an environment variable, and one candidate a line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.calling import SHIPPED, cuewave

MAIN = "from orchestrator.cli import main; main()"


def completed(words: str, **env: str) -> list[str]:
    """What bash is offered for the last of the words."""
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1), **env}
    done = subprocess.run(
        [sys.executable, "-c", MAIN],
        env={**os.environ, "_CUEWAVE_COMPLETE": "bash_complete", **asked},
        cwd=SHIPPED,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return [line.removeprefix("plain,") for line in done.stdout.split()]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("cuewave pl", ["plan"]),
        ("cuewave runs cle", ["clear-review"]),
        ("cuewave schema mu", ["multi_step"]),
        ("cuewave run --kind ans", ["answer"]),
        ("cuewave run --schedule w", ["waves"]),
        ("cuewave plan --merm", ["--mermaid"]),
    ],
)
def test_verbs_options_and_values_are_completed(words: str, offered: list[str]) -> None:
    assert completed(words) == offered


def test_ids_of_runs_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUEWAVE_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    run = cuewave("run", "what is on my calendar today", "--json").json["run"]
    assert completed(f"cuewave runs show {run[:4]}") == [run]


STORES = ("nonsense://", "sqlite:///", "postgresql://nobody@127.0.0.1:1/none", "sqlite:///{broken}")


@pytest.mark.parametrize("store", STORES)
def test_a_store_that_cannot_be_read_has_nothing_to_complete(store: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"this is no database" * 100)
    assert completed("cuewave status 0", CUEWAVE_STORE=store.format(broken=broken)) == []


def test_what_is_no_workspace_has_nothing_to_complete(tmp_path: Path) -> None:
    assert completed("cuewave run --kind a", CUEWAVE_WORKSPACE=str(tmp_path)) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell_asks_the_program(shell: str) -> None:
    script = cuewave("completion", shell).out
    assert f"_CUEWAVE_COMPLETE={shell}_complete" in script
    assert cuewave("completion", shell, "--json").json == {"shell": shell, "script": script}


def test_a_shell_that_we_do_not_know_is_a_usage_error_that_names_those_we_do() -> None:
    done = cuewave("completion", "tcsh")
    assert done.code == 2
    assert "bash" in done.err
