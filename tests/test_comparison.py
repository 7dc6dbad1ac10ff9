"""Comparisons hold or do not, by comparing."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from orchestrator.comparison import Comparison, Incomparable, compare, comparison_of, same

NUMBERS = st.integers(-5, 5) | st.floats(-5, 5, allow_nan=False)
EXPECTED = st.one_of(
    NUMBERS,
    st.builds(lambda op, n: {op: n}, st.sampled_from(["eq", "ne", "lt", "lte", "gt", "gte"]), NUMBERS),
    st.builds(lambda op, ns: {op: ns}, st.sampled_from(["in", "not_in"]), st.lists(NUMBERS, min_size=1)),
    st.builds(
        lambda op, ns: {op: sorted(ns)}, st.sampled_from(["between", "outside"]), st.tuples(NUMBERS, NUMBERS)
    ),
    st.builds(lambda n, t: {"within": {"of": n, "tolerance": abs(t)}}, NUMBERS, NUMBERS),
)


@pytest.mark.parametrize(
    ("expected", "holds", "not_holds"),
    [
        (0, 0, 1),
        ("B4", "B4", "b4"),
        (None, None, 0),
        (True, True, False),
        ({"ne": 3}, None, 3),
        ({"lte": 30}, 30, 31),
        ({"gt": 30}, 31, 30),
        ({"in": ["a", "b"]}, "b", "c"),
        ({"not_in": [1]}, 2, 1),
        ({"between": [1, 5]}, 5, 6),
        ({"outside": [1, 5]}, 0, 1),
        ({"within": {"of": 20, "tolerance": 5}}, 25, 25.5),
        ({"gte": "09:30"}, "10:00", "09:29"),
        ({"lt": "2026-03-01"}, "2026-02-28", "2026-03-01"),
        ({"lt": "2026-03-01T10:00:00+01:00"}, "2026-03-01T08:59:00Z", "2026-03-01T09:00:00Z"),
    ],
)
def test_each_comparison(expected: Any, holds: Any, not_holds: Any) -> None:
    comparison = comparison_of(expected)
    assert comparison.holds(holds)
    assert not comparison.holds(not_holds)


@pytest.mark.parametrize(
    ("expected", "observed"),
    [
        (0, "0"),
        (0, False),
        ("x", 1),
        ({"lte": 3}, "3"),
        ({"lte": 3}, None),
        (0, [0]),
        ({"gte": "09:30"}, "2026-03-01"),
    ],
)
def test_what_has_no_common_measure_is_an_error_and_no_contradiction(expected: Any, observed: Any) -> None:
    with pytest.raises(Incomparable):
        comparison_of(expected).holds(observed)


@pytest.mark.parametrize(
    ("expected", "told"),
    [
        ({"lte": 1, "gte": 0}, "one comparison is due"),
        ({"atmost": 1}, "unknown comparison 'atmost'"),
        ({"lte": "soon"}, "is no number, nor a day"),
        ({"in": 3}, "wants a list"),
        ({"in": []}, "at least one value"),
        ({"in": [1, "a"]}, "is a number, and 'a' is a text"),
        ({"between": [1]}, "the low and the high end"),
        ({"between": [5, 1]}, "the low end first"),
        ({"within": 3}, "is written"),
        ({"within": {"of": 1, "tolerance": -1}}, "cannot be below zero"),
        ([1], "a list cannot be compared"),
    ],
)
def test_what_is_no_comparison_is_told(expected: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        comparison_of(expected)


@given(EXPECTED, NUMBERS, NUMBERS)
def test_re_aligned_it_holds_for_what_contradicted_it_and_a_return_is_a_new_contradiction(
    expected: Any, observed: Any, before: Any
) -> None:
    comparison = comparison_of(expected)
    assume(not comparison.holds(observed))
    realigned = comparison.realigned(observed)
    assert realigned.holds(observed)
    if comparison.op != "within" and comparison.holds(before):
        assert not realigned.holds(before)


@given(EXPECTED)
def test_it_is_written_as_it_is_read(expected: Any) -> None:
    comparison = comparison_of(expected)
    assert comparison_of(comparison.to_json()) == comparison
    assert str(comparison)


def test_a_within_is_re_centred() -> None:
    assert Comparison("within", (20, 5)).realigned(30) == Comparison("within", (30, 5))


@given(one=st.integers(-(10**30), 10**30) | st.floats(allow_nan=False), other=st.integers(-(10**30), 10**30))
def test_numbers_are_compared_to_the_last_digit(one: float, other: int) -> None:
    assert compare(one, other) == (one > other) - (one < other)
    assert (compare(one, other) == 0) is same(one, other)


@pytest.mark.parametrize("number", [10**400, -(10**400), float("nan")])
@pytest.mark.parametrize("op", ["lt", "lte", "gt", "gte"])
def test_what_is_no_number_to_compare_is_neither_so_nor_not_so(number: float, op: str) -> None:
    for value, bound in ((number, 3), (3.5, number)):
        with pytest.raises(Incomparable):
            Comparison(op, (bound,)).holds(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [10**400, float("nan")])
def test_what_is_no_number_is_not_near_another(number: float) -> None:
    with pytest.raises(Incomparable):
        Comparison("within", (20.5, 5)).holds(number)


@pytest.mark.parametrize("endless", [float("inf"), float("-inf"), float("nan")])
def test_a_number_without_end_is_compared_with_nothing(endless: float) -> None:
    for expected in (endless, {"lte": endless}, {"in": [1, endless]}):
        with pytest.raises(Incomparable, match="no number that can be compared"):
            comparison_of(expected)
    with pytest.raises(Incomparable, match="no number that can be compared"):
        comparison_of({"lte": 3}).holds(endless)
