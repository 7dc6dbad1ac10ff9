"""`cuewave runs prune|delete`: forget runs. What is forgotten cannot be had back, so it is asked first."""

from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import MISTAKE, OK
from orchestrator.cli.completing import run_argument
from orchestrator.cli.opening import closing, open_app
from orchestrator.cli.output import emit, has_person, json_option, say
from orchestrator.cli.verbs import verb
from orchestrator.errors import StoreError, UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.runs.entry import RunEntry

_SHOWN = 10


@verb(
    ends=(OK, MISTAKE),
    examples=("cuewave runs prune --older-than 30d --dry-run",),
)
@click.option(
    "--older-than",
    metavar="WHEN",
    required=True,
    help="Those that ended before: 30d, 12h, 4w ago, or a date.",
)
@click.option("--dry-run", is_flag=True, help="Only show which they are.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@click.pass_context
def prune(ctx: click.Context, older_than: str, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Forget the runs that have ended, and did so long ago. What still goes on or waits is kept."""
    from datetime import UTC, datetime

    from orchestrator.cli.naming import moment_of

    before = moment_of(older_than, datetime.now(UTC), "--older-than")
    app = open_app(ctx)

    async def pruned() -> "Sequence[RunEntry]":
        from orchestrator.runs.entry import Wanted

        old = await app.runs.entries(Wanted(ended_before=before))
        if dry_run or not old:
            return old
        _show(old)
        _make_sure(f"Forget {_count(old)} for good?", yes=yes)
        return await app.runs.prune(before)

    old = closing(app, pruned())
    if as_json:
        emit({"runs": [entry.run for entry in old], "deleted": not dry_run})
        return
    if dry_run:
        _show(old)
    say(f"{_count(old)} {'would be' if dry_run else 'were'} forgotten")


@verb(
    ends=(OK, MISTAKE),
    examples=("cuewave runs delete ID",),
)
@run_argument
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@click.pass_context
def delete(ctx: click.Context, run: str, yes: bool, as_json: bool) -> None:
    """Forget the run, also one whose journal cannot be read. One that goes on must be cancelled first."""
    app = open_app(ctx)

    async def deleted() -> str:
        from orchestrator.cli.naming import run_of

        known = await run_of(app.runs, run)
        _make_sure(f"Forget run {known} for good?", yes=yes)
        try:
            await app.runs.delete(known)
        except StoreError:
            await app.runs.store.delete([known])
        return known

    known = closing(app, deleted())
    if as_json:
        emit({"run": known, "deleted": True})
    else:
        say(f"run {known} was forgotten")


def _make_sure(question: str, *, yes: bool) -> None:
    """Raises UserError where the person does not want it, and where nobody can be asked."""
    from orchestrator.cli.asking import confirmed

    if yes:
        return
    if not has_person():
        raise UserError(f"{question} There is nobody to ask; say --yes if you want it")
    if not confirmed(question):
        raise UserError("nothing was forgotten")


def _show(entries: "Sequence[RunEntry]") -> None:
    from orchestrator.cli.telling import when

    for entry in entries[:_SHOWN]:
        text = " ".join(entry.text.split())
        say(f"{entry.run}  {entry.status:<9}  {when(entry.ended)}  {text}", err=True)
    if len(entries) > _SHOWN:
        say(f"and {len(entries) - _SHOWN} more", err=True)


def _count(entries: "Sequence[RunEntry]") -> str:
    return f"{len(entries)} run{'s' if len(entries) != 1 else ''}"
