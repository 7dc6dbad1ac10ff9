"""Plans whose processes are killed, and agents that leave a trace of every effect outside the process.

A trace is a line in `effects.log`, written and synced before the agent answers: what a person would find who
looked into the world.
"""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from orchestrator.agents.contract import Agent, Call, Item, Output, Verdict
from orchestrator.execution.settings import Settings
from orchestrator.ids import AgentName
from orchestrator.planning.plan import Plan
from orchestrator.planning.task import Task

from support.driving import limits_with, plan, settings_with, task

BREATH = 0.0005
"""Seconds for which every agent works, so that a kill at a random instant finds it at work."""


@dataclass(frozen=True)
class Traces:
    """What came about in the world."""

    folder: Path

    @property
    def file(self) -> Path:
        return self.folder / "effects.log"

    def leave(self, key: str) -> None:
        fd = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            os.write(fd, f"{key}\n".encode())
            os.fsync(fd)
        finally:
            os.close(fd)

    def marks(self) -> list[str]:
        return self.file.read_text().split() if self.file.exists() else []


def written(key: str) -> str:
    """What a writer answers, and what a person would say who sees the trace of the key."""
    return f"written for {key.split('/')[1]}"


@dataclass(frozen=True)
class Reads:
    """Answers from what it is given, and has no effects."""

    async def run(self, call: Call) -> Output:
        await asyncio.sleep(BREATH)
        seen = "+".join(f"{u.task}={u.output.text}" for u in call.inputs)
        return Output(f"{call.action}({seen})")


@dataclass(frozen=True)
class Lists:
    """Finds three things."""

    async def run(self, call: Call) -> Output:
        await asyncio.sleep(BREATH)
        return Output("three things", tuple(Item(f"thing {n}", {"n": n}) for n in range(1, 4)))


@dataclass(frozen=True)
class Writes:
    """Has an effect every time it is called, and no way to tell afterwards."""

    traces: Traces

    async def run(self, call: Call) -> Output:
        await asyncio.sleep(BREATH)
        self.traces.leave(call.key)
        await asyncio.sleep(BREATH)
        return Output(written(call.key))


@dataclass(frozen=True)
class WritesOnce(Writes):
    """Does nothing where the key's effect is there already: idempotent."""

    async def run(self, call: Call) -> Output:
        if call.key in self.traces.marks():
            return Output(written(call.key))
        return await super().run(call)


@dataclass(frozen=True)
class WritesAndTells(Writes):
    """Can tell whether an effect came about."""

    async def verify(self, key: str) -> Verdict:
        happened = key in self.traces.marks()
        return Verdict(happened, Output(written(key)) if happened else None)


def agents_in(folder: Path) -> Mapping[AgentName, Agent]:
    traces = Traces(folder)
    return {
        AgentName("reads"): Reads(),
        AgentName("lists"): Lists(),
        AgentName("writes"): Writes(traces),
        AgentName("once"): WritesOnce(traces),
        AgentName("tells"): WritesAndTells(traces),
    }


def settings() -> Settings:
    """Those of a workspace in which `once` is idempotent."""
    return settings_with(agents={AgentName("once"): limits_with(idempotent=True)})


def writing(text: str) -> Task:
    return task(text, effects="write")


PLANS: Mapping[str, tuple[Plan, bool]] = {
    "chain": (plan("t1 reads", writing("t2 once: t1"), "t3 reads: t2"), False),
    "diamond": (
        plan("t1 reads", writing("t2 writes: t1"), writing("t3 tells: t1"), "t4 reads: t2 t3"),
        False,
    ),
    "mapped": (plan("t1 lists", writing("t2 writes: t1*"), "t3 reads: t2"), False),
    "mapped, idempotent": (plan("t1 lists", writing("t2 once: t1*"), "t3 reads: t2"), False),
    "approval": (plan("t1 reads", writing("t2 writes: t1"), writing("t3 once: t1")), True),
}
"""Each plan, and whether a person is to agree to it first."""
