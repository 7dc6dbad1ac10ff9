"""The laws of expressions: a closed language that ends, compares as assumptions do, and names its faults."""

import ast
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from orchestrator.adaptation.expression import parse
from orchestrator.adaptation.language.grammar import ExpressionInvalid
from orchestrator.adaptation.language.reckoning import ExpressionFailed

FACTS: Mapping[str, Any] = {
    "arrival": "19:00",
    "stock": 4,
    "rain": 30.5,
    "open": True,
    "gone": None,
    "cities": ["Oslo", "Bergen"],
    "flight-delay": 5,
    "guest": {"name": "Ann"},
}
RESULTS: Mapping[str, Mapping[str, Any]] = {
    "hotel": {"time": "14:00", "place": "Oslo", "text": "Booked.", "status": "done", "items": [{}]},
    "seats": {"text": "two seats", "status": "done", "items": [{"seat": 1}, {"seat": 2}]},
    "t1.2": {"text": "again", "status": "skipped", "items": []},
}


def value(source: str) -> Any:
    return parse(source).value(FACTS, RESULTS)


@pytest.mark.parametrize(
    "holds",
    [
        "facts.arrival > results.hotel.time",
        'facts["flight-delay"] == 5 and facts["stock"] == 4',
        "'09:30' <= results.hotel.time < facts.arrival",
        "facts.open and not false",
        "facts.open == true and facts.open == True",
        "facts.gone == null and facts.gone == None and facts.stock != null",
        "results.hotel.place in facts.cities",
        "'Rome' not in facts.cities and 'Rome' not in []",
        "results.hotel.place in ['Oslo', 'Rome']",
        "'ook' in results.hotel.text",
        "facts.cities == ['Oslo', 'Bergen'] and facts.cities != ['Oslo']",
        "len(results.seats.items) == 2 and len(results.seats.text) == 9",
        "lower(results.hotel.place) == 'oslo' and lower('STRAßE') == 'straße'",
        "number(' 12 ') + 1 == 13 and number('-3.5e1') == -35 and number(facts.stock) == 4",
        "number('9007199254740993') > 9007199254740992",
        "facts.stock * 2 - 1 == 7 and facts.stock / 8 == 0.5",
        "results.hotel.place + '!' == 'Oslo!'",
        "results['t1.2'].status == 'skipped'",
        "results.hotel.status == 'done'\nand facts.guest.name == 'Ann'",
        "1 < 2 < 3 and not 1 < 3 < 2",
    ],
)
def test_what_holds(holds: str) -> None:
    assert value(holds) is True


def test_what_does_not_matter_any_more_is_not_looked_at() -> None:
    assert value("true or results.nobody.text == 'x'") is True
    assert value("false and results.nobody.text == 'x'") is False
    assert value("2 < 1 < results.nobody.time") is False


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("facts.stock > facts.arrival", "no common order"),
        ("facts.arrival == 19", "'19:00' is a text, and 19 is a number"),
        ("facts.open == 1", "True is a truth value, and 1 is a number"),
        ("[1] == [true]", "is a number, and True is a truth value"),
        ("'b' > 'a'", "nor a day, time or moment"),
        ("facts.gate == 'B7'", "facts has no field 'gate'; it has: arrival, stock, rain"),
        ("results.hotel.date == 1", "results.hotel has no field 'date'; it has: time, place, text"),
        ("results.seats.seat == 1", "no field 'seat'; it has: text, status, items; of its 2 items no single"),
        ("results.nobody.text == ''", "results has no field 'nobody'; it has: hotel, seats, t1.2"),
        ("facts.stock.size == 1", "facts.stock is 4, which has no fields"),
        ("facts.stock and true", "4 is neither true nor false"),
        ("not facts.arrival", '"19:00" is neither true nor false'),
        ("'ab' * 3 == 'ababab'", "'ab' is no number"),
        ("[1] + [2] == [1, 2]", "a list cannot be compared"),
        ("facts.guest == 1", "a mapping cannot be compared"),
        ("-facts.arrival == 1", "'19:00' is no number"),
        ("facts.stock / 0 > 1", "divided by zero"),
        ("1e200 * 1e200 > 1", "too large to calculate with"),
        ("len(facts.stock) > 1", "4 is no text and no list"),
        ("lower(facts.stock) == 'a'", "4 is no text"),
        ("number('twelve') > 1", '"twelve" is no number'),
        ("number('1_000') > 1", "is no number"),
        ("1 in facts.arrival", "1 cannot be part of a text"),
        ("1 in facts.stock", "4 is no list and no text"),
    ],
)
def test_what_has_no_value_says_why(source: str, said: str) -> None:
    with pytest.raises(ExpressionFailed) as failed:
        value(source)
    assert said in str(failed.value)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("", "it is empty; write it such as"),
        ("facts.x = 1", "this cannot be read"),
        ("facts.x >", "this cannot be read"),
        ("1 + zz", "at column 5: unknown name 'zz'"),
        ("facts.größe > zz", "at column 15: unknown name 'zz'"),
        ("facts.x > 1 and\n  zz", "at line 2, column 3: unknown name 'zz'"),
        ("facts.flight-delay > 1", "at column 14: unknown name 'delay'; there are facts.NAME"),
        ("facts", "at column 1: a name is due after facts"),
        ("results.hotel == 1", "at column 1: a field is due after results.hotel, such as .text"),
        ("hotel.time == 1", "at column 1: there are facts.NAME and results.TASK.FIELD"),
        ("facts[0] == 1", "at column 1: there are facts.NAME"),
        ("facts.x is null", "at column 1: values are compared with == !="),
        ("2 ** 9 > 1", "at column 1: numbers are calculated with + - * /"),
        ("7 % 2 == 1", "at column 1: numbers are calculated with"),
        ("~1 == 1", "at column 1: before a value"),
        ("open('x')", "at column 1: only len(…), lower(…), number(…) can be called"),
        ("facts.x.lower() == ''", "at column 1: only len(…)"),
        ("len(1, 2)", "at column 1: len(…) takes one value"),
        ("len(x=1)", "at column 1: len(…) takes one value"),
        ("len(*facts.x)", "at column 5: `*facts.x` has no place here"),
        ("[x for x in facts.y]", "at column 1: `[x for x in facts.y]` has no place here"),
        ("1 if true else 2", "at column 1: `1 if true else 2` has no place here"),
        ("f'{facts.x}' == ''", "has no place here"),
        ("(lambda: 1)() == 1", "only len(…)"),
        ("(x := 1) == 1", "at column 2: `x := 1` has no place here"),
        ("b'x' == 1", "at column 1: a number, a text in quotes"),
        ("2j == 1", "at column 1: a number, a text in quotes"),
        ("... == 1", "at column 1: a number, a text in quotes"),
        ("not " * 40 + "true", "nested more than 30 levels deep"),
        ("(" * 400 + "1" + ")" * 400, "this cannot be read"),
        ("-" * 990 + "1", "nested more than 30 levels deep"),
        ("facts" + ".x" * 400, "a name has at most 30 parts"),
        ("facts.x" + " " * 1000, "it has 1,007 characters, and 1,000 are the most"),
        ("facts.\0", "this cannot be read"),
        ("'\ud800' == 1", "this cannot be read"),
    ],
)
def test_what_is_no_expression_says_where_and_what_would_be_one(source: str, said: str) -> None:
    with pytest.raises(ExpressionInvalid) as invalid:
        parse(source)
    assert said in str(invalid.value)


def test_an_expression_knows_what_it_names() -> None:
    expression = parse("results.a.x >= facts.f or facts['g h'] in results['t 1'].items and facts.f > 1")
    assert expression.facts == {"f", "g h"}
    assert expression.tasks == {"a", "t 1"}
    assert parse("1 < 2").names == ()


def test_what_was_seen_is_told_once_in_order() -> None:
    source = "facts.arrival <= results.hotel.time and facts.arrival != facts['flight-delay']"
    assert parse(source).seen(FACTS, RESULTS) == (
        'facts.arrival is "19:00", results.hotel.time is "14:00", facts["flight-delay"] is 5'
    )
    told = parse("facts.open and facts.gone == facts.cities and results.x.y == 1").seen(FACTS, RESULTS)
    assert told == (
        'facts.open is true, facts.gone is null, facts.cities is ["Oslo", "Bergen"], results.x.y is not there'
    )


def test_what_is_told_is_short() -> None:
    facts = {"x": "a" * 1_000_000, "y": 1}
    assert len(parse("facts.x == 1").seen(facts, {})) < 120
    with pytest.raises(ExpressionFailed) as failed:
        parse("facts.x < 1").value(facts, {})
    assert len(str(failed.value)) <= 400


def test_texts_do_not_grow_without_end() -> None:
    with pytest.raises(ExpressionFailed, match="more than 10,000 characters is not made"):
        parse("facts.x + facts.x == ''").value({"x": "a" * 5_001}, {})


def test_facts_that_go_round_in_circles_end_all_the_same() -> None:
    round_and_round: list[Any] = []
    round_and_round.append(round_and_round)
    expression = parse("facts.x == facts.y")
    other: list[Any] = [[]]
    other[0] = other
    with pytest.raises(ExpressionFailed, match="nested too deeply"):
        expression.value({"x": round_and_round, "y": other}, {})
    assert expression.seen({"x": round_and_round, "y": 10**5000}, {}) == (
        "facts.x is a list that cannot be shown, facts.y is a int that cannot be shown"
    )


WORDS = [
    *("facts.x", "facts", "results.t.text", "results.t", '["a b"]', ".x", "'a'", "true", "null", "1", "0"),
    *("==", "<", "in", "not", "and", "or", "-", "+", "*", "/", "(", ")", "[", "]", ",", "1e308", "9" * 400),
    *("len(", "number(", "lower(", "**", "%", "@", "if", "else", "for", "lambda", ":", "is", "#", "\\", "."),
    *("f'", "'", "\n", " "),
]
PIECES = st.sampled_from(WORDS)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=5,
)


@given(
    source=st.lists(PIECES, max_size=12).map(" ".join) | st.text(max_size=40),
    facts=st.fixed_dictionaries({"x": JSON, "a b": JSON}),
    text=JSON,
)
@example("facts.x < 1", {"x": 10**400}, None)
@example("facts.x == facts.x", {"x": 10**5000}, None)
@example("facts.x < 0.5 or facts.x == 1 / 3", {"x": 10**320}, None)
def test_any_text_has_a_value_or_one_of_two_errors(source: str, facts: Mapping[str, Any], text: Any) -> None:
    results = {"t": {"text": text, "status": "done", "items": []}}
    try:
        expression = parse(source)
    except ExpressionInvalid:
        return
    assert isinstance(expression.seen(facts, results), str)
    with suppress(ExpressionFailed):
        expression.value(facts, results)


NUMBERS = st.integers(0, 99).map(str) | st.decimals(0, 99, places=2).map(str)


def _joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner) | inner.map("(- {})".format)


SUMS = st.recursive(NUMBERS, _joined, max_leaves=6)
COMPARED = st.builds(
    "{} {} {} {} {}".format,
    SUMS,
    st.sampled_from(["==", "!=", "<", "<=", ">", ">="]),
    SUMS,
    st.sampled_from(["==", "!=", "<", "<=", ">", ">="]),
    SUMS,
)
TRUTHS = st.recursive(
    COMPARED,
    lambda inner: (
        st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or"]), inner)
        | inner.map("(not {})".format)
    ),
    max_leaves=4,
)


@given(source=TRUTHS)
def test_numbers_are_calculated_and_compared_as_python_does(source: str) -> None:
    if len(source) > 1000:
        return
    try:
        expected = eval(compile(ast.parse(source, mode="eval"), "python", "eval"))
    except ZeroDivisionError:
        with pytest.raises(ExpressionFailed, match="divided by zero"):
            value(source)
        return
    assert value(source) is expected
