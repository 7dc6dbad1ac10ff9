"""A scenario taken apart, each piece with its place: rules speak also of a file that has other faults.

Law: a piece that is not what it is to be is left out, since that is said of it already; but a task or fact
that is called something is known by that name, whatever else is wrong with it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from orchestrator.comparison import Comparison, Scalar
from orchestrator.workspace.document.nodes import Trail
from orchestrator.workspace.document.positions import Document
from orchestrator.workspace.scenario_file import (
    ScenarioOutcome,
    ScenarioRepair,
    ScenarioSignal,
    ScenarioTask,
)

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Pieces:
    """What can be read of a scenario.

    `facts` are the first values, `named` the ids of the tasks of the plan, `keys` the facts with
    a containment of their own.
    """

    document: Document
    facts: Mapping[str, Scalar]
    named: Mapping[Trail, str]
    keys: tuple[str, ...]
    tasks: Mapping[Trail, ScenarioTask]
    signals: Mapping[Trail, ScenarioSignal]
    repairs: Mapping[Trail, ScenarioRepair]
    outcome: Mapping[Trail, ScenarioOutcome]

    @property
    def ids(self) -> tuple[str, ...]:
        """What the tasks of the plan are called."""
        return tuple(self.named.values())

    @property
    def all_tasks(self) -> Iterator[tuple[Trail, ScenarioTask]]:
        """The tasks of the plan, and those that repairs add."""
        yield from self.tasks.items()
        for trail, repair in self.repairs.items():
            yield from (((*trail, "add", at), task) for at, task in enumerate(repair.add))

    @property
    def all_ids(self) -> tuple[str, ...]:
        """What all tasks are called that there may be: those of the plan, and those that repairs add."""
        added = (task.id for repair in self.repairs.values() for task in repair.add)
        return tuple(dict.fromkeys((*self.ids, *added)))

    def compared_with(self, key: str) -> Iterator[Comparison]:
        """What tasks and repairs may compare the fact with."""
        assumed = (a.comparison for _, task in self.all_tasks for a in task.assumes if a.key == key)
        repaired = (repair.comparison for repair in self.repairs.values() if repair.on == key)
        return (comparison for comparison in (*assumed, *repaired) if comparison is not None)


def pieces_of(document: Document) -> Pieces:
    """The document of a scenario, taken apart."""
    signals: dict[Trail, ScenarioSignal] = {}
    for tick in _mapping(document, "timeline"):
        signals |= _read(document, ("timeline", tick), ScenarioSignal)
    return Pieces(
        document,
        facts=_facts(document),
        named=_ids(document),
        keys=tuple(_mapping(document, "keys")),
        tasks=_read(document, ("tasks",), ScenarioTask),
        signals=signals,
        repairs=_read(document, ("repairs",), ScenarioRepair),
        outcome=_read(document, ("outcome",), ScenarioOutcome),
    )


def plain_id(dependency: str) -> str:
    """The id of the task that a dependency names, with a star or without."""
    return dependency.removesuffix("*")


def _facts(document: Document) -> dict[str, Scalar]:
    """Every fact that is named; one whose value is no fact is as good as unknown."""
    facts = _mapping(document, "facts")
    return {name: v if isinstance(v, bool | int | float | str) else None for name, v in facts.items()}


def _mapping(document: Document, key: str) -> Mapping[str, Any]:
    found = document.at((key,))
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _ids(document: Document) -> dict[Trail, str]:
    """The id of each task that has one."""
    found = document.at(("tasks",))
    trails = [
        ("tasks", at, "id") for at in range(len(cast("list[Any]", found)) if isinstance(found, list) else 0)
    ]
    return {trail: id for trail in trails if isinstance(id := document.at(trail), str)}


def _read(document: Document, trail: Trail, model: type[M]) -> dict[Trail, M]:
    """The entries of a list that are what they are to be."""
    found = document.at(trail)
    read: dict[Trail, M] = {}
    for at, entry in enumerate(cast("list[object]", found) if isinstance(found, list) else []):
        try:
            read[(*trail, at)] = model.model_validate(entry)
        except ValidationError:
            continue  # its faults are those of the model
    return read
