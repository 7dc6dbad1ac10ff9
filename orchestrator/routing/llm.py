"""The language model as the last classifier: it picks one of the known intents, or none.

Law: a model's word counts only in the asked form, for a known label or for "none". Anything else, a model
that does not answer included, is no decision: the classifiers before it decide, and a warning says why. It is
never asked whether a turn is compound.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orchestrator.errors import ModelError
from orchestrator.ids import Ask, Render
from orchestrator.routing.keyword import Intent
from orchestrator.routing.route import Candidate

NAME = "llm"
TEMPLATE = "classify.j2"
NO_INTENT = "none"
"""The label for a turn that no intent fits."""

_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the model holds: an intent, or with the confidence `nobody` that none fits, or nothing usable,
    with a warning."""

    candidate: Candidate | None
    nobody: float = 0.0
    warning: str | None = None


async def classify(text: str, intents: Sequence[Intent], ask: Ask, render: Render) -> Opinion:
    """Ask the model once. The template gets `intents` (label, agent, description), `no_intent` (the label for
    none of them) and `turn`: the user's text, each line behind a `>`, so that none passes for ours."""
    labels = labels_of(intents)
    shown = [
        {"label": label, "agent": intent.agent, "description": intent.description}
        for label, intent in labels.items()
    ]
    prompt = render(TEMPLATE, {"intents": shown, "no_intent": NO_INTENT, "turn": quoted(text)})
    try:
        return opinion(await ask(prompt), labels)
    except ModelError as error:
        return Opinion(None, warning=f"the model that classifies did not answer: {error}")


def labels_of(intents: Sequence[Intent]) -> Mapping[str, Intent]:
    """The intents by what the model calls them: the name, or `agent.name` where two agents share it."""
    times = Counter(intent.name.casefold() for intent in intents)
    return {f"{i.agent}.{i.name}" if times[i.name.casefold()] > 1 else str(i.name): i for i in intents}


def quoted(text: str) -> str:
    """The text with every line, whatever breaks it, behind a `>`."""
    return "\n".join(f"> {line}" for line in text.splitlines()) or ">"


def opinion(reply: str, labels: Mapping[str, Intent]) -> Opinion:
    """Read `INTENT: label | confidence`, alone on a line; what stands around it, thoughts included, is not
    read. Two different lines of this form are no decision."""
    said = {answer for line in reply.rpartition("</think>")[2].splitlines() if (answer := _answer(line))}
    if len(said) != 1:
        found = "several of them" if said else "none"
        warning = f"the model's reply is not used: one line INTENT: name | 0.0-1.0 was due, {found} in"
        return Opinion(None, warning=f"{warning} {_shown(reply)}")
    label, confidence = said.pop()
    known = {name.casefold(): intent for name, intent in labels.items()}
    intent = known.get(label.casefold())
    if intent is not None:
        return Opinion(Candidate(intent.name, intent.agent, intent.kind, confidence))
    if label.casefold() == NO_INTENT:
        return Opinion(None, nobody=confidence)
    return Opinion(None, warning=f"the model's reply is not used: there is no intent {_shown(label)}")


def _answer(line: str) -> tuple[str, float] | None:
    """Label and confidence of an answer line, whatever list or bold marks it wears."""
    head, colon, rest = line.strip(" \t*-`").partition(":")
    if not colon or head.strip(" *").casefold() != "intent":
        return None
    label, _, number = rest.rpartition("|")
    try:
        confidence = float(number.strip(" *`"))
    except ValueError:
        return None
    return (label.strip(" *`'\""), confidence) if 0 <= confidence <= 1 else None


def _shown(reply: str) -> str:
    return ascii(reply if len(reply) <= _SHOWN else f"{reply[:_SHOWN]}…")
