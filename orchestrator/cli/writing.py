"""A file that a person named, written whole or not at all.

Law: who reads the file meanwhile sees the old one or the new one; where it cannot be written, the old one
stays and the message says why. What is no file of its own (a pipe, a device) is written straight.
"""

import os
from pathlib import Path

from orchestrator.errors import UserError


def write_whole(file: Path, text: str) -> None:
    """Write the text as UTF-8. Raises UserError, which names the file."""
    try:
        if file.exists() and not file.is_file():
            file.write_bytes(text.encode())
        else:
            _put(file.resolve(), text.encode())
    except OSError as error:
        raise UserError(f"{file}: {_reason(file, error)}") from None


def _reason(file: Path, error: OSError) -> str:
    if file.is_dir():
        return "it is a folder; name a file in it"
    if not file.parent.is_dir():
        return f"there is no folder {file.parent}; make it first"
    return f"it cannot be written: {error.strerror or error}"


def _put(target: Path, content: bytes) -> None:
    """The content beside the file, and then in its place, with the permissions that the file has."""
    from secrets import token_hex

    mode = _mode_of(target)
    beside = target.with_name(f".cuewave-{token_hex(8)}.part")
    descriptor = os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666 if mode is None else mode)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _mode_of(target: Path) -> int | None:
    """The permissions of a file that is there; to be replaced it must be one that may be written."""
    if not target.exists():
        return None
    with target.open("ab"):
        return target.stat().st_mode & 0o777
