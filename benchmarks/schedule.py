"""CPU per no-op task: `execute` over a memory store beside the least an eager asyncio executor needs.

Every task adds up what it depends on; a wrong sum fails the benchmark. "execute" has a journal with two
events per task, timeouts, limits and results by id; its agent works on results as data, as the built-in ones
do. The agent of "execute, prompts" reads a prompt: the shipped `dependent.j2` is rendered for every
dependent. The bound is a counter per task and an asyncio task per node, and nothing else.
"""

import asyncio
import random
import statistics
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from orchestrator.agents.contract import Call, Output
from orchestrator.execution.clock import SystemClock
from orchestrator.execution.scheduler import execute
from orchestrator.execution.settings import World, settings_of
from orchestrator.ids import AgentName, Render, RunId, TaskId
from orchestrator.planning.plan import Plan
from orchestrator.prompts import Prompts
from orchestrator.runs.events import PlanMade
from orchestrator.runs.journal import Journal
from orchestrator.runs.memory import MemoryStore
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.models import OrchestratorFile

from benchmarks.eager import run as eager
from benchmarks.measure import interleaved, ratio
from benchmarks.shapes import SHAPES, Graph, plan_from, value

SIZES = (100, 1_000, 10_000)
GOAL = 3.0
WIDE = 1 << 20
SETTINGS = settings_of(
    OrchestratorFile.model_validate({"execution": {"concurrency": WIDE}}),
    [AgentFile.model_validate({"name": "adder", "uses": "none", "limits": {"concurrency": WIDE}})],
)
PROMPTS = Prompts(Path(__file__).parents[1] / "prompts")


class Adder:
    """Does next to nothing, and shows that every result arrived."""

    def __init__(self, *, reads_query: bool) -> None:
        self.reads_query = reads_query

    async def run(self, call: Call) -> Output:
        return Output(str(value([int(upstream.output.text) for upstream in call.inputs])))


async def _execute(plan: Plan, render: Render | None = None) -> int:
    clock = SystemClock()
    journal = Journal(MemoryStore(), RunId("r"), now=clock.now)
    await journal.append(PlanMade(plan, "answer"))
    world = World(render or PROMPTS.render, clock, random.random)
    agents = {AgentName("adder"): Adder(reads_query=render is not None)}
    await execute(journal, agents, settings=SETTINGS, world=world)
    state = journal.state
    output = state.tasks[TaskId(f"t{len(plan.tasks) - 1}")].output
    if state.status != "done" or output is None:
        raise SystemExit(f"the run ended {state.status}")
    return int(output.text)


def _checked(run: Callable[[], int], expected: int) -> Callable[[], None]:
    def work() -> None:
        found = run()
        if found != expected:
            raise SystemExit(f"a wrong result: {found} where {expected} is due")

    return work


def _cases(graph: Graph) -> Mapping[str, Callable[[], None]]:
    plan, expected = plan_from(graph), graph.expected
    return {
        "eager asyncio": _checked(lambda: asyncio.run(eager(graph)), expected),
        "execute": _checked(lambda: asyncio.run(_execute(plan)), expected),
        "execute, prompts": _checked(lambda: asyncio.run(_execute(plan, PROMPTS.render)), expected),
        **_peers(graph, expected),
    }


def _peers(graph: Graph, expected: int) -> Mapping[str, Callable[[], None]]:
    from importlib.util import find_spec

    if find_spec("langgraph") is None or len(graph.needs) > 1_000:
        return {}
    from benchmarks.peer_langgraph import run

    return {"langgraph": _checked(lambda: run(graph), expected)}


def rows() -> Iterator[dict[str, object]]:
    """One row per shape, size and runner."""
    for shape, make in SHAPES.items():
        for size in SIZES:
            graph = make(size)
            seconds = interleaved(_cases(graph), rounds=3 if size >= 10_000 else 9)
            bound = seconds["eager asyncio"]
            for runner, found in seconds.items():
                yield {
                    "plan": f"{shape}{size}",
                    "runner": runner,
                    "us_per_task": round(statistics.median(found) / size * 1e6, 1),
                    "x_bound": round(ratio(found, bound), 2),
                    "goal": GOAL if runner == "execute" else None,
                }
