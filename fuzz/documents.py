"""YAML: any bytes are one document, or refused in place; twice the same, and alike by both loaders."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from orchestrator.workspace.document.composing import PythonLoader
from orchestrator.workspace.document.positions import Document, read

from fuzz.faults import check_fault

LONGEST = 400
WORDS = (
    *(
        "a: ",
        "- ",
        "? ",
        ": ",
        "{",
        "}",
        "[",
        "]",
        ", ",
        "&a ",
        "*a",
        "<<: *a",
        "!!str ",
        "!x ",
        "!!python/name:os.system ",
    ),
    *(
        "|\n  ",
        ">-\n  ",
        "'",
        '"',
        "\\ud800",
        "\\x07",
        "\\u2028",
        "# ",
        "---\n",
        "...\n",
        "%YAML 1.1\n",
        "\t",
        "\r\n",
        "\r",
    ),
    *(
        "\ufeff",
        "\u0085",
        "\u2028",
        "\u202e",
        "no",
        "12:30",
        "1.10",
        "0x",
        "0b_",
        "1e999",
        ".nan",
        "2026-13-45",
        "~",
        "null",
    ),
    *(
        "2001-12-14t21:59:43.10-05:00",
        "!!timestamp ",
        "!!binary ",
        "!!merge ",
        "=",
        "api_key: ",
        "${KEY}",
        "\x00",
        "\x1b",
    ),
)


def seeds() -> Iterator[bytes]:
    """What is hard in YAML, in little room."""
    yield from (path.read_bytes() for path in sorted((Path(__file__).parent / "corpus" / "yaml").iterdir()))


def check(data: bytes) -> None:
    """Raise AssertionError where the bytes break a law of documents."""
    document = read("f", data)
    check_document(document, data)
    assert told(read("f", data)) == told(document)
    other = read("f", data, PythonLoader)
    check_document(other, data)
    if not document.faults and not other.faults:
        assert repr(other.data) == repr(document.data)


def check_document(document: Document, data: bytes) -> None:
    """Its faults are in it; a place can be found for every value."""
    for fault in document.faults:
        check_fault(fault, {"f": data})
    if not document.broken:
        for trail in trails(document.data):
            check_fault(document.fault(trail, "m"), {"f": data})
            check_fault(document.fault(trail, "m", at_key=True), {"f": data})


def trails(data: Any, trail: tuple[str | int, ...] = (), most: int = 3) -> Iterator[tuple[str | int, ...]]:
    """The way to each value, but not too deep: aliases make many."""
    yield trail
    steps = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, inner in steps if len(trail) < most else ():
        yield from trails(inner, (*trail, step), most)


def told(document: Document) -> list[str]:
    return [str(fault) for fault in document.faults]
