"""The scan of many phrases: against a slow reference, and in how much work it does."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.routing.fold import fold
from orchestrator.routing.pattern import Match, Pattern, PhraseRefused, compile_phrases
from orchestrator.routing.phrases import PhraseHit, Phrases, leftmost_longest, maximal, normal
from orchestrator.routing.words import is_boundary

LETTERS = st.sampled_from(
    ["a", "A", "b", "s", "ß", " ", ".", ",", "然", "后", "\u0301", "é", "\u00a0", "\n", "’", "'", "İ", "i"]
)
PHRASE = st.text(LETTERS, min_size=1, max_size=4).filter(lambda phrase: bool(normal(phrase)))


def found(phrases: list[str], text: str) -> list[tuple[str, str]]:
    return [(phrases[hit.number], text[hit.start : hit.end]) for hit in Phrases(phrases).scan(text)]


def slow_scan(phrases: list[str], text: str) -> set[tuple[str, int, int]]:
    """Every range of the folded text, held against every phrase."""
    folded = fold(text)
    keys = {normal(phrase) for phrase in phrases}
    edges = [at for at in range(len(folded.text) + 1) if folded.is_edge(at) and is_boundary(folded.text, at)]
    return {
        (key, folded.starts[start], folded.starts[end])
        for start in edges
        for end in edges
        if start < end
        for key in [" ".join(folded.text[start:end].split())]
        if key in keys and not folded.text[start].isspace() and not folded.text[end - 1].isspace()
    }


def test_a_phrase_is_found_whatever_its_case_white_space_and_apostrophes() -> None:
    text = "A AND\u00a0\n\tThen b; once that’s done"
    assert found(["and then", "once that's done"], text) == [
        ("and then", "AND\u00a0\n\tThen"),
        ("once that's done", "once that’s done"),
    ]


def test_a_phrase_is_bounded_by_words() -> None:
    assert found(["and"], "sand andy and_ and2 éand andé AND") == [("and", "AND")]
    assert found(["and"], "(and) and's -and- “and”") == [("and", "and")] * 4


def test_a_boundary_is_needed_only_at_an_edge_written_with_spaces() -> None:
    assert found(["然后"], "检查邮件然后看日历") == [("然后", "然后")]
    assert found(["and"], "邮件and日历") == [("and", "and")]
    assert found([","], "inbox,calendar") == [(",", ",")]
    assert found([", then"], "inbox, then calendar, thence") == [(", then", ", then")]


def test_spans_cite_the_original_text() -> None:
    text = "ßß İstanbul cafe\u0301 STRAẞE然后"
    assert found(["istanbul", "café", "strasse", "然后"], text) == [
        ("istanbul", "İstanbul"),
        ("café", "cafe\u0301"),
        ("strasse", "STRAẞE"),
        ("然后", "然后"),
    ]


def test_no_match_cuts_a_character_apart() -> None:
    assert found(["s", "stras"], "ß straße") == []
    assert found(["e", "cafe"], "e\u0301 cafe\u0301") == []


def test_every_occurrence_is_given_the_longer_first() -> None:
    assert found(["then", "and", "and then"], "and then") == [
        ("and then", "and then"),
        ("and", "and"),
        ("then", "then"),
    ]


def test_after_a_rejected_phrase_shorter_ones_at_its_place_are_tried() -> None:
    assert found(["and", "and the"], "and then") == [("and", "and")]
    assert found(["a然", "a然b"], "a然bc") == [("a然", "a然")]


def test_phrases_may_overlap() -> None:
    assert found(["free time", "time slot"], "free time slot") == [
        ("free time", "free time"),
        ("time slot", "time slot"),
    ]


def test_leftmost_longest_hits_do_not_overlap_and_maximal_ones_hold_no_other() -> None:
    hits = Phrases(["a b", "b c d", "c"]).scan("a b c d")
    assert hits == (PhraseHit(0, 0, 3), PhraseHit(1, 2, 7), PhraseHit(2, 4, 5))
    assert leftmost_longest(hits) == (PhraseHit(0, 0, 3), PhraseHit(2, 4, 5))
    assert maximal(hits) == (PhraseHit(0, 0, 3), PhraseHit(1, 2, 7))


def test_of_phrases_that_fold_alike_the_first_is_named() -> None:
    assert [hit.number for hit in Phrases(["And  Then", "and then"]).scan("and then")] == [0]


def test_a_phrase_is_no_regular_expression() -> None:
    assert found(["a.b", "(x", "[y]*", "\\d"], "axb a.b (x [y]* 5 \\d") == [
        ("a.b", "a.b"),
        ("(x", "(x"),
        ("[y]*", "[y]*"),
        ("\\d", "\\d"),
    ]


def test_no_phrases_find_nothing() -> None:
    assert Phrases([]).scan("and then") == ()


def test_a_phrase_without_a_visible_character_is_refused_by_name() -> None:
    with pytest.raises(PhraseRefused, match=r"' \\n'") as caught:
        Phrases(["and", " \n"])
    assert caught.value.phrase == " \n"


def test_a_phrase_of_more_than_200_characters_is_refused() -> None:
    assert found(["x" * 200], "x" * 200) != []
    with pytest.raises(PhraseRefused, match="201 characters, 200 are the most"):
        Phrases(["x" * 201])


@given(st.lists(PHRASE, max_size=5), st.text(LETTERS, max_size=14))
def test_the_scan_finds_what_a_slow_reading_finds(phrases: list[str], text: str) -> None:
    hits = Phrases(phrases).scan(text)
    assert [(normal(phrases[h.number]), h.start, h.end) for h in hits] == sorted(
        slow_scan(phrases, text), key=lambda hit: (hit[1], -hit[2])
    )


@given(st.lists(st.text(min_size=1, max_size=6).filter(lambda p: bool(normal(p))), max_size=4), st.data())
def test_what_is_cited_folds_to_the_phrase(phrases: list[str], data: st.DataObject) -> None:
    piece = st.sampled_from(phrases) | st.text(max_size=4) if phrases else st.text(max_size=4)
    text = data.draw(st.lists(piece, max_size=6).map(" ".join))
    for hit in Phrases(phrases).scan(text):
        assert normal(text[hit.start : hit.end]) == normal(phrases[hit.number])


class Counting:
    """A pattern that counts its searches."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern, self.searches = pattern, 0

    def finditer(self, text: bytes, pos: int, /) -> Iterator[Match]:
        self.searches += 1
        for match in self.pattern.finditer(text, pos):
            yield match
            self.searches += 1

    def match(self, text: bytes, pos: int, endpos: int, /) -> Match | None:
        self.searches += 1
        return self.pattern.match(text, pos, endpos)


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("first " * 2000, 2001),
        ("and " * 2000, 2001),
        ("and then " * 1000, 5001),
        ("a" * 10000, 1),
        ("sand " * 2000, 1),
        ("é" + "and" * 3000, 3001),
        ("and" + " " * 10000 + "then", 6),
        ("a\u0301" * 5000, 5001),
        ("然" * 5000, 1),
    ],
)
def test_the_number_of_searches_is_bounded_by_what_is_found(text: str, most: int) -> None:
    keys = ["and", "and then", "first", "then", "a"]
    counting = Counting(compile_phrases(keys))
    phrases = Phrases(keys, compiled=lambda _: counting)
    counting.searches = 0
    assert phrases.scan(text) == Phrases(keys).scan(text)
    assert counting.searches <= most


def test_two_thousand_phrases_are_one_pattern() -> None:
    keys = [f"phrase{n} word{n % 7}" for n in range(2000)]
    text = f"please {keys[0]} and {keys[1999]} "
    assert [hit.number for hit in Phrases(keys).scan(text)] == [0, 1999]
