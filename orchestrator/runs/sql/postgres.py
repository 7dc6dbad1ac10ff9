"""PostgreSQL: the only module that knows psycopg.

Laws: a commit counts once the server has it on its disk. What was sent before a commit was asked for can be
begun anew on another connection; a commit of which no answer came is told as that, and never sent again.
No message has the password in it.
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from orchestrator.errors import StoreError, UserError
from orchestrator.runs.sql.database import Aim, Broken, Clash, Lost, NoTable, Row

PATIENCE = 10
"""Seconds to wait for the server, and for another program that has a lock."""

_WORDS = {
    "each": "unnest(?::text[]) AS value",
    "lock": " FOR UPDATE",
    "text": 'TEXT COLLATE "C"',
    "bytes": "BYTEA",
    "place": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
}
# Each statement sees what is there when it begins, whatever the server's default is: what is found once a
# lock was waited for is what its holder left. Who deletes waits for all who append, and they for it: nobody
# goes on with a journal whose beginning is gone.
_BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; "
_BEGINNINGS: Mapping[Aim, bytes] = {
    "write": f"{_BEGIN}LOCK TABLE cuewave_events IN ROW EXCLUSIVE MODE".encode(),
    "delete": f"{_BEGIN}LOCK TABLE cuewave_events IN SHARE ROW EXCLUSIVE MODE".encode(),
    "migrate": f"{_BEGIN}SELECT pg_advisory_xact_lock({int.from_bytes(b'cuewave')})".encode(),
}
_SETTINGS = (
    "SET lock_timeout = {};"
    " SELECT set_config('synchronous_commit', 'on', false)"
    " WHERE current_setting('synchronous_commit') = 'off'"
)
_ADD_EVENTS = (
    b"INSERT INTO cuewave_events (tenant, run, seq, at, type, version, body, checksum)"
    b" SELECT * FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::text[], %s::int[],"
    b" %s::text[], %s::bigint[])"
)
_TROUBLE: Sequence[tuple[type[psycopg.Error], type[StoreError], str]] = (
    (errors.UndefinedTable, NoTable, "a table is missing"),
    (errors.UniqueViolation, Clash, "a place is taken"),
    (errors.DeadlockDetected, Clash, "another program wants the same runs"),
    (errors.SerializationFailure, Clash, "another program wants the same runs"),
    (errors.DataError, Clash, "a value cannot be stored"),
    (errors.ProgramLimitExceeded, Clash, "a name is too long, or a value too large, to be stored"),
    (
        errors.LockNotAvailable,
        StoreError,
        "another program has had it locked for more than {patience:g} s; end that program, or try again",
    ),
    (errors.DiskFull, StoreError, "the server's disk is full, nothing was stored; make room and try again"),
    (
        errors.ReadOnlySqlTransaction,
        Broken,
        "the server takes no writes; name the primary one in the store's URL",
    ),
    (errors.InsufficientPrivilege, StoreError, "the user has not the right to do this; grant it"),
    (errors.DataCorrupted, StoreError, "the database is damaged; put it back from a backup"),
    (errors.IndexCorrupted, StoreError, "an index is damaged; REINDEX it, or put the database back"),
)


@cache
def _translated(sql: str) -> bytes:
    return sql.format(**_WORDS).replace("?", "%s").encode()


class Server:
    """Where a database is, read from a URL. Raises UserError where it cannot be, without showing it.

    `patience` is how many seconds to wait for it, where the URL does not say.
    """

    def __init__(self, url: str, *, patience: float = PATIENCE) -> None:
        try:
            given = {name: str(value) for name, value in conninfo_to_dict(url).items()}
        except psycopg.Error:
            given = {"host": "@"}
        host, port, name = (
            given.get("host", given.get("hostaddr", "localhost")),
            given.get("port", ""),
            given.get("dbname", ""),
        )
        # A password with an @ or a / in it, as it is, ends up in these; and they are shown.
        if "@" in f"{host}{port}{name}" or (port and not port.replace(",", "").isdecimal()):
            raise UserError(
                "the store's URL cannot be read; it is postgresql://USER:PASSWORD@HOST:PORT/DATABASE, and in"
                " a password each of @ : / ? # [ ] % is written as its code, as in %40 for @"
            )
        self.where = f"PostgreSQL at {host}{port and f':{port}'}{name and f', database {name}'}"
        self.conninfo = make_conninfo("", **{"connect_timeout": f"{patience:.0f}", **given})
        self._secrets = [given[secret] for secret in ("password", "sslpassword") if given.get(secret)]

    def told(self, error: psycopg.Error) -> str:
        """What the server or the driver said, in one line, without the password."""
        text = " ".join(str(error).split())
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text


class Postgres:
    """A Database on a server. Raises StoreError where it cannot be reached."""

    def __init__(self, server: Server, *, patience: float = PATIENCE) -> None:
        self.where = server.where
        self._server, self._patience = server, patience
        try:
            self._connection = psycopg.connect(server.conninfo, autocommit=True)
        except psycopg.Error as error:
            raise StoreError(
                f"{server.where} cannot be reached: {server.told(error)}; look whether the server runs and"
                " whether the store's URL is right"
            ) from None
        try:
            self._execute(_SETTINGS.format(round(patience * 1000)).encode())
        except BaseException:
            self._connection.close()
            raise

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """See Database."""
        try:
            return self._connection.execute(_translated(sql), values).fetchall()
        except psycopg.Error as error:
            raise self._told(error) from None

    def change(self, sql: str, *rows: Sequence[object]) -> int:
        """See Database."""
        if len(rows) < 2:
            return self._execute(_translated(sql), *rows)
        try:
            with self._connection.cursor() as cursor:
                cursor.executemany(_translated(sql), rows)
                return cursor.rowcount
        except psycopg.Error as error:
            raise self._told(error) from None

    def _execute(self, sql: bytes, values: Sequence[object] | None = None) -> int:
        try:
            return self._connection.execute(sql, values).rowcount
        except psycopg.Error as error:
            raise self._told(error) from None

    @contextmanager
    def transaction(self, aim: Aim) -> Generator[None]:
        """See Database."""
        self._begin(aim)
        try:
            yield
        except BaseException:
            if not self._connection.closed:
                self._execute(b"ROLLBACK")
            raise
        self._commit()

    def _begin(self, aim: Aim) -> None:
        """Begin; where that fails half way, the transaction that is open is ended."""
        try:
            self._execute(_BEGINNINGS[aim])
        except StoreError:
            if not self._connection.closed:
                self._execute(b"ROLLBACK")
            raise

    def _commit(self) -> None:
        try:
            self._execute(b"COMMIT")
        except Lost as lost:
            raise Broken(
                f"{lost}; that was during a commit, and whether it came about is not known: resume the run,"
                " which reads what there is"
            ) from None

    def listed(self, texts: Sequence[str]) -> object:
        """See Database."""
        return list(texts)

    def add_events(self, rows: Sequence[Row]) -> None:
        """See Database."""
        self._execute(_ADD_EVENTS, [list(column) for column in zip(*rows, strict=True)])

    def close(self) -> None:
        """See Database."""
        self._connection.close()

    def _told(self, error: psycopg.Error) -> StoreError:
        """The driver's error with where it was, and what can be done."""
        where, said = self.where, self._server.told(error)
        if self._connection.closed:
            return Lost(f"{where}: the connection was lost ({said})")
        for kind, ours, remedy in _TROUBLE:
            if isinstance(error, kind):
                return ours(f"{where}: {remedy.format(patience=self._patience)} ({said})")
        return StoreError(f"{where}: {said}")
