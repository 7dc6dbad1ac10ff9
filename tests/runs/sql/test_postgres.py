"""What is PostgreSQL's own: connections that are lost, locks of others, rights, names that are too long."""

import asyncio
from functools import partial

import pytest
from orchestrator.errors import StoreError
from orchestrator.ids import MessageId, RunId, SessionId
from orchestrator.runs.events import Record, TurnReceived
from orchestrator.runs.messages import CancelAsked, Message
from orchestrator.runs.sql.database import Database
from orchestrator.runs.sql.migrations import migrate
from orchestrator.runs.sql.opening import open_store
from orchestrator.runs.sql.store import SqlStore

from support.databases import AT, RUN, records, with_store
from support.postgres import Postgres as Server

pytestmark = pytest.mark.service


@pytest.fixture
def url(postgres: Server) -> str:
    return postgres.new_database()


def connect(url: str, patience: float = 10) -> Database:
    """A connection to the database, with its tables."""
    from orchestrator.runs.sql import postgres

    database = postgres.Postgres(postgres.Server(url), patience=patience)
    migrate(database)
    return database


def executed(url: str, *statements: str) -> None:
    """Somebody else does something in the database."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


OTHERS_CUT = (
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


def test_a_connection_that_was_cut_while_idle_is_made_anew_and_nobody_notices(url: str) -> None:
    async def use(store: SqlStore) -> None:
        await store.append(RUN, 0, records(RUN, 1))
        await asyncio.to_thread(executed, url, OTHERS_CUT)
        await store.append(RUN, 1, records(RUN, 2))
        await asyncio.to_thread(executed, url, OTHERS_CUT)
        assert list(await store.read(RUN)) == records(RUN, 1, 2)
        await asyncio.to_thread(executed, url, OTHERS_CUT)
        assert await store.post(Message(RUN, AT, CancelAsked("me", message=MessageId("m"))))

    with_store(partial(connect, url), use)


CUT_BY_COMMIT = (
    "CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS"
    " $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(10); RETURN NULL; END $$",
    "CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON cuewave_events DEFERRABLE INITIALLY DEFERRED"
    " FOR EACH ROW WHEN (NEW.seq = 2) EXECUTE FUNCTION cut()",
)


def test_a_connection_that_is_cut_during_a_commit_leaves_a_driver_that_knows_it_does_not_know(
    url: str,
) -> None:
    async def use(store: SqlStore) -> None:
        await store.append(RUN, 0, records(RUN, 1))
        await asyncio.to_thread(executed, url, *CUT_BY_COMMIT)
        with pytest.raises(
            StoreError, match=r"during a commit, and whether it came about is not known: resume"
        ):
            await store.append(RUN, 1, records(RUN, 2))
        await asyncio.to_thread(executed, url, "DROP TRIGGER cut ON cuewave_events")
        found = list(await store.read(RUN))
        assert found == records(RUN, 1)
        await store.append(RUN, 1, records(RUN, 2))

    with_store(partial(connect, url), use)


def test_a_server_that_went_away_is_told_and_used_again_when_it_is_back(url: str) -> None:
    name = url.rpartition("/")[2]
    server = url.replace(name, "postgres")

    async def use(store: SqlStore) -> None:
        await store.append(RUN, 0, records(RUN, 1))
        await asyncio.to_thread(
            executed,
            server,
            f"ALTER DATABASE {name} ALLOW_CONNECTIONS false",
            OTHERS_CUT.replace("current_database()", f"'{name}'"),
        )
        for _ in range(2):
            with pytest.raises(StoreError, match=rf"database {name} cannot be reached"):
                await store.append(RUN, 1, records(RUN, 2))
        await asyncio.to_thread(executed, server, f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        await store.append(RUN, 1, records(RUN, 2))
        assert list(await store.read(RUN)) == records(RUN, 1, 2)

    with_store(partial(connect, url), use)


def test_who_waits_for_a_lock_too_long_is_told(url: str) -> None:
    import psycopg

    async def use(store: SqlStore) -> None:
        await store.append(RUN, 0, records(RUN, 1))
        with psycopg.connect(url) as other:
            other.execute("LOCK TABLE cuewave_events IN EXCLUSIVE MODE")
            with pytest.raises(StoreError, match=r"locked for more than 0\.05 s"):
                await store.append(RUN, 1, records(RUN, 2))
        await store.append(RUN, 1, records(RUN, 2))

    with_store(partial(connect, url, patience=0.05), use)


def test_a_user_without_the_rights_is_told(url: str) -> None:
    executed(url, "CREATE ROLE guest LOGIN")
    with_store(partial(connect, url), lambda store: store.append(RUN, 0, records(RUN, 1)))
    executed(url, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest")

    async def use(store: SqlStore) -> None:
        assert list(await store.read(RUN)) == records(RUN, 1)
        with pytest.raises(
            StoreError, match=r"the user has not the right to do this; grant it.*permission denied"
        ):
            await store.append(RUN, 1, records(RUN, 2))

    with_store(partial(connect, url.replace("postgres@", "guest@")), use)
    executed(url, "DROP OWNED BY guest", "DROP ROLE guest")


def test_what_cannot_be_stored_fails_alone(url: str) -> None:
    names = [RunId(f"r{n}") for n in range(10)]
    long = SessionId("".join(chr(0x4E00 + n) for n in range(5_000)))

    async def use(store: SqlStore) -> list[object]:
        turns = [TurnReceived("hello", long if n == 4 else None) for n in range(10)]
        appends = [
            store.append(name, 0, [Record(name, 1, AT, turn)])
            for name, turn in zip(names, turns, strict=True)
        ]
        return list(await asyncio.gather(*appends, return_exceptions=True))

    ends = with_store(partial(connect, url), use)
    assert "a name is too long" in str(ends.pop(4))
    assert ends == [None] * 9


def test_commits_are_on_the_disk_whatever_is_the_default_of_the_server(url: str) -> None:
    name = url.rpartition("/")[2]
    executed(
        url,
        f"ALTER DATABASE {name} SET synchronous_commit = off",
        f"ALTER DATABASE {name} SET default_transaction_isolation = 'repeatable read'",
        f"ALTER DATABASE {name} SET default_transaction_read_only = on",
    )
    database = connect(url)
    with database.transaction("write"):
        assert database.rows("SHOW synchronous_commit") == [("on",)]
        assert database.rows("SHOW transaction_isolation") == [("read committed",)]
    database.close()


@pytest.mark.parametrize("level", ["remote_apply", "local"])
def test_a_server_that_wants_more_or_less_of_its_standbys_is_left_so(url: str, level: str) -> None:
    executed(url, f"ALTER DATABASE {url.rpartition('/')[2]} SET synchronous_commit = {level}")
    database = connect(url)
    assert database.rows("SHOW synchronous_commit") == [(level,)]
    database.close()


def test_the_password_is_in_no_message(postgres: Server) -> None:
    url = postgres.url("no_such_database").replace("postgres@", "postgres:s3cr%40t@")
    store = open_store(url)
    with pytest.raises(StoreError, match=r"no_such_database.*does not exist") as told:
        asyncio.run(store.read(RUN))
    assert "s3cr" not in f"{told.value} {told.value.__context__} {told.value.__cause__}"
    asyncio.run(store.close())
