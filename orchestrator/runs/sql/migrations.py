"""The tables, as the steps that made them. A step that was released is never changed: a new one is added.

Laws: a step is done whole, together with its row in `cuewave_schema`, or not at all; two programs that begin
at once do each step once; a database with a step that this program does not know is left alone.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from orchestrator.errors import StoreError
from orchestrator.runs.sql.database import Database, NoTable


class Step(NamedTuple):
    """A step, under the name that it has for ever."""

    name: str
    statements: tuple[str, ...]


# Of an event, (tenant, run, seq) is the key and thereby the fence: a place is taken once. Ids of runs are
# UUIDs of version 7 and sort by their time, and `run` is part of the key: so the table can be partitioned by
# time, by ranges of `run`, without another column. `place` is the order in which runs began, whatever the
# clocks of their programs say.
_JOURNAL = (
    "CREATE TABLE cuewave_runs (place {place}, tenant {text} NOT NULL, run {text} NOT NULL,"
    " status TEXT NOT NULL, session {text}, text TEXT NOT NULL, started BIGINT, ended BIGINT,"
    " needs_human_review INTEGER NOT NULL, workspace {text} NOT NULL, UNIQUE (tenant, run))",
    "CREATE INDEX cuewave_runs_by_place ON cuewave_runs (tenant, place)",
    "CREATE INDEX cuewave_runs_by_session ON cuewave_runs (tenant, session, place) WHERE session IS NOT NULL",
    "CREATE TABLE cuewave_events (tenant {text} NOT NULL, run {text} NOT NULL, seq BIGINT NOT NULL,"
    " at BIGINT NOT NULL, type TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL,"
    " checksum BIGINT NOT NULL, PRIMARY KEY (tenant, run, seq))",
)

# A message that was taken stays, so that it is known when it is posted again; its body goes, since it is in
# the journal. So the messages in an inbox are those with a body.
_INBOX = (
    "CREATE TABLE cuewave_inbox (place {place}, tenant {text} NOT NULL, run {text} NOT NULL,"
    " id {text} NOT NULL, at BIGINT NOT NULL, type TEXT NOT NULL, version INTEGER NOT NULL, body TEXT,"
    " checksum BIGINT NOT NULL, UNIQUE (tenant, run, id))",
    "CREATE INDEX cuewave_inbox_waiting ON cuewave_inbox (tenant, run, place) WHERE body IS NOT NULL",
)

_SNAPSHOTS = (
    "CREATE TABLE cuewave_snapshots (tenant {text} NOT NULL, fingerprint {text} NOT NULL,"
    " body {bytes} NOT NULL, PRIMARY KEY (tenant, fingerprint))",
    "CREATE INDEX cuewave_runs_by_workspace ON cuewave_runs (tenant, workspace)",
)

# What estimates are drawn from: `about` is an agent, or nothing for the run as a whole. It is made from the
# events of a run when that ends, and goes with it; runs that had ended before have none.
_HISTORY = (
    "CREATE TABLE cuewave_history (tenant {text} NOT NULL, about {text} NOT NULL, run {text} NOT NULL,"
    " version INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (tenant, about, run))",
    "CREATE INDEX cuewave_history_by_run ON cuewave_history (tenant, run)",
)

STEPS = (
    Step("0001_journal", _JOURNAL),
    Step("0002_inbox", _INBOX),
    Step("0003_snapshots", _SNAPSHOTS),
    Step("0004_history", _HISTORY),
)
"""All of them, in their order."""


def migrate(database: Database, steps: Sequence[Step] = STEPS) -> None:
    """Do the steps that have not been done. Where there is none, this is one SELECT.

    Raises StoreError for a database that a newer program has changed.
    """
    try:
        to_do = len(_not_done(database.where, _done(database), steps))
    except NoTable:
        to_do = len(steps)
    for _ in range(to_do):
        _do_next(database, steps)


def _done(database: Database) -> Collection[str]:
    return {name for (name,) in database.rows("SELECT name FROM cuewave_schema")}


def _not_done(where: str, done: Collection[str], steps: Sequence[Step]) -> Sequence[Step]:
    unknown = set(done) - {step.name for step in steps}
    if unknown:
        raise StoreError(
            f"{where}: a newer cuewave has changed this store: it has the steps"
            f" {', '.join(sorted(map(str, unknown)))}, which this one does not know; upgrade this one"
        )
    return [step for step in steps if step.name not in done]


def _do_next(database: Database, steps: Sequence[Step]) -> None:
    """Do the first step that nobody has done: another program may have been at it in the meantime."""
    with database.transaction("migrate"):
        database.change("CREATE TABLE IF NOT EXISTS cuewave_schema (name {text} PRIMARY KEY)")
        for step in _not_done(database.where, _done(database), steps)[:1]:
            for statement in step.statements:
                database.change(statement)
            database.change("INSERT INTO cuewave_schema (name) VALUES (?)", (step.name,))
