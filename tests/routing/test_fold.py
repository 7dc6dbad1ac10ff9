"""Folding: what counts as the same words, and the way back to the original text."""

import sys
import unicodedata
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.routing.fold import fold, fold_cluster

TRICKY = st.text(
    st.sampled_from(
        "aAbis\u0130\u0131ßẞéÉe\u0301\u0307\u0327\u0345Σσςΐŉﬁǰ\u1100\u1161\u11a8각然\u00a0\u3000\n'’ \ud800"
    ),
    max_size=12,
)


def pieces(text: str) -> list[str]:
    """The original clusters that the folded characters cite."""
    folded = fold(text)
    places = [*dict.fromkeys(folded.starts)]
    return [text[a:b] for a, b in pairwise(places)]


def test_ascii_is_lowered_and_every_place_keeps_its_number() -> None:
    folded = fold("And THEN")
    assert folded.text == "and then"
    assert list(folded.starts) == list(range(9))


def test_case_composition_apostrophes_and_white_space_make_no_difference() -> None:
    assert fold("É").text == fold("e\u0301").text == fold("E\u0301").text == "é"
    assert fold("that’s").text == fold("THAT\u02bcS").text == "that's"
    assert fold("a\u00a0b\u3000c\u2028d").text == "a b c d"
    assert fold("ΣΑΣ").text == fold("σας").text


def test_sharp_s_folds_to_two_characters_that_cite_one() -> None:
    folded = fold("Straße")
    assert folded.text == "strasse"
    assert list(folded.starts) == [0, 1, 2, 3, 4, 4, 5, 6]
    assert folded.is_edge(4)
    assert not folded.is_edge(5)
    assert folded.is_edge(7)


def test_the_dotted_capital_i_folds_to_i_and_the_dotless_i_stays() -> None:
    assert fold("İstanbul").text == fold("I\u0307stanbul").text == fold("i\u0307stanbul").text == "istanbul"
    assert fold("DIŞ").text != fold("dış").text
    assert fold("ı").text == "ı"


def test_a_lone_surrogate_becomes_the_replacement_character() -> None:
    assert fold("a\ud800b").text == "a\ufffdb"
    fold("\udfff\u0301").text.encode()


def test_a_long_run_of_marks_is_composed_in_bounded_pieces() -> None:
    text = "a" + "\u0300\u0327" * 1000
    folded = fold(text)
    assert max(map(len, pieces(text))) <= 31
    assert "".join(pieces(text)) == text
    assert len(folded.starts) == len(folded.text) + 1


@given(TRICKY)
def test_clusters_tile_the_original(text: str) -> None:
    folded = fold(text)
    assert "".join(pieces(text)) == text
    assert list(folded.starts) == sorted(folded.starts)
    assert len(folded.starts) == len(folded.text) + 1
    assert folded.starts[0] == 0
    assert folded.starts[-1] == len(text)


@given(TRICKY)
def test_a_whole_cluster_cut_out_folds_to_what_it_was_in_the_text(text: str) -> None:
    assert fold(text).text == "".join(fold(piece).text for piece in pieces(text))


@given(TRICKY)
def test_canonically_equal_texts_fold_alike(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)).text == fold(unicodedata.normalize("NFC", text)).text


@given(st.text(max_size=30))
def test_folding_what_is_folded_changes_nothing(text: str) -> None:
    assert fold(fold(text).text).text == fold(text).text


def test_every_character_that_composes_with_the_one_before_it_joins_its_cluster() -> None:
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        parts = unicodedata.normalize("NFD", char)
        if len(parts) > 1 and unicodedata.normalize("NFC", parts) == char:
            assert len(pieces(parts)) == 1, hex(code)


def test_no_character_folds_to_nothing() -> None:
    assert all(fold_cluster(chr(code)) for code in range(0x3000))
