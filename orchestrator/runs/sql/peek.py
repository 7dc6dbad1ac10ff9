"""A database opened by who only looks, as a dry run does, or a shell that completes a word.

Law: nothing is made, migrated or written; where there is no store there is none, and no event is loaded.
"""

from orchestrator.errors import MissingExtra
from orchestrator.runs.sql.database import Database
from orchestrator.runs.sql.places import is_postgres, sqlite_file


def opened_to_look(url: str, *, patience: float) -> Database | None:
    """The database at the URL, None where there is none; waited for so many seconds at most.

    Raises StoreError, MissingExtra, and UserError for a bad URL.
    """
    file = sqlite_file(url)
    if file is not None:
        if not file.exists():
            return None
        from orchestrator.runs.sql.sqlite import Sqlite

        return Sqlite(file, patience=patience, reads_only=True)
    if not is_postgres(url):
        return None
    try:
        from orchestrator.runs.sql.postgres import Postgres, Server
    except ImportError as error:
        raise MissingExtra("psycopg", "postgres", "a store on PostgreSQL") from error
    return Postgres(Server(url, patience=patience), patience=patience)
