"""`cuewave runs list`: the runs there are, the youngest first."""

from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import MISTAKE, OK
from orchestrator.cli.completing import sessions
from orchestrator.cli.opening import closing, open_app
from orchestrator.cli.output import emit, json_option
from orchestrator.cli.verbs import verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.ids import RunStatus
    from orchestrator.runs.entry import RunEntry, Wanted

_STATUSES = ("running", "waiting", "done", "partial", "failed", "outcome_failed", "cancelled")
_END = 8
_TEXT = 200


@verb(
    "list",
    ends=(OK, MISTAKE),
    examples=(
        "cuewave runs list --status waiting",
        "cuewave runs list --since 2d --json",
    ),
)
@click.option("--status", type=click.Choice(_STATUSES), help="Only those that are so.")
@click.option("--session", shell_complete=sessions, help="Only those of this session.")
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


def show_entries(entries: "Sequence[RunEntry]", *, err: bool = False) -> None:
    """Write the runs as a table to stdout, or stderr."""
    from orchestrator.cli.table import show_table
    from orchestrator.cli.telling import when

    rows = [
        (
            f"…{entry.run[-_END:]}",
            f"{entry.status}{' (look at it)' if entry.needs_human_review else ''}",
            when(entry.started),
            " ".join(entry.text.split())[:_TEXT],
        )
        for entry in entries
    ]
    show_table(("run", "status", "started", "turn"), rows, err=err)
