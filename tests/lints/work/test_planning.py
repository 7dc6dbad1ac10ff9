from collections.abc import Callable, Mapping

import pytest

from support.doubted import LEDGER, MEMO, PROMPTED

FILE, MEMO_FILE = "config/planning.yaml", "agents/memo.yaml"
USUAL = "answer: {}, act: {approval: on_write}, build: {planning: joint, approval: always}"


def kinds(more: str) -> dict[str, str]:
    return {FILE: f"kinds: {{{USUAL}, {more}}}\n"}


@pytest.mark.parametrize(
    ("code", "files", "place"),
    [
        ("kind-unused", kinds("chat: {}"), f"{FILE}:1:92"),
        ("kind-refused", {MEMO_FILE: MEMO.replace("kind: act", "kind: build")}, f"{MEMO_FILE}:4:7"),
        (
            "kind-refused",
            {"agents/ledger.yaml": LEDGER.replace("find_overdue: {", "find_overdue: {kind: build, ")},
            "agents/ledger.yaml:5:24",
        ),
        ("kind-refused", {FILE: "writes_raise_to: build\n"}, f"{FILE}:1:18"),
        ("writes-unasked", {FILE: "kinds: {answer: {}, act: {}}\n"}, f"{MEMO_FILE}:4:7"),
        (
            "writes-unasked",
            {FILE: "writes_raise_to: answer\n", MEMO_FILE: MEMO.replace("kind: act\n", "")},
            f"{MEMO_FILE}:1:7",
        ),
        ("writer-kind-raised", {MEMO_FILE: MEMO.replace("kind: act", "kind: answer")}, f"{MEMO_FILE}:4:7"),
        ("max-tasks-one", {FILE: "max_tasks: 1\n"}, f"{FILE}:1:12"),
        ("planning-without-model", {FILE: "mode: model\n"}, f"{FILE}:1:7"),
        ("planning-model-unused", {FILE: "mode: split\nmodel: default\n", **PROMPTED}, f"{FILE}:2:8"),
    ],
)
def test_planning_that_is_not_what_it_says_is_doubted(
    places: Callable[..., list[str]], code: str, files: Mapping[str, str], place: str
) -> None:
    assert places(files) == [f"{code} {place}"]


@pytest.mark.parametrize(
    "files",
    [
        {**kinds("chat: {}"), "agents/ledger.yaml": f"{LEDGER}kind: chat\n"},
        {**kinds("chat: {}"), "agents/ledger.yaml": LEDGER.replace("overdue: {", "overdue: {kind: chat, ")},
        {"agents/ledger.yaml": LEDGER.replace("overdue: {", "overdue: {kind: answer, ") + "kind: build\n"},
        {FILE: "writes_raise_to: build\n", MEMO_FILE: None, "config/multi_step.yaml": "cues: []\n"},
        {FILE: "kinds: {answer: {}, act: {approval: always}}\n"},
        {MEMO_FILE: MEMO.replace("kind: act\n", "")},
        {FILE: "max_tasks: 2\n"},
        {FILE: "max_tasks: 1\n", "config/multi_step.yaml": "cues: []\n"},
        {FILE: "mode: model\nmodel: default\n", **PROMPTED},
        {FILE: "mode: split\n"},
    ],
)
def test_planning_that_is_unusual_but_meant_is_not(
    places: Callable[..., list[str]], files: Mapping[str, str | None]
) -> None:
    assert places(files) == []
