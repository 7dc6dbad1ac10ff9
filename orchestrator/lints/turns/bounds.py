"""`config/routing.yaml`: bounds that contradict one another or that nothing reaches, classifiers in vain."""

from collections.abc import Iterator

from orchestrator.ids import AgentName
from orchestrator.lints.subject import ROUTING, Subject
from orchestrator.workspace.models import RoutingFile
from orchestrator.workspace.value import Doubt, Spot


def bound_doubts(subject: Subject) -> Iterator[Doubt]:
    """What is to be doubted of the bounds, and of who classifies and serves the rest."""
    routing = subject.workspace.routing
    yield from _order(routing)
    if "keyword" in routing.classifiers:
        yield from _reach(subject, subject.router.keywords.ceiling)
    yield from _classifiers(routing)
    default = routing.default_agent
    if default is not None and subject.workspace.agents[AgentName(default)].effects == "write":
        message = f"turns that nobody understands go to '{default}', which writes; name one that reads"
        yield Doubt("default-agent-writes", Spot(ROUTING, "default_agent"), message)


def _order(routing: RoutingFile) -> Iterator[Doubt]:
    if routing.threshold > routing.sure:
        message = (
            f"a turn routed with {routing.sure:g} is sure, and below {routing.threshold:g} it is declined; "
            "set `threshold` to at most `sure`"
        )
        yield Doubt("threshold-above-sure", _written(routing, "threshold", "sure"), message)
    if routing.margin > routing.sure:
        message = (
            f"a lead of {routing.margin:g} is at least as much confidence, so that `sure` ({routing.sure:g}) "
            "decides nothing; set `margin` to less than `sure`"
        )
        yield Doubt("margin-above-sure", _written(routing, "margin", "sure"), message)


def _reach(subject: Subject, ceiling: float) -> Iterator[Doubt]:
    """Bounds above what all keywords of an intent together come to."""
    routing = subject.workspace.routing
    if not ceiling:
        return
    most = f"all keywords of any intent together come to {ceiling:.2f} at most; lower it"
    for knob in ("sure", "margin"):
        if getattr(routing, knob) > ceiling:
            yield Doubt("sure-unreachable", Spot(ROUTING, knob), f"nothing is ever sure: {most}")
    if routing.threshold > ceiling and not subject.classifier_asks:
        yield Doubt("threshold-unreachable", Spot(ROUTING, "threshold"), f"every turn is declined: {most}")


def _classifiers(routing: RoutingFile) -> Iterator[Doubt]:
    names = routing.classifiers
    if not names:
        message = "no classifier: every turn is out of scope; write [keyword]"
        yield Doubt("no-classifier", Spot(ROUTING, "classifiers"), message)
    for at, name in enumerate(names):
        if name in names[:at]:
            message = f"'{name}' has had its say already; take it out"
            yield Doubt("classifier-twice", Spot(ROUTING, f"classifiers[{at}]"), message)
    if "llm" in names and "keyword" in names[names.index("llm") :]:
        message = "the model is asked for every turn, also where keywords are sure; write [keyword, llm]"
        yield Doubt("classifier-order", Spot(ROUTING, "classifiers"), message)
    if routing.model is not None and "llm" not in names:
        message = "nothing asks this model; add `llm` to the classifiers, or take it out"
        yield Doubt("routing-model-unused", Spot(ROUTING, "model"), message)


def _written(routing: RoutingFile, *knobs: str) -> Spot:
    """The first of these knobs that stands in the file."""
    written = (knob for knob in knobs if knob in routing.model_fields_set)
    return Spot(ROUTING, next(written, knobs[0]))
