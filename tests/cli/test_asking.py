"""What a person at a terminal is asked, and what becomes of each answer."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from support.calling import Done, cuewave

pytestmark = pytest.mark.crash

WRITES = "find the overdue invoices, then write a reminder for each"
DEADLINE = 60
END = "\x04"


def at_a_terminal(*arguments: str, types: str) -> Done:
    """The command line with a person at its stdin and stderr, who types this at once."""
    person, terminal = pty.openpty()
    call = [sys.executable, "-c", "from orchestrator.cli import main; main()", *arguments]
    process = subprocess.Popen(
        call,
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=terminal,
        text=True,
        env={**os.environ, "TERM": "dumb"},
    )
    os.close(terminal)
    os.write(person, types.encode())
    out, _ = process.communicate(timeout=DEADLINE)
    shown = b""
    try:
        while piece := os.read(person, 4096):
            shown += piece
    except OSError:  # the other end is closed
        pass
    os.close(person)
    return Done(process.returncode, out, shown.decode())


def only_run() -> dict[str, str]:
    (entry,) = cuewave("runs", "list", "--json", cwd=Path.cwd()).json
    return entry


def test_a_yes_runs_the_plan_that_was_shown(desk: Path) -> None:
    done = at_a_terminal("run", WRITES, types="y\n")
    assert (done.code, only_run()["status"]) == (0, "done")
    assert "t2 (reminders, per item of t1) writes" in done.err
    assert "Ann" in done.out


def test_a_no_rejects_the_plan(desk: Path) -> None:
    done = at_a_terminal("run", WRITES, "--json", types="n\n")
    assert (done.code, json.loads(done.out)["status"]) == (130, "cancelled")
    assert cuewave("runs", "resume", only_run()["run"], cwd=desk).code == 1
    assert not (desk / "var").exists()


def test_who_leaves_the_question_finds_the_run_waiting(desk: Path) -> None:
    done = at_a_terminal("run", WRITES, types=END)
    assert (done.code, only_run()["status"]) == (130, "waiting")
    assert "cuewave runs approve" in done.out
    assert cuewave("runs", "approve", only_run()["run"], cwd=desk).code == 0


def test_nothing_is_forgotten_without_a_yes(desk: Path) -> None:
    run = cuewave("run", "find the overdue invoices", "--json", cwd=desk).json["run"]
    for verb in (["delete", run], ["prune", "--older-than", "2100-01-01"]):
        done = at_a_terminal("runs", *verb, types="n\n")
        assert (done.code, "nothing was forgotten" in done.err) == (1, True)
    assert at_a_terminal("runs", "delete", run, types="y\n").code == 0
    assert cuewave("runs", "list", "--json", cwd=desk).json == []
