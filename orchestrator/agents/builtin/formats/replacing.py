"""Files that are replaced as a whole or not at all.

Laws: a crash leaves the old file or the new one, whole (temporary file, fsync, rename); one writer at a time
in a folder, across threads and processes, so far as they come through here; what somebody else has made of a
file meanwhile is not written over, where the caller says what it has read.
"""

import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

_SUFFIX = ".cuewave-tmp"


@contextmanager
def alone(folder: Path) -> Generator[None]:
    """One writer in a folder at a time: the lock is on the folder, since the files in it are replaced."""
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def sweep(path: Path) -> None:
    """Take away what writers of this file left that were killed: who holds the lock knows that none lives."""
    ours = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{8}}{re.escape(_SUFFIX)}")
    for left in path.parent.iterdir():
        if ours.fullmatch(left.name) and not left.is_dir():
            left.unlink(missing_ok=True)


def replace_file(path: Path, data: bytes, only_over: bytes | None = None) -> bool:
    """Put `data` in the place of the file; False where the file is no longer what it was, `only_over`."""
    with _beside(path, data) as temporary:
        if only_over is not None and (not path.is_file() or path.read_bytes() != only_over):
            return False
        os.replace(temporary, path)
    _sync(path.parent)
    return True


def create_file(path: Path, data: bytes) -> bool:
    """Make the file; False where there is something by its name."""
    with _beside(path, data) as temporary:
        try:
            os.link(temporary, path)
        except FileExistsError:
            return False
        except OSError:  # a file system without links
            if os.path.lexists(path):
                return False
            os.replace(temporary, path)
    _sync(path.parent)
    return True


@contextmanager
def _beside(path: Path, data: bytes) -> Generator[Path]:
    """`data` in a file of its own beside `path`, with the rights of what is there, else the usual ones."""
    rights = _rights(path)
    temporary = path.with_name(f".{path.name}.{token_hex(4)}{_SUFFIX}")
    handle = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666 if rights is None else rights)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            if rights is not None:
                os.fchmod(handle, rights)
            os.fsync(handle)
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def _rights(path: Path) -> int | None:
    """Those of the file that is to be replaced; None where there is none.

    Raises PermissionError where it may not be written.
    """
    if not path.exists():
        return None
    with path.open("ab"):
        return path.stat().st_mode & 0o777


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
