"""The process is killed at every append and at random instants, and taken up again: nothing is lost or twice.

`CUEWAVE_CRASH=full python -m pytest tests/crash` runs the whole matrix, with 100 instants of every plan.
"""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from crash.plans import PLANS, Traces
from support.postgres import Postgres

pytestmark = pytest.mark.crash

FULL = os.environ.get("CUEWAVE_CRASH") == "full"
INSTANTS = 100 if FULL else 12
TURNS = (
    "summarize my inbox and check my calendar",
    "find the overdue invoices, then write a reminder for each",
)
NOTING = "search my inbox for the lease and then add it to my notes"
SCENARIOS = tuple(
    f"scenario {path.stem}"
    for path in sorted((Path(__file__).parents[2] / "config" / "scenarios").glob("*.yaml"))
)
EVERY = (*PLANS, *TURNS, *((NOTING,) if FULL else ()))
TESTS = Path(__file__).parents[1]


class Zygote:
    """Runs jobs in processes of their own."""

    def __init__(self) -> None:
        path = os.pathsep.join([str(TESTS), str(TESTS.parent)])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "crash.zygote"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        self.jobs = 0

    def run(self, plan: str, folder: Path, store: str, **more: Any) -> int:
        """The exit code of the job's process."""
        folder.mkdir(parents=True, exist_ok=True)
        self.jobs += 1
        job = {"job": self.jobs, "plan": plan, "folder": str(folder), "store": store}
        job |= {"settle": False, "kill": None, "seconds": None, **more}
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        told = json.loads(self.process.stdout.readline())
        assert told["job"] == self.jobs
        return told["exit"]

    def settled(self, plan: str, folder: Path, store: str) -> dict[str, Any]:
        """What the run came to, once it was taken up and a person has settled what was in doubt."""
        assert self.run(plan, folder, store, settle=True) == 0
        return json.loads((folder / "result.json").read_text())

    def close(self) -> None:
        self.process.communicate()
        assert self.process.returncode == 0


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    made = Zygote()
    yield made
    made.close()


def sqlite(folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'runs.db'}"


def same(found: dict[str, Any], expected: dict[str, Any]) -> None:
    """But for what names the run: its id, which is in the keys of its effects."""
    for key in found.keys() - {"run", "appends"}:
        assert found[key] == expected[key], key


def effects_of(plan: str, folder: Path) -> Counter[str]:
    """How often the effect of each task came about."""
    if plan in PLANS:
        return Counter(key.split("/")[1] for key in Traces(folder).marks())
    written = [folder / "workspace" / "var" / "reminders.ics"]
    written += (folder / "workspace" / "samples" / "notes").rglob("*.md")
    lines = [line for file in written if file.exists() for line in file.read_text().splitlines()]
    return Counter(line for line in lines if line.startswith(("UID:", "  <!-- cuewave:")))


def check(plan: str, found: dict[str, Any], expected: dict[str, Any], folder: Path, untouched: Path) -> None:
    same(found, expected)
    effects = effects_of(plan, folder)
    assert set(effects.values()) <= {1}, effects
    assert len(effects) == len(effects_of(plan, untouched))


def killed_at_every_append(
    plan: str, zygote: Zygote, folder: Path, store_in: Callable[[Path], str], moments: Sequence[str]
) -> None:
    untouched = folder / "untouched"
    expected = zygote.settled(plan, untouched, store_in(untouched))
    assert expected["status"] in ("done", "outcome_failed")
    for at in range(1, expected["appends"] + 1):
        for when in moments:
            place = folder / f"{at}-{when}"
            store = store_in(place)
            assert zygote.run(plan, place, store, kill=(at, when)) == -9, (at, when)
            check(plan, zygote.settled(plan, place, store), expected, place, untouched)


@pytest.mark.parametrize("plan", dict.fromkeys((*EVERY, NOTING, *SCENARIOS)))
def test_killed_at_every_append_nothing_is_lost_or_done_twice(
    plan: str, zygote: Zygote, tmp_path: Path
) -> None:
    moments = ("after",) if plan in SCENARIOS and not FULL else ("before", "after")
    killed_at_every_append(plan, zygote, tmp_path, sqlite, moments)


@pytest.mark.service
@pytest.mark.parametrize(
    "plan", EVERY if FULL else ("diamond", "approval", "scenario contradicting_recounts")
)
def test_killed_at_every_append_on_postgresql_nothing_is_lost_or_done_twice(
    plan: str, zygote: Zygote, tmp_path: Path, postgres: Postgres
) -> None:
    moments = ("before", "after") if FULL else ("after",)
    killed_at_every_append(plan, zygote, tmp_path, lambda _: postgres.new_database(), moments)


@pytest.mark.parametrize("plan", EVERY)
def test_killed_at_any_instant_nothing_is_lost_or_done_twice(
    plan: str, zygote: Zygote, tmp_path: Path
) -> None:
    untouched = tmp_path / "untouched"
    expected = zygote.settled(plan, untouched, sqlite(untouched))
    chance = random.Random(plan)
    for number in range(INSTANTS):
        folder = tmp_path / str(number)
        zygote.run(plan, folder, sqlite(folder), seconds=chance.uniform(0.0, 0.06))
        check(plan, zygote.settled(plan, folder, sqlite(folder)), expected, folder, untouched)


@pytest.mark.parametrize("plan", PLANS)
def test_killed_again_and_again_it_still_ends(plan: str, zygote: Zygote, tmp_path: Path) -> None:
    """Each process dies at its second append: every one of them gets a little further."""
    untouched = tmp_path / "untouched"
    expected = zygote.settled(plan, untouched, sqlite(untouched))
    folder = tmp_path / "killed"
    for _ in range(4):
        zygote.run(plan, folder, sqlite(folder), kill=(2, "after"))
    check(plan, zygote.settled(plan, folder, sqlite(folder)), expected, folder, untouched)
