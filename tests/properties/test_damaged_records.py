"""A journal that a disk or a person has damaged: a record is an event, or is refused, and no more."""

import json
import string
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.errors import StoreError
from orchestrator.runs.codec import Encoded, decode, encode
from orchestrator.runs.events import Event

from support.effort import share
from support.events import JSON, events


def read(stored: Encoded) -> Event | str:
    """The event, or why there is none."""
    try:
        return decode(stored)
    except StoreError as refused:
        return str(refused)


@share(2)
@given(
    events(),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 7)), min_size=1, max_size=3),
)
def test_flipped_bits_are_another_event_or_a_refusal(event: Event, flips: list[tuple[float, int]]) -> None:
    stored = encode(event)
    body = bytearray(stored.body.encode())
    for place, bit in flips:
        body[int(place * len(body))] ^= 1 << bit
    found = read(stored._replace(body=body.decode("utf-8", "surrogateescape")))
    if isinstance(found, str):
        assert found.startswith(f"a damaged {stored.type}: ")
        assert found.encode("utf-8", "surrogateescape")
    else:
        assert type(found) is type(event)


@share(2)
@given(events(), st.data())
def test_a_body_with_a_piece_of_another_is_an_event_or_a_refusal(event: Event, data: st.DataObject) -> None:
    stored, other = encode(event), encode(data.draw(events())).body
    at, start = data.draw(st.integers(0, len(stored.body))), data.draw(st.integers(0, len(other)))
    size = data.draw(st.integers(0, 12))
    found = read(
        stored._replace(body=stored.body[:at] + other[start : start + size] + stored.body[at + size :])
    )
    assert isinstance(found, type(event)) or found.startswith(f"a damaged {stored.type}: ")


@share(2)
@given(events(), st.text(string.ascii_letters, max_size=8), st.integers(-3, 9))
def test_another_type_or_version_is_an_event_or_is_refused_by_name(
    event: Event, kind: str, version: int
) -> None:
    stored = encode(event)
    assert "unknown type" in str(read(stored._replace(type=f"X{kind}")))
    found = read(stored._replace(version=version))
    assert isinstance(found, type(event)) or stored.type in found


PLACES = st.lists(st.integers(0, 9), min_size=1, max_size=6)


def changed(value: Any, way: list[int], new: Any) -> Any:
    """The value with another one at the end of the way."""
    if not way or not isinstance(value, dict | list) or not value:
        return new
    steps = sorted(value) if isinstance(value, dict) else range(len(value))
    step = steps[way[0] % len(steps)]
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[step] = changed(value[step], way[1:], new)
    return copy


@share(2)
@given(events(), PLACES, JSON)
def test_a_value_changed_anywhere_inside_is_an_event_or_a_refusal(
    event: Event, way: list[int], new: Any
) -> None:
    stored = encode(event)
    body = json.dumps(changed(json.loads(stored.body), way, new))
    found = read(stored._replace(body=body))
    if isinstance(found, str):
        assert found.startswith(f"a damaged {stored.type}: ")
    else:
        assert decode(encode(found)) == found
