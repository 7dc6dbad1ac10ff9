"""What every store must do. A new store adds to `STORES` how one is opened, and nothing else.

Each test has a store of its own: on PostgreSQL that is a tenant of its own in one database.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import count

import pytest
from orchestrator.agents.contract import Item, Output, Usage
from orchestrator.errors import Fenced, RunUnknown
from orchestrator.ids import AgentName, IntentName, MessageId, RunId, SessionId
from orchestrator.runs.entry import RunEntry, Wanted
from orchestrator.runs.events import (
    DriverStarted,
    Event,
    Record,
    ReviewFlagged,
    RunEnded,
    RunParked,
    TurnReceived,
)
from orchestrator.runs.fold import fold
from orchestrator.runs.memory import MemoryStore
from orchestrator.runs.messages import CancelAsked, Message, PlanApproved, ReviewCleared
from orchestrator.runs.past import past_of
from orchestrator.runs.samples import History, Past, Sample
from orchestrator.runs.sql.opening import open_store
from orchestrator.runs.store import Store

from support.driving import Does, go, plan, planned, says

TENANTS = count()


def memory(request: pytest.FixtureRequest) -> Store:
    return MemoryStore()


def sqlite(request: pytest.FixtureRequest) -> Store:
    return open_store(f"sqlite:///{request.getfixturevalue('tmp_path')}/runs.db")


def postgresql(request: pytest.FixtureRequest) -> Store:
    return open_store(request.getfixturevalue("postgres").url(), tenant=f"contract {next(TENANTS)}")


STORES: Mapping[str, Callable[[pytest.FixtureRequest], Store]] = {
    "memory": memory,
    "sqlite": sqlite,
    "postgresql": postgresql,
}
SERVICES = {"postgresql"}

A, B = AgentName("a"), AgentName("b")
R1, R2, R3 = RunId("r1"), RunId("r2"), RunId("r3")
AT = datetime(2026, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
ALL_OF = [pytest.param(name, marks=pytest.mark.service) if name in SERVICES else name for name in STORES]


@pytest.fixture(params=ALL_OF)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    opened = STORES[request.param](request)
    yield opened
    asyncio.run(opened.close())


def records(run: RunId, *seqs: int, driver: str = "a") -> list[Record]:
    return [Record(run, seq, AT, DriverStarted(f"{driver}{seq}")) for seq in seqs]


def record(run: RunId, seq: int, event: Event, at: datetime = AT) -> list[Record]:
    return [Record(run, seq, at, event)]


def message(run: RunId, name: str) -> Message:
    return Message(run, AT, CancelAsked(by="a person", message=MessageId(name)))


PARKED = RunParked(("approval",), "May I?")


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
        assert list(await store.read(R1, after=9)) == []

    asyncio.run(run())


def test_an_unknown_run_has_no_records_no_inbox_and_is_not_listed(store: Store) -> None:
    async def run() -> None:
        assert list(await store.read(R1)) == []
        assert list(await store.inbox(R1)) == []
        assert list(await store.runs()) == []
        assert list(await store.called()) == []

    asyncio.run(run())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "line\nline",
        "a\0b",
        "half \ud83d a pair",
        "“quoted” 'and' \\ {braced} 100 % ?",
        "第一 İstanbul 𝔘",
        "x" * 300_000,
    ],
    ids=["none", "lines", "nul", "surrogate", "marks", "letters", "long"],
)
def test_any_text_comes_back_as_it_was(store: Store, text: str) -> None:
    turn = TurnReceived(text, SessionId(f"session {text[:100]}"), f"workspace {text[:100]}", "prompts")
    run_id = RunId(f"run {text[:100]}")
    said = CancelAsked(by=text, reason=text, message=MessageId(f"message {text[:100]}"))

    async def run() -> None:
        await store.append(run_id, 0, record(run_id, 1, turn))
        assert list(await store.read(run_id)) == record(run_id, 1, turn)
        [entry] = await store.runs(Wanted(session=turn.session))
        assert (entry.run, entry.text, entry.workspace) == (run_id, text, turn.workspace)
        assert await store.post(Message(run_id, AT, said))
        assert list(await store.inbox(run_id)) == [Message(run_id, AT, said)]
        assert list(await store.called()) == [run_id]

    asyncio.run(run())


@pytest.mark.parametrize(
    "at",
    [
        datetime(2026, 1, 1, 12, 30, 15, 999_999, tzinfo=UTC),
        datetime(2026, 1, 1, 12, 30, tzinfo=timezone(timedelta(hours=5, minutes=45))),
        datetime(1, 1, 1, 0, 0, 0, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    ],
    ids=["microseconds", "another zone", "first", "last"],
)
def test_times_come_back_to_the_microsecond(store: Store, at: datetime) -> None:
    async def run() -> None:
        await store.append(R1, 0, record(R1, 1, RunEnded("done", ""), at))
        [found] = await store.read(R1)
        [entry] = await store.runs()
        assert (found.at, entry.started, entry.ended) == (at, at, at)
        await store.post(Message(R1, at, CancelAsked(by="me", message=MessageId("m"))))
        assert [m.at for m in await store.inbox(R1)] == [at]

    asyncio.run(run())


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_who_is_not_where_the_run_is_has_been_fenced_and_has_written_nothing(
    store: Store, expected: int
) -> None:
    async def run() -> None:
        await store.append(R1, 0, records(R1, 1, 2))
        before = list(await store.runs())
        with pytest.raises(Fenced, match=r"r1.*is at 2, this driver at") as fenced:
            await store.append(
                R1, expected, [*records(R1, expected + 1), *record(R1, expected + 2, RunEnded("failed", ""))]
            )
        assert (fenced.value.found, fenced.value.expected) == (2, expected)
        assert list(await store.read(R1)) == records(R1, 1, 2)
        assert list(await store.runs()) == before

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


def test_of_many_appends_at_once_only_those_fail_that_are_not_in_their_place(store: Store) -> None:
    runs = [RunId(f"r{n}") for n in range(40)]

    async def run() -> None:
        places = [5 if n % 10 == 3 else 0 for n in range(40)]
        ends = await asyncio.gather(
            *(store.append(r, at, records(r, at + 1, at + 2)) for r, at in zip(runs, places, strict=True)),
            return_exceptions=True,
        )
        assert [isinstance(end, Fenced) for end in ends] == [at == 5 for at in places]
        for r, at in zip(runs, places, strict=True):
            assert list(await store.read(r)) == ([] if at else records(r, 1, 2))

    asyncio.run(run())


def test_appends_of_one_run_that_wait_together_follow_one_another(store: Store) -> None:
    async def run() -> None:
        await asyncio.gather(*(store.append(R1, n, records(R1, n + 1)) for n in range(20)))
        assert list(await store.read(R1)) == records(R1, *range(1, 21))

    asyncio.run(run())


def test_runs_do_not_fence_one_another(store: Store) -> None:
    async def run() -> None:
        await store.append(R1, 0, records(R1, 1))
        await store.append(R2, 0, records(R2, 1, 2))
        await store.append(R1, 1, records(R1, 2))
        assert list(await store.read(R2)) == records(R2, 1, 2)

    asyncio.run(run())


def test_a_caller_that_changes_its_list_does_not_change_the_journal(store: Store) -> None:
    async def run() -> None:
        mine = records(R1, 1)
        await store.append(R1, 0, mine)
        mine.clear()
        assert list(await store.read(R1)) == records(R1, 1)

    asyncio.run(run())


def test_a_caller_that_was_cancelled_has_written_all_or_nothing(store: Store) -> None:
    async def run() -> None:
        tasks = [
            asyncio.create_task(store.append(RunId(f"r{n}"), 0, records(RunId(f"r{n}"), 1, 2, 3)))
            for n in range(30)
        ]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for n, task in enumerate(tasks):
            found = list(await store.read(RunId(f"r{n}")))
            assert found in ([], records(RunId(f"r{n}"), 1, 2, 3))
            assert found or task.cancelled()
        await store.append(R1, len(await store.read(R1)), [])  # it goes on working

    asyncio.run(run())


def test_a_store_may_be_used_by_one_event_loop_after_another(store: Store) -> None:
    asyncio.run(store.append(R1, 0, records(R1, 1)))
    asyncio.run(store.append(R1, 1, records(R1, 2)))
    assert list(asyncio.run(store.read(R1))) == records(R1, 1, 2)


def test_runs_are_listed_the_youngest_first_whatever_their_clocks_say(store: Store) -> None:
    async def run() -> None:
        await store.append(R2, 0, record(R2, 1, DriverStarted("a"), AT + HOUR))
        await store.append(R1, 0, records(R1, 1))
        await store.append(R3, 0, records(R3, 1))
        await store.append(R2, 1, records(R2, 2))
        assert [entry.run for entry in await store.runs()] == [R3, R1, R2]
        assert [entry.run for entry in await store.runs(Wanted(limit=2))] == [R3, R1]
        assert [entry.run for entry in await store.runs(Wanted(limit=0))] == []

    asyncio.run(run())


def test_what_was_refused_begins_no_run(store: Store) -> None:
    async def run() -> None:
        with pytest.raises(Fenced):
            await store.append(R1, 4, records(R1, 5))
        assert list(await store.runs()) == []

    asyncio.run(run())


def test_an_entry_says_what_a_run_has_come_to(store: Store) -> None:
    turn = TurnReceived("hello", SessionId("s"), "w", "p")
    steps: list[tuple[Event, RunEntry]] = []
    entry = RunEntry(R1, "running", SessionId("s"), "hello", AT, None, False, "w")
    steps.append((turn, entry))
    steps.append((PARKED, RunEntry(R1, "waiting", SessionId("s"), "hello", AT, None, False, "w")))
    steps.append((DriverStarted("b"), entry))
    flagged = RunEntry(R1, "running", SessionId("s"), "hello", AT, None, True, "w")
    steps.append((ReviewFlagged("odd", holds=False), flagged))
    steps.append((ReviewCleared("me"), entry))
    ended = RunEntry(R1, "partial", SessionId("s"), "hello", AT, AT + HOUR, False, "w")
    steps.append((RunEnded("partial", "bye"), ended))
    steps.append((DriverStarted("c"), entry))

    async def run() -> None:
        for seq, (event, expected) in enumerate(steps, 1):
            at = AT + HOUR if isinstance(event, RunEnded) else AT
            await store.append(R1, seq - 1, record(R1, seq, event, at))
            assert list(await store.runs()) == [expected]

    asyncio.run(run())


def test_entries_follow_appends_that_wait_together(store: Store) -> None:
    async def run() -> None:
        await asyncio.gather(
            store.append(R1, 0, record(R1, 1, TurnReceived("hello", None))),
            store.append(R1, 1, record(R1, 2, ReviewFlagged("odd", holds=False))),
            store.append(R1, 2, record(R1, 3, RunEnded("done", ""))),
        )
        assert list(await store.runs()) == [RunEntry(R1, "done", None, "hello", AT, AT, True)]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Wanted(), [R3, R2, R1]),
        (Wanted(status="done"), [R2, R1]),
        (Wanted(status="done", limit=1), [R2]),
        (Wanted(status="cancelled"), []),
        (Wanted(session=SessionId("s")), [R3, R1]),
        (Wanted(started_after=AT + HOUR), [R3, R2]),
        (Wanted(started_after=AT + HOUR + timedelta(microseconds=1)), [R3]),
        (Wanted(ended_before=AT + 3 * HOUR), [R1]),
        (Wanted(ended_before=AT + 3 * HOUR + timedelta(microseconds=1)), [R2, R1]),
        (Wanted(needs_human_review=True), [R2]),
        (Wanted(needs_human_review=False), [R3, R1]),
        (Wanted("done", SessionId("s"), AT, AT + 9 * HOUR, False, 5), [R1]),
    ],
)
def test_a_list_has_the_runs_that_fit_all_that_is_wanted(
    store: Store, wanted: Wanted, found: list[RunId]
) -> None:
    async def run() -> list[RunId]:
        for n, (run_id, session) in enumerate([(R1, "s"), (R2, "t"), (R3, "s")]):
            turn = TurnReceived("hello", SessionId(session))
            await store.append(run_id, 0, record(run_id, 1, turn, AT + n * HOUR))
        await store.append(R1, 1, record(R1, 2, RunEnded("done", ""), AT + 2 * HOUR))
        await store.append(R2, 1, record(R2, 2, RunEnded("done", ""), AT + 3 * HOUR))
        await store.append(R2, 2, record(R2, 3, ReviewFlagged("odd", holds=False), AT + 3 * HOUR))
        return [entry.run for entry in await store.runs(wanted)]

    assert asyncio.run(run()) == found


def test_messages_wait_in_the_order_in_which_they_came(store: Store) -> None:
    async def run() -> None:
        await store.append(R1, 0, records(R1, 1))
        await store.append(R2, 0, records(R2, 1))
        for name in ("z", "a", "m"):
            assert await store.post(message(R1, name))
        assert list(await store.inbox(R1)) == [message(R1, name) for name in ("z", "a", "m")]
        assert list(await store.inbox(R2)) == []
        assert list(await store.called()) == [R1]

    asyncio.run(run())


def test_nothing_can_be_said_to_a_run_that_is_not_there(store: Store) -> None:
    with pytest.raises(RunUnknown, match="r1"):
        asyncio.run(store.post(message(R1, "m")))
    assert list(asyncio.run(store.called())) == []


def test_a_message_that_is_posted_again_is_known_even_after_it_was_taken(store: Store) -> None:
    async def run() -> None:
        await store.append(R1, 0, records(R1, 1))
        await store.append(R2, 0, records(R2, 1))
        assert await store.post(message(R1, "m"))
        assert not await store.post(message(R1, "m"))
        assert list(await store.inbox(R1)) == [message(R1, "m")]
        await store.append(R1, 1, records(R1, 2), taken=[MessageId("m")])
        assert not await store.post(message(R1, "m"))
        assert list(await store.inbox(R1)) == []
        assert await store.post(message(R2, "m"))  # an id is known by its run

    asyncio.run(run())


def test_what_was_taken_leaves_the_inbox_with_the_append_or_not_at_all(store: Store) -> None:
    said = PlanApproved(by="me", plan_hash="h", most_items=3, message=MessageId("m2"))

    async def run() -> None:
        await store.append(R1, 0, records(R1, 1))
        await store.append(R2, 0, records(R2, 1))
        for m in (message(R1, "m1"), Message(R1, AT, said), message(R1, "m3"), message(R2, "m1")):
            await store.post(m)
        with pytest.raises(Fenced):
            await store.append(R1, 0, records(R1, 1), taken=[MessageId("m1"), MessageId("m2")])
        assert [m.id for m in await store.inbox(R1)] == ["m1", "m2", "m3"]
        await store.append(R1, 1, record(R1, 2, said), taken=[MessageId("m1"), MessageId("m2")])
        assert [m.id for m in await store.inbox(R1)] == ["m3"]
        assert [m.id for m in await store.inbox(R2)] == ["m1"]
        await store.append(R1, 2, [], taken=[MessageId("m3")])
        assert list(await store.inbox(R1)) == []
        assert list(await store.called()) == [R2]

    asyncio.run(run())


def test_a_run_is_parked_only_where_nobody_has_said_anything(store: Store) -> None:
    async def run() -> None:
        await store.append(R1, 0, records(R1, 1))
        await store.post(message(R1, "m"))
        assert await store.park(R1, 1, record(R1, 2, PARKED)) is False
        assert list(await store.read(R1)) == records(R1, 1)
        assert [entry.status for entry in await store.runs()] == ["running"]
        await store.append(R1, 1, records(R1, 2), taken=[MessageId("m")])
        assert await store.park(R1, 2, record(R1, 3, PARKED)) is True
        assert list(await store.read(R1, after=2)) == record(R1, 3, PARKED)
        assert [entry.status for entry in await store.runs()] == ["waiting"]
        assert await store.post(message(R1, "n"))

    asyncio.run(run())


@pytest.mark.parametrize("expected", [0, 2])
def test_a_driver_that_was_overtaken_parks_nothing(store: Store, expected: int) -> None:
    async def run() -> None:
        await store.append(R1, 0, records(R1, 1))
        with pytest.raises(Fenced):
            await store.park(R1, expected, record(R1, expected + 1, PARKED))
        assert [entry.status for entry in await store.runs()] == ["running"]

    asyncio.run(run())


def test_no_wake_up_is_lost_between_parking_and_posting(store: Store) -> None:
    async def once(n: int) -> tuple[bool, str]:
        run_id = RunId(f"r{n}")
        await store.append(run_id, 0, records(run_id, 1))
        parking = store.park(run_id, 1, record(run_id, 2, PARKED))
        posting = store.post(message(run_id, "m"))
        if n % 2:
            parked, _ = await asyncio.gather(parking, posting)
        else:
            _, parked = await asyncio.gather(posting, parking)
        assert run_id in await store.called()
        [entry] = [entry for entry in await store.runs() if entry.run == run_id]
        return parked, entry.status

    async def run() -> list[tuple[bool, str]]:
        return [await once(n) for n in range(20)]

    assert set(asyncio.run(run())) <= {(True, "waiting"), (False, "running")}


def test_a_snapshot_is_kept_once(store: Store) -> None:
    async def run() -> None:
        assert await store.kept("f") is None
        await store.keep("f", b"\0\xffone")
        await store.keep("f", b"two")
        assert await store.kept("f") == b"\0\xffone"
        assert await store.kept("g") is None

    asyncio.run(run())


TOOK = Past({A: (Sample(IntentName("find ü"), 3, 2.5, Usage(1, 20, 3, 0.125), 7), Sample(None, 1, 0.5))})


def ending(run: RunId, n: int = 1) -> list[Record]:
    return record(run, n, RunEnded("done", ""))


def took(seconds: float) -> Past:
    return Past({A: (Sample(None, 1, seconds),)}, {"seconds": seconds < 2}, seconds / 10)


def test_what_is_kept_of_an_ended_run_comes_back_as_it_was(store: Store) -> None:
    async def run() -> None:
        await store.append(R1, 0, ending(R1), past=replace(TOOK, held={"seconds": True}, rest=0.25))
        found = await store.history([A, B])
        assert found == History({A: TOOK.samples[A], B: ()}, ({"seconds": True},), (0.25,))
        assert await store.history([]) == History({}, ({"seconds": True},), (0.25,))

    asyncio.run(run())


def test_a_history_has_the_youngest_runs_first_and_no_more_than_is_wanted(store: Store) -> None:
    async def run() -> None:
        for run_id, seconds in ((R2, 2.0), (R3, 3.0), (R1, 1.0)):
            await store.append(run_id, 0, ending(run_id), past=took(seconds))
        found = await store.history([A])
        assert [sample.seconds for sample in found.samples[A]] == [3, 2, 1]
        assert ([held["seconds"] for held in found.held], found.rests) == (
            [False, False, True],
            (0.3, 0.2, 0.1),
        )
        few = await store.history([A], 2)
        assert ([s.seconds for s in few.samples[A]], len(few.held), len(few.rests)) == ([3, 2], 2, 2)
        await store.append(RunId("r4"), 0, ending(RunId("r4")), past=TOOK)
        assert (await store.history([A], 1)).samples[A] == TOOK.samples[A][:1]

    asyncio.run(run())


def test_a_run_that_ends_again_has_one_past(store: Store) -> None:
    async def run() -> None:
        await store.append(
            R1, 0, ending(R1), past=Past({A: (Sample(None, 1, 1.0),), B: (Sample(None, 1, 5.0),)})
        )
        await store.append(R1, 1, ending(R1, 2), past=took(2.0))
        assert await store.history([A, B]) == History(
            {A: took(2.0).samples[A], B: ()}, ({"seconds": False},), (0.2,)
        )

    asyncio.run(run())


def test_a_driver_that_was_overtaken_leaves_nothing_in_the_history(store: Store) -> None:
    async def run() -> None:
        await store.append(R1, 0, records(R1, 1, 2))
        with pytest.raises(Fenced):
            await store.append(R1, 1, ending(R1, 2), past=TOOK)
        assert await store.history([A]) == History({A: ()})

    asyncio.run(run())


def test_runs_that_end_together_each_have_their_past(store: Store) -> None:
    runs = [RunId(f"r{n:02}") for n in range(20)]

    async def run() -> None:
        await asyncio.gather(*(store.append(r, 0, ending(r), past=took(n)) for n, r in enumerate(runs)))
        found = (await store.history([A])).samples[A]
        assert [sample.seconds for sample in found] == list(range(19, -1, -1))

    asyncio.run(run())


def test_the_past_of_a_deleted_run_is_forgotten_too(store: Store) -> None:
    async def run() -> None:
        await store.append(R1, 0, ending(R1), past=took(1.0))
        await store.append(R2, 0, ending(R2), past=took(2.0))
        await store.delete([R1])
        found = await store.history([A])
        assert ([s.seconds for s in found.samples[A]], len(found.held)) == ([2], 1)

    asyncio.run(run())


def test_what_a_journal_keeps_of_a_run_is_what_its_events_say(store: Store) -> None:
    made = plan("t1 a", "t2 b: t1*")
    agents = {"a": Does(lambda _: Output("two", (Item("x"), Item("y")), Usage(1, 5, 5))), "b": says("z")}

    async def run() -> None:
        driven = await planned(made, store)
        await go(driven, agents)
        state = fold(await store.read(driven.journal.run))
        past, found = past_of(state), await store.history([A, B])
        assert found == History({A: past.samples[A], B: past.samples[B]}, (), (past.rest,))
        assert (found.samples[A][0].found, found.samples[B][0].units) == (2, 2)

    asyncio.run(run())


def test_a_deleted_run_is_forgotten_with_all_that_was_only_its_own(store: Store) -> None:
    async def run() -> None:
        for run_id, workspace in ((R1, "shared"), (R2, "shared"), (R3, "own")):
            await store.keep(workspace, workspace.encode())
            await store.append(run_id, 0, record(run_id, 1, TurnReceived("hello", None, workspace)))
        await store.keep("of a run about to begin", b"new")
        await store.post(message(R1, "m"))
        assert await store.delete([R1, R3, R3, RunId("unknown")]) == 2
        assert [entry.run for entry in await store.runs()] == [R2]
        assert list(await store.read(R1)) == list(await store.inbox(R1)) == list(await store.called()) == []
        kept = [await store.kept(name) for name in ("shared", "own", "of a run about to begin")]
        assert kept == [b"shared", None, b"new"]
        await store.append(R1, 0, records(R1, 1))
        assert await store.post(message(R1, "m"))  # nothing is known of the one before
        assert await store.delete([]) == 0
        assert await store.delete([R1, R2]) == 2
        assert await store.kept("shared") is None

    asyncio.run(run())


def test_who_drives_a_run_that_was_deleted_is_fenced(store: Store) -> None:
    async def run() -> None:
        await store.append(R1, 0, records(R1, 1))
        await store.delete([R1])
        with pytest.raises(Fenced):
            await store.append(R1, 1, records(R1, 2))
        assert list(await store.runs()) == []

    asyncio.run(run())


def test_a_store_may_be_closed_again(store: Store) -> None:
    asyncio.run(store.close())
    asyncio.run(store.close())
