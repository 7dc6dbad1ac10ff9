"""What a process that may be killed does: it begins a run, or takes one up and settles what is in doubt."""

import asyncio
import json
import os
import random
import signal
from collections.abc import Collection, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypedDict

from orchestrator.control import Control, approval_of_plan
from orchestrator.engine.bells import Bells
from orchestrator.engine.driver import Means
from orchestrator.execution.clock import SystemClock
from orchestrator.execution.purse import RunPurse
from orchestrator.execution.settings import World
from orchestrator.ids import MessageId, RunId
from orchestrator.runs.entry import ALL, RunEntry, Wanted
from orchestrator.runs.events import Record
from orchestrator.runs.messages import DoubtAnswered, Message
from orchestrator.runs.samples import Past
from orchestrator.runs.sql.opening import open_store
from orchestrator.runs.state import RunState
from orchestrator.runs.store import Store
from orchestrator.workspace.making import init_workspace

from crash.plans import PLANS, Traces, agents_in, settings, written
from support.driving import PROMPTS
from support.engine import no_revision, opening

SHIPPED = Path(__file__).parents[2]
SCENARIO = "scenario "
"""A plan that begins so is the name of a scenario."""


class Job(TypedDict):
    """One process: `kill` is None, or the number of the append and whether it is stored first."""

    job: int
    plan: str
    folder: str
    store: str
    settle: bool
    kill: tuple[int, str] | None
    seconds: float | None


class Killing:
    """A store that kills its process at one append, before it or right after it was stored."""

    def __init__(self, inner: Store, at: int, when: str) -> None:
        self.inner, self.at, self.when, self.appends = inner, at, when, 0

    def _now(self, when: str) -> None:
        if when == self.when and self.appends == self.at:
            os.kill(os.getpid(), signal.SIGKILL)

    async def append(
        self,
        run: RunId,
        expected_seq: int,
        records: Sequence[Record],
        *,
        taken: Collection[MessageId] = (),
        past: Past | None = None,
    ) -> None:
        self.appends += 1
        self._now("before")
        await self.inner.append(run, expected_seq, records, taken=taken, past=past)
        self._now("after")

    async def park(self, run: RunId, expected_seq: int, records: Sequence[Record]) -> bool:
        self.appends += 1
        self._now("before")
        parked = await self.inner.park(run, expected_seq, records)
        self._now("after")
        return parked

    async def post(self, message: Message) -> bool:
        self.appends += 1
        self._now("before")
        posted = await self.inner.post(message)
        self._now("after")
        return posted

    async def runs(self, wanted: Wanted = ALL) -> Sequence[RunEntry]:
        return await self.inner.runs(wanted)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def warm_up() -> None:
    """Load what the jobs load, and make what is made once in a process, before there is any job."""
    from orchestrator.app import Orchestrator

    async def played() -> None:
        app = Orchestrator.from_workspace(SHIPPED, store=f"sqlite:///{folder}/runs.db")
        run = await app.run_scenario("flight_delay")
        await app.runs.state(run.run)
        await app.aclose()

    with TemporaryDirectory() as folder:
        asyncio.run(played())


async def work(job: Job) -> None:
    """Begin the run where there is none; else take it up. With `settle`, until it has ended."""
    store = open_store(job["store"])
    watched = Killing(store, *(job["kill"] or (0, "never")))
    state = await _driven(job, watched)
    if job["settle"]:
        _write(Path(job["folder"], "result.json"), {**_told(state), "appends": watched.appends})
    await store.close()


def _write(file: Path, told: dict[str, Any]) -> None:
    file.write_text(json.dumps(told))


async def _driven(job: Job, store: Killing) -> RunState:
    person = await _person(job, store)
    runs = await person.runs()
    state = await (_taken_up(person, runs[0]) if runs else person.begin())
    while state.status == "waiting" and (job["settle"] or state.waits_for == ("approval",)):
        state = await person.says(state)
    return state


async def _taken_up(person: "Planned | Turned", run: str) -> RunState:
    state = await person.control.state(run)
    return state if state.ended is not None else await person.control.resume(run)


async def _person(job: Job, store: Killing) -> "Planned | Turned":
    if job["plan"] in PLANS:
        return Planned(job, store)
    return Played(job, store) if job["plan"].startswith(SCENARIO) else Turned(job, store)


class Planned:
    """Runs one of the plans, with agents that leave traces."""

    def __init__(self, job: Job, store: Killing) -> None:
        self.plan, self.asks = PLANS[job["plan"]]
        self.folder, self.store, self.clock = Path(job["folder"]), store, SystemClock()
        self.bells = Bells(store, self.clock)
        self.control = Control(store, self.clock, self.bells, self.means, self.present, os.urandom)

    async def means(self, state: RunState, changed: bool = False) -> Means:
        return self.present()

    def present(self) -> Means:
        async def purse(state: RunState) -> RunPurse:
            return RunPurse(settings().budgets, spent=state.usage, tasks=state.units_begun)

        world = World(PROMPTS.render, self.clock, random.random)
        agents = agents_in(self.folder)
        return Means(self.store, self.bells, agents, settings(), world, no_revision, purse, crash_limit=5)

    async def runs(self) -> list[str]:
        return [entry.run for entry in await self.store.runs()]

    async def begin(self) -> RunState:
        journal = await self.control.begin(opening(self.plan, ask=self.asks), at_once=not self.asks)
        return await self.control.go(journal, await self.means(journal.state))

    async def says(self, state: RunState) -> RunState:
        """Approve; or look into the world, and say what was seen."""
        if state.waits_for == ("approval",):
            return await self.control.tell(state.run, approval_of_plan(state, "ann"))
        task = state.doubts[0]
        key = state.tasks[task].key
        happened = key in Traces(self.folder).marks()
        output = written(key) if happened else ""
        return await self.control.tell(state.run, DoubtAnswered("ann", task, happened, output))


class Turned:
    """Serves a turn in a copy of the shipped workspace, whose reminders and notes are the effects."""

    def __init__(self, job: Job, store: Killing) -> None:
        from orchestrator.app import Orchestrator

        folder = Path(job["folder"], "workspace")
        if not folder.exists():  # a kill in the midst of copying leaves no half of one
            half = Path(job["folder"], f"half-{os.getpid()}")
            init_workspace(half)
            half.rename(folder)
        self.text, self.app = job["plan"], Orchestrator.from_workspace(folder, store=store)
        self.control = self.app.runs

    async def runs(self) -> list[str]:
        return [entry.run for entry in await self.control.entries()]

    async def begin(self) -> RunState:
        result = await self.app.run(self.text)
        return await self.control.state(result.run)

    async def says(self, state: RunState) -> RunState:
        return await self.control.tell(state.run, approval_of_plan(state, "ann"))


class Played(Turned):
    """Plays a scenario of the shipped workspace, which nothing is written to."""

    def __init__(self, job: Job, store: Killing) -> None:
        from orchestrator.app import Orchestrator

        self.text, self.app = job["plan"], Orchestrator.from_workspace(SHIPPED, store=store)
        self.control = self.app.runs

    async def begin(self) -> RunState:
        result = await self.app.run_scenario(self.text.removeprefix(SCENARIO))
        return await self.control.state(result.run)


def _told(state: RunState) -> dict[str, Any]:
    """What must be the same however often the process was killed."""
    return {
        "run": state.run,
        "status": state.status,
        "reply": state.reply,
        "approved": state.approved is not None,
        "plan": state.plan_hash,
        "review": state.review,
        "facts": state.facts,
        "ignored": state.ignored,
        "decisions": [[d.decision, d.key, d.at, d.reason] for d in state.decisions],
        "outcome": [] if state.outcome is None else [found.to_json() for found in state.outcome.found],
        "tasks": {
            task: [found.status, found.output.text if found.output else None, found.error]
            for task, found in state.tasks.items()
        },
    }
