"""What the URL of a store means. Pure; nothing is opened here."""

from pathlib import Path

from orchestrator.errors import UserError

ACCEPTED = (
    "sqlite:///relative/file.db, sqlite:////absolute/file.db, postgresql://user@host/database, or memory://"
    " (forgotten at the end)"
)


def sqlite_file(url: str) -> Path | None:
    """The file, where the URL names one; its path is as it is written, `%` and `?` mean nothing in it.

    Raises UserError where it should and does not.
    """
    scheme, _, rest = url.partition("://")
    if scheme != "sqlite" or not rest.startswith("/"):
        return None
    if rest[1:] in ("", ":memory:"):
        raise UserError(f"the store's URL names no file; it is {ACCEPTED}")
    return Path(rest[1:]).absolute()


def is_postgres(url: str) -> bool:
    """Whether the URL is of a PostgreSQL server."""
    return url.partition("://")[0] in ("postgresql", "postgres")
