from collections.abc import Callable

import pytest

from support.doubted import MEMO, PROMPTED

FILE = "agents/memo.yaml"
CLASSIFIED = {**PROMPTED, "config/routing.yaml": "classifiers: [keyword, llm]\nmodel: default\n"}


def with_examples(*examples: str) -> dict[str, str]:
    return {FILE: MEMO.replace("[remind me]}", f"[remind me], examples: [{', '.join(examples)}]}}")}


@pytest.mark.parametrize(
    ("code", "example", "said"),
    [
        ("example-elsewhere", "remind the late payers", "goes to 'find_overdue' (ledger)"),
        ("example-elsewhere", "write it down", "is declined"),
        ("example-elsewhere", "@ledger remind me", "goes to ledger, for no intent of it"),
        ("example-unsure", "remind me of what is overdue", "is routed here, but not surely"),
    ],
)
def test_an_example_that_does_not_go_where_it_stands_is_doubted(
    findings: Callable[..., tuple[object, ...]], code: str, example: str, said: str
) -> None:
    (finding,) = findings(with_examples("remind me of it", f'"{example}"'))
    assert str(finding).startswith(f"{FILE}:6:94: intents.remind.examples[1]: '{example}' {said}")
    assert f"[{code}]\n" in str(finding)


def test_where_a_model_classifies_only_what_keywords_are_sure_of_is_doubted(
    places: Callable[..., list[str]],
) -> None:
    unsure = with_examples("write it down", "remind me of what is overdue")
    assert places({**CLASSIFIED, **unsure}) == []
    assert places({**CLASSIFIED, **with_examples("find the late payers")}) == [
        f"example-elsewhere {FILE}:6:77"
    ]


def test_an_intent_that_no_turn_finds_or_nobody_knows_is_doubted(places: Callable[..., list[str]]) -> None:
    silent = MEMO.replace("options:", "  note: {description: write a note, operation: remind}\noptions:")
    assert places({FILE: silent}) == [f"intent-without-keywords {FILE}:7:3"]
    assert places({FILE: silent, **CLASSIFIED}) == []
    nameless = MEMO.replace("description: write a reminder, ", "")
    assert places({FILE: nameless}) == [f"intent-without-description {FILE}:6:3"]
