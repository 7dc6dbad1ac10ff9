"""From a URL to a store. What cannot be a store is refused here; what cannot be reached, at its first use."""

from functools import partial
from pathlib import Path

from orchestrator.errors import MissingExtra, UserError
from orchestrator.runs.memory import MemoryStore
from orchestrator.runs.sql.database import Database
from orchestrator.runs.sql.migrations import migrate
from orchestrator.runs.sql.sqlite import PATIENCE, Sqlite
from orchestrator.runs.sql.store import SqlStore
from orchestrator.runs.store import Store

ACCEPTED = (
    "sqlite:///relative/file.db, sqlite:////absolute/file.db, postgresql://user@host/database, or memory://"
    " (forgotten at the end)"
)


def open_store(url: str, *, tenant: str = "") -> Store:
    """The store at the URL, as this tenant sees it; close it in the end.

    Raises UserError for a URL that is none, and MissingExtra. No message has a password in it.
    """
    scheme, _, rest = url.partition("://")
    if scheme == "memory" and not rest:
        return MemoryStore()
    if scheme == "sqlite" and rest.startswith("/"):
        return SqlStore(sqlite_opener(_file(rest[1:])), tenant)
    if scheme in ("postgresql", "postgres"):
        return SqlStore(_postgres_opener(url), tenant)
    named = f"of the scheme {scheme!r}" if "://" in url else "without a scheme"
    raise UserError(f"a store cannot be opened from a URL {named} that is written so; it is {ACCEPTED}")


def sqlite_opener(path: Path, *, patience: float = PATIENCE) -> "partial[Database]":
    """What opens the file, with its tables."""
    return partial(_ready, partial(Sqlite, path, patience=patience))


def _file(path: str) -> Path:
    """The path is as it is written; `%` and `?` mean nothing in it."""
    if path in ("", ":memory:"):
        raise UserError(f"the store's URL names no file; it is {ACCEPTED}")
    return Path(path).absolute()


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
