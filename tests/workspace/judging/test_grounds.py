"""What agents take for granted must be known, comparable, and so at the beginning."""

from pathlib import Path

import pytest
from orchestrator.app import Orchestrator
from orchestrator.errors import WorkspaceInvalid

from support.office import CALENDAR, office

FACTS = "facts: {delay: 0, gate: {value: B4, description: where it leaves}}\n"


def faults(folder: Path, *, adaptation: str = FACTS, calendar: str = "") -> list[str]:
    files = {"config/adaptation.yaml": adaptation, "agents/calendar.yaml": CALENDAR + calendar}
    try:
        Orchestrator.from_workspace(office(folder / "office", files))
    except WorkspaceInvalid as invalid:
        return [str(fault).splitlines()[0] for fault in invalid.faults]
    return []


def assumes(text: str) -> str:
    return f"assumes: [{text}]\n"


def test_what_is_known_and_so_is_taken_for_granted(tmp_path: Path) -> None:
    said = assumes(
        "{key: delay, expected: {lte: 30}}, {key: gate, unchanged: true},"
        " {key: calendar.content, unchanged: true}"
    )
    assert faults(tmp_path, calendar=said) == []


@pytest.mark.parametrize(
    ("calendar", "told"),
    [
        (
            assumes("{key: dealy, expected: 0}"),
            "assumes[0].key: there is no fact 'dealy' in config/adaptation.yaml; did you mean 'delay'",
        ),
        (
            assumes("{key: delay, expected: late}"),
            "assumes[0].expected: delay is 0 in config/adaptation.yaml: ",
        ),
        (assumes("{key: delay, expected: {gt: 5}}"), "this contradicts it from the beginning"),
        (assumes("{key: delay, expected: {gt: soon}}"), "'soon' is no number"),
        (assumes("{key: delay}"), "say what is `expected` of the fact"),
        (assumes("{key: desk.level, unchanged: true}"), "there is no fact 'desk.level'"),
        ("compensate: {agent: undoer, action: undo it}\n", "compensate.agent: there is no agent 'undoer'"),
    ],
)
def test_what_an_agent_cannot_take_for_granted_is_told_with_its_place(
    tmp_path: Path, calendar: str, told: str
) -> None:
    found = faults(tmp_path, calendar=calendar)
    assert len(found) == 1
    assert found[0].startswith("agents/calendar.yaml:")
    assert told in found[0]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("keys: {dealy: {cooldown: null}}\n", "keys.dealy: there is no fact 'dealy'"),
        ("repairs: [{'on': dealy, uses: reread}]\n", "repairs[0].on: there is no fact 'dealy'"),
        (
            "repairs: [{'on': delay, uses: rereed}]\n",
            "repairs[0].uses: there is no registered repair 'rereed'",
        ),
        ("containment: {confirmation: {k: 4, n: 3}}\n", "k is at most n"),
        ("containment: {damping: {reuse: 3000}}\n", "`reuse` must be below `suppress`"),
        ("containment: {cooldwn: {ticks: 1}}\n", "did you mean 'cooldown'"),
    ],
)
def test_what_is_wrong_in_the_file_itself_is_told_with_its_place(
    tmp_path: Path, more: str, told: str
) -> None:
    found = faults(tmp_path, adaptation=FACTS + more)
    assert len(found) == 1
    assert found[0].startswith("config/adaptation.yaml")
    assert told in found[0]
