"""Bytes become text with places, or a located refusal."""

from orchestrator.workspace.document.source import decode, source_of


def test_lines_and_columns_count_from_one_and_end_at_any_line_break():
    text = "a\nbc\r\nd\re"
    places = [
        (f.line, f.column, f.source) for f in (source_of("f", text).fault(i, "", "m") for i in (0, 3, 6, 8))
    ]
    assert places == [(1, 1, "a"), (2, 2, "bc"), (3, 1, "d"), (4, 1, "e")]


def test_other_unicode_line_separators_do_not_count_as_lines_since_editors_do_not_count_them():
    fault = source_of("f", "a\u2028b\x85c: !").fault(7, "", "m")
    assert (fault.line, fault.column, fault.source) == (1, 8, "a\ufffdb\ufffdc: !")


def test_a_byte_order_mark_is_left_out_and_the_columns_count_without_it():
    source, faults = decode("f", b"\xef\xbb\xbfname: x")
    assert (source.text, faults) == ("name: x", ())


def test_a_byte_that_is_no_utf_8_is_named_with_its_place():
    _, (fault,) = decode("f", "é: 1\nname: ".encode() + b"\xff\n")
    assert str(fault) == ("f:2:7: byte 0xff is not UTF-8; save the file as UTF-8\n  name: \ufffd\n        ^")


def test_a_utf_16_file_is_told_apart():
    _, (fault,) = decode("f", "name: x".encode("utf-16"))
    assert str(fault) == "f:1:1: the file is UTF-16; save it as UTF-8"


def test_control_characters_are_refused_and_never_shown():
    _, (fault,) = decode("f", b"name: a\x1b[31m")
    assert (
        str(fault)
        == "f:1:8: the character U+001B may not stand in YAML; take it out\n  name: a\ufffd[31m\n         ^"
    )


def test_nul_is_refused():
    _, (fault,) = decode("f", b"a: 1\n\0b: 2\n")
    assert (fault.line, fault.column) == (2, 1)


def test_the_caret_stands_under_its_character_after_tabs_wide_and_combining_ones():
    line = "\t会議e\u0301: x"
    shown = str(source_of("f", line).fault(line.index("x"), "", "m")).split("\n")
    assert shown[2] == "  \t" + " " * 4 + " " + "  " + "^"


def test_a_very_long_line_is_cut_around_the_column_and_the_caret_still_points_there():
    line = "a" * 5000 + "!" + "b" * 5000
    fault = source_of("f", line).fault(5000, "", "m")
    _, shown, caret = str(fault).split("\n")
    assert fault.column == 5001
    assert len(shown) < 200
    assert shown[2] == shown[-1] == "…"
    assert shown[caret.index("^")] == "!"


def test_hidden_ranges_are_shown_as_stars_of_the_same_length():
    fault = source_of("f", "key: abc, x: 1", ((5, 8),)).fault(10, "", "m")
    assert str(fault).split("\n")[1:] == ["  key: ***, x: 1", "            ^"]
