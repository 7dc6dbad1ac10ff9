"""What every store must do. A new store adds itself to STORES and nothing else."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from orchestrator.errors import Fenced
from orchestrator.ids import RunId
from orchestrator.runs.events import DriverStarted, Record
from orchestrator.runs.store import Store
from orchestrator.testing import MemoryStore

STORES: dict[str, Callable[[], Store]] = {"memory": MemoryStore}

R1, R2 = RunId("r1"), RunId("r2")
AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest) -> Store:
    return STORES[request.param]()


def records(run: RunId, *seqs: int, driver: str = "a") -> list[Record]:
    return [Record(run, seq, AT, DriverStarted(f"{driver}{seq}")) for seq in seqs]


def test_what_was_appended_is_read_in_its_order(store: Store) -> None:
    async def run() -> None:
        await store.append(R1, 0, records(R1, 1, 2))
        await store.append(R1, 2, records(R1, 3))
        assert list(await store.read(R1)) == records(R1, 1, 2, 3)

    asyncio.run(run())


def test_reading_may_begin_after_any_record(store: Store) -> None:
    async def run() -> None:
        await store.append(R1, 0, records(R1, 1, 2, 3))
        assert list(await store.read(R1, after=2)) == records(R1, 3)
        assert list(await store.read(R1, after=3)) == []

    asyncio.run(run())


def test_an_unknown_run_has_no_records(store: Store) -> None:
    assert list(asyncio.run(store.read(R1))) == []


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_who_is_not_where_the_run_is_has_been_fenced_and_has_written_nothing(
    store: Store, expected: int
) -> None:
    async def run() -> None:
        await store.append(R1, 0, records(R1, 1, 2))
        with pytest.raises(Fenced, match="r1"):
            await store.append(R1, expected, records(R1, expected + 1, expected + 2, driver="b"))
        assert list(await store.read(R1)) == records(R1, 1, 2)

    asyncio.run(run())


def test_of_two_drivers_at_the_same_place_exactly_one_goes_on(store: Store) -> None:
    async def run() -> list[object]:
        await store.append(R1, 0, records(R1, 1))
        return await asyncio.gather(
            store.append(R1, 1, records(R1, 2, driver="a")),
            store.append(R1, 1, records(R1, 2, driver="b")),
            return_exceptions=True,
        )

    ends = asyncio.run(run())
    assert sorted(type(end).__name__ for end in ends) == ["Fenced", "NoneType"]


def test_runs_do_not_fence_one_another(store: Store) -> None:
    async def run() -> None:
        await store.append(R1, 0, records(R1, 1))
        await store.append(R2, 0, records(R2, 1, 2))
        await store.append(R1, 1, records(R1, 2))
        assert list(await store.read(R2)) == records(R2, 1, 2)

    asyncio.run(run())


def test_runs_are_listed_in_the_order_of_their_beginning(store: Store) -> None:
    async def run() -> None:
        await store.append(R2, 0, records(R2, 1))
        await store.append(R1, 0, records(R1, 1))
        await store.append(R2, 1, records(R2, 2))
        assert list(await store.runs()) == [R2, R1]

    asyncio.run(run())


def test_what_was_refused_begins_no_run(store: Store) -> None:
    async def run() -> None:
        with pytest.raises(Fenced):
            await store.append(R1, 4, records(R1, 5))
        assert list(await store.runs()) == []

    asyncio.run(run())


def test_a_caller_that_changes_its_list_does_not_change_the_journal(store: Store) -> None:
    async def run() -> None:
        mine = records(R1, 1)
        await store.append(R1, 0, mine)
        mine.clear()
        assert list(await store.read(R1)) == records(R1, 1)

    asyncio.run(run())
