"""The sentence that speaks for a mail."""

from datetime import date

import pytest
from orchestrator.agents.builtin.answers.telling import asks, fresh_text, sentences, telling_sentence

TODAY = date(2026, 11, 30)
REQUESTS = ("could you", "please send")


def told(text: str) -> str:
    return telling_sentence(text, REQUESTS, TODAY)


def test_a_request_speaks_first() -> None:
    text = "Hi Nora,\n\nI am back on Friday. It was warm. Could you send the list\nof names? Thanks!\n\nMarta"
    assert told(text) == "Could you send the list of names?"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("We had a great time. The concert is on 3 December. See you.", "The concert is on 3 December."),
        ("We had a great time. The rent stays at EUR 980 a month.", "The rent stays at EUR 980 a month."),
        ("We had a great time. Doors open at 17:30 sharp.", "Doors open at 17:30 sharp."),
        ("Dear Nora,\n\nthe wall text is finished. No hurry at all.", "The wall text is finished."),
        ("Dear all,\n\nHello!", ""),
        ("", ""),
    ],
)
def test_else_a_day_a_time_or_an_amount_else_the_first_meaningful_one(text: str, sentence: str) -> None:
    assert told(text) == sentence


def test_quoted_text_and_signatures_do_not_speak() -> None:
    text = (
        "The new price list is attached here.\n\n-- \nTom Hartley\nCould you call 555 0100?\n\n"
        "On Mon, 23 Nov 2026 at 09:00, Nora <nora@example.org>\nwrote:\n> Could you send the prices?\n"
    )
    assert fresh_text(text) == "The new price list is attached here."
    assert not asks(fresh_text(text), REQUESTS)


def test_an_attribution_before_a_quote_is_left_out() -> None:
    text = "On 23 Nov 2026, Nora wrote:\n> When?\n\nThe delivery came this morning."
    assert fresh_text(text) == "The delivery came this morning."


def test_an_abbreviation_does_not_end_a_sentence() -> None:
    found = list(sentences("We saw Dr. Amadi about it. Invoice No. 5 is paid by J. Smith already."))
    assert found == ["We saw Dr. Amadi about it.", "Invoice No. 5 is paid by J. Smith already."]


def test_a_long_sentence_is_cut_at_a_word() -> None:
    told_long = told("We came " + "again and " * 40 + "went away.")
    assert len(told_long) <= 182
    assert told_long.endswith(" …")


def test_a_question_mark_in_an_address_asks_nothing() -> None:
    assert not asks("The pictures are at https://example.org/?page=2 now.", ())
    assert asks('She said "when?" and left.', ())
