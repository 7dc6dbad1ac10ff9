"""`config/models.yaml`: models that nobody asks, fallbacks that are none, measures of what is not there."""

from collections.abc import Iterator, Mapping, Sequence

from orchestrator.lints.subject import MODELS, Subject
from orchestrator.workspace.agent_file import DEFAULT_MODEL
from orchestrator.workspace.judging.shape import strings
from orchestrator.workspace.models import CapabilityCard, ModelConfig
from orchestrator.workspace.value import Doubt, Spot


def model_doubts(subject: Subject) -> Iterator[Doubt]:
    """What is to be doubted of the models of a workspace."""
    models, asked = subject.workspace.models.models, first_asked(subject)
    tried = {entry for name in asked for entry in _tried(name, models)}
    reached = {*asked, *(models[name].fallbacks[at] for name, at in tried)}
    for name, model in models.items():
        if name not in reached:
            message = "nobody asks this model; name it where it is meant, or take it out"
            yield Doubt("model-unused", Spot(MODELS, f"models.{name}", at_key=True), message)
            continue
        for at, fallback in enumerate(model.fallbacks):
            spot = Spot(MODELS, f"models.{name}.fallbacks[{at}]")
            if (name, at) not in tried:
                message = f"whoever comes here has asked '{fallback}' already; take it out"
                yield Doubt("fallback-never-tried", spot, message)
            elif _is_same(model, models[fallback]):
                message = f"'{fallback}' is the same model at the same place; name one that fails by itself"
                also = (Spot(MODELS, f"models.{fallback}", at_key=True),)
                yield Doubt("fallback-same-model", spot, message, also)
    yield from _capability(subject.workspace.models.capability, models)


def first_asked(subject: Subject) -> tuple[str, ...]:
    """The models that are asked by name, each once; also those that options of agents may mean."""
    workspace = subject.workspace
    named = [workspace.agents[name].model or DEFAULT_MODEL for name in subject.prompted]
    named += [workspace.routing.model or ""] if subject.classifier_asks else []
    named += [workspace.planning.model or ""] if subject.planner_asks else []
    for agent in workspace.agents.values():
        named += [agent.model or "", *(text for _, text in strings(dict(agent.options)))]
    return tuple(name for name in dict.fromkeys(named) if name in workspace.models.models)


def all_asked(subject: Subject) -> tuple[str, ...]:
    """The models that may be asked, those that stand in for others included."""
    models = subject.workspace.models.models
    first = first_asked(subject)
    others = (models[name].fallbacks[at] for root in first for name, at in _tried(root, models))
    return tuple(dict.fromkeys((*first, *others)))


def _tried(root: str, models: Mapping[str, ModelConfig]) -> Iterator[tuple[str, int]]:
    """The entries of fallbacks that bring another model in, where `root` is asked: depth first, each once."""
    seen, waiting = {root}, [(root, at) for at in _backwards(models[root].fallbacks)]
    while waiting:
        name, at = waiting.pop()
        fallback = models[name].fallbacks[at]
        if fallback not in seen:
            seen.add(fallback)
            yield name, at
            waiting += [(fallback, n) for n in _backwards(models[fallback].fallbacks)]


def _backwards(entries: Sequence[str]) -> range:
    return range(len(entries) - 1, -1, -1)


def _is_same(model: ModelConfig, other: ModelConfig) -> bool:
    """Whether what fails for the one fails for the other: scripts and keys aside, the same is asked."""
    if model.provider == "scripted":
        return other.provider == "scripted" and model.file == other.file
    mine = (model.provider, model.model, model.base_url, model.api_key)
    return mine == (other.provider, other.model, other.base_url, other.api_key)


def _capability(cards: Mapping[str, CapabilityCard], models: Mapping[str, ModelConfig]) -> Iterator[Doubt]:
    known = {*models, *(model.model for model in models.values())}
    for name, card in cards.items():
        spot = Spot(MODELS, f"capability.{name}", at_key=True)
        if name not in known:
            message = f"there is no model '{name}' in this file; correct the name, or take it out"
            yield Doubt("capability-unknown-model", spot, message)
        if card.date is None:
            message = "nobody can tell how old the number is; add `date`, the day of the measurement"
            yield Doubt("capability-undated", spot, message)
        if card.canonical is None and card.composite is None:
            message = "no number was measured; add `canonical` or `composite`, or take it out"
            yield Doubt("capability-empty", spot, message)
