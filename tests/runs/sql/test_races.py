"""Two programs want the same: one has it, the other is told, as if they had taken turns."""

import asyncio
from collections.abc import Awaitable, Callable

from orchestrator.errors import Fenced
from orchestrator.ids import MessageId, RunId
from orchestrator.runs.events import DriverStarted, Event, Record, RunEnded, RunParked
from orchestrator.runs.messages import CancelAsked, Message
from orchestrator.runs.sql.opening import open_store
from orchestrator.runs.store import Store

from support.databases import AT, RUN, records
from support.programs import at_once

PARKED = RunParked(("approval",), "May I?")


def with_two(url: str, use: Callable[[Store, Store], Awaitable[None]]) -> None:
    """Two connections to the same database, each with its thread, as two programs have them."""

    async def run() -> None:
        one, two = open_store(url), open_store(url)
        await one.runs()
        await two.runs()
        try:
            await use(one, two)
        finally:
            await one.close()
            await two.close()

    asyncio.run(run())


def one_record(run: RunId, seq: int, event: Event) -> list[Record]:
    return [Record(run, seq, AT, event)]


def test_of_two_drivers_at_one_place_exactly_one_goes_on_a_thousand_times(url: str) -> None:
    async def use(one: Store, two: Store) -> None:
        winners: list[str] = []
        for seq in range(1_000):
            ends = await asyncio.gather(
                one.append(RUN, seq, records(RUN, seq + 1, text="one")),
                two.append(RUN, seq, records(RUN, seq + 1, text="two")),
                return_exceptions=True,
            )
            assert sorted(type(end).__name__ for end in ends) == ["Fenced", "NoneType"], ends
            winners.append("one" if ends[0] is None else "two")
        expected = [Record(RUN, seq, AT, DriverStarted(name)) for seq, name in enumerate(winners, 1)]
        assert list(await one.read(RUN)) == expected
        assert set(winners) == {"one", "two"}  # they did race

    with_two(url, use)


def test_of_programs_that_race_for_a_run_each_has_the_places_that_it_won(url: str) -> None:
    ends = at_once("drive", url, ["a", "b", "c"])
    assert [complaint for _, complaint in ends] == ["", "", ""]
    won = {name: [int(place) for place in said.split()] for name, (said, _) in zip("abc", ends, strict=True)}
    assert sorted(place for places in won.values() for place in places) == list(range(1, 201))

    async def run() -> list[Record]:
        store = open_store(url)
        found = list(await store.read(RunId("shared")))
        await store.close()
        return found

    for record in asyncio.run(run()):
        assert isinstance(record.event, DriverStarted)
        assert record.seq in won[record.event.driver]


def test_no_wake_up_is_lost_where_one_parks_and_the_other_posts(url: str) -> None:
    async def use(one: Store, two: Store) -> None:
        ends: list[bool] = []
        for n in range(200):
            run = RunId(f"r{n}")
            await one.append(run, 0, records(run, 1))
            message = Message(run, AT, CancelAsked("me", message=MessageId("m")))
            parked, posted = await asyncio.gather(
                one.park(run, 1, one_record(run, 2, PARKED)), two.post(message)
            )
            assert posted
            [entry] = [entry for entry in await two.runs() if entry.run == run]
            assert entry.status == ("waiting" if parked else "running")
            assert run in await two.called()
            assert len(await two.read(run)) == 1 + parked
            ends.append(parked)
        assert set(ends) <= {True, False}

    with_two(url, use)


def test_groups_with_the_same_runs_in_any_order_neither_block_nor_break_each_other(url: str) -> None:
    runs = [RunId(f"r{n:02}") for n in range(12)]

    async def use(one: Store, two: Store) -> None:
        for run in runs:
            await one.append(run, 0, records(run, 1))
        for seq in range(1, 21):
            event = PARKED if seq % 2 else RunEnded("done", "")
            ones = [one.append(run, seq, one_record(run, seq + 1, event)) for run in runs]
            twos = [two.park(run, seq, one_record(run, seq + 1, event)) for run in reversed(runs)]
            ends = await asyncio.gather(*ones, *twos, return_exceptions=True)
            firsts, seconds = ends[:12], ends[12:][::-1]
            for first, second in zip(firsts, seconds, strict=True):
                won = [end is None or end is True for end in (first, second)]
                assert sorted(won) == [False, True], (first, second)
                assert isinstance(second if won[0] else first, Fenced)
        for run in runs:
            assert len(await two.read(run)) == 21

    with_two(url, use)


def test_a_run_is_never_gone_on_with_while_it_is_deleted(url: str) -> None:
    async def use(one: Store, two: Store) -> None:
        for n in range(100):
            run = RunId(f"r{n}")
            await one.append(run, 0, records(run, 1, 2))
            end, count = await asyncio.gather(
                one.append(run, 2, records(run, 3)), two.delete([run]), return_exceptions=True
            )
            assert end is None or isinstance(end, Fenced)
            assert count == 1
            assert list(await one.read(run)) == []
            assert list(await one.runs()) == []

    with_two(url, use)


def test_a_message_is_posted_once_however_many_post_it(url: str) -> None:
    async def use(one: Store, two: Store) -> None:
        await one.append(RUN, 0, records(RUN, 1))
        for n in range(50):
            message = Message(RUN, AT, CancelAsked("me", message=MessageId(f"m{n}")))
            ends = await asyncio.gather(one.post(message), two.post(message))
            assert sorted(ends) == [False, True]
        assert [m.id for m in await one.inbox(RUN)] == [f"m{n}" for n in range(50)]

    with_two(url, use)


def test_a_snapshot_is_kept_once_however_many_keep_it(url: str) -> None:
    async def use(one: Store, two: Store) -> None:
        for n in range(50):
            await asyncio.gather(one.keep(f"f{n}", b"the same"), two.keep(f"f{n}", b"the same"))
            assert await one.kept(f"f{n}") == b"the same"

    with_two(url, use)
