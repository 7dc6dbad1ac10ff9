"""Which notes are found, and in which order."""

from orchestrator.agents.builtin.answers.finding import excerpt_of, hit_in, ranked
from orchestrator.agents.builtin.asked import stems_of
from orchestrator.agents.builtin.formats.markdown import read_note

NOTES = {
    "a-title.md": "# Oak\n\nNothing more.\n",
    "b-heading.md": "# Wood\n\n## Oak\n\nFrom the mill.\n",
    "c-often.md": "# Floor\n\nOak and oak and oak.\n",
    "d-once.md": "# Door\n\nOf oak, with a varnish.\n",
    "e-none.md": "# Roof\n\nSlate.\n",
}


def search(text: str, notes: dict[str, str] = NOTES) -> list[str]:
    words = stems_of(text)
    hits = (hit_in(read_note(name, body), words) for name, body in notes.items())
    return [hit.name for hit in ranked((h for h in hits if h), len(notes))]


def test_a_title_counts_more_than_a_heading_and_that_more_than_the_text_often_more_than_once() -> None:
    assert search("oak") == ["a-title.md", "b-heading.md", "c-often.md", "d-once.md"]


def test_only_the_notes_with_the_most_of_the_words_are_found() -> None:
    assert search("oak varnish") == ["d-once.md"]
    assert search("oak varnish zebra") == ["d-once.md"]
    assert search("zebra") == []


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    notes = {f"{n}.md": "# N\n\ncommon\n" for n in "bcde"} | {
        "a.md": "# N\n\ncommon\n",
        "z.md": "# N\n\nrare\n",
    }
    assert search("common rare", notes)[0] == "z.md"


def test_words_in_a_row_count_more_and_equals_are_in_the_order_of_their_names() -> None:
    notes = {"b.md": "# N\n\nred kites\n", "a.md": "# N\n\nkites are red\n", "c.md": "# N\n\nred kites\n"}
    assert search("red kite", notes) == ["b.md", "c.md", "a.md"]


def test_the_section_is_the_one_that_tells_most_beside_the_title() -> None:
    text = (
        "# Oak frames\n\nAbout frames of oak.\n\n## Finish\n\nSand it.\nWax, no varnish.\n\n## Prices\n\n68\n"
    )
    hit = hit_in(read_note("oak.md", text), stems_of("oak varnish"))
    assert hit is not None
    assert (hit.title, hit.heading, hit.excerpt) == ("Oak frames", "Finish", "Wax, no varnish.")
    hit = hit_in(read_note("oak.md", text), stems_of("price of oak"))
    assert hit is not None
    assert (hit.heading, hit.excerpt) == ("Prices", "68")


def test_an_excerpt_is_short_and_around_the_word() -> None:
    line = "- [ ] " + "before " * 60 + "needle " + "after " * 60
    found = excerpt_of(f"first\n{line}", ("needle",))
    assert "needle" in found
    assert len(found) <= 162
    assert found.startswith("…")
    assert found.endswith("…")
    assert excerpt_of("\n\n---\n\n```\n> * the first\n", ("nothing",)) == "the first"
    assert excerpt_of("", ("word",)) == ""


def test_marks_are_no_text() -> None:
    text = "# T\n\n- entry\n  <!-- cuewave:0a1b -->\n"
    assert hit_in(read_note("t.md", text), ("cuewave",)) is None
    assert hit_in(read_note("t.md", text), ("0a1b",)) is None
