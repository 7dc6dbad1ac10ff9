"""What is added to journals in one transaction: appends of many runs, each of which counts for itself.

Laws: an append is stored whole, with its run's entry and the messages it took, or not at all. One that is not
where its run is, or that was to park a run with something in its inbox, does not hold up the others.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from orchestrator.errors import Fenced, StoreError
from orchestrator.ids import MessageId, RunId
from orchestrator.runs.entry import RunEntry, entry_after
from orchestrator.runs.events import Record
from orchestrator.runs.sql import queries
from orchestrator.runs.sql.database import Clash, Database, Row
from orchestrator.runs.sql.rows import entry_row, event_rows, message_keys, packed

_ANY = RunEntry(RunId(""), status="waiting")
"""An entry that every event changes that changes any."""

Outcome: TypeAlias = bool | Exception
"""Whether the append was done; an exception says why it could not be."""


@dataclass(frozen=True, slots=True)
class Append:
    """Records for the end of a journal, as rows. `parks`: only where the run's inbox is empty."""

    run: RunId
    key: str
    expected_seq: int
    records: Sequence[Record]
    rows: Sequence[Row]
    taken: Sequence[Row]
    parks: bool

    @property
    def touches_entry(self) -> bool:
        """Whether the run's entry may be another one afterwards."""
        return not self.expected_seq or entry_after(_ANY, self.records) is not _ANY


def append_of(
    tenant: str,
    run: RunId,
    expected_seq: int,
    records: Sequence[Record],
    *,
    taken: Sequence[MessageId] = (),
    parks: bool = False,
) -> Append:
    """The append of these records after the first `expected_seq` of the run; `tenant` is packed."""
    records = tuple(records)
    rows = event_rows(tenant, run, expected_seq, records)
    keys = message_keys(tenant, run, taken) if taken else ()
    return Append(run, packed(run), expected_seq, records, rows, keys, parks)


def write(database: Database, tenant: str, appends: Sequence[Append]) -> list[Outcome]:
    """Do the appends in one transaction; what became of each. Raises Clash where none could be done so."""
    with database.transaction("write"):
        called = _called(database, tenant, sorted({a.key for a in appends if a.parks}))
        heads = _heads(database, tenant, sorted({a.key for a in appends}))
        outcomes = list[Outcome]()
        fitting = list[Append]()
        for append in appends:
            outcome = _judged(append, heads[append.key], called)
            outcomes.append(outcome)
            if outcome is True:
                heads[append.key] += len(append.rows)
                fitting.append(append)
        _store(database, tenant, fitting)
    return outcomes


def _judged(append: Append, head: int, called: Iterable[str]) -> Outcome:
    if append.parks and append.key in called:
        return False
    return True if head == append.expected_seq else Fenced(append.run, head, append.expected_seq)


def _heads(database: Database, tenant: str, runs: Sequence[str]) -> dict[str, int]:
    """Up to where each of the runs is written."""
    found = database.rows(
        "SELECT value, (SELECT max(seq) FROM cuewave_events WHERE tenant = ? AND run = value) FROM {each}",
        (tenant, database.listed(runs)),
    )
    return {run: head or 0 for run, head in found}


def _called(database: Database, tenant: str, runs: Sequence[str]) -> set[str]:
    """Those of the runs with something in their inbox. Nothing is posted to any of them until the end."""
    if not runs:
        return set()
    listed = database.listed(runs)
    database.rows(
        "SELECT run FROM cuewave_runs"
        " WHERE tenant = ? AND run IN (SELECT value FROM {each}) ORDER BY run{lock}",
        (tenant, listed),
    )
    found = database.rows(
        "SELECT DISTINCT run FROM cuewave_inbox"
        " WHERE tenant = ? AND run IN (SELECT value FROM {each}) AND body IS NOT NULL",
        (tenant, listed),
    )
    return {run for (run,) in found}


def _store(database: Database, tenant: str, appends: Sequence[Append]) -> None:
    # Sorted by run, so that two groups with the same runs do not wait for each other.
    rows = sorted((row for append in appends for row in append.rows), key=lambda row: row[1:3])
    if rows:
        database.add_events(rows)
    taken = [row for append in appends for row in append.taken]
    if taken:
        database.change(
            "UPDATE cuewave_inbox SET body = NULL WHERE tenant = ? AND run = ? AND id = ?", *sorted(taken)
        )
    entries = _entries(database, tenant, [append for append in appends if append.touches_entry])
    if entries:
        database.change(queries.PUT_ENTRY, *(entry_row(tenant, entries[key]) for key in sorted(entries)))


def _entries(database: Database, tenant: str, appends: Iterable[Append]) -> Mapping[str, RunEntry]:
    """The entries that are other ones now, by the keys of their runs."""
    changed = dict[str, RunEntry]()
    for append in appends:
        before = changed.get(append.key)
        if before is None and append.expected_seq:
            before = _entry(database, tenant, append.run)
        after = entry_after(before, append.records)
        if after is not None and after is not before:
            changed[append.key] = after
    return changed


def _entry(database: Database, tenant: str, run: RunId) -> RunEntry:
    """The entry of a run that has begun. Where it cannot be had, that is the trouble of this run alone."""
    try:
        found = queries.find_entry(database, tenant, run)
    except StoreError as error:
        raise Clash(str(error)) from error
    if found is None:
        raise Clash(
            f"run {run} has records and is not in the list of runs; put the database back from a copy"
        )
    return found
