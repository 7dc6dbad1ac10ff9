"""Signals as other programs write them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.adaptation.message import SignalMalformed, known_by, signal_of
from orchestrator.runs.messages import SignalReceived

EVENT = {
    "specversion": "1.0",
    "id": "e-7",
    "source": "airline",
    "type": "fact.changed",
    "time": "2026-03-01T10:30:00+01:00",
    "data": {"key": "delay", "value": 5},
}


def test_a_cloud_event_is_a_signal_with_its_time_in_utc() -> None:
    signal = signal_of(json.dumps(EVENT), "file")
    assert (signal.key, signal.value, signal.source, signal.id) == ("delay", 5, "airline", "e-7")
    assert signal.time == "2026-03-01T09:30:00+00:00"


def test_a_subject_may_be_the_key_and_the_data_the_value() -> None:
    event = {**EVENT, "subject": "gate", "data": "B4", "urgent": True}
    signal = signal_of(json.dumps(event), "file")
    assert (signal.key, signal.value, signal.urgent) == ("gate", "B4", True)


def test_in_short_the_source_is_who_wrote_the_file() -> None:
    assert signal_of('{"key": "delay", "value": null}', "file").source == "file"
    assert signal_of('{"key": "delay", "value": 1, "source": "desk"}', "file").source == "desk"


def test_the_same_message_is_known_again_and_another_is_not() -> None:
    one = signal_of(json.dumps(EVENT), "")
    again = signal_of(json.dumps({**EVENT, "data": {"key": "delay", "value": 6}}), "")
    other = signal_of(json.dumps({**EVENT, "source": "airport"}), "")
    assert known_by(one) == known_by(again) == one.message
    assert known_by(other) != known_by(one)
    assert known_by(SignalReceived("k", 1, "s")) == ""


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("", "this is no JSON"),
        ("[1]", "an object is due"),
        ('{"key": "k"}', "needs `key` and `value`"),
        ('{"key": "k", "value": 1, "vaule": 2}', "unknown: vaule"),
        ('{"key": 1, "value": 1}', "the key of a fact is a text"),
        ('{"key": "k", "value": NaN}', "NaN is not JSON"),
        ('{"key": "k", "value": 1, "time": "yesterday"}', "with its time zone"),
        ('{"key": "k", "value": 1, "time": "2026-03-01T09:30:00"}', "with its time zone"),
        ('{"key": "k", "value": 1, "urgent": "yes"}', "`urgent` is true or false"),
        ('{"key": "k", "value": 1, "id": 7}', "`id` is to be a text"),
        ('{"specversion": "0.3"}', "only 1.0 is known"),
        ('{"specversion": "1.0", "id": "1", "source": "s"}', "needs `type`"),
        ('{"specversion": "1.0", "id": "1", "source": "s", "type": "t"}', "its `data` is to be"),
    ],
)
def test_what_is_no_signal_is_told_with_what_is_due(written: str, told: str) -> None:
    with pytest.raises(SignalMalformed, match=told):
        signal_of(written, "file")


@given(
    st.one_of(
        st.text(),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(),
            lambda i: (
                st.lists(i)
                | st.dictionaries(
                    st.sampled_from(["key", "value", "time", "id", "source", "data", "specversion", "x"]), i
                )
            ),
        ).map(json.dumps),
    )
)
def test_any_line_is_a_signal_or_told_of(line: Any) -> None:
    try:
        signal = signal_of(line, "file")
    except SignalMalformed:
        return
    assert signal.key
