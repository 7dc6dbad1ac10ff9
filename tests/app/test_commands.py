"""Turns that run programs, end to end."""

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from orchestrator import Orchestrator, WorkspaceInvalid
from orchestrator.errors import UserError
from orchestrator.execution.clock import SystemClock
from orchestrator.runs.result import RunResult
from orchestrator.testing import MemoryStore

Open = Callable[..., Orchestrator]

HEAD = """\
name: clerk
description: Files things.
uses: command
intents:
  file_it: {keywords: [file, file it]}
"""


def clerk(text: str, *lines: str) -> dict[str, str]:
    """The agent's file: a program in Python, and further lines of YAML."""
    argv = json.dumps([sys.executable, "-c", text])
    return {"agents/clerk.yaml": "\n".join((HEAD.rstrip(), *lines, f"options: {{argv: {argv}}}")) + "\n"}


def run(app: Orchestrator, text: str) -> RunResult:
    return asyncio.run(app.run(text))


def test_a_program_is_told_what_its_task_depends_on(open_office: Open) -> None:
    files = clerk("import sys; print('got: ' + sys.stdin.read())", "effects: none")
    result = run(open_office(files, store=MemoryStore()), "find the overdue invoices and then file it")
    assert result.status == "done"
    output = result.results["t2"].output
    assert output is not None
    assert output.text.startswith("got: ")
    assert "Ann, invoice 7: 10.00" in output.text
    assert "file it" in output.text


def test_a_program_whose_effects_are_not_declared_is_presumed_to_write(open_office: Open) -> None:
    app = open_office(clerk("print('filed')"), store=MemoryStore())
    assert run(app, "file it").waits_for == ("approval",)
    assert asyncio.run(app.run("file it", approve=lambda _: True)).reply == "filed"


TWICE = """
import os, pathlib, sys
file = pathlib.Path(os.environ["CUEWAVE_KEY"].replace("/", "-"))
sys.exit(0) if file.exists() else file.write_text("tried") and sys.exit(75)
"""


def test_a_failure_that_can_pass_is_tried_again_under_the_same_key(open_office: Open, tmp_path: Path) -> None:
    app = open_office(clerk(TWICE, "effects: none", "limits: {retries: 1}"), store=MemoryStore())
    result = run(app, "file it")
    assert result.status == "done"
    assert (tmp_path / "office" / f"{result.run}-t1").read_text() == "tried"


def test_a_failure_is_told_with_the_words_of_the_program(open_office: Open) -> None:
    result = run(open_office(clerk("raise SystemExit('no paper')", "effects: none")), "file it")
    assert result.status == "failed"
    assert "ended with exit code 1:\n  no paper" in (result.results["t1"].error or "")


SLEEPS = "import signal, pathlib; pathlib.Path('at_work').touch(); signal.pause()"


@pytest.mark.parametrize(("effects", "status"), [("none", "failed"), ("write", "in_doubt")])
def test_a_program_that_takes_too_long_is_ended_and_what_it_wrote_is_in_doubt(
    open_office: Open, effects: str, status: str
) -> None:
    files = clerk(SLEEPS, f"effects: {effects}", "limits: {timeout: 300ms, retries: 0}")
    app = open_office(files, store=MemoryStore(), clock=SystemClock())
    result = asyncio.run(app.run("file it", approve=lambda _: True))
    assert result.results["t1"].status == status
    assert "timed out after 0.3 s" in (result.results["t1"].error or "")


GONE = {"agents/clerk.yaml": f"{HEAD}effects: none\noptions: {{argv: [no-such-program]}}\n"}


def test_a_missing_program_hinders_only_the_turns_that_need_it(open_office: Open) -> None:
    app = open_office(GONE, store=MemoryStore())
    assert run(app, "check my calendar").status == "done"
    with pytest.raises(UserError, match="there is no program 'no-such-program' in PATH; install it"):
        run(app, "file it")


def test_a_thorough_look_finds_a_missing_program(open_office: Open) -> None:
    with pytest.raises(WorkspaceInvalid) as invalid:
        open_office(GONE, thorough=True)
    (fault,) = invalid.value.faults
    assert fault.file == "agents/clerk.yaml"
    assert "there is no program 'no-such-program' in PATH" in fault.message


def test_a_secret_is_in_no_answer_and_no_journal(open_office: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_KEY", "4711-0815-4711")
    argv = json.dumps([sys.executable, "-c", "import os; print('key', os.environ['TOKEN'])"])
    options = f'options: {{argv: {argv}, secrets: {{TOKEN: "${{SHOP_KEY}}"}}}}\n'
    store = MemoryStore()
    result = run(
        open_office({"agents/clerk.yaml": f"{HEAD}effects: none\n{options}"}, store=store), "file it"
    )
    assert result.reply == "key ***"
    assert "4711-0815" not in str(asyncio.run(store.read(result.run)))
