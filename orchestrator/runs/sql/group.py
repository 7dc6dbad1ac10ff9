"""What is added to journals in one transaction: appends of many runs, each of which counts for itself.

Laws: an append is stored whole, with its run's entry and past and the messages it took, or not at all. One
that is not where its run is, or that was to park a run with something in its inbox, does not hold up the
others.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from orchestrator.errors import Fenced, StoreError
from orchestrator.ids import MessageId, RunId
from orchestrator.runs.entry import RunEntry, entry_after, may_change_entry
from orchestrator.runs.events import Record
from orchestrator.runs.samples import Past
from orchestrator.runs.sql.database import Clash, Database, Row
from orchestrator.runs.sql.history import DELETE as DELETE_HISTORY
from orchestrator.runs.sql.history import PUT as PUT_HISTORY
from orchestrator.runs.sql.history import past_rows
from orchestrator.runs.sql.rows import ENTRY, entry_of, entry_row, event_rows, message_keys
from orchestrator.runs.sql.texts import packed

_PUT_ENTRY = (
    f"INSERT INTO cuewave_runs (tenant, {ENTRY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (tenant, run) DO UPDATE SET status = excluded.status, session = excluded.session,"
    " text = excluded.text, started = excluded.started, ended = excluded.ended,"
    " needs_human_review = excluded.needs_human_review, workspace = excluded.workspace"
)

Outcome: TypeAlias = bool | Exception
"""Whether the append was done; an exception says why it could not be."""


class Append(NamedTuple):
    """Records for the end of a journal, as rows. A tuple, since one is made for every task's every step.

    `entry_records` are the records where they may change the run's entry, else none. `past` is what is kept
    of the run where they end it. `parks`: only where the run's inbox is empty.
    """

    run: RunId
    key: str
    expected_seq: int
    rows: Sequence[Row]
    entry_records: Sequence[Record]
    taken: Sequence[Row]
    parks: bool
    past: Sequence[Row] | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it is nothing but records for the journal."""
        return bool(self.rows) and not (self.entry_records or self.taken or self.parks) and self.past is None


def append_of(
    tenant: str,
    run: RunId,
    expected_seq: int,
    records: Sequence[Record],
    *,
    taken: Collection[MessageId] = (),
    parks: bool = False,
    past: Past | None = None,
) -> Append:
    """The append of these records after the first `expected_seq` of the run; `tenant` is packed."""
    rows = event_rows(tenant, run, expected_seq, records)
    touching = tuple(records) if not expected_seq or may_change_entry(records) else ()
    keys = message_keys(tenant, run, taken) if taken else ()
    kept = None if past is None else tuple(past_rows(tenant, packed(run), past))
    return Append(run, packed(run), expected_seq, rows, touching, keys, parks, kept)


def write(database: Database, tenant: str, appends: Sequence[Append]) -> list[Outcome]:
    """Do the appends in one transaction; what became of each. Raises Clash where none could be done so."""
    if len(appends) == 1 and appends[0].is_plain:
        return [_write_plain(database, tenant, appends[0])]
    with database.transaction("write"):
        # First the runs, then their journals, both sorted: so two groups do not wait for each other for ever.
        entries = _locked_entries(database, tenant, {a.key for a in appends if a.parks or a.entry_records})
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
        _store(database, tenant, fitting, entries)
    return outcomes


def _write_plain(database: Database, tenant: str, append: Append) -> Outcome:
    """The same for one append that is nothing but records, as most are."""
    with database.transaction("write"):
        outcome = _judged(append, _head(database, tenant, append.key), ())
        if outcome is True:
            database.add_events(append.rows)
    return outcome


def _judged(append: Append, head: int, called: Collection[str]) -> Outcome:
    if append.parks and append.key in called:
        return False
    return True if head == append.expected_seq else Fenced(append.run, head, append.expected_seq)


def _head(database: Database, tenant: str, run: str) -> int:
    """Up to where the run is written."""
    found = database.rows("SELECT max(seq) FROM cuewave_events WHERE tenant = ? AND run = ?", (tenant, run))
    return found[0][0] or 0


def _heads(database: Database, tenant: str, runs: Sequence[str]) -> dict[str, int]:
    """Up to where each of the runs is written."""
    found = database.rows(
        "SELECT value, (SELECT max(seq) FROM cuewave_events WHERE tenant = ? AND run = value) FROM {each}",
        (tenant, database.listed(runs)),
    )
    return {run: head or 0 for run, head in found}


def _locked_entries(database: Database, tenant: str, runs: Collection[str]) -> Mapping[str, Row]:
    """The entries of these runs, which nobody else changes until the end; nor is anything posted to them."""
    if not runs:
        return {}
    found = database.rows(
        f"SELECT {ENTRY} FROM cuewave_runs"
        " WHERE tenant = ? AND run IN (SELECT value FROM {each}) ORDER BY run{lock}",
        (tenant, database.listed(sorted(runs))),
    )
    return {row[0]: row for row in found}


def _called(database: Database, tenant: str, runs: Sequence[str]) -> Collection[str]:
    """Those of the runs with something in their inbox."""
    if not runs:
        return ()
    found = database.rows(
        "SELECT DISTINCT run FROM cuewave_inbox"
        " WHERE tenant = ? AND run IN (SELECT value FROM {each}) AND body IS NOT NULL",
        (tenant, database.listed(runs)),
    )
    return {run for (run,) in found}


def _store(database: Database, tenant: str, appends: Sequence[Append], entries: Mapping[str, Row]) -> None:
    rows = sorted((row for append in appends for row in append.rows), key=lambda row: row[1:3])
    if rows:
        database.add_events(rows)
    taken = sorted(row for append in appends for row in append.taken)
    if taken:
        database.change(
            "UPDATE cuewave_inbox SET body = NULL WHERE tenant = ? AND run = ? AND id = ?", *taken
        )
    changed = _changed(appends, entries)
    if changed:
        database.change(_PUT_ENTRY, *(entry_row(tenant, changed[key]) for key in sorted(changed)))
    ended = sorted((append.key, append.past) for append in appends if append.past is not None)
    if ended:
        database.change(DELETE_HISTORY, *((tenant, run) for run, _ in ended))
    past = sorted(row for _, rows in ended for row in rows)
    if past:
        database.change(PUT_HISTORY, *past)


def _changed(appends: Iterable[Append], entries: Mapping[str, Row]) -> Mapping[str, RunEntry]:
    """The entries that are other ones now."""
    changed = dict[str, RunEntry]()
    for append in appends:
        if append.entry_records:
            before = changed.get(append.key) or _entry(append, entries)
            after = entry_after(before, append.entry_records)
            if after is not None and after is not before:
                changed[append.key] = after
    return changed


def _entry(append: Append, entries: Mapping[str, Row]) -> RunEntry | None:
    """The entry of the run before. Where it cannot be had, that is the trouble of this run alone."""
    if not append.expected_seq:
        return None
    try:
        return entry_of(entries[append.key])
    except KeyError:
        raise Clash(
            f"run {append.run} has records and is not in the list of runs; put the database back from a copy"
        ) from None
    except StoreError as error:
        raise Clash(str(error)) from error
