"""One orchestrator serves many turns at once, and event loops one after another, without mixing anything."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from orchestrator import Orchestrator
from orchestrator.agents.contract import UNLIMITED, Purse, Reply, Usage
from orchestrator.testing import MemoryStore

from support.office import WRITER
from support.openai_server import serving

Open = Callable[..., Orchestrator]

MANY = range(50)
ONE_STEP = {"agents/writer.yaml": f"{WRITER}steps: one\n"}


class Slow:
    """A model that repeats the numbers it reads, after others had their turn."""

    async def ask(
        self, messages: Any, *, tools: Any = (), emit: Any = None, purse: Purse = UNLIMITED
    ) -> Reply:
        prompt = str(messages[-1][1])
        numbers = sorted(set(re.findall(r"n\d+", prompt)))
        for _ in range(len(prompt) % 7 + 1):
            await asyncio.sleep(0)
        return Reply(f"seen: {', '.join(numbers)}", usage=Usage(1, 2, 3))


def test_fifty_runs_at_once_keep_their_results_apart(open_office: Open) -> None:
    async def all_at_once() -> list[Any]:
        return await asyncio.gather(*(app.run(f"draft a line on n{n}, then polish it") for n in MANY))

    store = MemoryStore()
    app = open_office(ONE_STEP, store=store, models=lambda _: Slow())
    results = asyncio.run(all_at_once())
    assert [r.reply for r in results] == [f"seen: n{n}" for n in MANY]
    assert [[o.output.text for o in r.results.values()] for r in results] == [
        [f"seen: n{n}"] * 2 for n in MANY
    ]
    assert {r.usage for r in results} == {Usage(2, 4, 6)}
    assert len({r.run for r in results}) == len(asyncio.run(store.runs())) == len(MANY)


def test_fifty_journals_written_at_once_hold_each_its_own_turn(open_office: Open) -> None:
    async def all_at_once() -> list[list[Any]]:
        return await asyncio.gather(*(events(f"draft a line on n{n}") for n in MANY))

    async def events(text: str) -> list[Any]:
        return [happening async for happening in app.stream(text)]

    app = open_office(ONE_STEP, models=lambda _: Slow())
    for n, seen in zip(MANY, asyncio.run(all_at_once()), strict=True):
        assert [record.seq for record in seen] == list(range(1, len(seen) + 1))
        assert {record.run for record in seen} == {seen[0].run}
        assert set(re.findall(r"n\d+", repr([record.event for record in seen]))) == {f"n{n}"}


def test_writes_at_once_are_all_written(open_office: Open, tmp_path: Path) -> None:
    async def all_at_once() -> list[Any]:
        turns = (f"remind me tomorrow to feed n{n}" for n in range(12))
        return await asyncio.gather(*(app.run(turn, approve=lambda _: True) for turn in turns))

    app = open_office()
    assert {r.status for r in asyncio.run(all_at_once())} == {"done"}
    written = (tmp_path / "office" / "var" / "reminders.ics").read_text(encoding="utf-8")
    assert sorted(re.findall(r"SUMMARY:Feed (n\d+)", written)) == sorted(f"n{n}" for n in range(12))


def test_one_orchestrator_serves_event_loops_one_after_another(open_office: Open) -> None:
    with serving("Rain.", "Snow.", "Hail.") as server:
        served = f"models: {{default: {{provider: openai, model: m, base_url: '{server.base_url}'}}}}"
        app = open_office({**ONE_STEP, "config/models.yaml": served})
        text = "draft a line as well as check my calendar"
        replies = [asyncio.run(app.run(text)).results["t1"].output.text for _ in range(2)]
        replies.append(app.as_runnable().invoke("draft a line"))
    assert replies == ["Rain.", "Snow.", "Hail."]
