"""The real result of a run, looked at. Pure, but for what it is handed to look with.

Law: every test gives a finding. What cannot be looked at is not well, with the reason; no test is left out
because an earlier one failed.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from orchestrator.adaptation.expression import Facts, Results, parse
from orchestrator.adaptation.language.grammar import ExpressionInvalid
from orchestrator.adaptation.language.names import cut, shown
from orchestrator.adaptation.language.reckoning import ExpressionFailed
from orchestrator.errors import CuewaveError
from orchestrator.ids import AgentName, Json
from orchestrator.planning.grounds.outcome import OutcomeCheck, OutcomeFound
from orchestrator.runs.changes import OutcomeChecked
from orchestrator.runs.state import RunState, TaskState

_FOLDED = (".ics", ".vcf")
_FOLD = re.compile(r"\r?\n[ \t]")
_ESCAPE = re.compile(r"\\([\\,;nN])")
_SHOWN = 120


class LookFailed(CuewaveError):
    """What was to be looked at could not be; says why."""


class Look(Protocol):
    """How the world is looked at. Each method raises LookFailed."""

    def find(self, path: str) -> None:
        """Nothing, where the workspace has this file."""
        ...

    def read(self, path: str) -> str:
        """The text of a file of the workspace."""
        ...

    async def ask(self, agent: AgentName, question: str) -> str:
        """What the agent answers; one that may write is not asked."""
        ...

    def render(self, template: str, variables: Mapping[str, object]) -> str:
        """The text of a template that is given as text."""
        ...


async def judged(checks: Sequence[OutcomeCheck], state: RunState, look: Look) -> OutcomeChecked:
    """What each test found."""
    results = seen_results(state)
    return OutcomeChecked(tuple([await _found(check, state, results, look) for check in checks]))


def seen_results(state: RunState) -> Results:
    """For each task its `text`, `status`, `items`, and the fields of its item, where it has one only."""
    tasks = () if state.plan is None else state.plan.tasks
    return {task.id: _seen(state.tasks[task.id]) for task in tasks}


def _seen(found: TaskState) -> Mapping[str, Json]:
    output = found.output
    items = () if output is None or output.items is None else output.items
    fields = dict(items[0].data) if len(items) == 1 else {}
    text = "" if output is None else output.text
    return {**fields, "text": text, "status": found.status, "items": [dict(item.data) for item in items]}


async def _found(check: OutcomeCheck, state: RunState, results: Results, look: Look) -> OutcomeFound:
    try:
        if check.that is not None:
            return _of_expression(check, check.that, state.facts, results)
        if check.file is not None and not check.contains:
            look.find(check.file)
            return OutcomeFound(check.description, True, f"{check.file} is there")
        variables = {"facts": state.facts, "results": results}
        wanted = look.render(check.contains, variables).strip()
        if not wanted:
            return OutcomeFound(check.description, False, "what it should contain comes to an empty text")
        if check.file is not None:
            return _of_text(check, check.file, _unfolded(check.file, look.read(check.file)), wanted)
        if check.agent is None:
            return OutcomeFound(check.description, False, "there is nothing that it tests")
        answer = await look.ask(check.agent, look.render(check.asks, variables))
        return _of_text(check, f"{check.agent}'s answer", answer, wanted)
    except (LookFailed, ExpressionInvalid) as error:
        return OutcomeFound(check.description, False, str(error))


def _of_expression(check: OutcomeCheck, that: str, facts: Facts, results: Results) -> OutcomeFound:
    expression = parse(that)
    try:
        value = expression.value(facts, results)
    except ExpressionFailed as error:
        return OutcomeFound(check.description, False, f"{that}: {error}")
    if not isinstance(value, bool):
        return OutcomeFound(check.description, False, f"{that} is {shown(value)}, neither true nor false")
    return OutcomeFound(check.description, value, expression.seen(facts, results) or that)


def _of_text(check: OutcomeCheck, where: str, text: str, wanted: str) -> OutcomeFound:
    """A file is as it is; an answer is somebody's words, in which capitals make no difference."""
    well = wanted in text if check.agent is None else wanted.casefold() in text.casefold()
    if well:
        return OutcomeFound(check.description, True, f"{where} has {shown(wanted)}")
    there = cut(" ".join(text.split()), _SHOWN) or "it is empty"
    return OutcomeFound(check.description, False, f"{where} has no {shown(wanted)}: {there}")


def _unfolded(path: str, text: str) -> str:
    """The file's text; of a calendar or an address book as it was before it was folded (RFC 5545, 3.1) and
    escaped (3.3.11)."""
    if not path.lower().endswith(_FOLDED):
        return text
    return _ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], _FOLD.sub("", text))
