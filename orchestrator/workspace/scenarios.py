"""The scenarios of a workspace: which there are, and one of them, judged.

Law: an ordinary turn pays nothing for them. They are judged by `check`, and the one that is run; a faulty one
keeps nothing else from working.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from orchestrator.errors import Fault, UserError, WorkspaceInvalid
from orchestrator.workspace.document.positions import Document, plain, read
from orchestrator.workspace.fields import is_name
from orchestrator.workspace.folder import SCENARIOS, is_scenario
from orchestrator.workspace.judging.judgement import Judged, judge
from orchestrator.workspace.judging.scenario.grounds import contradicted_at_first, out_of_reach, unfit_values
from orchestrator.workspace.judging.scenario.naming import (
    broken_plan,
    named_agents,
    unknown_agents,
    unknown_facts,
    unknown_repairs,
)
from orchestrator.workspace.judging.scenario.pieces import pieces_of
from orchestrator.workspace.judging.scenario.texts import Tongue, broken_texts
from orchestrator.workspace.judging.wording import nearest
from orchestrator.workspace.placing import in_file_order
from orchestrator.workspace.scenario_file import ScenarioFile
from orchestrator.workspace.value import Workspace

ScenarioRule: TypeAlias = Callable[[str, bytes, Collection[str] | None], Iterable[Fault]]
"""What is wrong with a scenario: its file's name and bytes, and the agents, None where not all are known."""


def scenario_names(root: Path) -> tuple[str, ...]:
    """The scenarios of the workspace in this folder, sorted."""
    folder = root / SCENARIOS
    return tuple(sorted(p.stem for p in folder.glob("*.yaml") if p.is_file() and not p.name.startswith(".")))


def load_scenario(workspace: Workspace, name: str, tongue: Tongue) -> ScenarioFile:
    """The scenario of this name, as it was when the workspace was loaded.

    Raises WorkspaceInvalid with all its faults, and UserError where there is none of this name.
    """
    file = f"{SCENARIOS}/{name}.yaml"
    if file not in workspace.files:
        known = tuple(PurePosixPath(each).stem for each in workspace.files if is_scenario(each))
        there = nearest(name, known) or f"; a scenario is a file {SCENARIOS}/NAME.yaml"
        raise UserError(f"there is no scenario '{plain(name)}'{there}")
    judged = _judged(file, workspace.files[file], workspace.agents, tongue)
    if judged.value is None:
        raise WorkspaceInvalid(judged.faults)
    return judged.value


def scenario_rule(tongue: Tongue) -> ScenarioRule:
    """How `check` finds what is wrong with a scenario."""
    return partial(_faults, tongue)


def agents_of_scenarios(workspace: Workspace) -> frozenset[str]:
    """Every agent that a scenario leads to."""
    named: set[str] = set()
    for file, raw in workspace.files.items():
        if is_scenario(file):
            named.update(name for _, name in named_agents(pieces_of(document_of(file, raw))))
    return frozenset(named)


def document_of(file: str, raw: bytes) -> Document:
    """The document of a scenario, whose ticks are numbers."""
    return read(file, raw, numbered=(("timeline",),))


def _faults(tongue: Tongue, file: str, raw: bytes, agents: Collection[str] | None) -> Iterable[Fault]:
    return _judged(file, raw, agents, tongue).faults


def _judged(file: str, raw: bytes, agents: Collection[str] | None, tongue: Tongue) -> Judged[ScenarioFile]:
    judged = judge(document_of(file, raw), ScenarioFile, {})
    told = (*judged.document.faults, *judged.faults)
    places = {(f.line, f.column, f.path) for f in told}
    rest = () if () in judged.document.broken else _broken_rules(judged.document, agents, tongue)
    faults = (*told, *(f for f in rest if (f.line, f.column, f.path) not in places))
    return Judged(None if faults else judged.value, judged.document, tuple(sorted(faults, key=in_file_order)))


def _broken_rules(document: Document, agents: Collection[str] | None, tongue: Tongue) -> Iterator[Fault]:
    """What the scenario says of itself and the workspace that is not so."""
    pieces = pieces_of(document)
    if not is_name(stem := PurePosixPath(document.source.file).stem):
        message = f"'{plain(stem)}' is no name for a scenario: a letter, then letters, digits, '-' and '_'"
        yield Fault(document.source.file, 0, 0, "", message)
    yield from broken_plan(pieces)
    if agents is not None:
        yield from unknown_agents(pieces, agents)
    yield from unknown_facts(pieces)
    if any(repair.uses for repair in pieces.repairs.values()):
        yield from unknown_repairs(pieces, tongue.repairs())
    yield from unfit_values(pieces)
    yield from contradicted_at_first(pieces)
    yield from out_of_reach(pieces)
    yield from broken_texts(pieces, tongue)
