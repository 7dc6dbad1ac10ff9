"""CPU per no-op task with a durable journal: on top of the same without one, beside a raw insert, and a peer.

The bound is what sqlite3 itself costs for the same records in the same groups: two events a task, in the
groups in which the executor wrote them, each a commit in WAL mode, synchronous FULL. The peer, where it is
installed, is langgraph with its SQLite checkpointer as its documentation sets it up: durable once a
superstep, where this journal is at every step.
"""

import asyncio
import random
import sqlite3
import statistics
import tempfile
from collections.abc import Collection, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from orchestrator.execution.clock import SystemClock
from orchestrator.execution.scheduler import execute
from orchestrator.execution.settings import World
from orchestrator.ids import AgentName, MessageId, RunId, TaskId
from orchestrator.planning.plan import Plan
from orchestrator.runs.codec import encode
from orchestrator.runs.events import PlanMade, Record
from orchestrator.runs.journal import Journal
from orchestrator.runs.memory import MemoryStore
from orchestrator.runs.sql.opening import open_store
from orchestrator.runs.store import Store

from benchmarks.measure import interleaved
from benchmarks.schedule import PROMPTS, SETTINGS, Adder
from benchmarks.shapes import SHAPES, Graph, plan_from

SIZES = (100, 1_000)
GOAL = 2.0
PEER_GOAL = 1 / 7
AGENTS = {AgentName("adder"): Adder(reads_query=False)}


class Watched(MemoryStore):
    """Remembers in which groups records came."""

    def __init__(self) -> None:
        super().__init__()
        self.groups: list[Sequence[Record]] = []

    async def append(
        self, run: RunId, expected_seq: int, records: Sequence[Record], *, taken: Collection[MessageId] = ()
    ) -> None:
        self.groups.append(records)
        await super().append(run, expected_seq, records, taken=taken)


async def _run(plan: Plan, store: Store, expected: int) -> None:
    clock = SystemClock()
    journal = Journal(store, RunId("r"), now=clock.now)
    await journal.append(PlanMade(plan, "answer"))
    await execute(journal, AGENTS, settings=SETTINGS, world=World(PROMPTS.render, clock, random.random))
    output = journal.state.tasks[TaskId(f"t{len(plan.tasks) - 1}")].output
    if output is None or int(output.text) != expected:
        raise SystemExit("a wrong result")
    await store.close()


def _raw(file: Path, groups: Sequence[Sequence[Record]]) -> None:
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute(
        "create table events (run text, seq integer, at text, type text, version integer, body text,"
        " primary key (run, seq)) without rowid"
    )
    encoded = [[(r.run, r.seq, r.at.isoformat(), *encode(r.event)) for r in group] for group in groups]
    for group in encoded:
        connection.execute("begin immediate")
        connection.executemany("insert into events values (?, ?, ?, ?, ?, ?)", group)
        connection.execute("commit")
    connection.close()


def _cases(graph: Graph, folder: Path):
    plan, expected, fresh = plan_from(graph), graph.expected, iter(range(1_000_000))
    watched = Watched()
    asyncio.run(_run(plan, watched, expected))
    cases = {
        "in memory": lambda: asyncio.run(_run(plan, MemoryStore(), expected)),
        "sqlite3 itself": lambda: _raw(folder / f"raw{next(fresh)}.db", watched.groups),
        "SQLite journal": lambda: asyncio.run(
            _run(plan, open_store(f"sqlite:///{folder / f'runs{next(fresh)}.db'}"), expected)
        ),
    }
    if find_spec("langgraph") is not None and find_spec("langgraph.checkpoint.sqlite") is not None:
        from benchmarks.peer_langgraph import run_saved

        if len(graph.needs) <= 100:
            cases["langgraph + SQLite"] = lambda: _peer(run_saved, graph, folder / f"lg{next(fresh)}.db")
    return cases


def _peer(run, graph: Graph, file: Path) -> None:
    if run(graph, file) != graph.expected:
        raise SystemExit("a wrong result of the peer")


def rows() -> Iterator[dict[str, object]]:
    """`x_bound` of the journal: what it adds, in raw inserts; of the peer: our cost as a part of its."""
    for shape, make in SHAPES.items():
        for size in SIZES:
            graph = make(size)
            with tempfile.TemporaryDirectory() as folder:
                seconds = interleaved(_cases(graph, Path(folder)), rounds=5)
            for runner, found in seconds.items():
                yield {
                    "plan": f"{shape}{size}",
                    "runner": runner,
                    "us_per_task": round(statistics.median(found) / size * 1e6, 1),
                    **_compared(runner, seconds),
                }


def _compared(runner: str, seconds: dict[str, list[float]]) -> dict[str, object]:
    memory, raw, ours = seconds["in memory"], seconds["sqlite3 itself"], seconds["SQLite journal"]
    if runner == "SQLite journal":
        added = [(o - m) / r for o, m, r in zip(ours, memory, raw, strict=True)]
        return {"x_bound": round(statistics.median(added), 2), "goal": GOAL}
    if runner.startswith("langgraph"):
        part = [o / p for o, p in zip(ours, seconds[runner], strict=True)]
        return {"x_bound": round(statistics.median(part), 3), "goal": round(PEER_GOAL, 3)}
    return {"x_bound": None, "goal": None}
