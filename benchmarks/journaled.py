"""CPU per no-op task with a durable journal: on top of the same without one, beside a raw insert, and a peer.

The bound is what sqlite3 itself costs for the same records in the same groups: two events a task, in the
groups in which the executor wrote them, each a commit in WAL mode, synchronous FULL. The peer, where it is
installed, is langgraph with its SQLite checkpointer as its documentation sets it up: durable once a
superstep, where this journal is at every step.
"""

import asyncio
import gc
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import TypeAlias

from orchestrator.execution.clock import SystemClock
from orchestrator.execution.scheduler import execute
from orchestrator.execution.settings import World
from orchestrator.ids import AgentName, MessageId, RunId, TaskId
from orchestrator.planning.plan import Plan
from orchestrator.runs.codec import encode
from orchestrator.runs.events import PlanMade, Record
from orchestrator.runs.journal import Journal
from orchestrator.runs.memory import MemoryStore
from orchestrator.runs.samples import Past
from orchestrator.runs.sql.opening import open_store
from orchestrator.runs.store import Store

from benchmarks.schedule import PROMPTS, SETTINGS, Adder
from benchmarks.shapes import SHAPES, Graph, plan_from

SIZES = (100, 1_000)
ROUNDS = 7
GOAL = 2.0
PEER_GOAL = 1 / 7
AGENTS = {AgentName("adder"): Adder(reads_query=False)}
TABLE = (
    "create table events (run text, seq integer, at text, type text, version integer, body text,"
    " primary key (run, seq)) without rowid"
)

Case: TypeAlias = Callable[[], Awaitable[object]]


class Watched(MemoryStore):
    """Remembers in which groups records came."""

    def __init__(self) -> None:
        super().__init__()
        self.groups: list[Sequence[Record]] = []

    async def append(
        self,
        run: RunId,
        expected_seq: int,
        records: Sequence[Record],
        *,
        taken: Collection[MessageId] = (),
        past: Past | None = None,
    ) -> None:
        self.groups.append(records)
        await super().append(run, expected_seq, records, taken=taken, past=past)


async def _run(plan: Plan, store: Store, run: str, expected: int) -> None:
    clock = SystemClock()
    journal = Journal(store, RunId(run), now=clock.now)
    await journal.append(PlanMade(plan, "answer"))
    await execute(journal, AGENTS, settings=SETTINGS, world=World(PROMPTS.render, clock, random.random))
    output = journal.state.tasks[TaskId(f"t{len(plan.tasks) - 1}")].output
    if output is None or int(output.text) != expected:
        raise SystemExit("a wrong result")


async def _raw(connection: sqlite3.Connection, run: str, groups: Sequence[Sequence[Record]]) -> None:
    encoded = [[(run, r.seq, r.at.isoformat(), *encode(r.event)) for r in group] for group in groups]
    for group in encoded:
        connection.execute("begin immediate")
        connection.executemany("insert into events values (?, ?, ?, ?, ?, ?)", group)
        connection.execute("commit")


@asynccontextmanager
async def _cases(graph: Graph, folder: Path) -> AsyncGenerator[Mapping[str, Case]]:
    """The runners, each with its database open and in use."""
    plan, expected, fresh = plan_from(graph), graph.expected, map(str, count())
    watched, store = Watched(), open_store(f"sqlite:///{folder / 'runs.db'}")
    await _run(plan, watched, "r", expected)
    connection = sqlite3.connect(folder / "raw.db", isolation_level=None)
    for statement in ("pragma journal_mode = wal", "pragma synchronous = full", TABLE):
        connection.execute(statement)
    cases: dict[str, Case] = {
        "in memory": lambda: _run(plan, MemoryStore(), "r", expected),
        "sqlite3 itself": lambda: _raw(connection, next(fresh), watched.groups),
        "SQLite journal": lambda: _run(plan, store, next(fresh), expected),
    }
    async with AsyncExitStack() as stack:
        if find_spec("langgraph") and find_spec("langgraph.checkpoint.sqlite") and len(graph.needs) <= 100:
            from benchmarks.peer_langgraph import saved

            run = await stack.enter_async_context(saved(graph, folder / "langgraph.db"))
            cases["langgraph + SQLite"] = lambda: run(next(fresh))
        for case in cases.values():
            await case()
        yield cases
    connection.close()
    await store.close()


async def _measured(graph: Graph) -> dict[str, list[float]]:
    with tempfile.TemporaryDirectory() as folder:
        async with _cases(graph, Path(folder)) as cases:
            seconds: dict[str, list[float]] = {name: [] for name in cases}
            for _ in range(ROUNDS):
                for name, case in cases.items():
                    gc.collect()
                    start = time.process_time()
                    await case()
                    seconds[name].append(time.process_time() - start)
    return seconds


def rows() -> Iterator[dict[str, object]]:
    """`x_bound` of the journal: what it adds, in raw inserts; of the peer: our cost as a part of its."""
    for shape, make in SHAPES.items():
        for size in SIZES:
            seconds = asyncio.run(_measured(make(size)))
            for runner, found in seconds.items():
                yield {
                    "plan": f"{shape}{size}",
                    "runner": runner,
                    "us_per_task": round(statistics.median(found) / size * 1e6, 1),
                    **_compared(runner, seconds),
                }


def _compared(runner: str, seconds: Mapping[str, Sequence[float]]) -> dict[str, object]:
    memory, raw, ours = seconds["in memory"], seconds["sqlite3 itself"], seconds["SQLite journal"]
    if runner == "SQLite journal":
        added = [(o - m) / r for o, m, r in zip(ours, memory, raw, strict=True)]
        return {"x_bound": round(statistics.median(added), 2), "goal": GOAL}
    if runner.startswith("langgraph"):
        part = [o / p for o, p in zip(ours, seconds[runner], strict=True)]
        return {"x_bound": round(statistics.median(part), 3), "goal": round(PEER_GOAL, 3)}
    return {"x_bound": None, "goal": None}
