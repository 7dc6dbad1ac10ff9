"""Events as they are stored: what is written can be read, and what is damaged is told of, and no more."""

import json
import math
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from orchestrator.agents.contract import Item, Output, Usage
from orchestrator.errors import StoreError
from orchestrator.ids import TaskId
from orchestrator.runs.codec import EVENT_TYPES, Encoded, canonical, decode, encode
from orchestrator.runs.events import DriverStarted, Event, RunEnded, TaskDone, TaskStarted, TurnReceived
from orchestrator.runs.messages import SignalReceived

from support.events import JSON, events, instances, reordered

T1 = TaskId("t1")


def nested(levels: int) -> Any:
    value: Any = 1
    for level in range(levels):
        value = [value] if level % 2 else {"in": value}
    return value


# ── what is written is read ─────────────────────────────────────────────────────────────────────────────


@settings(max_examples=6)
@pytest.mark.parametrize("name", EVENT_TYPES)
@given(data=st.data())
def test_every_event_is_read_as_it_was_written(name: str, data: st.DataObject) -> None:
    event = data.draw(instances(EVENT_TYPES[name]))
    stored = encode(event)
    assert decode(stored) == event
    assert encode(decode(stored)) == stored
    assert stored.body.isascii()
    assert (stored.type, stored.version) == (name, EVENT_TYPES[name].version)


@given(events())
def test_an_event_has_the_same_bytes_whatever_the_order_of_its_keys(event: Event) -> None:
    assert encode(reordered(event)) == encode(event)


def test_canonical_json_is_sorted_and_has_no_white_space() -> None:
    assert canonical({"b": [1, "é"], "a": T1}) == '{"a":"t1","b":[1,"\\u00e9"]}'


@pytest.mark.parametrize(
    "value", [True, 1, 1.0, "1", None, [], {}, 0.1 + 0.2, 5e-324, 1.7976931348623157e308]
)
def test_a_value_keeps_its_type(value: Any) -> None:
    event = decode(encode(SignalReceived("k", value, "s")))
    assert isinstance(event, SignalReceived)
    assert (type(event.value), event.value) == (type(value), value)


def test_a_usage_from_before_money_was_counted_cost_none() -> None:
    output = '{"items":null,"text":"x","usage":{"input_tokens":2,"model_calls":1,"output_tokens":3}}'
    event = decode(Encoded("TaskDone", 1, f'{{"output":{output},"task":"t1"}}'))
    assert event == TaskDone(T1, Output("x", usage=Usage(1, 2, 3, 0.0)))


def test_text_with_half_a_surrogate_pair_is_read_back() -> None:
    event = TurnReceived("caf\udce9 \ud83d 😀", None)
    assert decode(encode(event)) == event


# ── what could not be read is not written ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_none_is_refused(number: float) -> None:
    with pytest.raises(StoreError, match="a TaskDone that JSON cannot carry"):
        encode(TaskDone(T1, Output("x", (Item("x", {"price": number}),))))


@pytest.mark.parametrize(
    "value",
    [10**5_000, datetime(2026, 1, 1, tzinfo=UTC), {1, 2}, b"x", {(1, 2): 3}, nested(5_000)],
    ids=["a long number", "a date", "a set", "bytes", "a key that is no text", "nesting without end"],
)
def test_what_json_has_no_word_for_is_refused(value: Any) -> None:
    with pytest.raises(StoreError, match="a SignalReceived that"):
        encode(SignalReceived("k", value, "s"))


@given(st.integers(1, 300))
def test_nesting_is_either_refused_or_read_back(levels: int) -> None:
    event = SignalReceived("k", nested(levels), "s")
    if levels < 100:
        assert decode(encode(event)) == event
    else:
        with pytest.raises(StoreError, match="nested more than 100 levels deep"):
            encode(event)


def test_brackets_in_texts_are_no_nesting() -> None:
    event = SignalReceived("k", ['{["' * 200, "[]" * 200, [[]] * 200], "s")
    assert decode(encode(event)) == event


# ── what is damaged is told of ──────────────────────────────────────────────────────────────────────────

SECRET = "hunter2hunter2"


def refusal(stored: Encoded) -> str | None:
    """Why it cannot be read; None where it can. Anything but a StoreError is a failure of the test."""
    try:
        decode(stored)
    except StoreError as error:
        return f"{error}{error.__cause__ or ''}"
    return None


def versions() -> st.SearchStrategy[tuple[str, int]]:
    """Every type with every version that it had."""
    every = [(name, v) for name, kind in EVENT_TYPES.items() for v in range(1, kind.version + 1)]
    return st.sampled_from(every)


def test_an_unknown_type_is_refused_with_what_to_do() -> None:
    told = refusal(Encoded("MoonLanded", 1, f'{{"by":"{SECRET}"}}'))
    assert told == "an event of the unknown type 'MoonLanded': a newer cuewave wrote it; upgrade this one"


@pytest.mark.parametrize("name", EVENT_TYPES)
def test_a_newer_version_is_refused_with_what_to_do(name: str) -> None:
    now = EVENT_TYPES[name].version
    told = refusal(Encoded(name, now + 1, "{}"))
    assert told == (
        f"a {name} of version {now + 1}, and this cuewave knows {now}: a newer one wrote it; upgrade this one"
    )


@pytest.mark.parametrize(("name", "version"), [("TaskDone", 0), ("PlanMade", 0), ("PlanMade", -1)])
def test_a_version_that_never_was_is_refused(name: str, version: int) -> None:
    assert refusal(Encoded(name, version, "{}")) == f"a {name} of version {version}, which never was"


@given(versions(), st.text(max_size=30) | JSON.map(json.dumps))
def test_a_body_that_is_no_event_is_refused(typed: tuple[str, int], body: str) -> None:
    assert refusal(Encoded(*typed, body)) is not None


@given(events(), st.floats(0, 1, exclude_max=True))
def test_a_body_that_was_cut_off_is_refused(event: Event, share: float) -> None:
    stored = encode(event)
    told = refusal(stored._replace(body=stored.body[: int(len(stored.body) * share)]))
    assert told is not None
    assert told.startswith(f"a damaged {stored.type}: ")


@given(versions(), st.dictionaries(st.text(max_size=3), JSON, max_size=3), events())
def test_a_field_of_the_wrong_type_is_refused_without_its_value(
    typed: tuple[str, int], more: dict[str, Any], event: Event
) -> None:
    name, version = typed
    wrong = {SECRET: [SECRET, more]}
    body = {field: wrong for field in EVENT_TYPES[name].__dataclass_fields__}
    told = refusal(Encoded(name, version, json.dumps(body)))
    if name != "TurnRouted":  # its route is any JSON object
        assert told is not None
        assert SECRET not in told


@given(events(), st.data())
def test_one_field_more_or_less_is_an_event_or_a_refusal_and_nothing_else(
    event: Event, data: st.DataObject
) -> None:
    stored = encode(event)
    body = json.loads(stored.body)
    field = data.draw(st.sampled_from(sorted(body)))
    if data.draw(st.booleans()):
        body[field] = data.draw(JSON)
    else:
        del body[field]
    told = refusal(stored._replace(body=json.dumps(body)))
    assert told is None or told.startswith(f"a damaged {stored.type}: {field}: ")


@pytest.mark.parametrize(
    "deep", ["[" * 100_000, '{"by":' * 100_000, '{"value":"\\ud800","key":' + "[" * 100_000], ids="abc"
)
@pytest.mark.parametrize("typed", [("SignalReceived", 1), ("PlanApproved", 1), ("PlanApproved", 2)])
def test_nesting_without_end_is_refused_shortly(typed: tuple[str, int], deep: str) -> None:
    told = refusal(Encoded(*typed, deep))
    assert told is not None
    assert len(told) < 300


def test_a_deep_body_is_refused_shortly_and_without_its_keys() -> None:
    value: Any = "\ud800"
    for _ in range(300):
        value = {SECRET: value}
    told = refusal(Encoded("SignalReceived", 1, json.dumps({"key": "k", "source": "s", "value": value})))
    assert told is not None
    assert SECRET not in told
    assert len(told) < 300


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        (encode(DriverStarted("d"))._replace(body="{}"), "a damaged DriverStarted: driver: Field required"),
        (
            Encoded("RunEnded", 1, '{"status":"fine","reply":"x"}'),
            "a damaged RunEnded: status: Input should be 'done', 'failed', 'partial', 'outcome_failed', "
            "'waiting', 'cancelled' or 'running'",
        ),
        (Encoded("TaskRetrying", 1, "{}"), "a damaged TaskRetrying: 'attempt'"),
        (
            encode(TaskStarted(T1, 1, "k"))._replace(body='{"task":7,"attempt":"x"}'),
            "a damaged TaskStarted: task: Input should be a valid string; attempt: Input should be a valid"
            " integer, unable to parse string as an integer; key: Field required",
        ),
    ],
)
def test_a_refusal_names_the_field_and_what_is_due(stored: Encoded, told: str) -> None:
    assert refusal(stored) == told


def test_what_may_end_is_not_read_as_another_event() -> None:
    stored = encode(RunEnded("done", "x"))
    assert refusal(stored._replace(type="RunParked")) is not None
