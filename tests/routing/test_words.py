"""Where a word begins and ends, in scripts with and without spaces."""

import pytest
from orchestrator.routing.words import in_word, is_boundary, next_boundary


@pytest.mark.parametrize("char", "aZ9_éßКאع한ı\u0301\u0939")
def test_letters_digits_and_marks_of_spaced_scripts_belong_to_words(char: str) -> None:
    assert in_word(char)


@pytest.mark.parametrize("char", " .,'-、然のカーไກកခ\U00020000\ufe0f\ufffd")
def test_punctuation_and_scripts_without_spaces_do_not(char: str) -> None:
    assert not in_word(char)


def test_a_boundary_is_wherever_two_word_characters_do_not_meet() -> None:
    text = "ab然c d"
    assert [at for at in range(len(text) + 1) if is_boundary(text, at)] == [0, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("text", ["abc def", "a然b", "x", "…a", "naïve word", "e\u0301a b"])
def test_the_next_boundary_skips_no_boundary(text: str) -> None:
    for at in range(len(text)):
        after = next_boundary(text, at)
        assert after > at
        assert not any(is_boundary(text, place) for place in range(at + 1, after))
