"""Exit codes, and what a person reads when something went wrong.

A user's mistake is a line or two on stderr. A fault of ours leaves its traceback in a log file and says
where. With `--json` a mistake is one JSON document on stdout, so that a program always has one to read.
"""

import errno
from dataclasses import asdict

import click

from orchestrator.cli.codes import INTERRUPTED, MISTAKE, NOT_WELL, OK, OURS, USAGE, WAITS
from orchestrator.cli.output import emit, say
from orchestrator.cli.remedies import remedy_of
from orchestrator.errors import (
    CuewaveError,
    InternalFault,
    PlanRefused,
    UserError,
    WorkspaceInvalid,
)
from orchestrator.ids import RunStatus

OF_STATUS: dict[RunStatus, int] = {
    "done": OK,
    "failed": NOT_WELL,
    "partial": NOT_WELL,
    "outcome_failed": NOT_WELL,
    "waiting": WAITS,
    "cancelled": INTERRUPTED,
    "running": OK,
}
"""`running` is a run that another process drives: what was asked for was done."""


def explain(error: BaseException, *, as_json: bool) -> int:
    """Say what went wrong and return the exit code for it."""
    match error:
        case click.exceptions.Exit():
            return error.exit_code
        case click.ClickException():
            return _misused(error, as_json=as_json)
        case click.Abort() | KeyboardInterrupt():
            say("interrupted", err=True)
            return _told(INTERRUPTED, "Interrupted", "interrupted before there was a run", as_json=as_json)
        case UserError():
            return _mistake(error, as_json=as_json)
        case CuewaveError() if not isinstance(error, InternalFault):
            return _mistake(error, as_json=as_json)
        case OSError(errno=errno.ENOSPC):
            return _mistake(UserError(f"the output cannot be written: {error.strerror}"), as_json=False)
        case SystemExit():
            return error.code if isinstance(error.code, int) else USAGE
        case _:
            return _ours(error, as_json=as_json)


def _misused(error: click.ClickException, *, as_json: bool) -> int:
    remedy = remedy_of(error)
    error.show()
    if remedy:
        say(remedy, err=True)
    message = "; ".join(filter(None, (error.format_message(), remedy)))
    return _told(error.exit_code, "UsageError", message, as_json=as_json)


def _mistake(error: CuewaveError, *, as_json: bool) -> int:
    if as_json:
        emit({"error": _facts(error)})
    else:
        _say_mistake(error)
    return MISTAKE


def _told(code: int, kind: str, message: str, *, as_json: bool) -> int:
    """The code, and with `--json` the document that says why."""
    if as_json:
        emit({"error": {"type": kind, "message": message}})
    return code


def _say_mistake(error: CuewaveError) -> None:
    if isinstance(error, WorkspaceInvalid):
        n = len(error.faults)
        say(f"{error}\n{n} fault{'s' if n != 1 else ''} in the workspace; nothing was run", err=True)
    else:
        say("error: ", err=True, nl=False, fg="red")
        say(str(error), err=True)


def _facts(error: CuewaveError) -> dict[str, object]:
    facts: dict[str, object] = {"type": type(error).__name__, "message": str(error)}
    if isinstance(error, WorkspaceInvalid):
        facts["faults"] = [asdict(f) for f in error.faults]
    if isinstance(error, PlanRefused):
        facts["diagnostics"] = [asdict(d) for d in error.diagnostics]
    return facts


def _ours(error: BaseException, *, as_json: bool) -> int:
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile(
        "w", prefix="cuewave-", suffix=".log", delete=False, encoding="utf-8"
    ) as log:
        log.write("".join(traceback.format_exception(error)))
    message = f"a fault of ours: {type(error).__name__}: {error}; the traceback is in {log.name}"
    say(message, err=True)
    return _told(OURS, "InternalFault", message, as_json=as_json)
