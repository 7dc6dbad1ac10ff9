"""The journal of one run: an event counts once it is stored, and nothing that failed passes for stored."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

import pytest
from orchestrator.errors import Fenced, StoreError
from orchestrator.ids import MessageId, RunId, TaskId
from orchestrator.runs.events import (
    DriverStarted,
    Event,
    OutputChunk,
    PlanMade,
    Record,
    TaskSkipped,
)
from orchestrator.runs.fold import fold
from orchestrator.runs.journal import Journal
from orchestrator.runs.samples import Past
from orchestrator.testing import FakeClock, MemoryStore

from support.driving import RUN, plan
from support.stores import SlowStore

NOW = FakeClock().now


class FullDisk(MemoryStore):
    async def append(
        self,
        run: RunId,
        expected_seq: int,
        records: Sequence[Record],
        *,
        taken: Collection[MessageId] = (),
        past: Past | None = None,
    ) -> None:
        raise StoreError("the disk is full")


def drivers(names: Sequence[str]) -> list[DriverStarted]:
    return [DriverStarted(name) for name in names]


def test_events_get_the_next_places_and_the_time() -> None:
    async def run() -> Sequence[Record]:
        store, clock = MemoryStore(), FakeClock()
        journal = await Journal.open(store, RUN, now=clock.now)
        await journal.append(*drivers("ab"))
        clock.advance(5)
        await journal.append(*drivers("c"))
        return await store.read(RUN)

    records = asyncio.run(run())
    assert [(r.run, r.seq, r.event) for r in records] == [
        (RUN, 1, DriverStarted("a")),
        (RUN, 2, DriverStarted("b")),
        (RUN, 3, DriverStarted("c")),
    ]
    assert records[0].at == records[1].at
    assert (records[2].at - records[1].at).total_seconds() == 5


def test_a_journal_opens_where_the_store_is() -> None:
    async def run() -> None:
        store = MemoryStore()
        first = await Journal.open(store, RUN, now=NOW)
        await first.append(PlanMade(plan("t1 a"), "answer"), TaskSkipped(TaskId("t1"), "so"))
        second = await Journal.open(store, RUN, now=NOW)
        assert second.state == first.state == fold(await store.read(RUN))

    asyncio.run(run())


def test_a_listener_hears_of_every_record_once_it_is_stored_and_folded() -> None:
    async def run() -> list[tuple[int, int]]:
        heard: list[tuple[int, int]] = []
        store = MemoryStore()

        def listen(happening: Record | OutputChunk) -> None:
            assert isinstance(happening, Record)
            heard.append((happening.seq, journal.state.seq))

        journal = await Journal.open(store, RUN, now=NOW, listeners=[listen])
        await journal.append(*drivers("ab"))
        return heard

    assert asyncio.run(run()) == [(1, 2), (2, 2)]


def test_pieces_of_output_are_heard_and_not_stored() -> None:
    async def run() -> None:
        heard: list[object] = []
        store = MemoryStore()
        journal = await Journal.open(store, RUN, now=NOW, listeners=[heard.append])
        journal.emit(TaskId("t1"), "hel")
        assert heard == [OutputChunk(RUN, TaskId("t1"), "hel")]
        assert await store.read(RUN) == ()

    asyncio.run(run())


def test_appends_during_a_write_share_the_next_one_in_their_order() -> None:
    async def run() -> None:
        store = SlowStore()
        journal = await Journal.open(store, RUN, now=NOW)
        appends = [asyncio.create_task(journal.append(event)) for event in drivers("abcde")]
        await asyncio.sleep(0)
        store.let.set()
        await asyncio.gather(*appends)
        assert store.writes == [1, 4]
        assert [r.event for r in await store.read(RUN)] == drivers("abcde")
        assert journal.state.seq == 5

    asyncio.run(run())


def test_an_append_returns_only_when_its_events_are_stored() -> None:
    async def run() -> None:
        store = SlowStore()
        journal = await Journal.open(store, RUN, now=NOW)
        append = asyncio.create_task(journal.append(*drivers("a")))
        await asyncio.sleep(0)
        assert (append.done(), journal.state.seq) == (False, 0)
        store.let.set()
        await append
        assert journal.state.seq == 1

    asyncio.run(run())


def test_a_second_driver_is_told_at_its_first_append_and_at_every_later_one() -> None:
    async def run() -> None:
        store = MemoryStore()
        old = await Journal.open(store, RUN, now=NOW)
        new = await Journal.open(store, RUN, now=NOW)
        await new.append(*drivers("n"))
        for _ in range(2):
            with pytest.raises(Fenced):
                await old.append(*drivers("o"))
        await new.append(*drivers("m"))
        assert [r.event for r in await store.read(RUN)] == drivers("nm")
        assert old.state.seq == 0

    asyncio.run(run())


def test_a_store_at_fault_tells_all_who_were_waiting() -> None:
    async def run() -> list[object]:
        journal = Journal(FullDisk(), RUN, now=NOW)
        return await asyncio.gather(*map(journal.append, drivers("abc")), return_exceptions=True)

    assert [str(end) for end in asyncio.run(run())] == ["the disk is full"] * 3


def test_an_append_cut_off_half_way_leaves_a_journal_that_takes_nothing_more() -> None:
    async def run() -> None:
        journal = await Journal.open(SlowStore(), RUN, now=NOW)
        append = asyncio.create_task(journal.append(*drivers("a")))
        await asyncio.sleep(0)
        append.cancel()
        with pytest.raises(asyncio.CancelledError):
            await append
        with pytest.raises(StoreError, match="cut off"):
            await journal.append(*drivers("b"))

    asyncio.run(run())


def test_a_listener_at_fault_is_no_lost_event_and_no_silence() -> None:
    async def run() -> None:
        store = MemoryStore()
        heard: list[object] = []

        def broken(_: object) -> None:
            raise BrokenPipeError("nobody reads")

        journal = await Journal.open(store, RUN, now=NOW, listeners=[broken, heard.append])
        with pytest.raises(BrokenPipeError):
            await journal.append(*drivers("a"))
        assert [r.event for r in await store.read(RUN)] == drivers("a")
        assert len(heard) == 1

    asyncio.run(run())


def test_a_listener_at_fault_on_a_piece_of_output_stops_the_next_append_and_not_the_agent() -> None:
    async def run() -> None:
        def broken(_: object) -> None:
            raise BrokenPipeError("nobody reads")

        journal = Journal(MemoryStore(), RUN, now=NOW, listeners=[broken])
        journal.emit(TaskId("t1"), "hel")
        with pytest.raises(BrokenPipeError):
            await journal.append(*drivers("a"))

    asyncio.run(run())


# ── appends in company ──────────────────────────────────────────────────────────────────────────────────


def test_an_append_cut_off_while_another_is_written_is_stored_with_the_next() -> None:
    """What it says has happened by then; and the place of what comes after it is given."""

    async def run() -> None:
        store = SlowStore()
        journal = await Journal.open(store, RUN, now=NOW)
        first, second, third = (asyncio.create_task(journal.append(event)) for event in drivers("abc"))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        store.let.set()
        await asyncio.gather(first, third)
        assert [r.event for r in await store.read(RUN)] == drivers("abc")
        assert second.cancelled()

    asyncio.run(run())


def test_an_append_cut_off_while_it_is_written_is_told_to_all_who_wait() -> None:
    async def run() -> list[object]:
        store = SlowStore()
        journal = await Journal.open(store, RUN, now=NOW)
        writer, *others = (asyncio.create_task(journal.append(event)) for event in drivers("abc"))
        await asyncio.sleep(0)
        writer.cancel()
        ends = await asyncio.gather(writer, *others, return_exceptions=True)
        assert await store.read(RUN) == ()
        return ends

    cut, *others = asyncio.run(run())
    assert isinstance(cut, asyncio.CancelledError)
    assert [str(end) for end in others] == ["run r1: an append was cut off; open the journal anew"] * 2


def test_those_who_wait_while_another_driver_takes_over_are_all_fenced() -> None:
    async def run() -> list[object]:
        store = SlowStore()
        journal = await Journal.open(store, RUN, now=NOW)
        appends = [asyncio.create_task(journal.append(event)) for event in drivers("abc")]
        await asyncio.sleep(0)
        await MemoryStore.append(store, RUN, 0, [Record(RUN, 1, NOW(), DriverStarted("new"))])
        store.let.set()
        ends = await asyncio.gather(*appends, return_exceptions=True)
        assert len(await store.read(RUN)) == 1
        assert journal.state.seq == 0
        return ends

    assert [type(end) for end in asyncio.run(run())] == [Fenced] * 3


def test_an_append_of_nothing_writes_nothing_and_tells_of_a_broken_journal() -> None:
    async def run() -> None:
        store = SlowStore()
        await Journal(store, RUN, now=NOW).append()
        assert store.writes == []
        broken = Journal(FullDisk(), RUN, now=NOW)
        with pytest.raises(StoreError):
            await broken.append(*drivers("a"))
        with pytest.raises(StoreError, match="the disk is full"):
            await broken.append()

    asyncio.run(run())


# ── what must not be stored ─────────────────────────────────────────────────────────────────────────────


def without_names(event: Event) -> Event:
    return DriverStarted("***") if isinstance(event, DriverStarted) else event


def test_what_is_redacted_is_so_in_the_store_in_the_state_and_in_what_is_told() -> None:
    async def run() -> None:
        heard: list[Any] = []
        store = MemoryStore()
        journal = await Journal.open(store, RUN, now=NOW, listeners=[heard.append], redact=without_names)
        await journal.append(DriverStarted("secret"))
        assert await journal.park(DriverStarted("secret too"))
        assert [r.event for r in await store.read(RUN)] == drivers(["***", "***"])
        assert [r.event for r in heard] == drivers(["***", "***"])
        assert journal.state.driver == "***"

    asyncio.run(run())


def refusing(event: Event) -> Event:
    if event == DriverStarted("b"):
        raise StoreError("a DriverStarted that JSON cannot carry")
    return event


def test_an_event_that_cannot_be_redacted_stops_all_who_write_with_it_and_after_it() -> None:
    async def run() -> list[object]:
        store = SlowStore()
        journal = await Journal.open(store, RUN, now=NOW, redact=refusing)
        appends = [asyncio.create_task(journal.append(event)) for event in drivers("abc")]
        await asyncio.sleep(0)
        store.let.set()
        ends = await asyncio.gather(*appends, return_exceptions=True)
        assert [r.event for r in await store.read(RUN)] == drivers("a")
        with pytest.raises(StoreError, match="cannot carry"):
            await journal.park(*drivers("d"))
        return ends

    assert [type(end) for end in asyncio.run(run())] == [type(None), StoreError, StoreError]


def test_an_event_that_cannot_be_folded_stops_the_journal_for_all() -> None:
    async def run() -> list[object]:
        store = SlowStore()
        journal = await Journal.open(store, RUN, now=NOW)
        appends = [
            asyncio.create_task(journal.append(event))
            for event in (DriverStarted("a"), TaskSkipped(TaskId("t9"), "no such task"), DriverStarted("c"))
        ]
        await asyncio.sleep(0)
        store.let.set()
        return await asyncio.gather(*appends, return_exceptions=True)

    assert [type(end) for end in asyncio.run(run())] == [type(None), KeyError, KeyError]
