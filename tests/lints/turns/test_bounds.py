from collections.abc import Callable

import pytest

from support.doubted import PROMPTED

FILE = "config/routing.yaml"
CLASSIFIED = "classifiers: [keyword, llm]\nmodel: default\n"


@pytest.mark.parametrize(
    ("code", "routing", "place"),
    [
        ("threshold-above-sure", "threshold: 0.7", "1:12"),
        ("threshold-above-sure", "sure: 0.3", "1:7"),
        ("margin-above-sure", "sure: 0.5\nmargin: 0.6", "2:9"),
        ("sure-unreachable", "sure: 0.95", "1:7"),
        ("sure-unreachable", "sure: 1.0\nmargin: 0.5", "1:7"),
        ("no-classifier", "classifiers: []", "1:14"),
        ("classifier-twice", "classifiers: [keyword, keyword]", "1:24"),
        ("default-agent-writes", "default_agent: memo", "1:16"),
    ],
)
def test_a_bound_that_cannot_be_meant_is_doubted(
    places: Callable[..., list[str]], code: str, routing: str, place: str
) -> None:
    assert places({FILE: f"{routing}\n"}) == [f"{code} {FILE}:{place}"]


@pytest.mark.parametrize(
    "routing",
    [
        "threshold: 0.6",
        "sure: 0.4",
        "sure: 0.5\nmargin: 0.5",
        "sure: 0.9",
        "classifiers: [keyword]",
        "default_agent: ledger",
    ],
)
def test_a_bound_at_the_edge_is_not(places: Callable[..., list[str]], routing: str) -> None:
    assert places({FILE: f"{routing}\n"}) == []


def test_a_threshold_that_no_score_reaches_is_doubted(places: Callable[..., list[str]]) -> None:
    assert places({FILE: "threshold: 0.95\nsure: 0.95\n"}) == [
        f"threshold-unreachable {FILE}:1:12",
        f"sure-unreachable {FILE}:2:7",
    ]
    assert places({FILE: f"threshold: 0.95\nsure: 0.95\n{CLASSIFIED}", **PROMPTED}) == [
        f"sure-unreachable {FILE}:2:7"
    ]


def test_a_model_that_is_asked_first_or_never_is_doubted(places: Callable[..., list[str]]) -> None:
    assert places({FILE: CLASSIFIED, **PROMPTED}) == []
    first = CLASSIFIED.replace("keyword, llm", "llm, keyword")
    assert places({FILE: first, **PROMPTED}) == [f"classifier-order {FILE}:1:14"]
    assert places({FILE: "model: default\n", **PROMPTED}) == [f"routing-model-unused {FILE}:1:8"]
