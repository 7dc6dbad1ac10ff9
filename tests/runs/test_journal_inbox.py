"""The journal and the inbox of a run: a message counts once, and no wake-up is lost when it parks."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from orchestrator.errors import Fenced, StoreError
from orchestrator.ids import MessageId, RunId
from orchestrator.runs.events import DriverStarted, OutputChunk, Record, RunParked
from orchestrator.runs.journal import Journal
from orchestrator.runs.messages import Message, SignalReceived
from orchestrator.testing import FakeClock, MemoryStore

from support.driving import RUN
from support.stores import SlowStore

NOW = FakeClock().now
PARK = RunParked(("approval",), "it waits")


def drivers(names: Sequence[str]) -> list[DriverStarted]:
    return [DriverStarted(name) for name in names]


def signal(id: str) -> SignalReceived:
    return SignalReceived("k", 1, "s", MessageId(id))


def message(id: str) -> Message:
    return Message(RUN, datetime(2026, 1, 1, tzinfo=UTC), signal(id))


async def begun(store: MemoryStore) -> Journal:
    journal = await Journal.open(store, RUN, now=NOW)
    await journal.append(*drivers("a"))
    return journal


def test_a_message_leaves_the_inbox_with_the_event_that_takes_it_in() -> None:
    async def run() -> None:
        store = MemoryStore()
        journal = await begun(store)
        for id in ("m1", "m2"):
            await store.post(message(id))
        await journal.append(signal("m1"), taken=[MessageId("m1")])
        assert [m.id for m in await store.inbox(RUN)] == ["m2"]
        assert journal.state.facts == {"k": 1}

    asyncio.run(run())


def test_messages_taken_by_several_appends_leave_with_the_write_they_share() -> None:
    async def run() -> None:
        store = SlowStore()
        journal = await Journal.open(store, RUN, now=NOW)
        await MemoryStore.append(store, RUN, 0, [Record(RUN, 1, NOW(), DriverStarted("a"))])
        journal = await Journal.open(store, RUN, now=NOW)
        for id in ("m1", "m2", "m3"):
            await store.post(message(id))
        appends = [
            asyncio.create_task(journal.append(signal(id), taken=[MessageId(id)]))
            for id in ("m1", "m2", "m3")
        ]
        await asyncio.sleep(0)
        assert [m.id for m in await store.inbox(RUN)] == ["m1", "m2", "m3"]
        store.let.set()
        await asyncio.gather(*appends)
        assert store.writes == [1, 2]
        assert await store.inbox(RUN) == []

    asyncio.run(run())


def test_a_message_stays_where_its_event_could_not_be_stored() -> None:
    async def run() -> None:
        store = MemoryStore()
        old = await begun(store)
        await store.post(message("m1"))
        await (await Journal.open(store, RUN, now=NOW)).append(*drivers("n"))
        with pytest.raises(Fenced):
            await old.append(signal("m1"), taken=[MessageId("m1")])
        assert [m.id for m in await store.inbox(RUN)] == ["m1"]

    asyncio.run(run())


def test_a_run_that_nobody_has_said_anything_to_is_parked_and_told_of() -> None:
    async def run() -> None:
        heard: list[Any] = []
        store = MemoryStore()
        journal = await Journal.open(store, RUN, now=NOW, listeners=[heard.append])
        await journal.append(*drivers("a"))
        assert await journal.park(PARK)
        assert [r.event for r in await store.read(RUN)] == [DriverStarted("a"), PARK]
        assert [r.event for r in heard] == [DriverStarted("a"), PARK]
        assert (journal.state.status, journal.state.seq) == ("waiting", 2)

    asyncio.run(run())


def test_a_run_with_something_in_its_inbox_is_not_parked_and_goes_on() -> None:
    async def run() -> None:
        heard: list[Any] = []
        store = MemoryStore()
        journal = await Journal.open(store, RUN, now=NOW, listeners=[heard.append])
        await journal.append(*drivers("a"))
        await store.post(message("m1"))
        assert not await journal.park(PARK)
        assert (journal.state.status, journal.state.seq, len(heard)) == ("running", 1, 1)
        await journal.append(signal("m1"), taken=[MessageId("m1")])
        assert await journal.park(PARK)
        assert [r.seq for r in await store.read(RUN)] == [1, 2, 3]

    asyncio.run(run())


def test_who_was_fenced_parks_nothing_and_takes_nothing_more() -> None:
    async def run() -> None:
        store = MemoryStore()
        old = await begun(store)
        await (await Journal.open(store, RUN, now=NOW)).append(*drivers("n"))
        for _ in range(2):
            with pytest.raises(Fenced):
                await old.park(PARK)
        with pytest.raises(Fenced):
            await old.append(*drivers("o"))
        assert [r.event for r in await store.read(RUN)] == drivers("an")
        assert old.state.status == "running"

    asyncio.run(run())


def test_a_listener_at_fault_is_told_of_though_the_run_is_parked() -> None:
    async def run() -> None:
        def broken(happening: Record | OutputChunk) -> None:
            if isinstance(happening, Record) and happening.event == PARK:
                raise BrokenPipeError("nobody reads")

        store = MemoryStore()
        journal = await Journal.open(store, RUN, now=NOW, listeners=[broken])
        await journal.append(*drivers("a"))
        with pytest.raises(BrokenPipeError):
            await journal.park(PARK)
        assert [r.event for r in await store.read(RUN)] == [DriverStarted("a"), PARK]

    asyncio.run(run())


def test_a_park_cut_off_half_way_leaves_a_journal_that_takes_nothing_more() -> None:
    class Slow(MemoryStore):
        async def park(self, run: RunId, expected_seq: int, records: Sequence[Record]) -> bool:
            await asyncio.Event().wait()
            return True

    async def run() -> None:
        journal = await begun(Slow())
        park = asyncio.create_task(journal.park(PARK))
        await asyncio.sleep(0)
        park.cancel()
        with pytest.raises(asyncio.CancelledError):
            await park
        with pytest.raises(StoreError, match="cut off"):
            await journal.append(*drivers("b"))

    asyncio.run(run())
