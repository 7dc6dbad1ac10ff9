"""ASSUME lines of a planner."""

import pytest
from orchestrator.comparison import Comparison
from orchestrator.ids import TaskId
from orchestrator.planning.assuming import AssumeLine, parse
from orchestrator.planning.grounds.assumption import Assumption

FACTS = {"delay": 0, "gate": "B4", "open": True, "seats": None}
T1, T2 = TaskId("t1"), TaskId("t2")


def read(text: str) -> AssumeLine:
    lines, faults = parse(text, [T1, T2], FACTS)
    assert not faults
    return lines[0]


@pytest.mark.parametrize(
    "decorated",
    [
        "- ASSUME: t1 | gate | B4",
        "2. **ASSUME:** T1 | gate | B4 |",
        "> assume： `t1` | gate | 'B4' | ",
        "TASK: t1 | x | a |\nASSUME: t1 | gate | B4",
        "- Step 3: **ASSUME: t1 | GATE | B4 |**",
        "| ASSUME: t1 | gate | B4 |",
        "__ASSUME__: t1｜`gate`｜`B4`｜",
        "<think>\nASSUME: t9 | ghost | 1\n</think>\nASSUME: t1 | gate | B4",
        "ASSUME: task | key | expected | description\nWe assume nothing else.\nASSUME: t1 | gate | = B4",
    ],
)
def test_the_same_decoration_is_let_pass_as_around_tasks(decorated: str) -> None:
    assert read(decorated).assumption == Assumption("gate", Comparison("eq", ("B4",)))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("ASSUME: t9 | delay | 0", "unknown task 't9'; the ids are: t1, t2"),
        ("ASSUME: t1 | dealy | 0", "unknown fact 'dealy'; use one of: delay, gate, open, seats"),
        ("ASSUME: t1 | delay | late", "'late' is a text; expect something like 0"),
        ("ASSUME: t1 | delay | '0'", "'0' is a text"),
        ("ASSUME: t1 | delay | > 5", "delay is 0 already; assume what is so"),
        ("ASSUME: t1 | delay | | x", "nothing is written there"),
        ("ASSUME: t1 | seats | 1e999", "inf is no number"),
        ("ASSUME: t1 | delay", "found 2 of its 4 fields; write all of them"),
        (
            "ASSUME: t1 | gate | B4 | left | right",
            r"found 5 of its 4 fields; write a bar inside a field as \|",
        ),
        ("ASSUME t1 | delay | 0", "write a colon after ASSUME"),
        ("ASSUME: t1 | gate | <= B4", "no number, nor a day"),
        ("ASSUME: t1 | delay | between 5 and 1", "wants the low end first"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(written: str, told: str) -> None:
    lines, faults = parse(f"well:\n{written}", [T1, T2], FACTS)
    assert lines == ()
    assert [fault.line for fault in faults] == [2]
    assert told in faults[0].message


def test_all_that_is_wrong_with_a_line_is_told_at_once() -> None:
    _, faults = parse("ASSUME: t9 | dealy | between 5 and 1", [T1], FACTS)
    assert len(faults) == 3


def test_without_tasks_none_is_unknown() -> None:
    lines, faults = parse("ASSUME: t9 | gate | B4\nASSUME: t9 | gaet | B4", None, FACTS)
    assert [line.task for line in lines] == ["t9"]
    assert [fault.line for fault in faults] == [2]
