"""A program of its own that opens a store and writes the first record of a run. Arguments: URL and run.

It begins when there is something to read on its standard input, so that two of them begin at once.
"""

import asyncio
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path


async def main(url: str, name: str) -> None:
    from orchestrator.ids import RunId
    from orchestrator.runs.events import DriverStarted, Record
    from orchestrator.runs.sql.opening import open_store

    store = open_store(url)
    print("ready", flush=True)
    sys.stdin.readline()
    at = datetime(2026, 1, 1, tzinfo=UTC)
    await store.append(RunId(name), 0, [Record(RunId(name), 1, at, DriverStarted(name))])
    await store.close()


def at_once(url: str, names: list[str]) -> list[str]:
    """Start a program for each run, let them all go on at the same moment; what they said on their errors."""
    command = [sys.executable, str(Path(__file__)), url]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    programs = [subprocess.Popen([*command, name], **pipes) for name in names]
    for program in programs:
        assert program.stdout.readline() == "ready\n", program.communicate()
    for program in programs:
        program.stdin.write("go\n")
        program.stdin.flush()
    return [program.communicate(timeout=60)[1] for program in programs]


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
