"""1,000 runs at once: diamonds of five tasks (1, 3, 1) that each take 0.1 s, so that 0.3 s would be ideal.

In memory, with a durable SQLite journal and, where it is installed, langgraph with its SQLite checkpointer.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from orchestrator.agents.contract import Call, Output
from orchestrator.ids import AgentName
from orchestrator.planning.plan import Plan
from orchestrator.runs.memory import MemoryStore
from orchestrator.runs.sql.opening import open_store
from orchestrator.runs.store import Store

from benchmarks.desk import Desk
from benchmarks.schedule import SETTINGS
from benchmarks.shapes import Graph, plan_from, value

RUNS = 1_000
SECONDS = 0.1
IDEAL = 0.3
DIAMOND = Graph(((0,), (1, 2, 3), (4,)), {0: (), 1: (0,), 2: (0,), 3: (0,), 4: (1, 2, 3)})


class Slow:
    """Adds up what it depends on, in 0.1 s."""

    reads_query = False

    async def run(self, call: Call) -> Output:
        await asyncio.sleep(SECONDS)
        return Output(str(value([int(upstream.output.text) for upstream in call.inputs])))


async def _ours(store: Store) -> None:
    desk, plan = Desk(store, {AgentName("adder"): Slow()}, SETTINGS), plan_from(DIAMOND)
    await asyncio.gather(*(_one(desk, plan) for _ in range(RUNS)))
    await store.close()


async def _one(desk: Desk, plan: Plan) -> None:
    state = await desk.run(plan)
    if state.reply != str(DIAMOND.expected):
        raise SystemExit(f"a run ended {state.status}: {state.reply}")


def _cases(folder: Path) -> Mapping[str, Callable[[], Awaitable[None]]]:
    cases: dict[str, Callable[[], Awaitable[None]]] = {
        "in memory": lambda: _ours(MemoryStore()),
        "SQLite journal": lambda: _ours(open_store(f"sqlite:///{folder / 'runs.db'}")),
    }
    if find_spec("langgraph") is not None and find_spec("langgraph.checkpoint.sqlite") is not None:
        from benchmarks.peer_langgraph import run_many_saved

        cases["langgraph + SQLite"] = lambda: run_many_saved(DIAMOND, RUNS, SECONDS, folder / "lg.db")
    return cases


def rows() -> Iterator[dict[str, object]]:
    """One row per runner; the bound is the ideal."""
    for _ in range(2):
        with tempfile.TemporaryDirectory() as folder:
            for runner, work in _cases(Path(folder)).items():
                wall, cpu = time.perf_counter(), time.process_time()
                asyncio.run(work())  # pyright: ignore[reportArgumentType] - a coroutine
                wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
                yield {
                    "what": f"{RUNS:,} diamonds",
                    "runner": runner,
                    "wall_seconds": round(wall, 2),
                    "cpu_ms_per_run": round(cpu / RUNS * 1e3, 2),
                    "x_bound": round(wall / IDEAL, 2),
                    "goal": None,
                }
