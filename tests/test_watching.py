"""Files of signals are followed, and what is in them goes into the run's inbox, once."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from orchestrator.engine.bells import Bells
from orchestrator.ids import AgentName, RunId
from orchestrator.runs.messages import SignalReceived
from orchestrator.testing import FakeClock, MemoryStore
from orchestrator.watching import Watching

from support.changing import grounded
from support.driving import plan, task
from support.engine import Desk

DEADLINE = 10


class Watched:
    """An agent that tells of three values, and then of nothing more."""

    async def watch(self, tell: Any) -> None:
        for value in (1, 2, 2):
            await tell("level", value)
        await asyncio.Event().wait()


def watched(
    files: tuple[Path, ...], until: int, *, agents: Any = None, key: str = "delay"
) -> tuple[list[Any], list[str]]:
    """What came into the inbox of a waiting run, and the complaints, once there are so many of both."""
    complaints, said, ids = list[str](), list[Any](), count()

    async def run() -> None:
        store, clock = MemoryStore(), FakeClock()
        desk = Desk({"a": Watched()}, store=store, clock=clock)  # type: ignore[dict-item]
        state = await desk.begun(plan(grounded(task("t1 a"), key)), ask=True)
        watching = Watching(
            store,
            Bells(store, clock),
            clock,
            agents or {},
            lambda n: next(ids).to_bytes(n, "big"),
            files,
            complaints.append,
        )
        for _ in range(2):  # a second driver reads the files again, from their beginning
            work = asyncio.ensure_future(watching(state))
            async with asyncio.timeout(DEADLINE):
                while len(await store.inbox(state.run)) + len(complaints) < until:  # noqa: ASYNC110 - a fake clock
                    await asyncio.sleep(0)
            work.cancel()
            with suppress(asyncio.CancelledError):
                await work
        said.extend(message.said for message in await store.inbox(RunId(state.run)))

    asyncio.run(run())
    return said, complaints


def facts(said: list[SignalReceived]) -> list[tuple[str, Any, str]]:
    return [(s.key, s.value, s.source) for s in said]


@pytest.mark.service
def test_each_line_is_a_signal_once_whoever_reads_the_file(tmp_path: Path) -> None:
    file = tmp_path / "signals.jsonl"
    event = {
        "specversion": "1.0",
        "id": "7",
        "source": "desk",
        "type": "t",
        "data": {"key": "gate", "value": "B4"},
    }
    file.write_text(
        f'{{"key": "delay", "value": 1}}\n\n{json.dumps(event)}\n{json.dumps(event)}\n{{"key": "half'
    )
    said, complaints = watched((file,), 2)
    assert facts(said) == [("delay", 1, str(file)), ("gate", "B4", "desk")]
    assert complaints == []


@pytest.mark.service
def test_a_line_that_is_no_signal_is_told_of_with_its_place_and_stops_nothing(tmp_path: Path) -> None:
    file = tmp_path / "signals.jsonl"
    file.write_bytes(b'nonsense\n\xff\xfe\n{"key": "delay", "value": 2}\n')
    said, complaints = watched((file, tmp_path / "missing.jsonl"), 4)
    assert facts(said) == [("delay", 2, str(file))]
    assert any(c.startswith(f"{file}:1: this is no JSON") for c in complaints)
    assert any(c.startswith(f"{file}:2: this is no JSON") for c in complaints)
    assert any("missing.jsonl: this is not there; it is followed once it is" in c for c in complaints)


@pytest.mark.service
def test_a_last_line_without_a_line_break_counts_once_nothing_follows(tmp_path: Path) -> None:
    file = tmp_path / "signals.jsonl"
    file.write_text('{"key": "delay", "value": 3}')
    said, _ = watched((file,), 1)
    assert facts(said) == [("delay", 3, str(file))]


@pytest.mark.service
def test_an_agent_is_watched_where_a_task_assumes_something_of_what_it_publishes() -> None:
    said, _ = watched((), 3, agents={AgentName("tank"): Watched()}, key="tank.level")
    assert facts(said)[:3] == [
        ("tank.level", 1, "tank"),
        ("tank.level", 2, "tank"),
        ("tank.level", 2, "tank"),
    ]


def test_an_agent_of_which_nothing_is_assumed_is_not_watched() -> None:
    class Untouchable(Watched):
        async def watch(self, tell: Callable[..., Any]) -> None:
            raise AssertionError("nobody assumes anything of it")

    said, _ = watched((), 0, agents={AgentName("tank"): Untouchable()})
    assert said == []
