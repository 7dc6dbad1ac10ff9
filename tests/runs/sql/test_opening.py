import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from orchestrator.errors import MissingExtra, StoreError, UserError
from orchestrator.ids import RunId
from orchestrator.runs.events import DriverStarted, Record
from orchestrator.runs.memory import MemoryStore
from orchestrator.runs.sql.opening import open_store
from orchestrator.runs.store import Store

RUN = RunId("r")
FIRST = [Record(RUN, 1, datetime(2026, 1, 1, tzinfo=UTC), DriverStarted("a"))]


def write_and_close(store: Store) -> None:
    async def run() -> None:
        await store.append(RUN, 0, FIRST)
        await store.close()

    asyncio.run(run())


def test_three_slashes_are_a_file_below_the_present_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = open_store("sqlite:///var/runs.db")
    monkeypatch.chdir("/")  # where it was then, not where one is when it is first used
    write_and_close(store)
    assert (tmp_path / "var" / "runs.db").exists()


def test_four_slashes_are_an_absolute_file_and_its_folders_are_made(tmp_path: Path) -> None:
    write_and_close(open_store(f"sqlite:///{tmp_path}/a/b/runs.db"))
    assert (tmp_path / "a" / "b" / "runs.db").exists()


@pytest.mark.parametrize("name", ["100%41.db", "what?.db", "a b#c.db", "ünï.db"])
def test_the_path_of_a_file_is_as_it_is_written(tmp_path: Path, name: str) -> None:
    write_and_close(open_store(f"sqlite:///{tmp_path}/{name}"))
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_what_was_written_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    write_and_close(open_store(f"sqlite:///{tmp_path}/runs.db"))
    store = open_store(f"sqlite:///{tmp_path}/runs.db")
    assert list(asyncio.run(store.read(RUN))) == FIRST
    asyncio.run(store.close())


def test_a_store_may_be_in_memory() -> None:
    assert isinstance(open_store("memory://"), MemoryStore)


def test_opening_touches_nothing_before_it_is_used(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/a/runs.db")
    asyncio.run(store.close())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "url",
    [
        "mysql://me:s3cret@host/db",
        "me:s3cret@host",
        "",
        "runs.db",
        "sqlite:runs.db",
        "sqlite://runs.db",
        "sqlite:///",
        "sqlite:///:memory:",
        "memory://x",
        "postgres:/me:s3cret@host",
    ],
)
def test_what_is_no_url_of_a_store_is_refused_with_what_is_one(url: str) -> None:
    with pytest.raises(UserError, match=r"sqlite:///relative/file\.db.*postgresql://.*memory://") as refused:
        open_store(url)
    assert "s3cret" not in str(refused.value)


def test_without_its_driver_a_store_on_postgresql_names_the_extra_that_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "orchestrator.runs.sql.postgres", raising=False)
    with pytest.raises(MissingExtra, match=r"PostgreSQL needs .*pip install 'cuewave\[postgres\]'"):
        open_store("postgresql://me:s3cret@host/db")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:s3cret@more@host/db",
        "postgresql://me:s3cret@host:port@x/db",
        "postgresql://me:s3cret/x@host/db",
        "postgresql://me:s3%zzcret@host/db",
        "postgresql://host/db?password=s3cret&nonsense=1",
        "postgresql://me:s3cret@[::1/db",
    ],
)
@pytest.mark.service
@pytest.mark.usefixtures("postgres")
def test_a_url_that_cannot_be_read_is_not_shown(url: str) -> None:
    with pytest.raises(UserError, match="postgresql://USER:PASSWORD@HOST") as refused:
        open_store(url)
    assert "s3" not in str(refused.value)
    assert "cret" not in str(refused.value)


@pytest.mark.service
@pytest.mark.usefixtures("postgres")
@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_a_server_that_is_not_there_is_named_without_the_password(scheme: str) -> None:
    store = open_store(f"{scheme}://me:s3cret@127.0.0.1:1/db")
    with pytest.raises(StoreError, match=r"127\.0\.0\.1:1, database db cannot be reached.*refused") as told:
        asyncio.run(store.read(RUN))
    assert "s3cret" not in f"{told.value} {told.value.__cause__} {told.value.__context__}"
    asyncio.run(store.close())
