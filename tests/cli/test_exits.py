"""What a person reads when something went wrong, and the exit code that a program reads."""

import errno
import json
import tempfile
from pathlib import Path

import click
import pytest
from orchestrator.cli.exits import OF_STATUS, explain
from orchestrator.errors import (
    Diagnostic,
    Fault,
    InternalFault,
    PlanRefused,
    StoreError,
    TaskError,
    UserError,
    WorkspaceInvalid,
)

FAULTY = WorkspaceInvalid((Fault("config/routing.yaml", 3, 1, "sur", "unknown key"),))
BROKEN = PlanRefused((Diagnostic(2, "unknown agent 'x'"),))


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UserError("no"), 1),
        (FAULTY, 1),
        (BROKEN, 1),
        (TaskError("no"), 1),
        (StoreError("no"), 1),
        (click.UsageError("no"), 2),
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_every_error_has_its_exit_code(error: BaseException, code: int, as_json: bool) -> None:
    assert explain(error, as_json=as_json) == code


def test_a_run_that_ended_has_the_exit_code_of_its_status() -> None:
    assert OF_STATUS == {
        "done": 0,
        "failed": 4,
        "partial": 4,
        "outcome_failed": 4,
        "waiting": 5,
        "cancelled": 130,
        "running": 0,
    }


@pytest.mark.parametrize("error", [InternalFault("a law was broken"), ZeroDivisionError("by zero")])
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_a_fault_of_ours_leaves_its_traceback_in_a_file_and_says_where(
    error: Exception,
    as_json: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert explain(error, as_json=as_json) == 3
    (log,) = tmp_path.iterdir()
    assert f"{type(error).__name__}: {error}" in log.read_text(encoding="utf-8")
    out, err = capsys.readouterr()
    assert str(log) in err
    assert (str(log) in json.loads(out)["error"]["message"]) if as_json else not out


def test_for_a_program_a_mistake_is_one_document_with_its_facts(capsys: pytest.CaptureFixture[str]) -> None:
    explain(FAULTY, as_json=True)
    explain(BROKEN, as_json=True)
    faulty, broken = (json.loads(line)["error"] for line in capsys.readouterr().out.splitlines())
    assert (faulty["type"], faulty["faults"][0]["line"]) == ("WorkspaceInvalid", 3)
    assert (broken["type"], broken["diagnostics"]) == (
        "PlanRefused",
        [{"line": 2, "message": "unknown agent 'x'"}],
    )


def test_for_a_person_faults_are_counted_and_nothing_is_on_stdout(
    capsys: pytest.CaptureFixture[str],
) -> None:
    explain(FAULTY, as_json=False)
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[-1]) == ("", "1 fault in the workspace; nothing was run")


def test_with_json_a_usage_error_and_an_interrupt_are_documents_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for error, kind in ((click.UsageError("empty"), "UsageError"), (KeyboardInterrupt(), "Interrupted")):
        explain(error, as_json=True)
        assert json.loads(capsys.readouterr().out)["error"]["type"] == kind


def test_a_full_disk_below_stdout_is_no_fault_of_ours() -> None:
    assert explain(OSError(errno.ENOSPC, "No space left on device"), as_json=False) == 1
