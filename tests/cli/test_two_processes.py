"""One process drives a run that takes its time; others watch it, speak to it, and end it.

What is waited for has a deadline, never a fixed time.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from orchestrator.ids import RunId

from support.calling import cuewave
from support.office import WRITER, office
from support.openai_server import Answer, OpenAIServer, serving

pytestmark = pytest.mark.crash

DEADLINE = 60
TURN = "find the overdue invoices and draft a poem"


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    """An office, as the current workspace, with a writer whose model never answers."""
    monkeypatch.setenv("CUEWAVE_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    with serving(Answer(hold=True), Answer(hold=True)) as server:
        models = f"models: {{far: {{provider: openai, model: m, base_url: '{server.base_url}'}}}}\n"
        files = {
            "agents/writer.yaml": WRITER.replace("uses: llm", "uses: llm\nmodel: far"),
            "config/models.yaml": models,
        }
        monkeypatch.chdir(office(tmp_path / "office", files))
        yield server


def started(*arguments: str) -> "subprocess.Popen[str]":
    call = [sys.executable, "-c", "from orchestrator.cli import main; main()", *arguments]
    return subprocess.Popen(
        call, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def begun(server: OpenAIServer) -> "tuple[subprocess.Popen[str], RunId]":
    """A process that drives a run, and the run, once its slow task is at work."""
    driver = started("run", TURN, "--json")
    assert server.asked.wait(DEADLINE)
    (entry,) = cuewave("runs", "list", "--json", cwd=Path.cwd()).json
    assert entry["status"] == "running"
    return driver, RunId(entry["run"])


def test_a_run_is_followed_from_another_process_and_cancelled_from_a_third(slow: OpenAIServer) -> None:
    driver, run = begun(slow)
    follower = started("runs", "show", run, "--follow")
    assert follower.stdout is not None
    assert any("t2 ▶ started" in line for line in iter(follower.stdout.readline, ""))
    cancelled = cuewave("runs", "cancel", run[-8:], "--reason", "enough", cwd=Path.cwd())
    assert (cancelled.code, "the process that drives the run takes it" in cancelled.err) == (0, True)
    out, err = driver.communicate(timeout=DEADLINE)
    assert (driver.returncode, json.loads(out)["status"]) == (130, "cancelled"), err
    told, err = follower.communicate(timeout=DEADLINE)
    assert follower.returncode == 130, err
    assert "cancel asked" in told
    assert "ended: cancelled" in told


def test_a_run_that_is_taken_up_elsewhere_stops_here_and_says_so(slow: OpenAIServer) -> None:
    driver, run = begun(slow)
    slow.asked.clear()
    other = started("runs", "resume", run, "--json")
    assert slow.asked.wait(DEADLINE)
    cuewave("runs", "cancel", run, cwd=Path.cwd())
    out, err = other.communicate(timeout=DEADLINE)
    assert (other.returncode, json.loads(out)["status"]) == (130, "cancelled"), err
    slow.closing.set()
    out, err = driver.communicate(timeout=DEADLINE)
    assert driver.returncode == 1, err
    assert f"cuewave runs show {run} --follow" in json.loads(out)["error"]["message"]


def test_a_killed_run_is_taken_up_where_it_was_left(slow: OpenAIServer) -> None:
    driver, run = begun(slow)
    driver.kill()
    driver.communicate(timeout=DEADLINE)
    slow.asked.clear()
    again = started("runs", "resume", run, "--json")
    assert slow.asked.wait(DEADLINE)
    again.send_signal(signal.SIGINT)
    out, err = again.communicate(timeout=DEADLINE)
    assert again.returncode == 130, err
    assert f"to go on: cuewave runs resume {run}" in err
    results = json.loads(out)["results"]
    assert (results["t1"]["status"], results["t1"]["attempts"]) == ("done", 1)
    assert results["t2"]["status"] == "cancelled"


def test_who_stops_watching_leaves_the_run_alone(slow: OpenAIServer) -> None:
    driver, run = begun(slow)
    follower = started("runs", "show", run, "--follow")
    assert follower.stdout is not None
    assert follower.stdout.readline()
    follower.send_signal(signal.SIGINT)
    follower.communicate(timeout=DEADLINE)
    assert follower.returncode == 130
    assert cuewave("status", run, "--json", cwd=Path.cwd()).json["status"] == "running"
    driver.send_signal(signal.SIGINT)
    driver.communicate(timeout=DEADLINE)
    assert driver.returncode == 130
