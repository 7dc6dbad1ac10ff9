"""Known secrets are in no event, nor what a field holds that is not to be stored."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.contract import Item, Output, Usage
from orchestrator.ids import AgentName, MessageId, SessionId, TaskId
from orchestrator.runs.codec import EVENT_TYPES, encode
from orchestrator.runs.events import (
    DoubtSettled,
    Event,
    MessageRefused,
    RunEnded,
    TaskDone,
    TaskExpanded,
    TaskFailed,
    TaskHandedOver,
    TaskInDoubt,
    TaskRetrying,
    TaskSkipped,
    TaskStarted,
    TurnReceived,
    TurnRouted,
)
from orchestrator.runs.fold import fold
from orchestrator.runs.messages import DoubtAnswered, FeedbackGiven, SignalReceived
from orchestrator.runs.redaction import HIDDEN, redactor

from support.events import instances
from support.journals import Story, stories

KEY = 'correct-horse-"9c41"-ü'
SAID = f"the key {KEY} is over its limit"
CLEAN = f"the key {HIDDEN} is over its limit"
T1 = TaskId("t1")


def clean(event: Event, *secrets: str, fields: tuple[str, ...] = ()) -> Any:
    redact = redactor(secrets, fields)
    assert redact is not None
    return redact(event)


@pytest.mark.parametrize(
    "event_with",
    [
        lambda text: TurnReceived(text, SessionId("s1")),
        lambda text: TurnRouted({"text": text, "why": [{"said": text}]}),
        lambda text: TaskDone(T1, Output(text, (Item(text, {"deep": [{"id": text}], text: 1}),))),
        lambda text: TaskExpanded(T1, (Item(text, {"agent": text}),)),
        lambda text: TaskFailed(T1, text, Output(text), Usage(1)),
        lambda text: TaskRetrying(T1, 1, text, 0.5, 2),
        lambda text: TaskHandedOver(T1, 1, text, AgentName("b")),
        lambda text: TaskInDoubt(T1, text),
        lambda text: DoubtSettled(T1, happened=True, output=Output(text)),
        lambda text: TaskSkipped(T1, text),
        lambda text: MessageRefused(MessageId("m1"), "FeedbackGiven", text),
        lambda text: FeedbackGiven(text, text, revises_plan=True, message=MessageId("m1")),
        lambda text: DoubtAnswered("ann", T1, happened=True, output=text),
        lambda text: SignalReceived("delay", {"key": text, "n": [text]}, "airline"),
        lambda text: RunEnded("failed", text),
    ],
)
def test_a_secret_is_taken_out_wherever_a_text_may_be(event_with: Any) -> None:
    assert clean(event_with(SAID), KEY) == event_with(CLEAN)


@pytest.mark.parametrize(
    "event", [TaskStarted(T1, 1, f"{KEY}/t1/1"), TurnReceived("hi", SessionId(KEY), KEY, KEY)], ids=repr
)
def test_names_by_which_things_are_found_are_left(event: Event) -> None:
    assert clean(event, KEY) == event


def test_an_event_without_a_secret_is_the_same_object() -> None:
    event = TaskDone(T1, Output("nothing to hide"))
    assert clean(event, KEY, fields=("iban",)) is event


def test_what_is_too_short_for_a_secret_is_left_and_with_nothing_to_hide_nothing_is_done() -> None:
    assert redactor(["EMPTY"], []) is None
    assert redactor([], []) is None
    assert clean(RunEnded("done", f"EMPTY {KEY}"), KEY, "EMPTY") == RunEnded("done", f"EMPTY {HIDDEN}")


def test_the_longer_of_two_secrets_goes_first() -> None:
    assert (
        clean(RunEnded("done", "long-secret-and-more"), "long-secret", "long-secret-and-more").reply == HIDDEN
    )


@given(st.text(min_size=8, max_size=20), st.text(max_size=9), st.text(max_size=9))
def test_whatever_a_secret_is_made_of_it_is_in_no_text(secret: str, before: str, after: str) -> None:
    event = TaskDone(T1, Output(before + secret + after, (Item(after, {"x": secret}),)))
    found = clean(event, secret)
    assert secret not in found.output.text.replace(HIDDEN, "\0")
    assert found.output.items[0].data == {"x": HIDDEN}
    assert encode(found)


# ── fields ──────────────────────────────────────────────────────────────────────────────────────────────

ACCOUNT = {"name": "Ann", "iban": "DE02 1203", "deep": [{"iban": {"country": "DE", "number": 1203.5}}]}


def test_the_value_of_a_field_is_stored_nowhere_in_the_data_of_items() -> None:
    event = TaskDone(T1, Output("", (Item("", ACCOUNT), Item("", {"iban": None, "n": 1}))))
    first, second = clean(event, fields=("iban",)).output.items
    assert first.data == {"name": "Ann", "iban": HIDDEN, "deep": [{"iban": HIDDEN}]}
    assert second.data == {"iban": HIDDEN, "n": 1}


def test_nor_in_the_texts_beside_it() -> None:
    text = "Ann (DE02 1203) has 1203.5 in DE; DEX and XDE02 1203 are other words"
    event = TaskDone(T1, Output(text, (Item(text, ACCOUNT),)))
    said = f"Ann ({HIDDEN}) has {HIDDEN} in {HIDDEN}; DEX and XDE02 1203 are other words"
    found = clean(event, fields=("iban",)).output
    assert (found.text, found.items[0].text) == (said, said)


def test_an_item_that_is_its_data_written_as_json_does_not_tell_it_either() -> None:
    text = '{"name": "Ann", "note": "say \\"hi\\" to Ann"}'
    event = TaskExpanded(T1, (Item(text, {"name": "Ann", "note": 'say "hi" to Ann'}),))
    (item,) = clean(event, fields=("note",)).items
    assert item.text == f'{{"name": "Ann", "note": "{HIDDEN}"}}'


@pytest.mark.parametrize("empty", ["", " ", True, None, [], {}])
def test_a_field_that_holds_nothing_hides_no_other_words(empty: Any) -> None:
    event = TaskDone(T1, Output("true, or none ", (Item("a b", {"iban": empty}),)))
    found = clean(event, fields=("iban",)).output
    assert (found.text, found.items[0].text, found.items[0].data) == (
        "true, or none ",
        "a b",
        {"iban": HIDDEN},
    )


def test_a_field_of_the_same_name_elsewhere_is_another() -> None:
    for event in (
        SignalReceived("iban", {"iban": "DE"}, "x"),
        TurnRouted({"iban": "DE", "data": {"iban": "x"}}),
    ):
        assert clean(event, fields=("iban",)) == event


def test_keys_and_the_ids_of_tasks_stay_whatever_a_field_holds() -> None:
    event = TaskDone(T1, Output("t1", (Item("", {"iban": "t1", "t1": "t1"}),)))
    found = clean(event, fields=("iban",))
    assert (found.task, found.output.text, found.output.items[0].data) == (
        "t1",
        HIDDEN,
        {"iban": HIDDEN, "t1": HIDDEN},
    )


ILL_MEANT = (
    "12345678",
    "n1234567",
    "model_calls",
    "outcome_failed",
    '"},{"a":1',
    "\\u0000\\u0000",
    "do all of it",
    "r1/t2[1]/1",
)
"""Secrets that are in the way of JSON, of names and of what the tests say."""


@given(st.sampled_from(sorted(EVENT_TYPES)), st.lists(st.sampled_from(ILL_MEANT), min_size=1), st.data())
def test_whatever_is_taken_out_an_event_stays_an_event_and_nothing_is_left_to_take_out(
    name: str, secrets: list[str], data: st.DataObject
) -> None:
    texts = st.sampled_from([*ILL_MEANT, "x\n12345678", "a\0\0\0\0\0\0\0\0b", "😀", ""])
    event = with_texts(data.draw(instances(EVENT_TYPES[name])), data.draw(texts))
    once = clean(event, *secrets, fields=("id", "to"))
    assert type(once) is type(event)
    assert clean(once, *secrets, fields=("id", "to")) == once


def with_texts(event: Any, text: str) -> Any:
    """The event with this text wherever it has any of its own."""
    told = {"text", "error", "reason", "reply", "by", "needed", "route", "value"} & set(type(event).__slots__)
    return replace(event, **{f: {text: [text]} if f in ("route", "value") else text for f in told})


@given(stories())
def test_a_run_goes_the_same_way_whatever_is_taken_out_of_its_journal(story: Story) -> None:
    redact = redactor(ILL_MEANT, ("n",))
    assert redact is not None
    whole, clean = fold(story.records), fold(r._replace(event=redact(r.event)) for r in story.records)
    assert {t: (f.status, f.attempt, f.key) for t, f in clean.tasks.items()} == {
        t: (f.status, f.attempt, f.key) for t, f in whole.tasks.items()
    }
    assert (clean.status, clean.usage, clean.consented) == (whole.status, whole.usage, whole.consented)
    assert clean.text == HIDDEN
