"""From verdicts to a route."""

from orchestrator.ids import AgentName, IntentName
from orchestrator.routing.decision import Scope, Verdict, decide
from orchestrator.routing.keyword import Intent
from orchestrator.routing.route import Candidate, Route
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.models import RoutingFile

AGENTS = {AgentName(name): AgentFile(name=name, uses="x", kind=f"{name}-kind") for name in ("a", "b", "c")}
INTENTS = tuple(Intent(IntentName(f"do_{name}"), name, "answer", "") for name in AGENTS)


def candidate(agent: str, confidence: float) -> Candidate:
    return Candidate(IntentName(f"do_{agent}"), AgentName(agent), "answer", confidence)


def decided(*verdicts: tuple[str, list[tuple[str, float]]], **knobs: object) -> Route:
    values = [Verdict(name, tuple(candidate(*c) for c in ranked)) for name, ranked in verdicts]
    return decide("turn", values, Scope(AGENTS, INTENTS, RoutingFile.model_validate(knobs)))


def test_the_first_sure_verdict_decides() -> None:
    route = decided(("keyword", [("a", 0.5), ("b", 0.45)]), ("llm", [("b", 0.7)]))
    assert (route.agent, route.classifier, route.confidence, route.sure) == ("b", "llm", 0.7, True)
    assert [c.agent for c in route.alternatives] == ["a"]


def test_without_a_sure_one_the_most_confident_decides_the_earlier_of_equals() -> None:
    assert decided(("keyword", [("a", 0.5)]), ("llm", [("b", 0.55)])).agent == "b"
    assert decided(("keyword", [("a", 0.5)]), ("llm", [("b", 0.5)])).agent == "a"
    assert not decided(("keyword", [("a", 0.5)])).sure


def test_the_margin_is_the_lead_over_the_same_classifiers_runner_up() -> None:
    assert decided(("keyword", [("a", 0.75), ("b", 0.25)])).margin == 0.5
    assert not decided(("keyword", [("a", 0.7), ("b", 0.65)])).sure


def test_at_the_threshold_a_turn_is_in_scope() -> None:
    assert decided(("keyword", [("a", 0.4)])).agent == "a"


def test_below_the_threshold_the_default_agent_takes_the_turn_without_an_intent() -> None:
    route = decided(("keyword", [("a", 0.39)]), default_agent="c")
    assert (route.agent, route.intent, route.kind, route.classifier) == ("c", None, "c-kind", "default")
    assert (route.confidence, route.sure, route.declined) == (0.39, False, None)
    assert [c.agent for c in route.alternatives] == ["a"]


def test_without_a_default_agent_the_turn_is_declined_with_the_nearest_intents_named() -> None:
    route = decided(("keyword", [("b", 0.3), ("a", 0.2)]))
    assert (route.agent, route.intent, route.sure) == (None, None, False)
    assert route.declined is not None
    assert "nearest intents are: do_b (@b), do_a (@a)" in route.declined
    assert "@b …" in route.declined


def test_where_nothing_is_near_the_known_intents_are_named() -> None:
    route = decided(("keyword", []))
    assert route.declined is not None
    assert "known intents are: do_a (@a), do_b (@b), do_c (@c)" in route.declined


def test_without_intents_an_agent_is_named_and_without_agents_the_remedy() -> None:
    bare = decide("turn", [], Scope(AGENTS, (), RoutingFile()))
    empty = decide("turn", [], Scope({}, (), RoutingFile()))
    assert bare.declined is not None
    assert empty.declined is not None
    assert "@a …" in bare.declined
    assert "add one in agents/" in empty.declined


def test_the_runners_up_are_bounded() -> None:
    agents = [chr(ord("a") + n) for n in range(9)]
    route = decided(("keyword", [(agent, 0.9 - n / 10) for n, agent in enumerate(agents)]))
    assert [c.agent for c in route.alternatives] == agents[1:6]
