"""Wall time of plans of slow tasks, beside the longest way through them: what a person waits for.

Random plans of tasks that take 50 ms in the mean, log-normal. Without limits the bound is the critical path;
with four places it is the greater of the critical path and the whole work over four. Beside it, by `gather`
after each wave, what a barrier costs, and the peer where it is installed.
"""

import asyncio
import math
import random
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from orchestrator.agents.contract import Call, Output
from orchestrator.execution.clock import SystemClock
from orchestrator.execution.scheduler import execute
from orchestrator.execution.settings import World, settings_of
from orchestrator.ids import AgentName, RunId, TaskId
from orchestrator.runs.events import PlanMade
from orchestrator.runs.journal import Journal
from orchestrator.runs.memory import MemoryStore
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.models import OrchestratorFile

from benchmarks.schedule import PROMPTS, WIDE
from benchmarks.shapes import Graph, plan_from, value

SEEDS = 20
AT_ONCE = 4
WINDOW = 20
SECONDS, SIGMA = 0.05, 1.0
PLACES = 4
GOALS = {WIDE: 1.03, PLACES: 1.07}


@dataclass(frozen=True, slots=True)
class Slow:
    """A plan's dependencies and the seconds of its tasks, by number."""

    graph: Graph
    seconds: Mapping[int, float]

    @property
    def critical_path(self) -> float:
        """The seconds of the longest way through."""
        ends: dict[int, float] = {}
        for layer in self.graph.layers:
            for n in layer:
                ends[n] = self.seconds[n] + max((ends[d] for d in self.graph.needs[n]), default=0.0)
        return max(ends.values())

    def bound(self, places: int) -> float:
        """The least seconds with so many tasks at a time."""
        return max(self.critical_path, sum(self.seconds.values()) / places)


def slow(seed: int) -> Slow:
    """50 to 200 tasks; each needs one to three of the twenty before it, the last all that is left over."""
    rng = random.Random(seed)
    last = rng.randint(50, 200) - 1
    needs: dict[int, tuple[int, ...]] = {0: ()}
    for n in range(1, last):
        before = range(max(0, n - WINDOW), n)
        needs[n] = tuple(sorted(rng.sample(before, min(len(before), rng.randint(1, 3)))))
    read = {d for upstream in needs.values() for d in upstream}
    needs[last] = tuple(n for n in needs if n not in read)
    depth: dict[int, int] = {}
    for n, upstream in needs.items():
        depth[n] = 1 + max((depth[d] for d in upstream), default=-1)
    layers = [tuple(n for n in needs if depth[n] == level) for level in range(depth[last] + 1)]
    mean = math.log(SECONDS) - SIGMA**2 / 2
    return Slow(Graph(tuple(layers), needs), {n: rng.lognormvariate(mean, SIGMA) for n in needs})


class Sleeper:
    """Adds up what it depends on, in its task's seconds."""

    reads_query = False

    def __init__(self, seconds: Mapping[int, float]) -> None:
        self.seconds = seconds

    async def run(self, call: Call) -> Output:
        await asyncio.sleep(self.seconds[int(call.key.split("/")[1][1:])])
        return Output(str(value([int(upstream.output.text) for upstream in call.inputs])))


async def _ours(plan: Slow, places: int) -> int:
    settings = settings_of(
        OrchestratorFile.model_validate({"execution": {"concurrency": places}}),
        [AgentFile.model_validate({"name": "adder", "uses": "none", "limits": {"concurrency": places}})],
    )
    clock = SystemClock()
    journal = Journal(MemoryStore(), RunId("r"), now=clock.now)
    await journal.append(PlanMade(plan_from(plan.graph), "answer"))
    world = World(PROMPTS.render, clock, random.random)
    await execute(journal, {AgentName("adder"): Sleeper(plan.seconds)}, settings=settings, world=world)
    output = journal.state.tasks[TaskId(f"t{len(plan.seconds) - 1}")].output
    if output is None:
        raise SystemExit(f"the run ended {journal.state.status}")
    return int(output.text)


async def _by_waves(plan: Slow) -> int:
    values: dict[int, int] = {}

    async def one(n: int) -> None:
        await asyncio.sleep(plan.seconds[n])
        values[n] = value([values[d] for d in plan.graph.needs[n]])

    for layer in plan.graph.layers:
        await asyncio.gather(*map(one, layer))
    return values[len(plan.seconds) - 1]


async def _first_come(plan: Slow) -> int:
    """Four places, and whoever asks first has the next."""
    values: dict[int, int] = {}
    places, over = asyncio.Semaphore(PLACES), {n: asyncio.Event() for n in plan.seconds}

    async def one(n: int) -> None:
        for d in plan.graph.needs[n]:
            await over[d].wait()
        async with places:
            await asyncio.sleep(plan.seconds[n])
        values[n] = value([values[d] for d in plan.graph.needs[n]])
        over[n].set()

    await asyncio.gather(*map(one, plan.seconds))
    return values[len(plan.seconds) - 1]


Case = Callable[[Slow], Awaitable[int]]


def _cases(places: int) -> Mapping[str, Case]:
    cases: dict[str, Case] = {"execute": lambda plan: _ours(plan, places)}
    if places == PLACES:
        return {**cases, "first come": _first_come}
    cases["wave by wave"] = _by_waves
    if find_spec("langgraph") is not None:
        from benchmarks.peer_langgraph import slowly

        cases["langgraph"] = lambda plan: slowly(plan.graph, plan.seconds)
    return cases


async def _ratio(case: Case, plan: Slow, places: int) -> float:
    start = time.perf_counter()
    result = await case(plan)
    seconds = time.perf_counter() - start
    if result != plan.graph.expected:
        raise SystemExit(f"a wrong result: {result} where {plan.graph.expected} is due")
    return seconds / plan.bound(places)


async def _batch(case: Case, plans: Sequence[Slow], places: int) -> list[float]:
    return await asyncio.gather(*(_ratio(case, plan, places) for plan in plans))


def _ratios(places: int) -> Mapping[str, list[float]]:
    """A few plans at a time, since they sleep nearly always; the runners take turns."""
    found: dict[str, list[float]] = {}
    plans = list(map(slow, range(SEEDS)))
    for first in range(0, SEEDS, AT_ONCE):
        for name, case in _cases(places).items():
            batch = plans[first : first + AT_ONCE]
            found.setdefault(name, []).extend(asyncio.run(_batch(case, batch, places)))
    return found


def rows() -> Iterator[dict[str, object]]:
    """The mean over the plans, with and without a limit."""
    for places, limit in ((WIDE, "unlimited"), (PLACES, f"{PLACES} places")):
        for runner, ratios in _ratios(places).items():
            yield {
                "plan": f"{SEEDS} random, {limit}",
                "runner": runner,
                "worst": f"{max(ratios):.3f} at worst",
                "x_bound": round(statistics.mean(ratios), 3),
                "goal": GOALS[places] if runner == "execute" else None,
            }
