"""`config/planning.yaml`: kinds that nobody has or that are refused, approvals that are not what they say."""

from collections.abc import Iterator

from orchestrator.ids import AgentName
from orchestrator.lints.subject import PLANNING, Subject
from orchestrator.workspace.models import CueGroups, PlanningFile
from orchestrator.workspace.value import Doubt, Spot


def planning_doubts(subject: Subject) -> Iterator[Doubt]:
    """What is to be doubted of how turns are planned and approved."""
    yield from _unused_kinds(subject)
    yield from _refused_kinds(subject)
    for name, agent in subject.workspace.agents.items():
        if agent.effects == "write":
            yield from _unasked(subject, name)
    yield from _planner(subject)


def _unused_kinds(subject: Subject) -> Iterator[Doubt]:
    """Kinds of the operator's own; those that the program brings may be there for turns to come."""
    planning, agents = subject.workspace.planning, subject.workspace.agents.values()
    had = {planning.writes_raise_to, *(agent.kind for agent in agents), *PlanningFile().kinds}
    had |= {intent.kind for agent in agents for intent in agent.intents.values() if intent.kind}
    for kind in planning.kinds:
        if kind not in had:
            message = f"no agent and no intent has the kind '{kind}'; give it to one, or take it out"
            yield Doubt("kind-unused", Spot(PLANNING, f"kinds.{kind}", at_key=True), message)


def _refused_kinds(subject: Subject) -> Iterator[Doubt]:
    planning, agents = subject.workspace.planning, subject.workspace.agents
    joint = {kind for kind, policy in planning.kinds.items() if policy.planning == "joint"}
    told = "asks for joint planning, which is not in this version"
    for name, agent in agents.items():
        if agent.kind in joint and not (agent.intents and all(i.kind for i in agent.intents.values())):
            message = f"turns of this agent are refused: the kind '{agent.kind}' {told}; set another"
            yield Doubt("kind-refused", _kind(subject, name), message)
        for intent, config in agent.intents.items():
            if config.kind in joint:
                message = f"turns of this intent are refused: the kind '{config.kind}' {told}; set another"
                yield Doubt("kind-refused", subject.spot(name, f"intents.{intent}.kind"), message)
    if planning.writes_raise_to in joint and any(a.effects == "write" for a in agents.values()):
        message = f"plans that write are refused: the kind '{planning.writes_raise_to}' {told}; name another"
        yield Doubt("kind-refused", Spot(PLANNING, "writes_raise_to"), message)


def _unasked(subject: Subject, name: AgentName) -> Iterator[Doubt]:
    """An agent that writes, and is of a kind that never asks."""
    planning, agent = subject.workspace.planning, subject.workspace.agents[name]
    if planning.kinds[agent.kind].approval != "never":
        return
    raised = planning.writes_raise_to
    if planning.kinds[raised].approval == "never":
        message = (
            f"it writes, and nobody is asked first: neither '{agent.kind}' nor '{raised}', to which "
            "`writes_raise_to` raises it, asks; give it a kind whose approval is on_write or always"
        )
        yield Doubt("writes-unasked", _kind(subject, name), message)
    elif "kind" in agent.model_fields_set:
        message = (
            f"'{agent.kind}' never asks, but this agent writes: its plans are of the kind '{raised}', which "
            f"does; say `kind: {raised}`"
        )
        yield Doubt("writer-kind-raised", _kind(subject, name), message)


def _kind(subject: Subject, name: AgentName) -> Spot:
    """The kind of an agent, or its name where it is the usual one."""
    written = "kind" in subject.workspace.agents[name].model_fields_set
    return subject.spot(name, "kind" if written else "name")


def _planner(subject: Subject) -> Iterator[Doubt]:
    planning, cues = subject.workspace.planning, subject.workspace.multi_step.cues
    has_cues = any(g for _, g in cues.by_meaning()) if isinstance(cues, CueGroups) else bool(cues)
    if planning.max_tasks == 1 and has_cues:
        message = "no turn of two parts can be planned with one task; raise it, or take the cues out"
        yield Doubt("max-tasks-one", Spot(PLANNING, "max_tasks"), message)
    if planning.mode == "model" and planning.model is None:
        message = "no model is named, so that turns are split at their cues; set `model`, or `mode: split`"
        yield Doubt("planning-without-model", Spot(PLANNING, "mode"), message)
    if planning.mode == "split" and planning.model is not None:
        message = "`mode: split` never asks this model; take it out, or set `mode: split_then_model`"
        yield Doubt("planning-model-unused", Spot(PLANNING, "model"), message)
