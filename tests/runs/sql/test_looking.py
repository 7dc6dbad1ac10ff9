"""Looking at the history of a store leaves no trace of it."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from orchestrator.errors import StoreError, UserError
from orchestrator.ids import AgentName, RunId
from orchestrator.runs.events import Record, RunEnded
from orchestrator.runs.samples import History, Past, Sample
from orchestrator.runs.sql.looking import look_at_history
from orchestrator.runs.sql.migrations import STEPS, migrate
from orchestrator.runs.sql.opening import open_store
from orchestrator.runs.sql.sqlite import Sqlite

from support.databases import AT

A, R1 = AgentName("a"), RunId("r1")
PAST = Past({A: (Sample(None, 1, 2.0),)}, {"seconds": True}, 0.5)
KNOWN = History({A: PAST.samples[A]}, ({"seconds": True},), (0.5,))


def write(url: str) -> None:
    async def run() -> None:
        store = open_store(url)
        await store.append(R1, 0, [Record(R1, 1, AT, RunEnded("done", ""))], past=PAST)
        await store.close()

    asyncio.run(run())


def test_what_a_store_knows_is_seen_without_opening_it(url: str) -> None:
    write(url)
    assert look_at_history(url, [A]) == KNOWN
    assert look_at_history(url, [A], tenant="another") == History({A: ()})


def test_a_database_without_the_tables_has_no_history_and_stays_as_it_is(url: str) -> None:
    if url.startswith("sqlite"):
        Sqlite(Path(url.removeprefix("sqlite:///"))).close()
    assert look_at_history(url, [A]) == History()
    assert look_at_history(url, [A]) == History()


def test_where_there_is_no_file_none_is_made_nor_a_folder(tmp_path: Path) -> None:
    assert look_at_history(f"sqlite:///{tmp_path}/var/runs.db", [A]) == History()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_nobody_uses_is_left_as_it_was_with_nothing_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "a b%41?.db"
    write(f"sqlite:///{file}")
    before = file.read_bytes(), file.stat().st_mtime_ns
    assert look_at_history(f"sqlite:///{file}", [A]) == KNOWN
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_what_another_program_has_just_written_is_seen(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/runs.db"

    async def run() -> None:
        store = open_store(url)
        await store.append(R1, 0, [Record(R1, 1, AT, RunEnded("done", ""))], past=PAST)
        assert (tmp_path / "runs.db-wal").exists()
        assert look_at_history(url, [A]) == KNOWN
        await store.close()

    asyncio.run(run())


def test_a_file_of_an_older_schema_has_no_history_and_is_not_migrated(tmp_path: Path) -> None:
    database = Sqlite(tmp_path / "runs.db")
    migrate(database, STEPS[:3])
    database.close()
    assert look_at_history(f"sqlite:///{tmp_path}/runs.db", [A]) == History()
    with sqlite3.connect(tmp_path / "runs.db") as connection:
        assert connection.execute("SELECT count(*) FROM cuewave_schema").fetchall() == [(3,)]
    connection.close()


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "runs.db").write_text("something else, and long enough to be looked at" * 40)
    with pytest.raises(StoreError, match="not a SQLite database"):
        look_at_history(f"sqlite:///{tmp_path}/runs.db", [A])


@pytest.mark.parametrize("body", ["no JSON", "[[1]]", '{"a": 1}', "3"])
def test_a_row_that_cannot_be_read_is_told(tmp_path: Path, body: str) -> None:
    write(f"sqlite:///{tmp_path}/runs.db")
    with sqlite3.connect(tmp_path / "runs.db") as connection:
        connection.execute("UPDATE cuewave_history SET body = ?", (body,))
    connection.close()
    with pytest.raises(StoreError, match="cannot be read"):
        look_at_history(f"sqlite:///{tmp_path}/runs.db", [A])


def test_a_row_of_another_version_is_left_alone(tmp_path: Path) -> None:
    write(f"sqlite:///{tmp_path}/runs.db")
    with sqlite3.connect(tmp_path / "runs.db") as connection:
        connection.execute("UPDATE cuewave_history SET version = 2, body = 'of a newer one'")
    connection.close()
    assert look_at_history(f"sqlite:///{tmp_path}/runs.db", [A]) == History({A: ()})


def test_what_is_forgotten_at_the_end_has_no_history_and_a_url_that_names_no_file_is_refused() -> None:
    assert look_at_history("memory://", [A]) == History()
    with pytest.raises(UserError, match="names no file"):
        look_at_history("sqlite:///", [A])


def test_a_look_loads_no_event(tmp_path: Path) -> None:
    write(f"sqlite:///{tmp_path}/runs.db")
    probe = (
        "import json, sys; from orchestrator.runs.sql.looking import look_at_history;"
        f" look_at_history('sqlite:///{tmp_path}/runs.db', ['a']);"
        " print(json.dumps([m for m in ('orchestrator.runs.events', 'asyncio') if m in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, env=os.environ
    )
    assert json.loads(done.stdout) == []
