"""SQLite: the only module that knows the standard library's driver.

Laws: a commit is on the disk before it counts (WAL, synchronous FULL), and one writer at a time has the file
(BEGIN IMMEDIATE). A file that was moved or deleted while it was open is noticed before anything is written.
"""

import json
import os
import sqlite3
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from orchestrator.errors import StoreError
from orchestrator.runs.sql.database import Aim, Broken, Clash, Lost, NoTable, Row

PATIENCE = 10.0
"""Seconds to wait for another program that is writing."""

_WORDS = {
    "each": "json_each(?)",
    "lock": "",  # who writes has the whole file
    "text": "TEXT",
    "bytes": "BLOB",
    "place": "INTEGER PRIMARY KEY",
}
_ADD_EVENT = (
    "INSERT INTO cuewave_events (tenant, run, seq, at, type, version, body, checksum)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_RETRY = 0.01
_DAMAGED = (
    "the file is damaged; end all programs that use it, keep a copy, and put it back from an older one, or"
    " take out what can be read: sqlite3 {path} .recover | sqlite3 NEW_FILE"
)
_NOT_OPENED = "the file cannot be opened; look at the permissions of it and of its folder"

_TROUBLE: Mapping[int, tuple[type[StoreError], str]] = {
    sqlite3.SQLITE_BUSY: (
        StoreError,
        "another program has had it locked for more than {patience:g} s; end that program, or try again",
    ),
    sqlite3.SQLITE_FULL: (StoreError, "the disk is full, nothing was stored; make room and try again"),
    sqlite3.SQLITE_READONLY: (
        Broken,
        "it may not be written; give write permission to it, to its folder, and to {path}-wal and {path}-shm",
    ),
    sqlite3.SQLITE_CORRUPT: (Broken, _DAMAGED),
    sqlite3.SQLITE_NOTADB: (Broken, "the file is not a SQLite database, or is damaged; name another one"),
    sqlite3.SQLITE_CANTOPEN: (Broken, _NOT_OPENED),
    sqlite3.SQLITE_PERM: (Broken, _NOT_OPENED),
    sqlite3.SQLITE_IOERR: (Broken, "it could not be read or written; look at the disk, then try again"),
    sqlite3.SQLITE_CONSTRAINT: (Clash, "a place is taken"),
    sqlite3.SQLITE_TOOBIG: (Clash, "a value is too large to be stored"),
}


_FAULTS = (sqlite3.Error, UnicodeDecodeError)
"""What the driver raises; the second where even what SQLite says of a damaged file is no text."""


@cache
def _translated(sql: str) -> str:
    return sql.format(**_WORDS)


class Sqlite:
    """A Database in the file, which is made, with its folder, where there is none. Raises StoreError.

    With `reads_only` nothing is made or written: where there is no file, that is an error.
    """

    def __init__(self, path: Path, *, patience: float = PATIENCE, reads_only: bool = False) -> None:
        self.where = str(path)
        self._path, self._patience = path, patience
        if not reads_only:
            _make_folder(path)
        place = _untouched(path) if reads_only else path
        try:
            self._connection = sqlite3.connect(place, timeout=patience, isolation_level=None, uri=reads_only)
        except _FAULTS as error:
            raise self._told(error) from error
        try:
            if not reads_only:
                self._use_wal()
                self.change("PRAGMA synchronous = FULL")
                self.change("PRAGMA fullfsync = ON")  # where fsync alone does not reach the disk
            self._file = self._identity()
        except BaseException:
            self._connection.close()
            raise

    def _use_wal(self) -> None:
        """WAL is set once for the file; SQLite does not wait while another program is setting it."""
        deadline = time.monotonic() + self._patience
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL").fetchall()
            except _FAULTS as error:
                if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise self._told(error) from error
                time.sleep(_RETRY)
            else:
                return

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """See Database."""
        try:
            return self._connection.execute(_translated(sql), values).fetchall()
        except _FAULTS as error:
            raise self._told(error) from error

    def change(self, sql: str, *rows: Sequence[object]) -> int:
        """See Database."""
        try:
            if rows:
                return self._connection.executemany(_translated(sql), rows).rowcount
            return self._connection.execute(_translated(sql)).rowcount
        except _FAULTS as error:
            raise self._told(error) from error

    @contextmanager
    def transaction(self, aim: Aim) -> Generator[None]:
        """See Database."""
        if self._identity() != self._file:
            raise Lost(f"{self.where}: the file was moved or deleted while it was in use")
        self.change("BEGIN IMMEDIATE")
        try:
            yield
            self.change("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self.change("ROLLBACK")
            raise

    def _identity(self) -> tuple[int, int] | None:
        """Which file has the path now."""
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def listed(self, texts: Sequence[str]) -> object:
        """See Database."""
        return json.dumps(texts)

    def add_events(self, rows: Sequence[Row]) -> None:
        """See Database."""
        self.change(_ADD_EVENT, *rows)

    def close(self) -> None:
        """See Database."""
        try:
            self._connection.close()
        except _FAULTS as error:
            raise self._told(error) from error

    def _told(self, error: Exception) -> StoreError:
        """The driver's error with where it was, and what can be done."""
        if "no such table" in str(error):
            return NoTable(f"{self.where}: {error}")
        code = _code(error)
        kind, remedy = _TROUBLE.get(code, (StoreError, "{error}"))
        if not code and "decode" in str(error):  # what was read is no text
            kind, remedy = Broken, _DAMAGED
        told = remedy.format(path=self._path, patience=self._patience, error=error)
        return kind(f"{self.where}: {told}" if told == str(error) else f"{self.where}: {told} ({error})")


def _code(error: Exception) -> int:
    """The primary result code; 0 for an error of the driver's own."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _untouched(path: Path) -> str:
    """The URI by which SQLite reads the file. Where nobody has it open there is no log beside it, and none is
    to be left by who only looks, nor must the folder be writable."""
    quiet = not path.with_name(f"{path.name}-wal").exists()
    return f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if quiet else ''}"


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        is_folder = path.is_dir()
    except OSError as error:
        raise StoreError(
            f"{path}: its folder cannot be made or read ({error.strerror}); permit that, or name a file in a"
            " folder of yours: CUEWAVE_STORE=sqlite:////folder/runs.db"
        ) from error
    if is_folder:
        raise StoreError(f"{path}: this is a folder; name a file in it, as in {path / 'runs.db'}")
