"""Intents that turns do not find: without keywords or description, or whose own examples go elsewhere."""

from collections.abc import Iterator

from orchestrator.ids import AgentName
from orchestrator.lints.subject import Subject
from orchestrator.routing.route import Route
from orchestrator.workspace.value import Doubt


def intent_doubts(subject: Subject) -> Iterator[Doubt]:
    """What is to be doubted of the intents of a workspace."""
    for name, agent in subject.workspace.agents.items():
        for intent, config in agent.intents.items():
            path = f"intents.{intent}"
            spot = subject.spot(name, path, at_key=True)
            if not config.description.strip():
                message = "planners, other agents and people know an intent by its description; write one"
                yield Doubt("intent-without-description", spot, message)
            if not config.keywords and not subject.classifier_asks:
                message = "without keywords no turn is led here; write some, or let a model classify"
                yield Doubt("intent-without-keywords", spot, message)
                continue
            yield from _examples(subject, name, intent)


def _examples(subject: Subject, agent: AgentName, intent: str) -> Iterator[Doubt]:
    """Each example that keywords lead elsewhere or not surely; where a model classifies too, only the former,
    where they are sure of it."""
    for at, text in enumerate(subject.workspace.agents[agent].intents[intent].examples):
        route = subject.router.route_now(text)
        here = (route.agent, route.intent) == (agent, intent)
        if (here and route.sure) or (subject.classifier_asks and not route.sure):
            continue
        code = "example-unsure" if here else "example-elsewhere"
        message = (
            f"{text!r} {_where(route, here=here)}; give '{intent}' a keyword for it, or take the example out "
            "(`cuewave route` shows the sums)"
        )
        yield Doubt(code, subject.spot(agent, f"intents.{intent}.examples[{at}]"), message)


def _where(route: Route, *, here: bool) -> str:
    if here:
        return "is routed here, but not surely: as a part of a turn it would not count"
    if route.intent is not None:
        return f"goes to '{route.intent}' ({route.agent})"
    if route.agent is not None:
        return f"goes to {route.agent}, for no intent of it"
    return "is declined: no keyword speaks loudly enough"
