"""A session at a terminal, as a person has it."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from support.calling import cuewave
from support.openai_server import Answer, serving
from support.terminal import Terminal

pytestmark = pytest.mark.service

READS = "find the overdue invoices"
WRITES = "find the overdue invoices, then write a reminder for each"
WRITER = "name: writer\nuses: llm\nmodel: far\nintents: {write_text: {keywords: [poem]}}\n"
PROMPT, CTRL_C, CTRL_D = "you> ", "\x03", "\x04"


@pytest.fixture
def history(desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where what is typed at the desk is kept."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "cuewave" / "history"


def statuses() -> list[str]:
    return [entry["status"] for entry in cuewave("runs", "list", "--json", cwd=Path.cwd()).json]


def test_turns_are_answered_in_one_session_until_the_person_leaves(history: Path) -> None:
    with Terminal("chat", "--session", "mine") as at:
        at.sees("session mine; /help")
        for turn in (READS, "what is on my calendar"):
            at.sees(PROMPT)
            at.types(f"{turn}\n")
        at.sees(PROMPT)
        at.types("/runs\n")
        at.sees("done")
        at.sees(PROMPT)
        at.types("/quit\n")
        assert at.ends() == 0
    assert [e["session"] for e in cuewave("runs", "list", "--json", cwd=Path.cwd()).json] == ["mine", "mine"]
    assert "t1     ledger       ✓ done" in at.shown


@pytest.mark.parametrize("leaving", ["quit\n", "exit\n", "/quit\n", CTRL_D])
def test_there_are_several_ways_to_leave(history: Path, leaving: str) -> None:
    with Terminal("chat") as at:
        at.sees(PROMPT)
        at.types(leaving)
        assert at.ends() == 0
    assert statuses() == []


def test_a_plan_that_asks_is_asked_in_place_and_only_a_yes_is_a_yes(history: Path, desk: Path) -> None:
    with Terminal("chat") as at:
        for answer in ("n\n", "perhaps\nyes\n"):
            at.sees(PROMPT)
            at.types(f"{WRITES}\n")
            at.sees("Go on? [y/N]: ")
            at.types(answer)
        at.sees("neither yes nor no")
        at.sees(PROMPT)
        at.types(CTRL_D)
        assert at.ends() == 0
    assert statuses() == ["done", "cancelled"]
    assert (desk / "var" / "reminders.ics").exists()


@pytest.mark.parametrize("leave", [Terminal.interrupts, Terminal.leaves])
def test_who_leaves_a_question_is_told_how_to_go_on_and_is_still_in_the_session(
    history: Path, leave: Callable[[Terminal, str], None]
) -> None:
    with Terminal("chat") as at:
        at.sees(PROMPT)
        at.types(f"{WRITES}\n")
        at.sees("Go on? [y/N]: ")
        leave(at, "cuewave runs approve")
        at.sees(PROMPT)
        at.types(CTRL_D)
        assert at.ends() == 0
    assert statuses() == ["waiting"]


def test_ctrl_c_at_the_prompt_begins_the_line_anew(history: Path) -> None:
    with Terminal("chat") as at:
        at.sees(PROMPT)
        at.types("this is not meant")
        at.sees("this is not meant")
        at.interrupts(PROMPT)
        at.types(f"{READS}\n")
        at.sees("Ann")
        at.sees(PROMPT)
        at.types(CTRL_D)
        assert at.ends() == 0
    assert statuses() == ["done"]


def test_ctrl_c_stops_the_turn_and_not_the_session(history: Path, desk: Path) -> None:
    (desk / "agents" / "writer.yaml").write_text(WRITER, encoding="utf-8")
    with serving(Answer(hold=True)) as server:
        models = f"models: {{far: {{provider: openai, model: m, base_url: '{server.base_url}'}}}}\n"
        (desk / "config" / "models.yaml").write_text(models, encoding="utf-8")
        with Terminal("chat") as at:
            at.sees(PROMPT)
            at.types("write a poem\n")
            assert server.asked.wait(60)
            at.types(CTRL_C)
            at.sees("cuewave runs resume")
            at.sees(PROMPT)
            at.types(f"{READS}\n")
            at.sees("Ann")
            at.sees(PROMPT)
            at.types(CTRL_D)
            assert at.ends() == 0
    assert statuses() == ["done", "cancelled"]


def test_a_mistake_in_a_turn_does_not_end_the_session(history: Path, desk: Path) -> None:
    (desk / "agents" / "builder.yaml").write_text(
        "name: builder\nuses: ledger\nkind: build\noptions: {file: data/invoices.csv}\n"
        "intents: {make: {keywords: [build me], operation: overdue}}\n",
        encoding="utf-8",
    )
    with Terminal("chat") as at:
        at.sees(PROMPT)
        at.types("build me a house\n")
        at.sees("'build'")
        at.sees(PROMPT)
        at.types(f"{READS}\n")
        at.sees("Ann")
        at.sees(PROMPT)
        at.types(CTRL_D)
        assert at.ends() == 0


def test_several_lines_that_are_pasted_are_one_turn(history: Path) -> None:
    with Terminal("chat") as at:
        at.sees(PROMPT)
        at.types("\x1b[200~find the\noverdue invoices\x1b[201~")
        at.types("\n")
        at.sees("Ann")
        at.sees(PROMPT)
        at.types(CTRL_D)
        assert at.ends() == 0
    (entry,) = cuewave("runs", "list", "--json", cwd=Path.cwd()).json
    assert entry["text"] == "find the\noverdue invoices"
    assert history.read_text(encoding="utf-8") == f"{READS}\n"


def test_what_was_typed_is_there_in_the_next_session_and_its_own_persons_only(history: Path) -> None:
    with Terminal("chat") as at:
        at.sees(PROMPT)
        at.types(f" {READS}, unseen\n")
        at.sees(PROMPT)
        at.types(f"{READS}\n")
        at.sees("Ann")
        at.sees(PROMPT)
        at.types(CTRL_D)
        at.ends()
    assert history.read_text(encoding="utf-8") == f"{READS}\n"
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    with Terminal("chat") as at:
        at.sees(PROMPT)
        at.types("\x1b[A")
        at.sees(READS)
        at.types("\n")
        at.sees("Ann")
        at.sees(PROMPT)
        at.types(CTRL_D)
        at.ends()
    assert statuses() == ["done", "done", "done"]


def test_without_a_history_nothing_is_read_or_kept(history: Path) -> None:
    with Terminal("chat", "--no-history") as at:
        at.sees(PROMPT)
        at.types(f"{READS}\n")
        at.sees("Ann")
        at.sees(PROMPT)
        at.types(CTRL_D)
        at.ends()
    assert not history.exists()


def test_commands_and_agents_are_completed_at_the_tab_key(history: Path) -> None:
    with Terminal("chat") as at:
        at.sees(PROMPT)
        at.types("@led\t")
        at.sees("@ledger ")
        at.types("what is overdue\n")
        at.sees("Ann")
        at.sees(PROMPT)
        at.types("/ru\t\n")
        at.sees("@ledger what is overdue")
        at.sees(PROMPT)
        at.types(CTRL_D)
        assert at.ends() == 0


def test_where_stdout_is_a_file_it_has_the_replies_and_nothing_else(history: Path, tmp_path: Path) -> None:
    out = os.open(tmp_path / "out", os.O_CREAT | os.O_WRONLY)
    with Terminal("chat", stdout=out) as at:
        at.sees(PROMPT)
        at.types(f"{WRITES}\n")
        at.sees("Go on? [y/N]: ")
        at.types("n\n")
        at.sees(PROMPT)
        at.types(CTRL_D)
        assert at.ends() == 0
    os.close(out)
    assert (tmp_path / "out").read_text() == "Nothing was run: the plan was rejected.\n"


def test_a_question_of_a_run_leaves_its_document_alone(history: Path, tmp_path: Path) -> None:
    out = os.open(tmp_path / "out", os.O_CREAT | os.O_WRONLY)
    with Terminal("run", WRITES, "--json", stdout=out) as at:
        at.sees("Go on? [y/N]: ")
        at.types("y\n")
        assert at.ends() == 0
    os.close(out)
    written = (tmp_path / "out").read_text()
    assert (written[0], json.loads(written)["status"]) == ("{", "done")
