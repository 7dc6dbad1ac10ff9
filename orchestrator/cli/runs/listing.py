"""`cuewave runs list`: the runs there are, the youngest first."""

from typing import TYPE_CHECKING

import click

from orchestrator.cli.opening import closing, open_app
from orchestrator.cli.output import console, emit, json_option, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.ids import RunStatus
    from orchestrator.runs.entry import RunEntry, Wanted

_STATUSES = ("running", "waiting", "done", "partial", "failed", "outcome_failed", "cancelled")
_END = 8
_TEXT = 200


@click.command("list")
@click.option("--status", type=click.Choice(_STATUSES), help="Only those that are so.")
@click.option("--session", help="Only those of this session.")
@click.option("--needs-review", is_flag=True, help="Only those that a person should look at.")
@click.option("--since", metavar="WHEN", help="Only those begun since: 30m, 12h, 2d, 1w ago, or a date.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="So many at most.")
@click.option("--all", "every", is_flag=True, help="All of them, however many.")
@json_option
@click.pass_context
def list_runs(
    ctx: click.Context,
    status: "RunStatus | None",
    session: str | None,
    needs_review: bool,
    since: str | None,
    limit: int,
    every: bool,
    as_json: bool,
) -> None:
    """List the runs, the youngest first; the end of an id is enough for the other verbs."""
    app = open_app(ctx)
    wanted = _wanted(status, session, since, needs_review=needs_review, limit=None if every else limit)
    entries = closing(app, app.runs.entries(wanted))
    if as_json:
        emit([entry.to_json() for entry in entries])
    else:
        show_entries(entries)


def _wanted(
    status: "RunStatus | None",
    session: str | None,
    since: str | None,
    *,
    needs_review: bool,
    limit: int | None,
) -> "Wanted":
    from datetime import UTC, datetime

    from orchestrator.cli.naming import moment_of
    from orchestrator.ids import SessionId
    from orchestrator.runs.entry import Wanted

    return Wanted(
        status=status,
        session=None if session is None else SessionId(session),
        started_after=None if since is None else moment_of(since, datetime.now(UTC), "--since"),
        needs_human_review=True if needs_review else None,
        limit=limit,
    )


def show_entries(entries: "Sequence[RunEntry]") -> None:
    """A table of them, for people."""
    from rich.table import Table

    from orchestrator.cli.telling import when

    table = Table("run", "status", "started", "turn", caption=None if entries else "there are none")
    for entry in entries:
        status = f"{entry.status}{' (look at it)' if entry.needs_human_review else ''}"
        text = plain(" ".join(entry.text.split()))[:_TEXT]
        table.add_row(f"…{entry.run[-_END:]}", status, when(entry.started), text)
    console().print(table)
