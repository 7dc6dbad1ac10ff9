"""ASSUME lines of a planner."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.comparison import Comparison, comparison_of
from orchestrator.ids import TaskId
from orchestrator.planning.assuming import AssumeLine, parse, render
from orchestrator.planning.grounds.assumption import Assumption

FACTS = {"delay": 0, "gate": "B4", "open": True, "seats": None}
T1, T2 = TaskId("t1"), TaskId("t2")


def read(text: str) -> AssumeLine:
    lines, faults = parse(text, [T1, T2], FACTS)
    assert not faults
    return lines[0]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("0", 0),
        ("<= 30", {"lte": 30}),
        (">= -1", {"gte": -1}),
        ("!= 7", {"ne": 7}),
        ("between 0 and 5", {"between": [0, 5]}),
        ("in 0, 1", {"in": [0, 1]}),
        ("not in [4, 5]", {"not_in": [4, 5]}),
        ('{"within": {"of": 1, "tolerance": 2}}', {"within": {"of": 1, "tolerance": 2}}),
    ],
)
def test_what_is_expected_is_read_in_json_signs_and_words(written: str, meant: object) -> None:
    line = read(f"ASSUME: t1 | delay | {written} | it lands on time")
    assert line == AssumeLine(T1, Assumption("delay", comparison_of(meant), "it lands on time"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "decorated",
    [
        "- ASSUME: t1 | gate | B4",
        "2. **ASSUME:** T1 | gate | B4 |",
        "> assume： `t1` | gate | 'B4' | ",
        "TASK: t1 | x | a |\nASSUME: t1 | gate | B4",
    ],
)
def test_the_same_decoration_is_let_pass_as_around_tasks(decorated: str) -> None:
    assert read(decorated).assumption == Assumption("gate", Comparison("eq", ("B4",)))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("ASSUME: t9 | delay | 0", "unknown task 't9'; the ids are: t1, t2"),
        ("ASSUME: t1 | dealy | 0", "unknown fact 'dealy'; known are: delay, gate, open, seats"),
        ("ASSUME: t1 | delay | late", "'late' is a text"),
        ("ASSUME: t1 | delay | > 5", "it is 0 already"),
        ("ASSUME: t1 | delay", "found 2 of its 4 fields"),
        ("ASSUME: t1 | gate | <= B4", "no number, nor a day"),
        ("ASSUME: t1 | delay | between 5 and 1", "wants the low end first"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(written: str, told: str) -> None:
    lines, faults = parse(f"well:\n{written}", [T1, T2], FACTS)
    assert lines == ()
    assert [fault.line for fault in faults] == [2]
    assert told in faults[0].message


WORDS = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="|\\｜*_`"), max_size=8)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([T1, T2]),
            st.sampled_from([({"lte": 3}), 0, {"in": [0, 1]}, {"between": [-1, 5]}, {"ne": 4}]),
            WORDS,
        ),
        max_size=4,
    )
)
def test_what_is_written_is_read_back(made: list[tuple[TaskId, object, str]]) -> None:
    lines = tuple(AssumeLine(task, Assumption("delay", comparison_of(e), word)) for task, e, word in made)  # type: ignore[arg-type]
    assert parse(render(lines), [T1, T2], FACTS) == (lines, ())


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    parse(f"ASSUME: {text}", [T1], FACTS)
