"""A run in front of a person: progress on stderr, the reply on stdout, and Ctrl-C stops it cleanly.

Law: whatever made the run go on here, a turn, a word about its plan or an answer, it is shown the same way.
"""

import os
import sys
from collections.abc import Callable, Collection, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import click

from orchestrator.cli.codes import INTERRUPTED, OK
from orchestrator.cli.exits import OF_STATUS
from orchestrator.cli.output import columns, emit, has_person, say
from orchestrator.cli.terminal import is_lively

if TYPE_CHECKING:
    from orchestrator.app import Orchestrator
    from orchestrator.cli.progress import Progress
    from orchestrator.ids import RunStatus, Schedule
    from orchestrator.preview import Preview
    from orchestrator.runs.messages import Said
    from orchestrator.runs.result import RunResult
    from orchestrator.runs.state import RunState

Drive: TypeAlias = "Callable[[Progress], Coroutine[Any, Any, RunResult]]"
"""What makes the run go on; it has the progress as a listener."""


@dataclass(frozen=True, slots=True)
class Served:
    """What a run came to here, and the exit code for it."""

    result: "RunResult"
    code: int
    stopped: bool = False
    """Whether a person has stopped it here."""


def serve(
    app: "Orchestrator", drive: Drive, *, as_json: bool, well: Collection["RunStatus"] = ()
) -> NoReturn:
    """Do it as the one thing that this process does, and leave with the exit code.

    A run that ends with a status in `well` has done what was asked of it.
    """
    from orchestrator.cli.opening import closing

    served = closing(app, served_by(app, drive, quiet=as_json))
    if as_json:
        emit(served.result.to_json())
    sys.exit(OK if served.result.status in well else served.code)


async def served_by(app: "Orchestrator", drive: Drive, *, quiet: bool) -> Served:
    """Let the run go on, shown as it goes; `quiet` leaves the reply to the caller."""
    import asyncio

    from orchestrator.cli.interrupt import stoppable
    from orchestrator.cli.progress import Progress
    from orchestrator.errors import StoreError

    with Progress(live=is_lively(sys.stderr, os.environ) and not quiet, reply=not quiet) as progress:
        going = asyncio.ensure_future(drive(progress))
        with stoppable(going):
            try:
                result = await going
            except asyncio.CancelledError:
                return await _stopped(app, progress)
            except StoreError as error:
                raise StoreError(f"{error}{_remedy(error, progress.run)}") from error
        return Served(result, INTERRUPTED if progress.left else OF_STATUS[result.status])


async def _stopped(app: "Orchestrator", progress: "Progress") -> Served:
    """What there is of a run that a person has stopped."""
    if progress.run is None:
        raise click.Abort
    result = await app.result(progress.run)
    if result.status in ("cancelled", "running"):
        say(f"stopped; to go on: cuewave runs resume {progress.run}", err=True)
    return Served(result, INTERRUPTED, stopped=True)


def _remedy(error: Exception, run: str | None) -> str:
    from orchestrator.errors import Fenced

    if run is None:
        return ""
    if isinstance(error, Fenced):
        return f"; to watch the other: cuewave runs show {run} --follow"
    return f"; what was stored is kept. Once the store can be written: cuewave runs resume {run}"


# ── what makes a run go on ──────────────────────────────────────────────────────────────────────────


def turn(
    app: "Orchestrator",
    text: str,
    *,
    yes: bool,
    kind: str | None = None,
    schedule: "Schedule | None" = None,
    session: str | None = None,
    signals: "Sequence[Path]" = (),
) -> Drive:
    """A turn, whose plan a person at the terminal may be asked about."""

    async def drive(progress: "Progress") -> "RunResult":
        def approve(preview: "Preview") -> bool | None:
            progress.warn(preview.warnings)
            return True if yes else _ask(preview, progress)

        return await app.run(
            text,
            session=session,
            approve=approve,
            kind=kind,
            schedule=schedule,
            signals=signals,
            complain=lambda message: progress.warn((message,)),
            listeners=(progress,),
        )

    return drive


def scenario(app: "Orchestrator", name: str, *, yes: bool, baseline: bool, step: bool) -> Drive:
    """A scenario; with `step`, a person says when the next task is due."""

    async def drive(progress: "Progress") -> "RunResult":
        from orchestrator.cli.stepping import stepped

        def approve(preview: "Preview") -> bool | None:
            progress.warn(preview.warnings)
            return True if yes else _ask(preview, progress)

        pace = stepped if step else None
        return await app.run_scenario(
            name, baseline=baseline, approve=approve, pace=pace, listeners=(progress,)
        )

    return drive


def word(app: "Orchestrator", written: str, said: "Callable[[RunState], Said]") -> Drive:
    """Something that is said to the run that is meant, as it is now."""

    async def drive(progress: "Progress") -> "RunResult":
        from orchestrator.cli.naming import run_of
        from orchestrator.errors import WorkspaceChanged
        from orchestrator.runs.result import result_of

        known = await run_of(app.runs, written)
        state = await app.runs.state(known)
        progress.take_up(state)
        try:
            state = await app.runs.tell(known, said(state), (progress,))
        except WorkspaceChanged:
            say(f"said, and kept until the run goes on: cuewave runs resume {known}", err=True)
            raise
        if state.status == "running":
            say("said; the process that drives the run takes it. If none does:", err=True)
            say(f"cuewave runs resume {known}", err=True)
        return result_of(state)

    return drive


def _ask(preview: "Preview", progress: "Progress") -> bool | None:
    """Ask the person at the terminal; None where there is nobody, or who is there would rather not say."""
    from orchestrator.cli.asking import confirmed

    if not has_person():
        return None
    say(
        f"{preview.plan.to_text(columns(err=True))}\n\nThis plan needs your word: {preview.approval.reason}",
        err=True,
    )
    try:
        return confirmed("Go on?")
    except click.Abort:
        say("", err=True)
        progress.left = True
        return None
