"""The real result of a run, looked at. Pure, but for what it is handed to look with.

Law: every test gives a finding. What cannot be looked at is not well, with the reason; no test is left out
because an earlier one failed.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from orchestrator.adaptation.expression import parse
from orchestrator.adaptation.language.grammar import ExpressionInvalid
from orchestrator.adaptation.language.reckoning import ExpressionFailed
from orchestrator.errors import CuewaveError
from orchestrator.ids import AgentName, Json
from orchestrator.planning.grounds.outcome import OutcomeCheck, OutcomeFound
from orchestrator.runs.changes import OutcomeChecked
from orchestrator.runs.state import RunState, TaskState

_UNFOLDED = (".ics", ".vcf")
_SHOWN = 120


class LookFailed(CuewaveError):
    """What was to be looked at could not be; says why."""


class Look(Protocol):
    """How the world is looked at. Each method raises LookFailed."""

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


def seen_results(state: RunState) -> Mapping[str, Mapping[str, Json]]:
    """For each task its `text`, `status`, `items`, and the fields of its item, where it has one only."""
    tasks = () if state.plan is None else state.plan.tasks
    return {task.id: _seen(state.tasks[task.id]) for task in tasks}


def _seen(found: TaskState) -> Mapping[str, Json]:
    output = found.output
    items = () if output is None or output.items is None else output.items
    fields = dict(items[0].data) if len(items) == 1 else {}
    text = "" if output is None else output.text
    return {**fields, "text": text, "status": found.status, "items": [dict(item.data) for item in items]}


async def _found(
    check: OutcomeCheck, state: RunState, results: Mapping[str, Mapping[str, Json]], look: Look
) -> OutcomeFound:
    try:
        if check.that is not None:
            return _of_expression(check, check.that, state.facts, results)
        wanted = look.render(check.contains, {"facts": state.facts, "results": results})
        if check.file is not None:
            return _of_text(check, _unfolded(check.file, look.read(check.file)), wanted)
        if check.agent is None:
            return OutcomeFound(check.description, False, "there is nothing that it tests")
        question = look.render(check.asks, {"facts": state.facts, "results": results})
        return _of_text(check, await look.ask(check.agent, question), wanted)
    except (CuewaveError, ExpressionInvalid) as error:
        return OutcomeFound(check.description, False, str(error))


def _of_expression(
    check: OutcomeCheck, that: str, facts: Mapping[str, Json], results: Mapping[str, Mapping[str, Json]]
) -> OutcomeFound:
    expression = parse(that)
    seen = expression.seen(facts, results)
    try:
        value = expression.value(facts, results)
    except ExpressionFailed as error:
        return OutcomeFound(check.description, False, f"{that}: {error}")
    if not isinstance(value, bool):
        return OutcomeFound(check.description, False, f"{that} is {value!r}, and neither true nor false")
    return OutcomeFound(check.description, value, seen or that)


def _of_text(check: OutcomeCheck, text: str, wanted: str) -> OutcomeFound:
    what = check.file or f"{check.agent}'s answer"
    well = wanted.casefold() in text.casefold()
    if not wanted:
        return OutcomeFound(check.description, well, f"{what} is there")
    told = " ".join(text.split())
    shown = told if len(told) <= _SHOWN else f"{told[: _SHOWN - 1]}…"
    seen = f'{what} has "{wanted}"' if well else f'{what} has no "{wanted}": {shown or "it is empty"}'
    return OutcomeFound(check.description, well, seen)


def _unfolded(path: str, text: str) -> str:
    """The file's text; of a calendar or an address book as it was before it was folded (RFC 5545, 3.1)."""
    if not path.lower().endswith(_UNFOLDED):
        return text
    for mark in ("\r\n ", "\r\n\t", "\n ", "\n\t"):
        text = text.replace(mark, "")
    for escaped, meant in (("\\,", ","), ("\\;", ";"), ("\\n", "\n"), ("\\N", "\n")):
        text = text.replace(escaped, meant)
    return text.replace("\\\\", "\\")
