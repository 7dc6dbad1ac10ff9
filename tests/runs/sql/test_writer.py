import asyncio
import threading
from pathlib import Path

import pytest
from orchestrator.errors import Fenced, InternalFault, StoreError
from orchestrator.ids import RunId, TaskId
from orchestrator.runs.events import Record, TaskStarted
from orchestrator.runs.sql.database import Broken, Clash, Lost
from orchestrator.runs.sql.store import SqlStore

from support.databases import AT, RUN, Opener, records, with_store


@pytest.fixture
def opener(tmp_path: Path) -> Opener:
    return Opener(tmp_path / "runs.db")


def runs(count: int) -> list[RunId]:
    return [RunId(f"r{n:02}") for n in range(count)]


def held(opener: Opener) -> tuple[threading.Event, threading.Event]:
    """Two flags: the first transaction that is begun raises the first, and waits for the second."""
    begun, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        begun.set()
        assert go_on.wait(30)

    opener.before = hold
    return begun, go_on


async def append_while_held(store: SqlStore, opener: Opener, names: list[RunId]) -> list[object]:
    """Append to the first run; while that is held up, to all others, which then wait together."""
    begun, go_on = held(opener)
    first = asyncio.create_task(store.append(names[0], 0, records(names[0], 1)))
    await asyncio.to_thread(begun.wait, 30)
    others = [asyncio.create_task(store.append(name, 0, records(name, 1))) for name in names[1:]]
    await asyncio.sleep(0)
    go_on.set()
    return list(await asyncio.gather(first, *others, return_exceptions=True))


def test_appends_that_wait_are_committed_together(opener: Opener) -> None:
    ends = with_store(opener, lambda store: append_while_held(store, opener, runs(60)))
    assert ends == [None] * 60
    assert opener.opened[0].groups == [1, 59]
    assert opener.opened[0].transactions == ["write", "write"]


def test_of_a_group_that_the_database_refuses_each_is_tried_alone(opener: Opener) -> None:
    async def use(store: SqlStore) -> tuple[list[object], list[int]]:
        await store.runs()  # it is open
        opener.opened[0].fails = {"r07": Clash("a place is taken"), "r09": Clash("a place is taken")}
        ends = await asyncio.gather(
            *(store.append(name, 0, records(name, 1)) for name in runs(20)), return_exceptions=True
        )
        return list(ends), [len(await store.read(name)) for name in runs(20)]

    ends, found = with_store(opener, use)
    assert [type(end).__name__ for end in ends] == ["NoneType"] * 7 + ["Clash", "NoneType", "Clash"] + [
        "NoneType"
    ] * 10
    assert found == [0 if n in (7, 9) else 1 for n in range(20)]


def test_one_that_clashed_is_fenced_where_another_has_taken_its_place_meanwhile(
    opener: Opener, tmp_path: Path
) -> None:
    """As on PostgreSQL, where another connection commits between the look at a run and the append."""

    async def use(store: SqlStore) -> None:
        await store.append(RUN, 0, records(RUN, 1))
        database = opener.opened[0]

        def overtake() -> None:
            if database.groups == [1, 1]:  # the append has clashed, and is about to be tried again
                database.fails = {}
                with_store(again, lambda other: other.append(RUN, 1, records(RUN, 2, text="b")))

        database.fails, database.before = {"r": Clash("a place is taken")}, overtake
        with pytest.raises(Fenced, match="is at 2, this driver at 1"):
            await store.append(RUN, 1, records(RUN, 2))
        assert list(await store.read(RUN)) == [*records(RUN, 1), *records(RUN, 2, text="b")]

    again = Opener(tmp_path / "runs.db")
    with_store(opener, use)


def test_all_of_a_group_that_failed_are_told_each_with_an_error_of_its_own(opener: Opener) -> None:
    async def use(store: SqlStore) -> list[object]:
        await store.runs()
        opener.opened[0].fails = {"r03": StoreError("the disk is full")}
        ends = await asyncio.gather(
            *(store.append(name, 0, records(name, 1)) for name in runs(5)), return_exceptions=True
        )
        opener.opened[0].fails = {}
        assert list(await store.runs()) == []
        await store.append(RUN, 0, records(RUN, 1))
        return list(ends)

    ends = with_store(opener, use)
    assert [str(end) for end in ends] == ["the disk is full"] * 5
    assert len({id(end) for end in ends}) == 5


def test_a_fault_of_ours_reaches_who_waits_and_the_writer_lives_on(opener: Opener) -> None:
    async def use(store: SqlStore) -> None:
        await store.runs()
        opener.opened[0].fails = {"r": ZeroDivisionError()}
        with pytest.raises(ZeroDivisionError):
            await store.append(RUN, 0, records(RUN, 1))
        opener.opened[0].fails = {}
        await store.append(RUN, 0, records(RUN, 1))

    with_store(opener, use)


def test_a_connection_that_was_lost_before_anything_was_done_is_made_anew_once(opener: Opener) -> None:
    async def use(store: SqlStore) -> None:
        await store.runs()
        opener.opened[0].fails = {"r": Lost("gone")}
        await store.append(RUN, 0, records(RUN, 1))
        opener.opened[1].fails = {"r": Lost("gone")}
        opener.fails = {"r": Lost("gone again")}
        with pytest.raises(StoreError, match="gone again"):
            await store.append(RUN, 1, records(RUN, 2))
        opener.fails = {}
        await store.append(RUN, 1, records(RUN, 2))
        assert list(await store.read(RUN)) == records(RUN, 1, 2)

    with_store(opener, use)
    assert [database.closed for database in opener.opened] == [True] * 4


def test_a_connection_that_broke_is_made_anew_and_nothing_is_done_twice(opener: Opener) -> None:
    async def use(store: SqlStore) -> None:
        await store.runs()
        opener.opened[0].fails = {"r": Broken("nobody knows")}
        with pytest.raises(StoreError, match="nobody knows"):
            await store.append(RUN, 0, records(RUN, 1))
        await store.append(RUN, 0, records(RUN, 1))

    with_store(opener, use)
    assert [database.groups for database in opener.opened] == [[1], [1]]


def test_a_store_that_cannot_be_opened_says_so_and_is_opened_when_it_can(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    path.mkdir()

    async def use(store: SqlStore) -> None:
        with pytest.raises(StoreError, match="is a folder"):
            await store.append(RUN, 0, records(RUN, 1))
        path.rmdir()
        await store.append(RUN, 0, records(RUN, 1))

    with_store(Opener(path), use)


def test_closing_finishes_what_was_asked_for_and_ends_the_thread(opener: Opener) -> None:
    async def run() -> list[object]:
        store = SqlStore(opener)
        tasks = [asyncio.create_task(store.append(name, 0, records(name, 1))) for name in runs(600)]
        await asyncio.sleep(0)
        await store.close()
        return await asyncio.gather(*tasks, return_exceptions=True)

    assert asyncio.run(run()) == [None] * 600
    assert opener.opened[0].closed
    assert not [thread for thread in threading.enumerate() if thread.name == "cuewave-store"]
    assert sum(opener.opened[0].groups) == 600


def test_nothing_can_be_asked_of_a_closed_store(opener: Opener) -> None:
    async def use(store: SqlStore) -> None:
        await store.append(RUN, 0, records(RUN, 1))
        await store.close()
        for asking in (store.append(RUN, 1, records(RUN, 2)), store.read(RUN), store.runs()):
            with pytest.raises(StoreError, match="closed"):
                await asking

    with_store(opener, use)


def test_what_a_caller_asked_for_is_done_though_it_and_its_event_loop_are_gone(opener: Opener) -> None:
    store = SqlStore(opener)
    begun, go_on = held(opener)

    async def leave() -> None:
        task = asyncio.create_task(store.append(RUN, 0, records(RUN, 1)))
        await asyncio.to_thread(begun.wait, 30)
        task.cancel()

    asyncio.run(leave())
    go_on.set()
    assert list(asyncio.run(store.read(RUN))) == records(RUN, 1)
    asyncio.run(store.close())


def test_callers_of_several_event_loops_at_once_are_all_answered(opener: Opener) -> None:
    store = SqlStore(opener)

    async def drive(name: RunId) -> None:
        for seq in range(30):
            await store.append(name, seq, records(name, seq + 1))

    threads = [threading.Thread(target=lambda n=name: asyncio.run(drive(n))) for name in runs(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for name in runs(4):
        assert list(asyncio.run(store.read(name))) == records(name, *range(1, 31))
    asyncio.run(store.close())


@pytest.mark.parametrize(
    "wrong", [records(RUN, 2), records(RunId("another"), 1), [*records(RUN, 1), *records(RUN, 3)]]
)
def test_records_that_are_not_what_they_are_stored_as_are_refused(
    opener: Opener, wrong: list[Record]
) -> None:
    async def use(store: SqlStore) -> None:
        with pytest.raises(InternalFault, match="run r: record"):
            await store.append(RUN, 0, wrong)
        assert list(await store.runs()) == []

    with_store(opener, use)


def test_a_run_whose_entry_is_missing_is_in_the_way_of_no_other(opener: Opener) -> None:
    async def use(store: SqlStore) -> list[object]:
        await store.append(RUN, 0, records(RUN, 1))
        await store._writer.ask(lambda database: database.change("DELETE FROM cuewave_runs"))
        others = [store.append(name, 0, records(name, 1)) for name in runs(5)]
        return list(
            await asyncio.gather(store.append(RUN, 1, records(RUN, 2)), *others, return_exceptions=True)
        )

    damaged, *others = with_store(opener, use)
    assert "r has records and is not in the list of runs" in str(damaged)
    assert others == [None] * 5


def test_only_what_changes_the_entry_touches_the_table_of_runs(opener: Opener) -> None:
    async def use(store: SqlStore) -> list[str]:
        await store.append(RUN, 0, records(RUN, 1))
        before = len(opener.opened[0].statements)
        await store.append(RUN, 1, [Record(RUN, 2, AT, TaskStarted(TaskId("t1"), 1, "k"))])
        return opener.opened[0].statements[before:]

    assert not [sql for sql in with_store(opener, use) if "cuewave_runs" in sql]
