from collections.abc import Callable

import pytest

from support.doubted import PROMPTED, WRITER

FILE = "config/models.yaml"
SMALL = "small: {provider: openai, model: small}"


def models(*lines: str) -> dict[str, str]:
    return {**PROMPTED, FILE: "\n".join(("models:", *(f"  {line}" for line in lines), ""))}


def default(fallbacks: str) -> str:
    return f"default: {{provider: openai, model: large, fallbacks: [{fallbacks}]}}"


@pytest.mark.parametrize(
    ("code", "files", "place"),
    [
        ("model-unused", models(default(""), SMALL), "3:3"),
        ("fallback-never-tried", models(default("small, small"), SMALL), "2:64"),
        ("fallback-never-tried", models(default("small"), f"{SMALL[:-1]}, fallbacks: [default]}}"), "3:55"),
        ("fallback-same-model", models(default("twin"), default("").replace("default", "twin")), "2:57"),
    ],
)
def test_a_model_or_fallback_that_changes_nothing_is_doubted(
    places: Callable[..., list[str]], code: str, files: dict[str, str], place: str
) -> None:
    assert places(files) == [f"{code} {FILE}:{place}"]


@pytest.mark.parametrize(
    "files",
    [
        models(default("small"), SMALL),
        models(default("small"), "small: {provider: openai, model: large, base_url: 'http://[::1]/v1'}"),
        {
            **models(default("small"), f"{SMALL[:-1]}, fallbacks: [default]}}"),
            "agents/second.yaml": WRITER.replace("writer", "second").replace("draft", "polish")
            + "model: small\n",
        },
        {**models(default(""), SMALL), "config/planning.yaml": "model: small\n"},
        {**models(default(""), SMALL), "config/routing.yaml": "classifiers: [llm]\nmodel: small\n"},
    ],
)
def test_one_that_somebody_gets_to_is_not(places: Callable[..., list[str]], files: dict[str, str]) -> None:
    assert places(files) == []


def test_two_that_stand_in_for_each_other_through_a_third_are_followed_once(
    places: Callable[..., list[str]],
) -> None:
    third = "third: {provider: openai, model: third, fallbacks: [small]}"
    files = models(default("small, third"), f"{SMALL[:-1]}, fallbacks: [third]}}", third)
    assert places(files) == [f"fallback-never-tried {FILE}:2:64", f"fallback-never-tried {FILE}:4:55"]


@pytest.mark.parametrize(
    ("code", "card"),
    [
        ("capability-unknown-model", "other-4.1: {canonical: 41.0, source: a page, date: 2026-11-01}"),
        ("capability-undated", "large: {canonical: 41.0, source: a page}"),
        ("capability-empty", "large: {source: a page, date: 2026-11-01}"),
    ],
)
def test_a_measure_that_says_too_little_is_doubted(
    places: Callable[..., list[str]], code: str, card: str
) -> None:
    files = models(default(""))
    assert places({**files, FILE: f"{files[FILE]}capability:\n  {card}\n"}) == [f"{code} {FILE}:4:3"]
    whole = "large: {canonical: 41.0, source: a page, date: 2026-11-01}"
    assert places({**files, FILE: f"{files[FILE]}capability:\n  {whole}\n"}) == []


def test_a_model_without_a_price_is_doubted_where_money_is_counted(places: Callable[..., list[str]]) -> None:
    files = models(default("small"), f"{SMALL[:-1]}, price: {{input: 1.0, output: 1.0}}}}")
    assert places(files) == []
    money = {"config/orchestrator.yaml": "budgets: {session: {money: 1.0}}\n"}
    assert places({**files, **money}) == [f"model-without-price {FILE}:2:3"]
