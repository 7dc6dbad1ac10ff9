from collections.abc import Callable

import pytest

from support.doubted import MODELS, PROMPTED

FILE = "config/orchestrator.yaml"
PRICED = {
    **PROMPTED,
    "config/models.yaml": MODELS.replace("large,", "large, price: {input: 1.0, output: 2.0},"),
}
FREE = {
    **PROMPTED,
    "config/models.yaml": MODELS.replace("large,", "large, price: {input: 0.0, output: 0.0},"),
}
ASKING = {
    **PRICED,
    "config/routing.yaml": "classifiers: [keyword, llm]\nmodel: default\n",
    "config/planning.yaml": "model: default\n",
}


@pytest.mark.parametrize(
    ("code", "budgets", "more", "place"),
    [
        ("budget-zero", "run: {tasks: 0}", {}, "1:24"),
        ("budget-zero", "session: {model_calls: 0}", PRICED, "1:34"),
        ("budget-never-bites", "run: {tokens: 1000}", {}, "1:25"),
        ("budget-never-bites", "run: {money: 1.0}", FREE, "1:24"),
        ("budget-above-session", "run: {tasks: 5}, session: {tasks: 4}", {}, "1:24"),
        ("budget-below-turn", "run: {model_calls: 2}", ASKING, "1:30"),
    ],
)
def test_a_budget_that_always_or_never_bites_is_doubted(
    places: Callable[..., list[str]], code: str, budgets: str, more: dict[str, str], place: str
) -> None:
    assert places({FILE: f"budgets: {{{budgets}}}\n", **more}) == [f"{code} {FILE}:{place}"]


@pytest.mark.parametrize(
    ("budgets", "more"),
    [
        ("run: {tasks: 1}", {}),
        ("session: {model_calls: 1}", PRICED),
        ("run: {money: 1.0}", PRICED),
        ("run: {tokens: 1000}", FREE),
        ("run: {tasks: 4}, session: {tasks: 4}", {}),
        ("run: {model_calls: 3}", ASKING),
    ],
)
def test_a_budget_that_may_bite_is_not(
    places: Callable[..., list[str]], budgets: str, more: dict[str, str]
) -> None:
    assert places({FILE: f"budgets: {{{budgets}}}\n", **more}) == []


def test_what_a_turn_may_need_is_named(findings: Callable[..., tuple[object, ...]]) -> None:
    (finding,) = findings({FILE: "budgets: {run: {model_calls: 2}}\n", **ASKING})
    assert "one turn may need 3: for its route, its plan, its task; raise it" in str(finding)
