"""A result is the same before it was stored and after; what cannot be stored is the agent's fault."""

import math
from collections import OrderedDict, deque
from datetime import date
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.contract import Item, Output, Usage
from orchestrator.errors import TaskError
from orchestrator.ids import TaskId
from orchestrator.runs.codec import decode, encode
from orchestrator.runs.events import TaskDone
from orchestrator.runs.plain import plain, plain_output

from support.events import INTEGERS, JSON, TEXTS

LOOSE: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | INTEGERS | st.floats() | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.lists(inner, max_size=3).map(deque)
        | st.dictionaries(TEXTS, inner, max_size=3)
        | st.dictionaries(TEXTS, inner, max_size=3).map(MappingProxyType)
    ),
    max_leaves=8,
)
"""What an agent may well hand over as JSON: with numbers that are none, and sequences of all kinds."""


def output(data: Any) -> Output:
    return Output("x", (Item("first"), Item("second", {"data": data})))


@given(LOOSE)
def test_a_result_is_the_same_after_it_was_stored(data: Any) -> None:
    event = TaskDone(TaskId("t1"), plain_output(output(data)))
    assert decode(encode(event)) == event


@given(JSON)
def test_json_is_left_as_it_is(data: Any) -> None:
    assert plain(data, "data") == data
    assert plain_output(output(data)) == output(data)


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (math.nan, None),
        (math.inf, None),
        (-math.inf, None),
        ((1, [math.nan]), [1, [None]]),
        (deque("ab"), ["a", "b"]),
        (range(2), [0, 1]),
        (OrderedDict(a=(1,)), {"a": [1]}),
        (MappingProxyType({"a": math.inf}), {"a": None}),
    ],
    ids=repr,
)
def test_sequences_are_lists_mappings_are_dicts_and_a_number_that_is_none_is_null(
    value: Any, kept: Any
) -> None:
    found = plain(value, "data")
    assert found == kept
    assert type(found) is type(kept)


def deep(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (date(2026, 1, 1), "items[1].data.data: a date is nothing that JSON can carry; give it as text"),
        ({"of": {1}}, "items[1].data.data.of: a set is nothing that JSON can carry; give it as text"),
        ([b"x"], "items[1].data.data[0]: a bytes is nothing that JSON can carry; give it as text"),
        ({"of": {1: 2}}, "items[1].data.data.of: a key is int; keys must be text"),
        (1 << 5_000, "items[1].data.data: a number has too many digits; give it as text"),
    ],
    ids=["a date", "a set", "bytes", "a key", "a long number"],
)
def test_what_json_cannot_carry_is_told_with_its_place(data: Any, told: str) -> None:
    with pytest.raises(TaskError) as refused:
        plain_output(output(data))
    assert str(refused.value) == told
    assert not refused.value.passing


def test_nesting_has_a_bound_and_what_is_within_it_can_be_stored() -> None:
    deepest = plain_output(output(deep(62)))
    assert decode(encode(TaskDone(TaskId("t1"), deepest))) == TaskDone(TaskId("t1"), deepest)
    with pytest.raises(TaskError, match="nested more than 64 levels deep; make it flatter"):
        plain_output(output(deep(64)))


def test_a_list_that_holds_itself_is_nested_too_deep() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(TaskError, match="nested"):
        plain(endless, "data")


@pytest.mark.parametrize("money", [math.nan, math.inf])
def test_money_that_is_no_number_is_the_agents_fault(money: float) -> None:
    with pytest.raises(TaskError, match="money; count 0 where there is no price"):
        plain_output(Output("x", usage=Usage(money=money)))


@pytest.mark.parametrize("made", [Output("x"), Output("x", ()), Output("x", (Item("a"), Item("b")))])
def test_an_output_without_data_is_the_very_same(made: Output) -> None:
    assert plain_output(made) is made


def test_text_and_usage_stay() -> None:
    made = Output("x", (Item("a", {"n": (1,)}),), Usage(1, 2, 3, 0.5))
    assert plain_output(made) == Output("x", (Item("a", {"n": [1]}),), Usage(1, 2, 3, 0.5))
