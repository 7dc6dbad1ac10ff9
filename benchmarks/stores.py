"""Durable appends a second: the SQLite store beside sqlite3 itself, at the same durability and group size.

K appenders write one event of about 300 bytes after the other, each waiting until its event is stored. The
bound writes K such rows a commit, in one thread, and does nothing else: WAL, synchronous FULL.
"""

import asyncio
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from orchestrator.agents.contract import Output
from orchestrator.ids import RunId, TaskId
from orchestrator.runs.codec import encode
from orchestrator.runs.events import Record, TaskDone
from orchestrator.runs.sql.opening import open_store

EVENTS = {1: 1_000, 16: 8_000, 100: 20_000}
ROUNDS = 5
AT = datetime(2026, 1, 1, tzinfo=UTC)
EVENT = TaskDone(TaskId("t1"), Output("x" * 150))


def _raw(file: Path, group: int, events: int) -> None:
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute(
        "create table events (run text, seq integer, at text, type text, version integer, body text,"
        " primary key (run, seq)) without rowid"
    )
    kind, version, body = encode(EVENT)
    for seq in range(events // group):
        connection.execute("begin immediate")
        connection.executemany(
            "insert into events values (?, ?, ?, ?, ?, ?)",
            [(f"r{n}", seq, AT.isoformat(), kind, version, body) for n in range(group)],
        )
        connection.execute("commit")
    connection.close()


async def _stored(file: Path, group: int, events: int) -> None:
    store = open_store(f"sqlite:///{file}")

    async def appender(n: int) -> None:
        run = RunId(f"r{n}")
        for seq in range(events // group):
            await store.append(run, seq, [Record(run, seq + 1, AT, EVENT)])

    await asyncio.gather(*(appender(n) for n in range(group)))
    await store.close()


def _timed(work: Callable[[Path], None]) -> tuple[float, float]:
    """Wall and CPU seconds on a database of its own."""
    with tempfile.TemporaryDirectory() as folder:
        wall, cpu = time.perf_counter(), time.process_time()
        work(Path(folder) / "runs.db")
        return time.perf_counter() - wall, time.process_time() - cpu


def rows() -> Iterator[dict[str, object]]:
    """Two rows per group size; `x_bound` is the part of the bound's rate that is reached."""
    for group, events in EVENTS.items():
        pairs = [
            (
                _timed(lambda file, g=group, e=events: _raw(file, g, e)),
                _timed(lambda file, g=group, e=events: asyncio.run(_stored(file, g, e))),
            )
            for _ in range(ROUNDS)
        ]
        for name, n in (("sqlite3", 0), ("store", 1)):
            wall = statistics.median(pair[n][0] for pair in pairs)
            yield {
                "appenders": group,
                "runner": name,
                "events_per_second": round(events / wall),
                "cpu_us_per_event": round(statistics.median(p[n][1] for p in pairs) / events * 1e6, 1),
                "x_bound": round(statistics.median(pair[0][0] / pair[n][0] for pair in pairs), 2),
                "goal": None,
                "at_least": 0.5 if n else None,
            }
