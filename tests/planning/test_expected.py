"""What planners write of facts, and what that means."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.comparison import comparison_of
from orchestrator.planning.expected import expected_of


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("0", 0),
        ("-1.5", -1.5),
        ("B4", "B4"),
        ("`B4`", "B4"),
        ("'30'", "30"),
        ('"30"', "30"),
        ("True", True),
        ("null", None),
        ("= 3", {"eq": 3}),
        ("<= 30", {"lte": 30}),
        (">=-1", {"gte": -1}),
        ("≠ 'B 4'", {"ne": "B 4"}),
        ("< 09:30", {"lt": "09:30"}),
        ("Between 0 and 5", {"between": [0, 5]}),
        ('outside "09:30" and "10:00"', {"outside": ["09:30", "10:00"]}),
        ("within 5 of 20", {"within": {"of": 20, "tolerance": 5}}),
        ("in a, b", {"in": ["a", "b"]}),
        ('in ["a, x", b]', {"in": ["a, x", "b"]}),
        ("not in (4, 5)", {"not_in": [4, 5]}),
        ("none of 4, 5", {"not_in": [4, 5]}),
        ("{lte: 09:30}", {"lte": "09:30"}),
        ("not_in: [a, 'b']", {"not_in": ["a", "b"]}),
        ("{within: {of: 20, tolerance: 5}}", {"within": {"of": 20, "tolerance": 5}}),
        ('{"between": [1, 2]}', {"between": [1, 2]}),
        ("NaN", "NaN"),
        ("{a: ", "{a:"),
        ("[" * 99_999, "[" * 99_999),
    ],
)
def test_it_is_read_in_json_yaml_signs_and_words(written: str, meant: object) -> None:
    assert expected_of(written) == meant


@pytest.mark.parametrize("text", ["in transit", "12", "true", "<= none", "between you and me"])
def test_what_the_fact_already_is_means_just_that(text: str) -> None:
    assert expected_of(text, text) == text


def test_nothing_is_not_expected() -> None:
    with pytest.raises(ValueError, match="nothing is written there"):
        expected_of(" ` ")


VALUES = st.integers(-99, 99) | st.floats(-9, 9) | st.booleans()
TEXTS = st.text(st.characters(exclude_categories=["C"]))
ORDERED = st.lists(st.integers(-99, 99) | st.floats(-9, 9), min_size=2, max_size=2).map(sorted)
EXPECTED = st.one_of(
    VALUES,
    st.none(),
    TEXTS,
    st.builds(lambda op, n: {op: n}, st.sampled_from(["lt", "lte", "gt", "gte"]), st.integers()),
    st.builds(lambda op, text: {op: text}, st.sampled_from(["eq", "ne"]), TEXTS),
    st.builds(lambda op, s: {op: s}, st.sampled_from(["in", "not_in"]), st.lists(TEXTS, min_size=1)),
    st.builds(lambda op, pair: {op: pair}, st.sampled_from(["between", "outside"]), ORDERED),
    st.builds(lambda n, t: {"within": {"of": n, "tolerance": t}}, st.integers(), st.integers(0)),
)


@given(EXPECTED)
def test_the_json_of_a_comparison_is_read_as_that_comparison(expected: Any) -> None:
    comparison = comparison_of(expected)
    assert comparison_of(expected_of(json.dumps(comparison.to_json()))) == comparison


PLAIN_TEXTS = st.text("abcXYZ 09:-", min_size=1).map(str.strip).filter(bool)


@given(EXPECTED, PLAIN_TEXTS)
def test_what_people_are_shown_of_a_comparison_is_read_as_it(expected: Any, text: str) -> None:
    for comparison in (comparison_of(expected), comparison_of({"in": [text, text[::-1]]})):
        if all(not isinstance(v, str) or v == text for v in comparison.values):
            assert comparison_of(expected_of(str(comparison))) == comparison


@given(st.text() | st.text("[]{}'\",: ab1=<in"))
def test_any_text_is_read(text: str) -> None:
    if text.strip(" \t*`"):
        expected_of(text)
