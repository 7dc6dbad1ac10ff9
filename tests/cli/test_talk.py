"""A session on a pipe: turns, and commands that begin with a slash."""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from orchestrator.cli import prompting
from orchestrator.cli.talk import Talk

from support.calling import cuewave

TURN = "what is on my calendar today"
READS = "find the overdue invoices"
WRITES = "find the overdue invoices, then write a reminder for each"
NO_KIND = "build me a house"
BUILDER = (
    "name: builder\nuses: ledger\nkind: build\noptions: {file: data/invoices.csv}\n"
    "intents: {make: {keywords: [build me], operation: overdue}}\n"
)


def test_commands_of_a_session_are_no_turns() -> None:
    done = cuewave("chat", given=f"/help\n/plan {TURN}\n/PLN x\n/xqzj\n/plan\n")
    assert done.code == 0
    assert "plan      direct, 1 task" in done.out
    assert "there is no command /pln; did you mean '/plan'?" in done.err
    assert "there is no command /xqzj; there are /help, /plan, /quit, /runs" in done.err
    assert done.err.startswith("session ")
    assert "▶ started" not in done.err


def test_a_session_can_be_gone_on_with_and_lists_its_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUEWAVE_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    first = cuewave("chat", "--json", "--session", "mine", given=f"{TURN}\n")
    assert first.json["session"] == "mine"
    again = cuewave("chat", "--session", "mine", given="/runs\n")
    assert first.json["turns"][0]["run"][-8:] in again.out


def test_quit_leaves_what_comes_after_it_unread() -> None:
    done = cuewave("chat", "--json", given=f"{TURN}\n/quit\n{TURN}\n")
    assert len(done.json["turns"]) == 1


def test_a_path_is_no_command() -> None:
    (turn,) = cuewave("chat", "--json", given="/etc/hosts is on my calendar today\n").json["turns"]
    assert turn["status"] == "done"


def test_with_json_the_runs_of_a_session_are_beside_the_document() -> None:
    done = cuewave("chat", "--json", given=f"{TURN}\n/runs\n")
    assert done.json["turns"][0]["run"][-8:] in done.err


def test_a_fault_of_ours_ends_the_turn_and_not_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    nothing: Any = None
    with asyncio.Runner() as runner:
        talk = Talk(nothing, runner, "s1", yes=False, quiet=True, prompt=False)
        taken = [(talk.take(line), talk.code) for line in ("what is on today", "/help")]
    assert taken == [(True, 3), (True, 0)]
    assert [result["text"] for result in talk.results] == ["what is on today"]
    (log,) = tmp_path.iterdir()
    assert str(log) in capsys.readouterr().err


def test_with_json_a_dry_run_is_beside_the_document() -> None:
    done = cuewave("chat", "--json", given=f"/plan {TURN}\n")
    assert done.json["turns"] == []
    assert "direct, 1 task" in done.err


@pytest.mark.parametrize(
    ("lines", "code"),
    [((), 0), ((READS,), 0), ((READS, WRITES), 5), ((WRITES, READS), 0), ((READS, NO_KIND), 1)],
)
def test_a_session_on_a_pipe_ends_as_run_would_with_its_last_turn(
    desk: Path, lines: tuple[str, ...], code: int
) -> None:
    (desk / "agents" / "builder.yaml").write_text(BUILDER, encoding="utf-8")
    done = cuewave("chat", "--json", cwd=desk, given="".join(f"{line}\n" for line in lines))
    assert (done.code, len(done.json["turns"])) == (code, len(lines))
    if lines:
        assert cuewave("run", lines[-1], cwd=desk).code == code


def test_an_interrupt_while_a_pipe_is_waited_for_ends_the_session_with_what_was_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lines() -> Iterator[str]:
        yield TURN
        raise KeyboardInterrupt

    monkeypatch.setattr(prompting, "piped", lines)
    done = cuewave("chat", "--json")
    assert (done.code, [turn["status"] for turn in done.json["turns"]]) == (130, ["done"])
