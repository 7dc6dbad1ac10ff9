"""Ctrl-C, as a process gets it. What is waited for has a deadline, never a fixed time."""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from support.openai_server import Answer, serving

pytestmark = pytest.mark.crash

SHIPPED = Path(__file__).parents[2]
DEADLINE = 60

WRITER = """
name: writer
uses: llm
model: far
intents: {write_text: {keywords: [poem]}}
"""

STUBBORN = """
import asyncio
from orchestrator.cli.interrupt import stoppable

async def stubborn():
    print("ready", flush=True)
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            print("stopping", flush=True)

async def main():
    turn = asyncio.ensure_future(stubborn())
    with stoppable(turn):
        await turn

asyncio.run(main())
"""


def started(code: str, *arguments: str, cwd: Path, given: IO[str] | None = None) -> "subprocess.Popen[str]":
    call, pipe = [sys.executable, "-c", code, *arguments], subprocess.PIPE
    return subprocess.Popen(call, stdin=given, stdout=pipe, stderr=pipe, text=True, cwd=cwd)


def test_the_first_interrupt_ends_a_run_with_what_is_done_and_one_document(tmp_path: Path) -> None:
    for part in ("config", "agents", "prompts", "samples"):
        shutil.copytree(SHIPPED / part, tmp_path / part)
    (tmp_path / "agents" / "writer.yaml").write_text(WRITER, encoding="utf-8")
    with serving(Answer(hold=True)) as server:
        models = f"models: {{far: {{provider: openai, model: m, base_url: '{server.base_url}'}}}}\n"
        (tmp_path / "config" / "models.yaml").write_text(models, encoding="utf-8")
        turn = "check my calendar and write a poem"
        run = started(
            "from orchestrator.cli import main; main()",
            "run",
            turn,
            "--json",
            "--schedule",
            "waves",
            cwd=tmp_path,
        )
        assert server.asked.wait(DEADLINE)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=DEADLINE)
    assert run.returncode == 130, err
    document = json.loads(out)
    assert document["status"] == "cancelled"
    assert document["results"]["t2"]["status"] == "cancelled"
    assert "Traceback" not in err


def test_an_interrupt_ends_a_session_whose_turns_come_from_a_pipe(tmp_path: Path) -> None:
    for part in ("config", "agents", "prompts", "samples"):
        shutil.copytree(SHIPPED / part, tmp_path / part)
    (tmp_path / "agents" / "writer.yaml").write_text(WRITER, encoding="utf-8")
    with serving(Answer(hold=True)) as server:
        models = f"models: {{far: {{provider: openai, model: m, base_url: '{server.base_url}'}}}}\n"
        (tmp_path / "config" / "models.yaml").write_text(models, encoding="utf-8")
        (tmp_path / "turns").write_text("write a poem\ncheck my calendar\n", encoding="utf-8")
        with (tmp_path / "turns").open() as turns:
            talk = started(
                "from orchestrator.cli import main; main()", "chat", "--json", cwd=tmp_path, given=turns
            )
        assert server.asked.wait(DEADLINE)
        talk.send_signal(signal.SIGINT)
        out, err = talk.communicate(timeout=DEADLINE)
    assert talk.returncode == 130, err
    assert [turn["status"] for turn in json.loads(out)["turns"]] == ["cancelled"]


def test_the_second_interrupt_leaves_at_once_whatever_is_still_at_work(tmp_path: Path) -> None:
    run = started(STUBBORN, cwd=tmp_path)
    assert run.stdout is not None
    assert run.stdout.readline() == "ready\n"
    run.send_signal(signal.SIGINT)
    assert run.stdout.readline() == "stopping\n"
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=DEADLINE)
    assert run.returncode == 130
    assert err == ""
