"""Rows of texts for people: columns where there is room, records below each other where there is not.

Laws: on a terminal no line is wider than it; where the output is no terminal, a row is a line and nothing is
cut, so that other programs can look for it. The last cell of a row may have several lines.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from orchestrator.cli.output import room, say
from orchestrator.planning.drawing.width import cells, one_line, wrapped

_GAP = 2
_LEAST = 24
"""Columns for the last cell; with less the rows become records."""
_MOST = 200
"""Lines of one cell."""


def show_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, empty: str = "there are none", err: bool = False
) -> None:
    """Write the table to stdout, or stderr."""
    say("\n".join(table_lines(head, rows, room(err=err))) if rows else empty, err=err)


def table_lines(head: Sequence[str], rows: Sequence[Sequence[str]], width: int | None) -> list[str]:
    """The lines of a table that is so wide at most; None: as wide as it gets."""
    if width is None:
        rows = [[one_line(cell.replace("\n", "; ")) for cell in row] for row in rows]
    every = [head, *rows]
    wide = [max(cells(one_line(row[n])) for row in every) for n in range(len(head) - 1)]
    last = max(cells(line) for row in every for line in row[-1].splitlines() or ("",))
    left = last if width is None else width - sum(wide) - _GAP * len(wide)
    if left < min(last, _LEAST):
        return [line for row in rows for line in _record(head, row, width or last)]
    return [line.rstrip() for row in every for line in _lines(row, wide, left)]


def _lines(row: Sequence[str], wide: Sequence[int], left: int) -> Iterator[str]:
    """One row: its last cell may take several lines."""
    start = "".join(_padded(one_line(cell), column + _GAP) for cell, column in zip(row, wide, strict=False))
    margin = " " * (sum(wide) + _GAP * len(wide))
    for before, line in zip_longest((start,), _wrapped(row[-1], left) or ("",), fillvalue=margin):
        yield f"{before}{line}"


def _record(head: Sequence[str], row: Sequence[str], width: int) -> Iterator[str]:
    """One row as a record: its first cell, and the others below it, each by its name."""
    left = max(width - 4, 1)
    yield from wrapped(row[0], left, _MOST)
    for name, cell in zip(head[1:], row[1:], strict=True):
        for number, line in enumerate(_wrapped(f"{name}: {cell}", left) if cell else ()):
            yield f"{'    ' if number else '  '}{line}"


def _wrapped(cell: str, left: int) -> list[str]:
    return [line for part in cell.splitlines() for line in wrapped(part, left, _MOST)]


def _padded(text: str, column: int) -> str:
    return text + " " * (column - cells(text))
