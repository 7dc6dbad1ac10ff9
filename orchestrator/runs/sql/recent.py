"""The youngest runs of a store, as much of each as a shell shows beside a name that it completes.

Law: fast, so nothing is loaded that knows events or plans; who asks for more asks the store.
"""

from typing import NamedTuple

from orchestrator.runs.sql.database import NoTable
from orchestrator.runs.sql.peek import opened_to_look
from orchestrator.runs.sql.texts import packed, unpacked

_PATIENCE = 1.0
"""Seconds; PostgreSQL's library knows no less."""


class Recent(NamedTuple):
    """A run, where it stands, and the turn that it serves."""

    run: str
    status: str
    session: str | None
    text: str


def recent_runs(url: str, most: int, *, tenant: str = "") -> list[Recent]:
    """The youngest first, so many at most. Raises StoreError, MissingExtra, and UserError for a bad URL."""
    database = opened_to_look(url, patience=_PATIENCE)
    if database is None:
        return []
    sql = "SELECT run, status, session, text FROM cuewave_runs WHERE tenant = ? ORDER BY place DESC LIMIT ?"
    try:
        rows = database.rows(sql, (packed(tenant), most))
    except NoTable:
        return []
    finally:
        database.close()
    return [
        Recent(unpacked(run), status, s if s is None else unpacked(s), unpacked(t))
        for run, status, s, t in rows
    ]
