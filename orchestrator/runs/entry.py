"""A run as a list of runs shows it: one line, kept beside its journal so that no list folds one. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from orchestrator.ids import Json, RunId, RunStatus, SessionId
from orchestrator.runs.events import (
    DriverStarted,
    Record,
    ReviewFlagged,
    RunEnded,
    RunParked,
    TurnReceived,
)
from orchestrator.runs.messages import ReviewCleared


@dataclass(frozen=True, slots=True)
class RunEntry:
    """One line of `runs list`. `workspace` is the fingerprint of the snapshot that the run was begun with."""

    run: RunId
    status: RunStatus = "running"
    session: SessionId | None = None
    text: str = ""
    started: datetime | None = None
    ended: datetime | None = None
    needs_human_review: bool = False
    workspace: str = ""

    def to_json(self) -> dict[str, Json]:
        """The entry as in `runs list --json`."""
        return {
            "run": self.run,
            "status": self.status,
            "session": self.session,
            "text": self.text,
            "started": None if self.started is None else self.started.isoformat(),
            "ended": None if self.ended is None else self.ended.isoformat(),
            "needs_human_review": self.needs_human_review,
        }


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which runs a list is to have: those that fit all that is set, the youngest first, `limit` at most.

    `ended_before` leaves out what has not ended.
    """

    status: RunStatus | None = None
    session: SessionId | None = None
    started_after: datetime | None = None
    ended_before: datetime | None = None
    needs_human_review: bool | None = None
    limit: int | None = None

    def fits(self, entry: RunEntry) -> bool:
        """Whether the entry is one of them, but for the limit."""
        started, ended = entry.started, entry.ended
        return (
            self.status in (None, entry.status)
            and self.session in (None, entry.session)
            and self.needs_human_review in (None, entry.needs_human_review)
            and (self.started_after is None or (started is not None and started >= self.started_after))
            and (self.ended_before is None or (ended is not None and ended < self.ended_before))
        )


ALL = Wanted()


_CHANGING = frozenset({TurnReceived, DriverStarted, RunParked, RunEnded, ReviewFlagged, ReviewCleared})


def may_change_entry(records: Iterable[Record]) -> bool:
    """Whether any of the records is of a kind that an entry tells of."""
    return any(type(record.event) in _CHANGING for record in records)


def entry_after(entry: RunEntry | None, records: Iterable[Record]) -> RunEntry | None:
    """The entry once these records are in the journal; the very same one where they change nothing.

    `entry` is that of the run before them, None where they are its first.
    """
    for run, _, at, event in records:
        known = RunEntry(run, started=at) if entry is None else entry
        match event:
            case TurnReceived(text=text, session=session, workspace=workspace):
                entry = replace(known, text=text, session=session, workspace=workspace)
            case DriverStarted() if known.status != "running":
                entry = replace(known, status="running", ended=None)
            case RunParked():
                entry = replace(known, status="waiting")
            case RunEnded(status=status):
                entry = replace(known, status=status, ended=at)
            case ReviewFlagged() | ReviewCleared():
                entry = replace(known, needs_human_review=isinstance(event, ReviewFlagged))
            case _:
                entry = known
    return entry
