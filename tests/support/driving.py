"""Driving plans in tests: plans in a few characters, agents as functions, a journal to look at."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from orchestrator.agents.contract import Agent, Call, Output
from orchestrator.execution.scheduler import execute
from orchestrator.execution.settings import Limits, Settings, World, settings_of
from orchestrator.ids import AgentName, RunId, TaskId
from orchestrator.planning.plan import Plan, Task, plan_of
from orchestrator.prompts import Prompts
from orchestrator.runs.events import DriverStarted, Event, OutputChunk, PlanMade, Record, TurnReceived
from orchestrator.runs.journal import Journal
from orchestrator.runs.state import RunState
from orchestrator.testing import FakeClock, MemoryStore
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.models import OrchestratorFile

RUN = RunId("r1")
REQUEST = "do all of it"
PROMPTS = Prompts(Path(__file__).parents[2] / "prompts")

_USUAL = settings_of(OrchestratorFile(), [AgentFile(name="any", uses="inbox")])


def settings_with(agents: Mapping[AgentName, Limits] | None = None, **changes: Any) -> Settings:
    """The settings of a workspace that sets nothing but these; every agent has limits."""
    known = defaultdict(limits_with, agents or {})
    return replace(_USUAL, agents=known, **changes)


def limits_with(**changes: Any) -> Limits:
    """The limits of an agent that sets none but these."""
    return replace(_USUAL.agents[AgentName("any")], **changes)


def task(text: str, **more: Any) -> Task:
    """`"t3 writer: t1 t2*"` is task t3 of agent writer that depends on t1 and runs once per item of t2."""
    head, _, needs = text.partition(":")
    id, agent = head.split()
    mapped = [d[:-1] for d in needs.split() if d.endswith("*")]
    return Task(
        id=TaskId(id),
        agent=AgentName(agent),
        action=more.pop("action", f"step {id}"),
        request=more.pop("request", REQUEST),
        depends_on=tuple(TaskId(d.rstrip("*")) for d in needs.split()),
        map_over=TaskId(mapped[0]) if mapped else None,
        **more,
    )


def plan(*tasks: Task | str) -> Plan:
    made = [task(t) if isinstance(t, str) else t for t in tasks]
    return plan_of(REQUEST, made, "model", {t.agent for t in made})


@dataclass
class Does:
    """An agent that is a function of its call, and remembers its calls."""

    function: Callable[[Call], Awaitable[Output] | Output | str]
    calls: list[Call] = field(default_factory=list)

    async def run(self, call: Call) -> Output:
        self.calls.append(call)
        answer = self.function(call)
        if isinstance(answer, str):
            return Output(answer)
        return answer if isinstance(answer, Output) else await answer


@dataclass
class Hangs:
    """Works until it is cut off; `began` is set when it has begun."""

    began: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, call: Call) -> Output:
        self.began.set()
        await asyncio.Event().wait()
        raise AssertionError(call)


def says(text: str) -> Does:
    return Does(lambda _: text)


@dataclass
class Driven:
    """One run in a test: what was driven, and what came of it."""

    store: MemoryStore
    journal: Journal
    heard: list[Record | OutputChunk]
    clock: FakeClock

    @property
    def state(self) -> RunState:
        return self.journal.state

    @property
    def events(self) -> list[Event]:
        return [h.event for h in self.heard if isinstance(h, Record)]

    def of(self, kind: type, task: str | None = None) -> list[Any]:
        """The events of one type, of one task where it is named."""
        return [e for e in self.events if isinstance(e, kind) and (task is None or e.task == task)]

    def statuses(self) -> dict[str, str]:
        return {str(id): found.status for id, found in self.state.tasks.items()}

    def text(self, task: str) -> str:
        output = self.state.tasks[TaskId(task)].output
        assert output is not None
        return output.text


async def planned(plan: Plan, store: MemoryStore | None = None) -> Driven:
    """A run that has its plan and nothing else."""
    heard: list[Record | OutputChunk] = []
    store, clock = store or MemoryStore(), FakeClock()
    journal = await Journal.open(store, RUN, now=clock.now, listeners=[heard.append])
    if journal.state.plan is None:
        await journal.append(TurnReceived(plan.request, None), PlanMade(plan, "answer"))
    return Driven(store, journal, heard, clock)


async def go(
    run: Driven,
    agents: Mapping[str, Agent],
    settings: Settings | None = None,
    *,
    cancel: asyncio.Event | None = None,
    rng: Callable[[], float] = lambda: 0.5,
) -> RunState:
    """What a driver does with a plan that needs nobody's word: nothing, where the run has ended for good."""
    if run.state.ended is not None and run.state.status != "cancelled":
        return run.state
    await run.journal.append(DriverStarted("local"))
    await execute(
        run.journal,
        {AgentName(name): agent for name, agent in agents.items()},
        settings=settings or settings_with(),
        world=World(PROMPTS.render, run.clock, rng),
        cancel=cancel,
    )
    return run.state


def driven(plan: Plan, agents: Mapping[str, Agent], settings: Settings | None = None) -> Driven:
    """The plan driven to its end."""

    async def run() -> Driven:
        made = await planned(plan)
        await go(made, agents, settings)
        return made

    return asyncio.run(run())
