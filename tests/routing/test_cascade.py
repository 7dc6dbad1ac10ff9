"""The router of a workspace."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import pytest
from orchestrator.ids import AgentName
from orchestrator.routing.cascade import Router
from orchestrator.routing.route import Route
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.models import MultiStepFile, RoutingFile

Routers = Callable[..., Router]


def render(template: str, variables: Mapping[str, object]) -> str:
    return f"{template}: {variables['turn']}"


class Model:
    """Answers every prompt with the same reply, and keeps what it was asked."""

    def __init__(self, reply: str) -> None:
        self.reply, self.prompts = reply, list[str]()

    def __call__(self, prompt: str) -> Awaitable[str]:
        async def answer() -> str:
            self.prompts.append(prompt)
            return self.reply

        return answer()


def routed(router: Router, text: str, model: Model) -> Route:
    return asyncio.run(router.route(text, ask=model, render=render))


def test_a_route_carries_agent_intent_kind_and_evidence_in_the_turn(make_router: Routers) -> None:
    text = "Please CHECK my  Calendar"
    route = make_router().route_now(text)
    assert (route.agent, route.intent, route.kind, route.classifier) == (
        "calendar",
        "check_calendar",
        "answer",
        "keyword",
    )
    assert (route.text, route.span, route.sure) == (text, (0, len(text)), True)
    assert [text[e.start : e.end] for e in route.evidence] == ["Calendar"]


def test_the_cascade_stops_at_the_first_sure_classifier(make_router: Routers) -> None:
    model = Model("INTENT: remind | 1.0")
    route = routed(make_router(classifiers=("keyword", "llm")), "check my calendar", model)
    assert (route.agent, model.prompts) == ("calendar", [])


def test_an_unsure_turn_goes_on_to_the_model(make_router: Routers) -> None:
    model = Model("INTENT: remind | 0.9")
    route = routed(make_router(classifiers=("keyword", "llm")), "nudge me about my calendar inbox", model)
    assert (route.agent, route.intent, route.classifier, route.sure) == ("reminders", "remind", "llm", True)
    assert [c.intent for c in route.alternatives] == ["summarize_inbox", "check_calendar"]
    assert model.prompts == ["classify.j2: > nudge me about my calendar inbox"]


@pytest.mark.parametrize("reply", ["INTENT: unheard_of | 0.9", "hello", "INTENT: remind | 0.1"])
def test_an_unusable_reply_leaves_it_to_the_classifiers_before(make_router: Routers, reply: str) -> None:
    router = make_router(classifiers=("keyword", "llm"))
    route = routed(router, "calendar inbox", Model(reply))
    assert (route.agent, route.classifier) == ("inbox", "keyword")


def test_an_unusable_reply_is_told(make_router: Routers) -> None:
    router = make_router(classifiers=("keyword", "llm"))
    assert "unheard_of" in routed(router, "calendar inbox", Model("INTENT: unheard_of | 0.9")).warnings[0]


def test_a_model_that_is_sure_of_no_intent_puts_the_turn_out_of_scope(make_router: Routers) -> None:
    router = make_router(classifiers=("keyword", "llm"))
    route = routed(router, "calendar inbox", Model("INTENT: none | 0.9"))
    assert (route.agent, route.classifier, route.warnings) == (None, "llm", ())
    assert [c.agent for c in route.alternatives] == ["inbox", "calendar"]
    assert routed(router, "calendar inbox", Model("INTENT: none | 0.2")).agent == "inbox"


def test_a_model_that_is_not_configured_is_not_asked(make_router: Routers) -> None:
    model = Model("INTENT: remind | 1.0")
    assert routed(make_router(), "hum", model).agent is None
    assert model.prompts == []


def test_without_a_model_at_hand_the_keywords_decide(make_router: Routers) -> None:
    router = make_router(classifiers=("keyword", "llm"))
    assert asyncio.run(router.route("calendar inbox")) == router.route_now("calendar inbox")


def test_a_model_is_never_asked_whether_a_turn_is_compound(make_router: Routers) -> None:
    text = "summarize my inbox and check my calendar"
    answers = {
        make_router(classifiers=names).is_multi_step_query(text)
        for names in [("keyword",), ("llm",), ("keyword", "llm"), ()]
    }
    assert answers == {True}


def test_out_of_scope_is_declined_or_taken_by_the_default_agent(make_router: Routers) -> None:
    declined = make_router().route_now("sing a song")
    taken = make_router(default_agent="reminders").route_now("sing a song")
    assert (declined.agent, declined.intent) == (None, None)
    assert declined.declined is not None
    assert (taken.agent, taken.intent, taken.kind) == ("reminders", None, "act")


def test_an_address_decides_and_the_rest_is_asked(make_router: Routers) -> None:
    text = "@Calendar am I free, or a meeting?"
    route = make_router().route_now(text)
    assert (route.agent, route.intent, route.addressed, route.classifier) == (
        "calendar",
        "free_time",
        True,
        "address",
    )
    assert (route.confidence, route.sure, route.text) == (1.0, True, "am I free, or a meeting?")
    assert text[slice(*route.span)] == route.text
    assert [text[e.start : e.end] for e in route.evidence] == ["@Calendar", "am I free"]


def test_an_addressed_agent_takes_what_others_are_made_for(make_router: Routers) -> None:
    route = make_router().route_now("@reminders summarize my inbox")
    assert (route.agent, route.intent, route.kind) == ("reminders", None, "act")


def test_the_name_in_the_address_is_no_evidence_for_an_intent(make_router: Routers) -> None:
    assert make_router().route_now("@calendar hello").intent is None
    assert make_router().route_now("@inbox").text == ""


def test_an_addressed_turn_asks_no_model(make_router: Routers) -> None:
    model = Model("INTENT: remind | 1.0")
    assert routed(make_router(classifiers=("llm",)), "@calendar hum", model).agent == "calendar"
    assert model.prompts == []


def test_an_unknown_address_is_routed_by_its_words_with_a_warning(make_router: Routers) -> None:
    route = make_router().route_now("@calender check my inbox")
    assert (route.agent, route.addressed) == ("inbox", False)
    assert route.warnings == (
        "there is no agent @calender; the nearest name is @calendar; routed by the words of the turn",
    )


def test_a_part_routes_only_where_its_keywords_are_sure(make_router: Routers) -> None:
    router = make_router()
    part = router.part("check my calendar")
    assert part is not None
    assert part.intent == "check_calendar"
    assert router.part("calendar inbox") is None
    assert router.part("hum") is None


def test_no_turn_leaves_a_trace_in_the_next(make_router: Routers) -> None:
    router = make_router()
    before = router.route_now("hum")
    router.route_now("check my calendar")
    assert router.route_now("hum") == before


def test_a_workspace_without_agents_declines(agents: Mapping[AgentName, AgentFile]) -> None:
    route = Router({}, RoutingFile(), MultiStepFile()).route_now("@calendar hello")
    assert route.agent is None
    assert route.warnings == ("there is no agent @calendar; routed by the words of the turn",)
