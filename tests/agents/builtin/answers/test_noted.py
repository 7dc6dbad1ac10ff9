"""Requests to write something down, taken apart."""

import time

import pytest
from orchestrator.agents.builtin.answers.noted import Jotting, Writing, jotting_of, meant_by, writing_of
from orchestrator.agents.builtin.types.notes import NoteWords

WORDS = NoteWords()


@pytest.mark.parametrize(
    ("action", "jotting"),
    [
        ("add to my notes: the boiler man comes", Jotting("the boiler man comes", None, True)),
        (
            "add to the note called Trade fair: tape: two rolls",
            Jotting("tape: two rolls", "Trade fair", True),
        ),
        ("note: call Bob at 10:30", Jotting("call Bob at 10:30", None, True)),
        ("note that Gwen wants four", Jotting("Gwen wants four", None, True)),
        ("please write down that the van comes at 7", Jotting("The van comes at 7", None, True)),
        ("add call Bob to my trade fair notes", Jotting("Call Bob", "trade fair")),
        ("add milk to the list in my notes", Jotting("Milk to the list")),
        ('put "buy glue" in my shopping notes', Jotting("Buy glue", "shopping")),
        ("add “Ruhe” to my notes on Bücher", Jotting("Ruhe", "Bücher")),
        ("append the summary to the note Trade fair", Jotting("", "Trade fair")),
        ("add the results to my notes about Hartley & Sons", Jotting("", "Hartley & Sons")),
        ("save them to projects/fair.md", Jotting("", "projects/fair")),
        ("and then add it to my notes please", Jotting("")),
        ("please add this to today's note", Jotting("")),
        ("write it down", Jotting("")),
        ("make a note for each of them", Jotting("")),
        ("add the note “to my notes” to my notes", Jotting("The note “to my notes”")),
        ("", Jotting("")),
    ],
)
def test_an_entry_is_its_words_and_the_note_it_goes_to(action: str, jotting: Jotting) -> None:
    assert jotting_of(action, WORDS) == jotting


@pytest.mark.parametrize(
    ("action", "writing"),
    [
        ("write a note called Packing list: tape, blankets", Writing("Packing list", "Tape, blankets")),
        ("create a note named Opening hours", Writing("Opening hours", "")),
        ("make a new note about the fair with three lines", Writing("fair", "Three lines")),
        ('write a note called "A: b": text', Writing("A: b", "Text")),
        ("write a new note Oak with it", Writing("Oak", "")),
        (
            "replace the section Budget of the note Trade fair with: 600",
            Writing("Trade fair", "600", "Budget"),
        ),
        (
            "replace the Budget section in my trade fair notes with 600",
            Writing("trade fair", "600", "Budget"),
        ),
        ('rewrite the section "To bring" of the note "Fair": cards', Writing("Fair", "Cards", "To bring")),
        ("update the part about money", None),
        ("write a poem", None),
        ("", None),
    ],
)
def test_a_note_or_a_section_is_its_name_and_its_text(action: str, writing: Writing | None) -> None:
    assert writing_of(action, WORDS) == writing


@pytest.mark.parametrize(
    ("action", "meant"),
    [
        ("don't add that to my notes", "nothing"),
        ("please do not write it down", "nothing"),
        ("delete the note about oak", "take away"),
        ("what did I note about oak", "answer"),
        ("add it to my notes", "write"),
        ("the talk", "write"),
    ],
)
def test_a_denial_a_question_and_a_wish_to_take_away_are_told_from_an_entry(action: str, meant: str) -> None:
    assert meant_by(action, WORDS) == meant


@pytest.mark.parametrize(
    "piece", ["to ", "to my ", "note ", "section of ", "add ", ": ", '"', "the ", "a note "]
)
def test_no_text_takes_long(piece: str) -> None:
    text = "add " + piece * 20_000
    begun = time.process_time()
    jotting_of(text, WORDS)
    writing_of(text, WORDS)
    meant_by(text, WORDS)
    assert time.process_time() - begun < 2
