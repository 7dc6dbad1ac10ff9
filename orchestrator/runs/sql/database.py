"""What the store asks of a database, and how a database says no.

SQL is written once, for both. A statement has `?` for its values and these words of the dialect in braces:
`each` (a list of texts as a table with the column `value`), `lock` (keep others from the rows that were
found, until the transaction ends), `text` (a text that is compared by its bytes), `bytes`, and `place` (a
primary key that counts up). Every error of a driver becomes one of those below, with what, where and the
remedy.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol, TypeAlias

from orchestrator.errors import StoreError

Row: TypeAlias = tuple[Any, ...]
"""Any: what is in a column has been checked by nobody when it is read."""

Aim: TypeAlias = Literal["write", "delete", "migrate"]
"""What a transaction is for: writers of different runs go on beside each other, the others are alone."""


class Clash(StoreError):
    """What somebody in a group wants cannot be; nothing of it was done, and each may be tried alone."""


class Broken(StoreError):
    """The connection is of no more use; the next work needs a new one."""


class Lost(Broken):
    """The connection is gone, and surely nothing was done: the work may be begun anew on another one."""


class NoTable(StoreError):
    """A table is not there."""


class Database(Protocol):
    """One connection, used by one thread. Outside a transaction each statement is one of its own."""

    @property
    def where(self) -> str:
        """Which database this is, as people are told."""
        ...

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """What the statement finds."""
        ...

    def change(self, sql: str, *rows: Sequence[object]) -> int:
        """Do the statement with each row of values, or once without any; how many rows it changed."""
        ...

    def transaction(self, aim: Aim) -> AbstractContextManager[None]:
        """All or nothing, durably: it is committed at the end of the block, undone by any exception."""
        ...

    def listed(self, texts: Sequence[str]) -> object:
        """The texts as the value of an `{each}`."""
        ...

    def add_events(self, rows: Sequence[Row]) -> None:
        """Put rows into the table of events, many at once. Raises Clash where a place is taken."""
        ...

    def close(self) -> None:
        """Let go of the database."""
        ...
