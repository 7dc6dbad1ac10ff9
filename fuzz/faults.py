"""The law of a located fault: it stands in its file, its caret in its line, and no terminal obeys it."""

import re
from collections.abc import Mapping

from orchestrator.errors import Fault

_BREAK = re.compile(r"\r\n|\n|\r")
_COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def check_fault(fault: Fault, files: Mapping[str, bytes]) -> None:
    """Raise AssertionError where the fault is not at a place of one of these files."""
    assert fault.file in files, fault
    assert fault.message, fault
    text = files[fault.file].removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    lines = _BREAK.split(text)
    assert 1 <= fault.line <= len(lines), fault
    line = lines[fault.line - 1]
    assert 1 <= fault.column <= len(line) + 1, fault
    _check_shown(fault, line)
    head, *_ = str(fault).encode().decode().split("\n")
    assert head.isprintable(), ascii(head)


def _check_shown(fault: Fault, line: str) -> None:
    """What is shown is a piece of the line, with the caret in it or behind its last character."""
    assert not _COMMANDS.search(fault.source), ascii(fault.source)
    first = fault.source_column - 1
    assert first >= 0, fault
    assert first + len(fault.source) <= len(line) or fault.file.endswith("?"), fault
    assert 0 <= fault.column - fault.source_column <= len(fault.source), fault
    if fault.source:
        assert str(fault).split("\n")[-1].endswith("^"), fault
