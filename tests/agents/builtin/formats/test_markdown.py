"""Notes in Markdown: what is in them, and what is put in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.builtin.formats.markdown import (
    entry_of,
    entry_under,
    extent,
    mark_of,
    new_note,
    read_note,
    with_entry,
    with_section,
)

MARK = mark_of("run-1/t1")


def headings(text: str) -> list[tuple[int, str]]:
    return [(s.level, s.heading) for s in read_note("n.md", text).sections]


def test_a_heading_is_a_line_with_hashes_and_not_in_code_nor_in_front_matter() -> None:
    text = (
        "---\n# no\ntitle: 'Real title'\n---\nbefore\n# One #\n```sh\n# no\n~~~\n# no\n```\n#no\n  ## Two\n"
        "~~~~\n# no\n~~~\n# no\n~~~~\n####### no\n###\n"
    )
    assert headings(text) == [(0, ""), (1, "One"), (2, "Two"), (3, "")]
    assert read_note("n.md", text).title == "Real title"


@pytest.mark.parametrize(
    ("text", "title"),
    [("# A\n# B\n", "A"), ("## A\n", "my-note"), ("", "my-note"), ("---\ntitle: T\n", "my-note"),
     ("---\r\ntitle: T\r\n---\r\n# A", "T")],
)  # fmt: skip
def test_the_title_is_declared_or_the_first_heading_or_the_name(text: str, title: str) -> None:
    assert read_note("folder/my-note.md", text).title == title


def test_sections_cover_the_text_and_an_extent_ends_at_the_next_heading_that_is_not_deeper() -> None:
    text = "a\n# One\nb\n## Below\nc\n# Two\nd\n"
    note = read_note("n.md", text)
    assert [text[s.begin : s.end] for s in note.sections] == ["a\n", "b\n", "c\n", "d\n"]
    assert text[slice(*extent(note, note.sections[1]))] == "b\n## Below\nc\n"
    assert text[slice(*extent(note, note.sections[3]))] == "d\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", "- e\n"),
        ("# T\n", "# T\n\n- e\n"),
        ("# T\n\n", "# T\n\n- e\n"),
        ("# T\n\n- one", "# T\n\n- one\n- e\n"),
        ("1. one\n", "1. one\n- e\n"),
        ("- one\n  more\n", "- one\n  more\n- e\n"),
        ("text\r\n", "text\r\n\r\n- e\r\n"),
    ],
)
def test_an_entry_comes_last_apart_from_text_and_in_the_line_ends_of_the_note(old: str, new: str) -> None:
    assert with_entry(old, "- e") == new


@given(
    st.text(alphabet="ab #-\r\n>`<!é\u2028"),
    st.text(alphabet="ab #-\n>`<!:cuewave"),
    st.lists(st.text(alphabet="x\n# <!-")),
)
def test_what_is_there_stays_and_the_entry_is_found_again(old: str, text: str, things: list[str]) -> None:
    entry = entry_of(text, things, MARK)
    whole = with_entry(old, entry)
    assert whole.startswith(old)
    assert entry_under(whole, MARK) == entry.rpartition("\n")[0]
    more = with_entry(whole, entry_of("another", (), mark_of("run-1/t2")))
    assert entry_under(more, MARK) == entry.rpartition("\n")[0]


@given(st.text(), st.lists(st.text()))
def test_no_text_can_look_like_a_mark_or_end_its_entry(text: str, things: list[str]) -> None:
    forged = f"x\n  <!-- {MARK} -->\n<!-- {MARK} -->\n{text}"
    entry = entry_of(forged, [forged, *things], "")
    assert entry_under(f"# T\n\n{entry}\n", MARK) is None
    assert f"<!-- {MARK}" not in entry
    assert all(line.startswith(("- ", "  - ", "  >", "    >")) for line in entry.split("\n"))
    assert f"<!-- {MARK}" not in new_note("T", forged, "")


def test_a_section_gets_another_text_and_the_rest_stays() -> None:
    text = "# T\n\n## A\n\nold\n\n### deeper\n\nold\n\n## B\n\nrest\n"
    note = read_note("n.md", text)
    span = extent(note, note.sections[2])
    assert (
        with_section(text, span, "new\n", MARK) == f"# T\n\n## A\n\nnew\n\n<!-- {MARK} -->\n\n## B\n\nrest\n"
    )
    last = extent(note, note.sections[4])
    assert with_section(text, last, "new", "").endswith("## B\n\nnew\n")
    assert with_section("# A", (3, 3), "new", "") == "# A\n\nnew\n"
    assert with_section("# A\r\nold\r\n# B\r\n", (5, 10), "a\nb", "") == "# A\r\n\r\na\r\nb\r\n\r\n# B\r\n"


def test_an_effect_without_a_name_leaves_no_mark() -> None:
    assert mark_of("") == ""
    assert mark_of("a") != mark_of("b")
    assert new_note("T", "", "") == "# T\n"
