"""Whoever stops waiting stops the run: tasks end, the journal says so, and nothing is left behind."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

import pytest
from orchestrator import Orchestrator
from orchestrator.agents.contract import UNLIMITED, Purse, Reply
from orchestrator.runs.events import OutputChunk, Record, RunEnded, TaskCancelled, TaskDone
from orchestrator.testing import MemoryStore

from support.office import WRITER
from support.openai_server import Answer, serving

Open = Callable[..., Orchestrator]

TURN = "draft a letter as well as check my calendar"
FILES = {"agents/writer.yaml": WRITER}


class Endless:
    """A model that says one word and never comes to an end; `asked` is set when it was asked."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.stopped = False

    async def ask(
        self, messages: Any, *, tools: Any = (), emit: Any = None, purse: Purse = UNLIMITED
    ) -> Reply:
        if emit is not None:
            emit("Well")
        self.asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped = True
        raise AssertionError("unreachable")


async def journal_of(store: MemoryStore) -> list[Any]:
    run = (await store.runs())[0].run
    return [record.event for record in await store.read(run)]


def test_cancelling_the_caller_ends_the_run_as_cancelled_with_what_was_done(open_office: Open) -> None:
    async def cancelled() -> None:
        store, model, done = MemoryStore(), Endless(), asyncio.Event()
        app = open_office(FILES, store=store, models=lambda _: model)

        def listen(happening: Record | OutputChunk) -> None:
            if isinstance(happening, Record) and isinstance(happening.event, TaskDone):
                done.set()

        run = asyncio.create_task(app.run(TURN, listeners=(listen,)))
        await model.asked.wait()
        await done.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert model.stopped
        events = await journal_of(store)
        assert TaskCancelled("t1") in events
        assert isinstance(events[-1], RunEnded)
        result = await app.result((await store.runs())[0].run)
        assert result.status == events[-1].status == "cancelled"
        assert {t: r.status for t, r in result.results.items()} == {"t1": "cancelled", "t2": "done"}
        assert "check my calendar (done)\nToday: 1 entry" in result.reply
        assert "draft a letter (cancelled)" in result.reply

    asyncio.run(cancelled())


def test_closing_a_stream_early_cancels_the_run(open_office: Open) -> None:
    async def closed() -> None:
        store, model = MemoryStore(), Endless()
        app = open_office(FILES, store=store, models=lambda _: model)
        async with aclosing(app.stream("draft a letter")) as stream:
            async for happening in stream:
                if isinstance(happening, OutputChunk):
                    break
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert model.stopped
        assert (await journal_of(store))[-1].status == "cancelled"

    asyncio.run(closed())


def test_closing_the_pieces_of_a_reply_early_cancels_the_run(open_office: Open) -> None:
    async def closed() -> None:
        store, model = MemoryStore(), Endless()
        app = open_office(FILES, store=store, models=lambda _: model)
        async with aclosing(app.chunks("draft a letter")) as pieces:
            assert await anext(pieces) == "Well"
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert (await journal_of(store))[-1].status == "cancelled"

    asyncio.run(closed())


def test_a_turn_cancelled_while_it_is_planned_leaves_no_run(open_office: Open) -> None:
    async def cancelled() -> None:
        store, model = MemoryStore(), Endless()
        files = {"config/planning.yaml": "model: planner"}
        app = open_office(files, store=store, models=lambda _: model)
        run = asyncio.create_task(app.run("check my calendar and then frobnicate"))
        await model.asked.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert model.stopped
        assert not await store.runs()

    asyncio.run(cancelled())


def test_a_request_to_an_endpoint_is_given_up_too(open_office: Open) -> None:
    async def cancelled(base_url: str) -> None:
        store = MemoryStore()
        served = f"models: {{default: {{provider: openai, model: m, base_url: '{base_url}'}}}}"
        app = open_office({**FILES, "config/models.yaml": served}, store=store)
        async with asyncio.timeout(20):
            run = asyncio.create_task(app.run("draft a letter"))
            await asyncio.to_thread(server.asked.wait, 20)
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await run
        assert (await journal_of(store))[-1].status == "cancelled"

    with serving(Answer(hold=True)) as server:
        asyncio.run(cancelled(server.base_url))
