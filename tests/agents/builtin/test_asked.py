"""What a request says besides its day."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.builtin.asked import (
    has_any,
    phrases_after,
    split_names,
    telling_words,
    without,
    words_of,
)


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("emails from Bob", ("Bob",)),
        ("emails FROM  Bob and Alice about rent", ("Bob and Alice",)),
        ("from Bob, sent by Alice", ("Bob", "Alice")),
        ('from "Bob"?', ("Bob",)),
        ("from Bob; the others too", ("Bob",)),
        ("the fromage of bobby", ()),
        ("from", ()),
    ],
)
def test_what_follows_a_marker_ends_at_the_next_one(text: str, phrases: tuple[str, ...]) -> None:
    assert phrases_after(text, ("from", "by", "sent by"), ("about",)) == phrases


def test_without_markers_nothing_follows() -> None:
    assert phrases_after("emails from Bob", (), ()) == ()
    assert not has_any("emails from Bob", ())


def test_names_are_split_at_commas_and_joining_words() -> None:
    assert split_names("Bob, Alice and Hartley & Sons", ("and",)) == ("Bob", "Alice", "Hartley & Sons")


def test_words_are_compared_without_case_accents_and_possessive() -> None:
    assert words_of("ZOË’s Café, Bob's O'Neil") == ("zoe", "cafe", "bob", "o'neil")


def test_telling_words_keep_their_spelling_and_come_once() -> None:
    assert telling_words("the Café and the Café bill", ("the", "and")) == ("Café", "bill")


def test_what_is_taken_out_keeps_its_neighbours_apart() -> None:
    assert phrases_after(without("from Bob yesterday Alice", (9, 18)), ("from",), ()) == ("Bob",)


@given(
    st.text(max_size=80),
    st.lists(st.text(alphabet="ab .*(\\", min_size=1, max_size=4).filter(str.strip), max_size=4),
)
def test_any_words_an_operator_writes_are_taken_literally(text: str, markers: list[str]) -> None:
    for phrase in phrases_after(text, markers, markers):
        assert phrase in text
