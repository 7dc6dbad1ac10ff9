"""A look at the history of a store by one who only looks, as a dry run does.

Law: nothing is made, migrated or written, and where there is no store, or an older one without a history,
there is none. No event is loaded.
"""

from collections.abc import Collection

from orchestrator.errors import MissingExtra
from orchestrator.ids import AgentName
from orchestrator.runs.samples import MOST, History
from orchestrator.runs.sql.database import Database, NoTable
from orchestrator.runs.sql.history import history
from orchestrator.runs.sql.places import is_postgres, sqlite_file
from orchestrator.runs.sql.texts import packed

_PATIENCE = 2.0
"""Seconds; who only looks does not wait long."""


def look_at_history(
    url: str, agents: Collection[AgentName], *, tenant: str = "", most: int = MOST
) -> History:
    """The history in the store at the URL. Raises StoreError, MissingExtra, and UserError for a bad URL."""
    database = _opened(url)
    if database is None:
        return History()
    try:
        return history(database, packed(tenant), agents, most)
    except NoTable:
        return History()
    finally:
        database.close()


def _opened(url: str) -> Database | None:
    file = sqlite_file(url)
    if file is not None:
        if not file.exists():
            return None
        from orchestrator.runs.sql.sqlite import Sqlite

        return Sqlite(file, patience=_PATIENCE, reads_only=True)
    if not is_postgres(url):
        return None
    try:
        from orchestrator.runs.sql.postgres import Postgres, Server
    except ImportError as error:
        raise MissingExtra("psycopg", "postgres", "a store on PostgreSQL") from error
    return Postgres(Server(url, patience=_PATIENCE), patience=_PATIENCE)
