"""What befalls a file of SQLite: a clear error, nothing lost, and it goes on once that is mended."""

import asyncio
import os
import pwd
import shutil
import sqlite3
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.errors import Fenced, StoreError
from orchestrator.ids import MessageId, RunId
from orchestrator.runs.events import DriverStarted, Record
from orchestrator.runs.messages import CancelAsked, Message
from orchestrator.runs.sql.database import Database
from orchestrator.runs.sql.migrations import migrate
from orchestrator.runs.sql.opening import open_store, sqlite_opener
from orchestrator.runs.sql.sqlite import Sqlite
from orchestrator.runs.sql.store import SqlStore

from support.databases import AT, RUN, records, with_store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


def written(path: Path, *, text: str = "a", runs: Sequence[RunId] = (RUN,), count: int = 3) -> None:
    """A file with these runs, closed, so that all of it is in the file itself."""

    async def use(store: SqlStore) -> None:
        for run in runs:
            await store.append(run, 0, records(run, *range(1, count + 1), text=text))

    with_store(sqlite_opener(path), use)


def executed(path: Path, sql: str) -> None:
    """Somebody else does something to the file."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(sql)
    connection.close()


def test_a_file_that_is_locked_for_long_is_told_and_then_used(path: Path) -> None:
    async def use(store: SqlStore) -> None:
        await store.append(RUN, 0, records(RUN, 1))
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        ends = await asyncio.gather(
            store.append(RUN, 1, records(RUN, 2)),
            store.append(RunId("s"), 0, records(RunId("s"), 1)),
            return_exceptions=True,
        )
        assert [type(end) for end in ends] == [StoreError, StoreError]
        assert all(f"{path}: another program has had it locked for more than 0.05 s" in str(e) for e in ends)
        assert list(await store.read(RUN)) == records(RUN, 1)  # reading goes on
        other.execute("ROLLBACK")
        other.close()
        await store.append(RUN, 1, records(RUN, 2))

    with_store(sqlite_opener(path, patience=0.05), use)


class Tight(Sqlite):
    """A database on a disk that has room for so many pages."""

    pages = 1 << 30

    @contextmanager
    def transaction(self, aim: str) -> Generator[None]:  # type: ignore[override]
        self.change(f"PRAGMA max_page_count = {self.pages}")
        with super().transaction(aim):  # type: ignore[arg-type]
            yield


def test_a_full_disk_is_told_to_all_who_wait_and_nothing_is_half_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect() -> Database:
        database = Tight(path)
        migrate(database)
        return database

    names = [RunId(f"r{n}") for n in range(8)]
    large = [Record(RUN, seq, AT, DriverStarted("x" * 3_000)) for seq in range(2, 40)]

    async def use(store: SqlStore) -> None:
        await store.append(RUN, 0, records(RUN, 1))
        await store.post(Message(RUN, AT, CancelAsked("me", message=MessageId("m"))))
        monkeypatch.setattr(Tight, "pages", 1)  # not less than there are: the file may not grow
        ends = await asyncio.gather(
            store.append(RUN, 1, large, taken=[MessageId("m")]),
            *(store.append(name, 0, records(name, 1, text="y" * 5_000)) for name in names),
            return_exceptions=True,
        )
        assert {f"{type(end).__name__}: {end}" for end in ends} == {
            f"StoreError: {path}: the disk is full, nothing was stored; make room and try again"
            " (database or disk is full)"
        }
        assert list(await store.read(RUN)) == records(RUN, 1)
        assert [m.id for m in await store.inbox(RUN)] == ["m"]
        assert [entry.run for entry in await store.runs()] == [RUN]
        monkeypatch.undo()
        await store.append(RUN, 1, large, taken=[MessageId("m")])
        assert list(await store.read(RUN)) == [*records(RUN, 1), *large]
        assert list(await store.inbox(RUN)) == []

    with_store(connect, use)


def test_a_full_disk_in_the_midst_of_many_appends_loses_none_that_was_acknowledged(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect() -> Database:
        database = Tight(path)
        migrate(database)
        return database

    monkeypatch.setattr(Tight, "pages", 60)

    async def drive(store: SqlStore, run: RunId) -> int:
        for seq in range(200):
            try:
                await store.append(run, seq, records(run, seq + 1, text="x" * 300))
            except StoreError as error:
                assert "full" in str(error)  # noqa: PT017 - what it is depends on when it comes
                return seq
        return 200

    async def use(store: SqlStore) -> tuple[list[int], list[int]]:
        names = [RunId(f"r{n}") for n in range(10)]
        acknowledged = await asyncio.gather(*(drive(store, name) for name in names))
        return acknowledged, [len(await store.read(name)) for name in names]

    acknowledged, found = with_store(connect, use)
    assert acknowledged == found
    assert 0 < sum(found) < 2_000


@pytest.fixture
def own_folder() -> Iterator[Path]:
    """A folder of somebody who is not root, who may do anything; it is theirs for the time of the test."""
    folder = Path(tempfile.mkdtemp(prefix="cuewave-faults-"))
    if os.geteuid() != 0:
        yield folder
    else:
        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        os.seteuid(nobody.pw_uid)
        try:
            yield folder
        finally:
            os.seteuid(0)
    shutil.rmtree(folder)


def test_a_file_that_may_not_be_written_is_read_and_written_once_it_may(own_folder: Path) -> None:
    path = own_folder / "runs.db"
    written(path)
    path.chmod(0o400)

    async def use(store: SqlStore) -> None:
        assert list(await store.read(RUN)) == records(RUN, 1, 2, 3)
        with pytest.raises(StoreError, match=r"runs\.db: it may not be written; give write permission"):
            await store.append(RUN, 3, records(RUN, 4))
        for file in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
            os.chmod(file, 0o600)
        await store.append(RUN, 3, records(RUN, 4))
        assert list(await store.read(RUN)) == records(RUN, 1, 2, 3, 4)

    with_store(sqlite_opener(path), use)


def test_a_folder_that_may_not_be_written_is_told(own_folder: Path) -> None:
    path = own_folder / "runs.db"
    written(path)
    own_folder.chmod(0o500)

    async def use(store: SqlStore) -> None:
        with pytest.raises(StoreError, match=r"runs\.db: .*permission.* folder"):
            await store.append(RUN, 3, records(RUN, 4))
        os.chmod(own_folder, 0o700)
        await store.append(RUN, 3, records(RUN, 4))

    with_store(sqlite_opener(path), use)


def test_a_new_file_in_a_folder_that_may_not_be_written_is_told(own_folder: Path) -> None:
    own_folder.chmod(0o500)
    for path in (own_folder / "runs.db", own_folder / "below" / "runs.db"):
        store = open_store(f"sqlite:///{path}")
        with pytest.raises(StoreError, match=r"runs\.db: .*(permission|ermission denied).*folder"):
            asyncio.run(store.append(RUN, 0, records(RUN, 1)))
        asyncio.run(store.close())
    own_folder.chmod(0o700)


def test_a_file_that_is_no_database_is_left_as_it_is(path: Path) -> None:
    path.write_text("dear diary, " * 100)
    store = open_store(f"sqlite:///{path}")
    with pytest.raises(StoreError, match=r"runs\.db: the file is not a SQLite database"):
        asyncio.run(store.append(RUN, 0, records(RUN, 1)))
    asyncio.run(store.close())
    assert path.read_text() == "dear diary, " * 100


def test_a_path_through_a_file_is_told(path: Path) -> None:
    path.write_text("a file")
    store = open_store(f"sqlite:///{path}/runs.db")
    with pytest.raises(StoreError, match="its folder cannot be made or read"):
        asyncio.run(store.read(RUN))
    asyncio.run(store.close())


def test_a_file_that_is_moved_away_while_it_is_used_takes_nothing_more(path: Path) -> None:
    async def use(store: SqlStore) -> None:
        await store.append(RUN, 0, records(RUN, 1))
        moved = path.with_name("moved.db")
        for name in (path, *path.parent.glob("runs.db-*")):
            name.rename(path.with_name(name.name.replace("runs.db", "moved.db")))
        with pytest.raises(Fenced):  # the driver is told: what it stands on is not there
            await store.append(RUN, 1, records(RUN, 2))
        shutil.copy(moved, path.with_name("copy.db"))

    with_store(sqlite_opener(path), use)

    async def found(store: SqlStore) -> Sequence[Record]:
        return await store.read(RUN)

    assert list(with_store(sqlite_opener(path.with_name("moved.db")), found)) == records(RUN, 1)


MANY = [RunId(f"r{n:03}") for n in range(40)]


async def read_all(store: SqlStore) -> list[Sequence[Record] | str]:
    """What is read of each run, or what is said instead."""
    found: list[Sequence[Record] | str] = []
    for run in MANY:
        try:
            found.append(list(await store.read(run)))
        except StoreError as error:
            found.append(str(error))
    return found


async def read_each(store: SqlStore) -> None:
    for run in MANY:
        await store.read(run)


def many(path: Path) -> None:
    written(path, text="some text " * 30, runs=MANY, count=4)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with many runs, of which tests take copies."""
    path = tmp_path_factory.mktemp("sound") / "runs.db"
    many(path)
    return path


EXPECTED = [records(run, 1, 2, 3, 4, text="some text " * 30) for run in MANY]


@given(
    place=st.floats(0.02, 0.99),
    length=st.sampled_from([1, 7, 100, 4096, 20_000]),
    how=st.sampled_from(["zeros", "noise", "letters"]),
    seed=st.integers(0, 1000),
)
def test_whatever_bytes_of_the_file_are_overwritten_no_record_is_read_that_was_not_written(
    sound: Path, place: float, length: int, how: str, seed: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.db"
        body = bytearray(sound.read_bytes())
        at = int(len(body) * place)
        length = min(length, len(body) - at)
        body[at : at + length] = {
            "zeros": bytes(length),
            "noise": Random(seed).randbytes(length),
            "letters": b"a" * length,
        }[how]
        path.write_bytes(body)
        try:
            found = with_store(sqlite_opener(path), read_all)
        except StoreError:
            return
        for run, expected, records_or_error in zip(MANY, EXPECTED, found, strict=True):
            if isinstance(records_or_error, str):
                assert str(path) in records_or_error or run in records_or_error
            else:
                assert records_or_error == expected[: len(records_or_error)]


def test_a_damaged_page_is_told_with_what_can_be_done_and_all_is_there_once_it_is_mended(
    sound: Path, path: Path
) -> None:
    body = sound.read_bytes()
    late = len(body) * 3 // 4 // 4096 * 4096  # a page of events: those of the other tables come first
    path.write_bytes(body[:late] + b"\xff" * 4096 + body[late + 4096 :])

    async def use(store: SqlStore) -> None:
        damaged = [found for found in await read_all(store) if isinstance(found, str)]
        assert damaged
        assert any("the file is damaged; end all programs that use it" in told for told in damaged)
        await asyncio.to_thread(path.write_bytes, body)
        assert await read_all(store) == EXPECTED
        await store.append(MANY[0], 4, records(MANY[0], 5))

    with_store(sqlite_opener(path), use)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_file_that_was_cut_off_is_told(sound: Path, path: Path, share: float) -> None:
    body = sound.read_bytes()
    path.write_bytes(body[: int(len(body) * share)])
    store = open_store(f"sqlite:///{path}")
    with pytest.raises(StoreError, match=r"runs\.db: the file is damaged.*recover"):
        asyncio.run(read_each(store))
    path.write_bytes(body)
    assert list(asyncio.run(store.read(MANY[-1]))) == EXPECTED[-1]
    asyncio.run(store.close())


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("DELETE FROM cuewave_events WHERE seq = 2", "run r: record 2 is missing"),
        ("DELETE FROM cuewave_events WHERE seq = 1", "run r: record 1 is missing"),
        ("DELETE FROM cuewave_events", "run r: record 1 is missing"),
        (
            "UPDATE cuewave_events SET body = '{}' WHERE seq = 3",
            "run r, record 3 cannot be read.*not what was",
        ),
        ("UPDATE cuewave_events SET at = at + 1 WHERE seq = 3", "run r, record 3 cannot be read"),
        ("UPDATE cuewave_events SET type = 'RunParked' WHERE seq = 1", "run r, record 1 cannot be read"),
        ("UPDATE cuewave_events SET body = x'ff00' WHERE seq = 1", "run r, record 1 cannot be read"),
        ("UPDATE cuewave_events SET body = CAST(x'ff' AS TEXT) WHERE seq = 1", "the file is damaged"),
        ("UPDATE cuewave_events SET seq = 9 WHERE seq = 3", "run r: record 3 is missing"),
    ],
)
def test_a_journal_that_is_not_whole_is_told_and_is_whole_again_once_it_is_put_back(
    path: Path, sql: str, told: str
) -> None:
    written(path)
    copy = path.read_bytes()
    executed(path, sql)
    store = open_store(f"sqlite:///{path}")
    with pytest.raises(StoreError, match=told):
        asyncio.run(store.read(RUN))
    asyncio.run(store.close())
    path.write_bytes(copy)
    store = open_store(f"sqlite:///{path}")
    assert list(asyncio.run(store.read(RUN))) == records(RUN, 1, 2, 3)
    asyncio.run(store.close())


def test_a_damaged_message_is_told_with_its_run_and_its_id(path: Path) -> None:
    async def use(store: SqlStore) -> None:
        await store.append(RUN, 0, records(RUN, 1))
        await store.post(Message(RUN, AT, CancelAsked("me", message=MessageId("m1"))))
        executed(path, "UPDATE cuewave_inbox SET body = '{}'")
        with pytest.raises(StoreError, match=r"run r, message m1 cannot be read.*runs delete r"):
            await store.inbox(RUN)
        assert await store.delete([RUN]) == 1

    with_store(sqlite_opener(path), use)


def test_a_damaged_entry_is_told_with_its_run(path: Path) -> None:
    written(path)
    executed(path, "UPDATE cuewave_runs SET started = 'yesterday'")
    store = open_store(f"sqlite:///{path}")
    with pytest.raises(StoreError, match="run r, its entry cannot be read"):
        asyncio.run(store.runs())
    assert list(asyncio.run(store.read(RUN))) == records(RUN, 1, 2, 3)
    asyncio.run(store.close())


def test_a_record_of_a_newer_program_is_told_with_its_place(path: Path) -> None:
    from orchestrator.runs.sql.rows import _checksum, microseconds

    written(path)
    checksum = _checksum("r 3", microseconds(AT), "DriverStarted", 99, '{"driver":"a"}')
    executed(path, f"UPDATE cuewave_events SET version = 99, checksum = {checksum} WHERE seq = 3")
    store = open_store(f"sqlite:///{path}")
    with pytest.raises(StoreError, match=r"run r, record 3.*version 99.*upgrade"):
        asyncio.run(store.read(RUN))
    asyncio.run(store.close())
