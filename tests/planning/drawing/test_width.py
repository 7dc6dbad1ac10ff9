import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.planning.drawing.width import cells, clusters, cut, is_rtl, one_line, wrapped

TEXTS = st.one_of(
    st.text(max_size=200), st.text("ab 日。「」e\u0301\u200d👩\ud800\u202e\u1161각 \n", max_size=200)
)


@pytest.mark.parametrize(
    ("text", "room"),
    [
        ("inbox", 5),
        ("日程", 4),
        ("ｗｉｄｅ", 8),
        ("e\u0301", 1),
        ("ภาษาไทยนี้", 8),
        ("שָׁלוֹם", 4),
        ("각", 2),
        ("\u1100\u1161\u11a8", 2),
        ("", 0),
    ],
)
def test_wide_characters_take_two_cells_and_marks_none(text, room):
    assert cells(text) == room


def test_what_fits_is_whole_and_what_does_not_ends_in_an_ellipsis():
    assert cut("find invoices", 13) == "find invoices"
    assert cut("find invoices", 12) == "find invoic…"
    assert cut("日程日程", 7) == "日程日…"
    assert cut("日程日程", 6) == "日程…"


def test_a_text_is_one_line_and_keeps_what_joins_its_letters():
    assert one_line("a\r\n\tb\x00c\ud800d") == "a b c d"
    assert one_line("نمی\u200cخواهم") == "نمی\u200cخواهم"
    assert one_line("soft\u00adhyphen \u202eturned") == "softhyphen turned"


def test_lines_end_between_words_and_between_wide_characters():
    assert wrapped("write a reminder for each", 10, 9) == ("write a", "reminder", "for each")
    assert wrapped("写一封提醒邮件", 6, 9) == ("写一封", "提醒邮", "件")
    assert wrapped("abcdefgh", 3, 9) == ("abc", "def", "gh")
    assert wrapped("", 3, 9) == ()


def test_no_line_begins_with_the_mark_that_closes_what_came_before():
    assert wrapped("日历日，日", 6, 9) == ("日历", "日，日")


def test_the_last_line_says_that_there_is_more():
    assert wrapped("one two three four", 5, 2) == ("one", "two…")


def test_the_first_letter_with_a_direction_decides():
    assert [is_rtl(text) for text in ("12 שלום Ann", "Ann שלום", "نعم", "12", "")] == [
        True,
        False,
        True,
        False,
        False,
    ]


@given(TEXTS, st.integers(2, 30), st.integers(1, 4))
def test_no_line_is_wider_than_its_room_and_no_character_parted_from_its_marks(text, room, most):
    whole = {*clusters(one_line(text)), "…", " "}
    lines = wrapped(text, room, most)
    assert len(lines) <= most
    for line in (*lines, cut(text, room)):
        assert cells(line) <= room
        assert set(clusters(line)) <= whole


@given(TEXTS, st.integers(2, 30))
def test_nothing_is_lost_between_the_lines(text, room):
    joined = "".join(wrapped(text, room, 1000))
    assert joined.replace(" ", "") == one_line(text).replace(" ", "")


def test_a_heap_of_marks_is_cut_as_any_text_is():
    heap = "e" + "\u0301" * 100_000
    assert len(cut(heap, 10)) <= 16 * 10 + 1
    assert sum(map(len, wrapped(heap, 10, 3))) <= 16 * 10 * 3 + 1
