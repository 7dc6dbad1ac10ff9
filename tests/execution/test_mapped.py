import pytest
from orchestrator.agents.contract import Item, Output, Usage
from orchestrator.execution.mapped import Child, gathered, items_of, too_many
from orchestrator.ids import TaskId

T1 = TaskId("t1")


def texts(output: Output) -> list[str]:
    return [item.text for item in items_of(output)]


def child(number: int, output: Output | None, error: str | None = None) -> Child:
    return Child(TaskId(f"t2[{number}]"), output, error)


def test_the_items_of_a_list_result_are_its_own() -> None:
    items = (Item("a", {"n": 1}), Item("b"))
    assert items_of(Output("- something else", items)) == items
    assert items_of(Output("nothing found", ())) == ()


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("- a\n- b", ["a", "b"]),
        ("Here they are:\n\n* a\n* b\n\nAnything else?", ["a", "b"]),
        ("1. a\n2) b\n10. c", ["a", "b", "c"]),
        ("  • a\n  • b", ["a", "b"]),
        ("- a\n  - inner\n  more of a\n- b", ["a\n- inner\nmore of a", "b"]),
        ("- a\n\n  a again\n- b\nthe end", ["a\na again", "b"]),
    ],
)
def test_the_items_of_a_text_are_its_outermost_bulleted_or_numbered_lines(
    text: str, items: list[str]
) -> None:
    assert texts(Output(text)) == items


@pytest.mark.parametrize("text", ["one thing", "two\nlines", "**bold** words", "-5 degrees", "2024 was good"])
def test_a_text_without_a_list_is_one_item(text: str) -> None:
    assert texts(Output(f"\n{text}\n")) == [text]


def test_a_blank_text_has_no_items() -> None:
    assert texts(Output(" \n")) == []


def test_results_are_gathered_in_order_with_their_items_and_without_their_usage() -> None:
    output, error = gathered(
        T1,
        [
            child(1, Output("A", usage=Usage(1, 2, 3))),
            child(2, Output("B and C", (Item("B"), Item("C", {"n": 1})))),
            child(3, Output("")),
        ],
    )
    assert error is None
    assert output == Output("A\nB and C", (Item("A"), Item("B"), Item("C", {"n": 1}), Item("")))


def test_results_of_several_lines_are_kept_apart_by_a_blank_one() -> None:
    output, _ = gathered(T1, [child(1, Output("A\na")), child(2, Output("B"))])
    assert output.text == "A\na\n\nB"


def test_no_items_are_a_success_with_nothing_to_do() -> None:
    assert gathered(T1, []) == (Output("nothing to do: t1 found no items", ()), None)


def test_some_failures_are_named_and_the_rest_is_kept() -> None:
    output, error = gathered(
        T1, [child(1, Output("A")), child(2, None, "no such person"), child(3, Output("C"))]
    )
    assert error == "1 of 3 items failed: t2[2]: no such person"
    assert output.text == "A\nC"


def test_of_many_failures_the_first_are_named() -> None:
    _, error = gathered(T1, [child(n, None, "no") for n in range(1, 6)])
    assert error == "5 of 5 items failed: t2[1]: no; t2[2]: no; t2[3]: no; and 2 more"


def test_too_many_items_are_refused_with_the_knob_that_says_so() -> None:
    assert too_many(T1, 100, 100) is None
    message = too_many(T1, 1_200, 100)
    assert message is not None
    assert "t1 found 1,200 items" in message
    assert "execution.max_items in config/orchestrator.yaml" in message
