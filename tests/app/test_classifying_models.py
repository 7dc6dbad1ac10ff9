"""The model that classifies: followed where it is usable, else the keywords decide, with a warning."""

import asyncio
from collections.abc import Callable

import pytest
from orchestrator import Orchestrator
from orchestrator.testing import MemoryStore, ScriptedModel

Open = Callable[..., Orchestrator]

CASCADE = {"config/routing.yaml": "classifiers: [keyword, llm]\nmodel: classifier"}
UNSURE = "overdue meetings"  # a keyword of each of two agents


def test_a_sure_keyword_decision_asks_no_model(open_office: Open) -> None:
    with ScriptedModel() as model:
        route = asyncio.run(open_office(CASCADE, models=lambda _: model).route("check my calendar"))
    assert (route.agent, route.classifier) == ("calendar", "keyword")


def test_a_usable_reply_is_followed(open_office: Open) -> None:
    with ScriptedModel({"expect": f"> {UNSURE}", "reply": "INTENT: check_calendar | 0.9"}) as model:
        route = asyncio.run(open_office(CASCADE, models=lambda _: model).route(UNSURE))
    assert (route.agent, route.intent, route.classifier) == ("calendar", "check_calendar", "llm")
    assert (route.confidence, route.warnings) == (0.9, ())


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("INTENT: feed_the_cat | 0.99", "there is no intent 'feed_the_cat'"),
        ("I would say the calendar, but who am I to judge?", "one line INTENT: name | 0.0-1.0 was due"),
        ("INTENT: check_calendar | very", "none in"),
        ("INTENT: check_calendar | 0.9\nINTENT: find_overdue | 0.8", "several of them in"),
        ("", "none in ''"),
        ({"error": {"message": "overloaded", "status": 503}}, "did not answer: "),
    ],
)
def test_an_unusable_reply_leaves_the_decision_to_the_keywords(
    open_office: Open, reply: object, said: str
) -> None:
    with ScriptedModel(reply) as model:
        app = open_office(CASCADE, models=lambda _: model)
        route = asyncio.run(app.route(UNSURE))
        by_keyword = asyncio.run(app.route(UNSURE, llm=False))
    assert (route.agent, route.intent, route.classifier) == (
        by_keyword.agent,
        by_keyword.intent,
        by_keyword.classifier,
    )
    assert (by_keyword.classifier, by_keyword.warnings) == ("keyword", ())
    (warning,) = route.warnings
    assert said in warning


def test_the_runs_usage_has_the_call_that_classified(open_office: Open) -> None:
    with ScriptedModel({"reply": "INTENT: check_calendar | 0.9", "usage": [5, 3]}) as model:
        result = asyncio.run(open_office(CASCADE, models=lambda _: model).run(UNSURE))
    assert (result.usage.model_calls, result.usage.input_tokens, result.usage.output_tokens) == (1, 5, 3)
    assert result.reply.startswith("Today: 1 entry")


def test_no_model_decides_whether_a_turn_is_compound(open_office: Open) -> None:
    with ScriptedModel("INTENT: check_calendar | 0.9") as model:
        preview = asyncio.run(
            open_office(CASCADE, models=lambda _: model).preview(
                "frobnicate invoices of Ann and Bo", llm=True
            )
        )
    assert preview.sighting.route.classifier == "llm"
    assert not preview.sighting.compound.is_multi_step


def test_a_turn_that_the_model_calls_nobodys_is_declined(open_office: Open) -> None:
    with ScriptedModel("INTENT: none | 0.95") as model:
        route = asyncio.run(open_office(CASCADE, models=lambda _: model).route("what a day"))
    assert route.agent is None
    assert route.declined


def test_a_fault_of_ours_inside_the_model_is_not_taken_for_a_reply(open_office: Open) -> None:
    store = MemoryStore()
    app = open_office(CASCADE, models=lambda _: ScriptedModel(), store=store)  # strict: no call is foreseen
    with pytest.raises(AssertionError, match="was not foreseen"):
        asyncio.run(app.run(UNSURE))
    assert not asyncio.run(store.runs())
