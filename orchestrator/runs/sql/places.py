"""Where a store is, and what its URL means. Nothing is opened here."""

from collections.abc import Mapping
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


def usual_url(root: Path, env: Mapping[str, str], *, packaged: bool) -> str:
    """Where the runs of the workspace in `root` are: as `CUEWAVE_STORE` says, else in a file of its own.

    A workspace inside the installed package has none: its runs are in the user's own folder for state.
    """
    own = state_folder(env) / "runs.db" if packaged else root.resolve() / "var" / "runs.db"
    return env.get("CUEWAVE_STORE") or f"sqlite:///{own}"


def state_folder(env: Mapping[str, str]) -> Path:
    """The user's own folder for what a program of theirs keeps between calls."""
    state = env.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "cuewave"
