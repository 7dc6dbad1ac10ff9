from hypothesis import given
from hypothesis import strategies as st
from orchestrator.cli.table import table_lines
from orchestrator.planning.drawing.width import cells

HEAD = ("agent", "kind", "asked for")
ROWS = [
    ("calendar", "answer", "agenda: what is on the calendar\nfree: free time"),
    ("日程", "act", "remind"),
]


def test_where_there_is_no_terminal_a_row_is_a_line_and_nothing_is_cut() -> None:
    assert table_lines(HEAD, ROWS, None) == [
        "agent     kind    asked for",
        "calendar  answer  agenda: what is on the calendar; free: free time",
        "日程      act     remind",
    ]


def test_on_a_terminal_the_last_cell_takes_the_room_that_is_left() -> None:
    assert table_lines(HEAD, ROWS, 46) == [
        "agent     kind    asked for",
        "calendar  answer  agenda: what is on the",
        "                  calendar",
        "                  free: free time",
        "日程      act     remind",
    ]


def test_on_a_narrow_terminal_rows_become_records() -> None:
    assert table_lines(HEAD, ROWS, 30) == [
        "calendar",
        "  kind: answer",
        "  asked for: agenda: what is",
        "    on the calendar",
        "    free: free time",
        "日程",
        "  kind: act",
        "  asked for: remind",
    ]


@given(st.lists(st.tuples(st.text(), st.text(), st.text()), min_size=1), st.integers(20, 120))
def test_no_line_is_wider_than_the_terminal(rows: list[tuple[str, str, str]], width: int) -> None:
    assert all(cells(line) <= width for line in table_lines(HEAD, rows, width))


@given(st.lists(st.tuples(st.text(), st.text(), st.text())))
def test_without_a_terminal_there_are_as_many_lines_as_rows(rows: list[tuple[str, str, str]]) -> None:
    assert len(table_lines(HEAD, rows, None)) == len(rows) + 1
