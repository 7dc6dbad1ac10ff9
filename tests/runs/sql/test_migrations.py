"""Migrations on both databases: from every schema that there ever was, with data in it."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest
from orchestrator.errors import StoreError
from orchestrator.ids import AgentName, MessageId, RunId
from orchestrator.runs.events import DriverStarted, Record
from orchestrator.runs.messages import CancelAsked, Message
from orchestrator.runs.samples import Past, Sample
from orchestrator.runs.sql.database import Database
from orchestrator.runs.sql.migrations import STEPS, Step, migrate
from orchestrator.runs.sql.opening import open_store
from orchestrator.runs.sql.sqlite import Sqlite

from support.databases import AT, RUN, Watched, records
from support.programs import at_once

Connect = Callable[[], Database]


def connecting(url: str) -> Connect:
    """What opens the database at the URL without any migration."""
    if url.startswith("sqlite"):
        return partial(Sqlite, Path(url.removeprefix("sqlite:///")))
    from orchestrator.runs.sql.postgres import Postgres, Server

    return partial(Postgres, Server(url))


@pytest.fixture
def database(url: str) -> Iterator[Watched]:
    opened = Watched(connecting(url)())
    yield opened
    opened.close()


def done(database: Database) -> list[str]:
    return sorted(name for (name,) in database.rows("SELECT name FROM cuewave_schema"))


def put_first_data(database: Database) -> None:
    """Two records of a run as the first schema has them, word for word: this is never changed."""
    database.change(
        "INSERT INTO cuewave_runs (tenant, run, status, session, text, started, ended, needs_human_review,"
        " workspace) VALUES ('', 'r', 'running', NULL, '', 1767225600000000, NULL, 0, '')"
    )
    for seq, checksum in ((1, 460973508), (2, 1373672112)):
        database.change(
            "INSERT INTO cuewave_events (tenant, run, seq, at, type, version, body, checksum)"
            " VALUES ('', 'r', ?, 1767225600000000, 'DriverStarted', 1, ?, ?)",
            (seq, '{"driver":"a"}', checksum),
        )


def used(url: str) -> None:
    """The store does all it can, on what was there before."""

    async def run() -> None:
        store = open_store(url)
        known = len(await store.read(RUN))
        assert list(await store.read(RUN)) == records(RUN, *range(1, known + 1))
        assert len(await store.runs()) == (known > 0)
        await store.append(RUN, known, records(RUN, known + 1))
        assert await store.post(Message(RUN, AT, CancelAsked("me", message=MessageId("m"))))
        await store.append(RUN, known + 1, records(RUN, known + 2), taken=[MessageId("m")])
        assert await store.park(RUN, known + 2, records(RUN, known + 3))
        past = Past({AgentName("a"): (Sample(None, 1, 1.0),)})
        await store.append(RUN, known + 3, records(RUN, known + 4), past=past)
        assert (await store.history([AgentName("a")])).samples == past.samples
        await store.keep("f", b"snapshot")
        assert await store.delete([RUN]) == 1
        await store.close()

    asyncio.run(run())


@pytest.mark.parametrize("count", range(len(STEPS) + 1))
def test_a_database_of_any_schema_is_brought_to_the_present_one_with_its_data(
    url: str, database: Watched, count: int
) -> None:
    migrate(database, STEPS[:count])
    if count:
        put_first_data(database)
        assert done(database) == [step.name for step in STEPS[:count]]
    used(url)
    assert done(database) == [step.name for step in STEPS]


def test_where_there_is_nothing_to_do_it_costs_one_select(database: Watched) -> None:
    migrate(database)
    database.statements.clear()
    database.transactions.clear()
    migrate(database)
    assert database.statements == ["SELECT name FROM cuewave_schema"]
    assert database.transactions == []


def test_a_database_that_a_newer_program_changed_is_refused_and_left_alone(
    url: str, database: Watched
) -> None:
    migrate(database, [*STEPS, Step("9999_later", ("CREATE TABLE later (a INTEGER)",))])
    store = open_store(url)
    with pytest.raises(StoreError, match=r"newer cuewave.*9999_later.*not know; upgrade"):
        asyncio.run(store.append(RUN, 0, records(RUN, 1)))
    asyncio.run(store.close())
    assert database.rows("SELECT count(*) FROM cuewave_events") == [(0,)]


def test_a_newer_program_that_is_at_an_older_schema_too_is_refused(database: Watched) -> None:
    migrate(database, [STEPS[0], Step("9999_later", ())])
    with pytest.raises(StoreError, match="9999_later"):
        migrate(database)
    assert done(database) == [STEPS[0].name, "9999_later"]


def test_a_step_that_fails_leaves_nothing_of_itself(database: Watched) -> None:
    broken = Step("0002_broken", ("CREATE TABLE half (a INTEGER)", "CREATE TABLE no sense"))
    with pytest.raises(StoreError):
        migrate(database, [STEPS[0], broken])
    assert done(database) == [STEPS[0].name]
    with pytest.raises(StoreError, match="half"):
        database.rows("SELECT * FROM half")
    migrate(database)
    assert done(database) == [step.name for step in STEPS]


@pytest.mark.parametrize("count", [0, 1])
def test_programs_that_begin_at_once_do_each_step_once(url: str, database: Watched, count: int) -> None:
    if count:
        migrate(database, STEPS[:count])
    names = ["a", "b", "c"]
    assert at_once("first", url, names) == [("", "")] * 3

    async def run() -> Sequence[Sequence[Record]]:
        store = open_store(url)
        found = [await store.read(RunId(name)) for name in names]
        await store.close()
        return found

    expected = [[Record(RunId(name), 1, AT, DriverStarted(name))] for name in names]
    assert [list(found) for found in asyncio.run(run())] == expected
    assert done(database) == [step.name for step in STEPS]


def test_connections_that_migrate_in_turns_do_each_step_once(url: str, database: Watched) -> None:
    """The other program is always one step ahead of where this one looked."""
    other = connecting(url)()

    def ahead() -> None:
        database.before = lambda: None
        migrate(other)

    database.before = ahead
    migrate(database)
    other.close()
    assert done(database) == [step.name for step in STEPS]
