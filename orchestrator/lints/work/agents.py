"""Agents that nothing leads to, that nobody can know, or that are told what their type never reads."""

from collections.abc import Iterator

from orchestrator.agents.registry import BUILT_IN, agent_type
from orchestrator.ids import AgentName
from orchestrator.lints.subject import PROMPTED, Subject
from orchestrator.workspace.scenarios import agents_of_scenarios
from orchestrator.workspace.value import Doubt

_ASK = "agent:"
"""What the name of a tool that asks another agent begins with."""
_PROMPTED_KNOBS = ("model", "prompt", "tools")


def agent_doubts(subject: Subject) -> Iterator[Doubt]:
    """What is to be doubted of the agents of a workspace."""
    led_to = _led_to(subject)
    for name, agent in subject.workspace.agents.items():
        if not agent.intents and name not in led_to:
            message = f"nothing leads to this agent but @{name}: give it intents with keywords"
            yield Doubt("agent-without-intents", subject.spot(name, "name"), message)
        if not agent.description.strip():
            message = "planners and people know an agent by its description; write one"
            yield Doubt("agent-without-description", subject.spot(name, "name"), message)
        yield from _unread(subject, name)


def _led_to(subject: Subject) -> frozenset[str]:
    """Who is asked without an intent: the default agent, fallbacks, tools, and whom scenarios name, or a
    planner may."""
    workspace, agents = subject.workspace, subject.workspace.agents.values()
    fallbacks = (name for agent in agents for name in agent.fallbacks)
    tools = (tool.removeprefix(_ASK) for agent in agents for tool in agent.tools)
    planned = (agent.name for agent in agents if agent.offered and subject.planner_asks)
    return agents_of_scenarios(workspace).union(
        fallbacks, tools, planned, [workspace.routing.default_agent or ""]
    )


def _unread(subject: Subject, name: AgentName) -> Iterator[Doubt]:
    """Knobs that the agent's type does not read. Of types of other packages it is not known."""
    agent = subject.workspace.agents[name]
    if agent.uses in BUILT_IN and agent.uses != PROMPTED:
        for knob in _PROMPTED_KNOBS:
            if getattr(agent, knob):
                message = (
                    f"an agent that uses '{agent.uses}' asks no model, and never reads this; take it out"
                )
                yield Doubt("agent-knob-unused", subject.spot(name, knob, at_key=True), message)
    known = agent_type(agent.uses)
    if known is None or known.operations:
        return
    for intent, config in agent.intents.items():
        if config.operation is not None:
            message = f"'{agent.uses}' does the same for every intent, and never reads this; take it out"
            yield Doubt("operation-unused", subject.spot(name, f"intents.{intent}.operation"), message)
