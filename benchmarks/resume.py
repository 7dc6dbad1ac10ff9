"""Taking up a run: CPU to read and fold a journal of 10,000 events, and memory of 10,000 runs that wait."""

import asyncio
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from orchestrator.agents.contract import Output
from orchestrator.ids import RunId, TaskId
from orchestrator.runs.events import (
    DriverStarted,
    Event,
    PlanMade,
    Record,
    TaskDone,
    TaskStarted,
    TurnReceived,
)
from orchestrator.runs.journal import Journal
from orchestrator.runs.sql.opening import open_store
from orchestrator.runs.store import Store

from benchmarks.desk import Desk
from benchmarks.schedule import SETTINGS
from benchmarks.shapes import chain, plan_from

EVENTS = 10_000
SECONDS = 0.3
PARKED = 10_000
MEGABYTES = 10.0
AT = datetime(2026, 1, 1, tzinfo=UTC)


def _now() -> datetime:
    return AT


async def _written(store: Store) -> None:
    """A run of a chain, two events a task, up to its last."""
    run, count = RunId("r"), EVENTS // 2 - 2
    plan = plan_from(chain(count))
    events: list[Event] = [TurnReceived("a request", None), PlanMade(plan, "answer"), DriverStarted("d")]
    for task in plan.tasks:
        events += [TaskStarted(task.id, 1, f"r/{task.id}/1"), TaskDone(task.id, Output("x" * 100))]
    records = [Record(run, n, AT, event) for n, event in enumerate(events[:EVENTS], 1)]
    await store.append(run, 0, records)


async def _resumed(url: str) -> float:
    store = open_store(url)
    start = time.process_time()
    journal = await Journal.open(store, RunId("r"), now=_now)
    spent = time.process_time() - start
    if journal.state.seq < EVENTS - 2 or journal.state.tasks[TaskId("t1")].status != "done":
        raise SystemExit("the journal was not read whole")
    await store.close()
    return spent


async def _ready(url: str) -> None:
    store = open_store(url)
    await _written(store)
    await store.close()


def _resident() -> float:
    """Megabytes of this process that are in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


async def _parked(folder: Path) -> float:
    """What 10,000 parked runs cost the process that drove them there, in megabytes."""
    desk = Desk(open_store(f"sqlite:///{folder / 'parked.db'}"), {}, SETTINGS)
    plan = plan_from(chain(3))

    async def park(count: int) -> None:
        for _ in range(count):
            state = await desk.run(plan, ask=True)
            if state.status != "waiting":
                raise SystemExit(f"a run was {state.status}")

    await park(500)  # what is made once is made
    before = _resident()
    await park(PARKED)
    after = _resident()
    if len(asyncio.all_tasks()) > 1:
        raise SystemExit("a parked run holds a task")
    await desk.store.close()
    return after - before


def rows() -> Iterator[dict[str, object]]:
    """One row each; `x_bound` is the part of what is allowed."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/runs.db"
        asyncio.run(_ready(url))
        spent = statistics.median(asyncio.run(_resumed(url)) for _ in range(5))
        yield {
            "what": f"resume of {EVENTS:,} events",
            "cpu_seconds": round(spent, 3),
            "x_bound": round(spent / SECONDS, 2),
            "goal": 1.0,
        }
        megabytes = asyncio.run(_parked(Path(folder)))
        yield {
            "what": f"{PARKED:,} parked runs",
            "megabytes": round(megabytes, 1),
            "x_bound": round(megabytes / MEGABYTES, 2),
            "goal": 1.0,
        }
