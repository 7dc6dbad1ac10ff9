"""Programs of their own that use one store: `first` writes the first record of a run, `drive` races for one.

They begin when there is something to read on their standard input, so that several begin at once.
"""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path


async def first(url: str, name: str) -> None:
    """The first record of a run of this name."""
    from orchestrator.ids import RunId
    from orchestrator.runs.events import DriverStarted, Record
    from orchestrator.runs.sql.opening import open_store

    store = open_store(url)
    _wait_for_the_others()
    at = datetime(2026, 1, 1, tzinfo=UTC)
    await store.append(RunId(name), 0, [Record(RunId(name), 1, at, DriverStarted(name))])
    await store.close()


async def drive(url: str, name: str) -> None:
    """Append to the run `shared` wherever it is, until it has 200 records; say which places were won."""
    from orchestrator.errors import Fenced
    from orchestrator.ids import RunId
    from orchestrator.runs.events import DriverStarted, Record
    from orchestrator.runs.sql.opening import open_store

    store, run, at = open_store(url), RunId("shared"), datetime(2026, 1, 1, tzinfo=UTC)
    seq = len(await store.read(run))
    _wait_for_the_others()
    while seq < 200:
        try:
            await store.append(run, seq, [Record(run, seq + 1, at, DriverStarted(name))])
            print(seq + 1)
            seq += 1
        except Fenced as fenced:
            seq = fenced.found
    await store.close()


def _wait_for_the_others() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


def at_once(role: str, url: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """Start a program for each name, let all go on at the same moment; what they said and complained of."""
    command = [sys.executable, str(Path(__file__)), role, url]
    programs = [
        subprocess.Popen(
            [*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for name in names
    ]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n", program.communicate()
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    return [program.communicate(timeout=60) for program in programs]


if __name__ == "__main__":
    asyncio.run({"first": first, "drive": drive}[sys.argv[1]](*sys.argv[2:]))
