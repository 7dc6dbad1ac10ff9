"""Templates and expressions of a scenario: each is tried with what is known at first, before a run needs it.

How they are read is other rooms' affair, and comes in as a `Tongue`.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from orchestrator.errors import CuewaveError, Fault
from orchestrator.workspace.document.nodes import Trail
from orchestrator.workspace.document.positions import plain
from orchestrator.workspace.judging.scenario.pieces import Pieces
from orchestrator.workspace.judging.wording import nearest

_FACTS, _RESULTS = "facts", "results"


class Named(Protocol):
    """An expression that was read."""

    @property
    def facts(self) -> Collection[str]:
        """The facts that it names."""
        ...

    @property
    def tasks(self) -> Collection[str]:
        """The tasks whose results it names."""
        ...


Text: TypeAlias = tuple[Trail, str]


@dataclass(frozen=True, slots=True)
class Tongue:
    """How texts of a scenario are read.

    `render` makes a text of a template and its variables, `names_in` tells what a template reads, as
    `facts.gate`; both raise a CuewaveError. `parse` reads an expression, and raises ValueError.
    `repairs` lists the registered repairs, which takes a while.
    """

    render: Callable[[str, Mapping[str, object]], str]
    names_in: Callable[[str], Collection[str]]
    parse: Callable[[str], Named]
    repairs: Callable[[], Sequence[str]]


def broken_texts(pieces: Pieces, tongue: Tongue) -> Iterator[Fault]:
    """What is wrong with the templates and expressions."""
    for trail, template in _of_facts(pieces):
        yield from _template(pieces, trail, template, tongue, rendered=True)
    for trail, check in pieces.outcome.items():
        for knob, template in (("asks", check.asks), ("contains", check.contains)):
            yield from _template(pieces, (*trail, knob), template, tongue, rendered=False)
        if check.that is not None:
            yield from _expression(pieces, (*trail, "that"), check.that, tongue)


def _of_facts(pieces: Pieces) -> Iterator[Text]:
    """The templates that are given the facts, and nothing else."""
    for trail, task in pieces.all_tasks:
        yield (*trail, "action"), task.action
        if task.compensate is not None:
            yield (*trail, "compensate", "action"), task.compensate.action
    for trail, repair in pieces.repairs.items():
        for id, patch in repair.patch.items():
            if patch.action is not None:
                yield (*trail, "patch", id, "action"), patch.action


def _template(
    pieces: Pieces, trail: Trail, template: str, tongue: Tongue, *, rendered: bool
) -> Iterator[Fault]:
    """A template that does not compile, names what there is not, or, `rendered`, comes to nothing."""
    try:
        named = tongue.names_in(template)
        unknown = [*_unknown(pieces, named, results=not rendered)]
        if not unknown and rendered and not tongue.render(template, {_FACTS: pieces.facts}).strip():
            unknown = ["it comes to an empty text with what is known at first"]
    except CuewaveError as error:
        unknown = [str(error)]
    for message in unknown:
        yield pieces.document.fault(trail, message)


def _unknown(pieces: Pieces, names: Collection[str], *, results: bool) -> Iterator[str]:
    """What a template names that it is not given."""
    given = [_FACTS, _RESULTS] if results else [_FACTS]
    for name in sorted(names):
        variable, _, below = name.partition(".")
        if variable not in given:
            there = " and ".join(f"`{each}.NAME`" for each in given)
            yield f"the template reads `{plain(name)}`, and there is only {there}"
        elif below and variable == _FACTS and below not in pieces.facts:
            yield _no_fact(pieces, below)
        elif below and variable == _RESULTS and below not in pieces.all_ids:
            yield _no_task(pieces, below)


def _expression(pieces: Pieces, trail: Trail, source: str, tongue: Tongue) -> Iterator[Fault]:
    try:
        named = tongue.parse(source)
    except ValueError as error:
        yield pieces.document.fault(trail, str(error))
        return
    for fact in sorted(set(named.facts) - set(pieces.facts)):
        yield pieces.document.fault(trail, _no_fact(pieces, fact))
    for task in sorted(set(named.tasks) - set(pieces.all_ids)):
        yield pieces.document.fault(trail, _no_task(pieces, task))


def _no_fact(pieces: Pieces, name: str) -> str:
    return f"there is no fact '{plain(name)}' in `facts`{nearest(name, tuple(pieces.facts))}"


def _no_task(pieces: Pieces, name: str) -> str:
    return f"there is no task '{plain(name)}'{nearest(name, pieces.all_ids)}"
