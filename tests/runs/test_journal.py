import asyncio
from collections.abc import Sequence

import pytest
from orchestrator.errors import Fenced, StoreError
from orchestrator.ids import RunId, TaskId
from orchestrator.runs.events import DriverStarted, OutputChunk, PlanMade, Record, TaskSkipped
from orchestrator.runs.journal import Journal
from orchestrator.runs.fold import fold
from orchestrator.testing import FakeClock, MemoryStore

from support.driving import RUN, plan

NOW = FakeClock().now


class SlowStore(MemoryStore):
    """Writes when it is let; `writes` are the sizes of its writes."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[int] = []
        self.let = asyncio.Event()

    async def append(self, run: RunId, expected_seq: int, records: Sequence[Record]) -> None:
        self.writes.append(len(records))
        await self.let.wait()
        await super().append(run, expected_seq, records)


class FullDisk(MemoryStore):
    async def append(self, run: RunId, expected_seq: int, records: Sequence[Record]) -> None:
        raise StoreError("the disk is full")


def drivers(names: str) -> list[DriverStarted]:
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
