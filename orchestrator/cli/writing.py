"""A file that a person named, written whole or not at all.

Law: who reads the file meanwhile sees the old one or the new one; where it cannot be written, the old one
stays and the message says why. What is no file of its own (a pipe, a device) is written straight.
"""

from pathlib import Path

from orchestrator.agents.builtin.formats.replacing import replace_file
from orchestrator.errors import UserError


def write_whole(file: Path, text: str) -> None:
    """Write the text as UTF-8. Raises UserError, which names the file."""
    try:
        if file.exists() and not file.is_file():
            file.write_bytes(text.encode())
        else:
            replace_file(file.resolve(), text.encode())
    except OSError as error:
        raise UserError(f"{file}: {_reason(file, error)}") from None


def _reason(file: Path, error: OSError) -> str:
    if file.is_dir():
        return "it is a folder; name a file in it"
    if not file.parent.is_dir():
        return f"there is no folder {file.parent}; make it first"
    return f"it cannot be written: {error.strerror or error}"
