"""A session on a pipe: turns, and commands that begin with a slash."""

from pathlib import Path

import pytest

from support.calling import cuewave

TURN = "what is on my calendar today"


def test_commands_of_a_session_are_no_turns() -> None:
    done = cuewave("chat", given=f"/help\n/plan {TURN}\n/nonsense\n/plan\n")
    assert done.code == 0
    assert "plan      direct, 1 task" in done.out
    assert "there is no such command" in done.err
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


def test_with_json_a_dry_run_is_beside_the_document() -> None:
    done = cuewave("chat", "--json", given=f"/plan {TURN}\n")
    assert done.json["turns"] == []
    assert "direct, 1 task" in done.err
