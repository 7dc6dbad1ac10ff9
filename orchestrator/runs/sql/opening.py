"""From a URL to a store. What cannot be a store is refused here; what cannot be reached, at its first use."""

from functools import partial
from pathlib import Path

from orchestrator.errors import MissingExtra, UserError
from orchestrator.runs.memory import MemoryStore
from orchestrator.runs.sql.database import Database
from orchestrator.runs.sql.migrations import migrate
from orchestrator.runs.sql.places import ACCEPTED, is_postgres, sqlite_file
from orchestrator.runs.sql.sqlite import PATIENCE, Sqlite
from orchestrator.runs.sql.store import SqlStore
from orchestrator.runs.store import Store


def open_store(url: str, *, tenant: str = "") -> Store:
    """The store at the URL, as this tenant sees it; close it in the end.

    Raises UserError for a URL that is none, and MissingExtra. No message has a password in it.
    """
    scheme, _, rest = url.partition("://")
    if scheme == "memory" and not rest:
        return MemoryStore()
    file = sqlite_file(url)
    if file is not None:
        return SqlStore(sqlite_opener(file), tenant)
    if is_postgres(url):
        return SqlStore(_postgres_opener(url), tenant)
    found = f"one of the scheme {scheme!r} that is none of these" if "://" in url else "one without a scheme"
    raise UserError(f"the URL of a store (CUEWAVE_STORE) is {ACCEPTED}; found {found}")


def sqlite_opener(path: Path, *, patience: float = PATIENCE) -> "partial[Database]":
    """What opens the file, with its tables."""
    return partial(_ready, partial(Sqlite, path, patience=patience))


def _postgres_opener(url: str) -> "partial[Database]":
    try:
        from orchestrator.runs.sql.postgres import Postgres, Server
    except ImportError as error:
        raise MissingExtra("psycopg", "postgres", "a store on PostgreSQL") from error
    return partial(_ready, partial(Postgres, Server(url)))


def _ready(connect: "partial[Database]") -> Database:
    database = connect()
    try:
        migrate(database)
    except BaseException:
        database.close()
        raise
    return database
