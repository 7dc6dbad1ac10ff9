"""All that is asked of the tables but appends: small functions of a database and a packed tenant."""

from collections.abc import Collection, Sequence

from orchestrator.errors import RunUnknown, StoreError
from orchestrator.ids import RunId
from orchestrator.runs.entry import RunEntry, Wanted
from orchestrator.runs.events import Record
from orchestrator.runs.messages import Message
from orchestrator.runs.sql.database import Database
from orchestrator.runs.sql.history import DELETE as DELETE_HISTORY
from orchestrator.runs.sql.rows import (
    ENTRY,
    entry_of,
    message_of,
    message_row,
    microseconds,
    record_of,
)
from orchestrator.runs.sql.texts import packed, unpacked

_EVENT = "at, type, version, body, checksum"


def read(database: Database, tenant: str, run: RunId, after: int) -> Sequence[Record]:
    """See Store."""
    key = packed(run)
    rows = database.rows(
        f"SELECT seq, {_EVENT} FROM cuewave_events WHERE tenant = ? AND run = ? AND seq > ? ORDER BY seq",
        (tenant, key, after),
    )
    if not rows and not after and _is_known(database, tenant, run):
        raise _gap(run, 1)
    for seq, row in enumerate(rows, after + 1):
        if row[0] != seq:
            raise _gap(run, seq)
    return tuple(record_of(run, row) for row in rows)


def _gap(run: RunId, seq: int) -> StoreError:
    return StoreError(
        f"run {run}: record {seq} is missing; put the database back from a copy, or forget the run with"
        f" `cuewave runs delete {run}`"
    )


def _is_known(database: Database, tenant: str, run: RunId, lock: str = "") -> bool:
    sql = f"SELECT place FROM cuewave_runs WHERE tenant = ? AND run = ?{lock}"
    return bool(database.rows(sql, (tenant, packed(run))))


def runs(database: Database, tenant: str, wanted: Wanted) -> Sequence[RunEntry]:
    """See Store."""
    conditions: list[tuple[str, object]] = [("tenant = ?", tenant)]
    if wanted.status is not None:
        conditions.append(("status = ?", wanted.status))
    if wanted.session is not None:
        conditions.append(("session = ?", packed(wanted.session)))
    if wanted.needs_human_review is not None:
        conditions.append(("needs_human_review = ?", int(wanted.needs_human_review)))
    if wanted.started_after is not None:
        conditions.append(("started >= ?", microseconds(wanted.started_after)))
    if wanted.ended_before is not None:
        conditions.append(("ended < ?", microseconds(wanted.ended_before)))
    where = " AND ".join(condition for condition, _ in conditions)
    sql = f"SELECT {ENTRY} FROM cuewave_runs WHERE {where} ORDER BY place DESC"
    if wanted.limit is not None:
        conditions.append(("", wanted.limit))
        sql += " LIMIT ?"
    return [entry_of(row) for row in database.rows(sql, [value for _, value in conditions])]


def post(database: Database, tenant: str, message: Message) -> bool:
    """See Store."""
    with database.transaction("write"):
        if not _is_known(database, tenant, message.run, "{lock}"):
            raise RunUnknown(message.run)
        put = f"INSERT INTO cuewave_inbox (tenant, run, id, {_EVENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        sql = f"{put} ON CONFLICT (tenant, run, id) DO NOTHING"
        return database.change(sql, message_row(tenant, message)) == 1


def inbox(database: Database, tenant: str, run: RunId) -> Sequence[Message]:
    """See Store."""
    sql = (
        f"SELECT id, {_EVENT} FROM cuewave_inbox"
        " WHERE tenant = ? AND run = ? AND body IS NOT NULL ORDER BY place"
    )
    return [message_of(run, row) for row in database.rows(sql, (tenant, packed(run)))]


def called(database: Database, tenant: str) -> Sequence[RunId]:
    """See Store."""
    sql = "SELECT DISTINCT run FROM cuewave_inbox WHERE tenant = ? AND body IS NOT NULL"
    return [RunId(unpacked(run)) for (run,) in database.rows(sql, (tenant,))]


def keep(database: Database, tenant: str, fingerprint: str, snapshot: bytes) -> None:
    """See Store."""
    key = packed(fingerprint)
    if kept(database, tenant, fingerprint) is None:
        put = "INSERT INTO cuewave_snapshots (tenant, fingerprint, body) VALUES (?, ?, ?)"
        database.change(f"{put} ON CONFLICT DO NOTHING", (tenant, key, snapshot))


def kept(database: Database, tenant: str, fingerprint: str) -> bytes | None:
    """See Store."""
    sql = "SELECT body FROM cuewave_snapshots WHERE tenant = ? AND fingerprint = ?"
    return next((body for (body,) in database.rows(sql, (tenant, packed(fingerprint)))), None)


def delete(database: Database, tenant: str, runs: Collection[RunId]) -> int:
    """See Store. Of snapshots, only those of these runs: others may be of runs that are about to begin."""
    keys = [(tenant, key) for key in sorted(set(map(packed, runs)))]
    if not keys:
        return 0
    with database.transaction("delete"):
        workspaces = database.rows(
            "SELECT DISTINCT workspace FROM cuewave_runs"
            " WHERE tenant = ? AND run IN (SELECT value FROM {each})",
            (tenant, database.listed([key for _, key in keys])),
        )
        gone = database.change("DELETE FROM cuewave_runs WHERE tenant = ? AND run = ?", *keys)
        database.change("DELETE FROM cuewave_inbox WHERE tenant = ? AND run = ?", *keys)
        database.change("DELETE FROM cuewave_events WHERE tenant = ? AND run = ?", *keys)
        database.change(DELETE_HISTORY, *keys)
        for (workspace,) in workspaces:
            database.change(
                "DELETE FROM cuewave_snapshots WHERE tenant = ? AND fingerprint = ? AND NOT EXISTS"
                " (SELECT 1 FROM cuewave_runs WHERE tenant = ? AND workspace = ?)",
                (tenant, workspace, tenant, workspace),
            )
    return gone
