"""What agents take for granted must be known as a fact, be comparable with it, and be so at the beginning.

Law: as in `references`: a rule looks at the plain data, and is silent where the names cannot be known.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, cast

from orchestrator.comparison import Incomparable, comparison_of
from orchestrator.errors import Fault
from orchestrator.ids import Json
from orchestrator.workspace.document.nodes import Trail
from orchestrator.workspace.document.positions import Document, plain
from orchestrator.workspace.judging.wording import nearest


class Files(Protocol):
    """The documents of a workspace, those of `config/` by bare name."""

    @property
    def config(self) -> Mapping[str, Document]: ...  # noqa: D102 - as in references.Files
    @property
    def agents(self) -> Mapping[str, Document]: ...  # noqa: D102


def ungrounded(files: Files) -> Iterator[Fault]:
    """Every fault of what is assumed, contained, repaired and made good for."""
    adaptation = files.config["adaptation"]
    facts = _facts(adaptation)
    agents = [name for a in files.agents.values() if isinstance(name := a.at(("name",)), str)]
    if () in adaptation.broken or ("facts",) in adaptation.broken:
        return
    for agent in files.agents.values():
        for index, _ in enumerate(_list(agent, ("assumes",))):
            yield from _assumption(agent, ("assumes", index), facts, agents)
        undo = agent.at(("compensate", "agent"))
        if isinstance(undo, str) and undo not in agents:
            message = f"there is no agent '{plain(undo)}'{nearest(undo, agents)}"
            yield agent.fault(("compensate", "agent"), message)
    for key in _mapping(adaptation, ("keys",)):
        yield from _unknown(adaptation, ("keys", key), key, facts, agents)
    for index, _ in enumerate(_list(adaptation, ("repairs",))):
        trail: Trail = ("repairs", index, "on")
        yield from _unknown(adaptation, trail, adaptation.at(trail), facts, agents)


def _assumption(
    document: Document, trail: Trail, facts: Mapping[str, Json], agents: Sequence[str]
) -> Iterator[Fault]:
    said = _mapping(document, trail)
    key, expected = said.get("key"), said.get("expected")
    unknown = list(_unknown(document, (*trail, "key"), key, facts, agents))
    yield from unknown
    value = facts.get(key) if isinstance(key, str) else None
    if unknown or value is None or "expected" not in said:
        return
    try:
        comparison = comparison_of(cast("Json", expected))
    except ValueError:  # the model of the file says what is wrong with it
        return
    try:
        if not comparison.holds(value):
            message = (
                f"{key} is {value!r} in config/adaptation.yaml, and this contradicts it from the beginning"
            )
            yield document.fault((*trail, "expected"), message)
    except Incomparable as error:
        yield document.fault((*trail, "expected"), f"{key} is {value!r} in config/adaptation.yaml: {error}")


def _unknown(
    document: Document, trail: Trail, key: object, facts: Mapping[str, Json], agents: Sequence[str]
) -> Iterator[Fault]:
    """A fact that nobody names; `calendar.content` is one that the agent `calendar` sees."""
    if not isinstance(key, str) or key in facts or (key.partition(".")[0] in agents and "." in key):
        return
    at_key = trail[-1] == key
    known = nearest(key, tuple(facts)) or "; add it there, with what is known of it"
    yield document.fault(
        trail, f"there is no fact '{plain(key)}' in config/adaptation.yaml{known}", at_key=at_key
    )


def _facts(adaptation: Document) -> Mapping[str, Json]:
    """The facts with their values, as far as they can be read."""
    facts: dict[str, Json] = {}
    for name, value in _mapping(adaptation, ("facts",)).items():
        config = cast("Mapping[str, Json]", value) if isinstance(value, dict) else {"value": value}
        facts[name] = cast("Json", config.get("value"))
    return facts


def _mapping(document: Document, trail: Trail) -> Mapping[str, object]:
    data = document.at(trail)
    return cast("dict[str, object]", data) if isinstance(data, dict) else {}


def _list(document: Document, trail: Trail) -> Sequence[object]:
    data = document.at(trail)
    return cast("list[object]", data) if isinstance(data, list) else ()
