"""Databases for tests: opened directly, counted, and told to fail where a test wants it."""

import asyncio
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from orchestrator.ids import RunId
from orchestrator.runs.events import DriverStarted, Record
from orchestrator.runs.sql.database import Aim, Database, Row
from orchestrator.runs.sql.opening import sqlite_opener
from orchestrator.runs.sql.store import SqlStore

_T = TypeVar("_T")

RUN = RunId("r")
AT = datetime(2026, 1, 1, tzinfo=UTC)


def records(run: RunId, *seqs: int, text: str = "a") -> list[Record]:
    return [Record(run, seq, AT, DriverStarted(text)) for seq in seqs]


def with_store(connect: Callable[[], Database], use: Callable[[SqlStore], Coroutine[Any, Any, _T]]) -> _T:
    """What `use` gives of a store that is closed afterwards."""

    async def run() -> _T:
        store = SqlStore(connect)
        try:
            return await use(store)
        finally:
            await store.close()

    return asyncio.run(run())


class Watched:
    """A database that notes the statements and transactions, and can be made to fail."""

    def __init__(self, inner: Database) -> None:
        self.inner = inner
        self.statements: list[str] = []
        self.transactions: list[Aim] = []
        self.groups: list[int] = []
        self.closed = False
        self.before: Callable[[], object] = lambda: None
        """Called when a transaction begins."""
        self.fails: Mapping[str, Exception] = {}
        """What is raised when an event of a run is added, by the run."""

    @property
    def where(self) -> str:
        return self.inner.where

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        self.statements.append(sql)
        return self.inner.rows(sql, values)

    def change(self, sql: str, *rows: Sequence[object]) -> int:
        self.statements.append(sql)
        return self.inner.change(sql, *rows)

    def transaction(self, aim: Aim) -> AbstractContextManager[None]:
        return self._transaction(aim)

    @contextmanager
    def _transaction(self, aim: Aim) -> Generator[None]:
        self.before()
        self.transactions.append(aim)
        with self.inner.transaction(aim):
            yield

    def listed(self, texts: Sequence[str]) -> object:
        return self.inner.listed(texts)

    def add_events(self, rows: Sequence[Row]) -> None:
        self.groups.append(len(rows))
        for row in rows:
            if row[1] in self.fails:
                raise self.fails[row[1]]
        self.inner.add_events(rows)

    def close(self) -> None:
        self.closed = True
        self.inner.close()


class Opener:
    """Opens a file as a watched database, each time it is asked; `opened` are all that it opened."""

    def __init__(self, path: Path) -> None:
        self._open = sqlite_opener(path)
        self.opened: list[Watched] = []
        self.fails: Mapping[str, Exception] = {}
        """What is to fail in those that it opens from now on."""
        self.before: Callable[[], object] = lambda: None
        """Called when a transaction begins in those that it opens from now on."""

    def __call__(self) -> Database:
        database = Watched(self._open())
        self.opened.append(database)
        database.fails, database.before = self.fails, self.before
        return database
