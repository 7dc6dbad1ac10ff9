"""What a planner says its tasks take for granted: lines `ASSUME: task | key | expected | description`.

Laws: what looks like an ASSUME line is an assumption or a diagnostic, never dropped; all faults are reported,
each with its line and what to do; parse(render(lines)) == lines. The same decoration is let pass as around
TASK lines (`spoken`). Nothing is assumed that is wrong already.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from orchestrator.comparison import Comparison, Incomparable, comparison_of, told
from orchestrator.errors import Diagnostic
from orchestrator.ids import Json, TaskId
from orchestrator.planning.expected import expected_of
from orchestrator.planning.grounds.assumption import Assumption
from orchestrator.planning.spoken import bare, escaped, form, spoken

_ASSUME = form("ASSUME: task | key | expected | description")


@dataclass(frozen=True, slots=True)
class AssumeLine:
    """One assumption as the planner wrote it; `line` is 1-based and does not count for equality."""

    task: TaskId
    assumption: Assumption
    line: int = field(default=0, compare=False)


def render(lines: Iterable[AssumeLine]) -> str:
    """The assumptions as the planner is to write them; line breaks in a description become spaces.

    A last bar keeps a description from ending the line, which is how thinking ends.
    """
    return "\n".join(map(_rendered, lines))


def _rendered(line: AssumeLine) -> str:
    said = line.assumption
    expected = escaped(json.dumps(said.expected.to_json()))
    return f"ASSUME: {line.task} | {said.key} | {expected} | {escaped(said.description)} |"


def parse(
    reply: str, tasks: Collection[TaskId] | None, facts: Mapping[str, Json]
) -> tuple[tuple[AssumeLine, ...], tuple[Diagnostic, ...]]:
    """The assumptions of a reply, and what is wrong with it.

    `facts` are the known ones with their values; `tasks` are None where the tasks of the reply are not known.
    """
    found, faults = list[AssumeLine](), list[Diagnostic]()
    said, _ = spoken(reply)
    for number, line in enumerate(said, 1):
        try:
            fields = _ASSUME.fields(line)
        except ValueError as error:
            faults.append(Diagnostic(number, f"an assumption is {error}"))
            continue
        if fields is not None:
            made, wrong = _read(fields, tasks, facts)
            faults += (Diagnostic(number, message) for message in wrong)
            found += () if made is None else (AssumeLine(*made, number),)
    return tuple(found), tuple(faults)


def _read(
    fields: list[str], tasks: Collection[TaskId] | None, facts: Mapping[str, Json]
) -> tuple[tuple[TaskId, Assumption] | None, list[str]]:
    """The assumption of a line, where nothing is wrong with it, and what is."""
    name, written, expected, description = fields
    task, key = TaskId(bare(name).lower()), _known(bare(written), facts)
    wrong: list[str] = []
    if tasks is not None and task not in tasks:
        wrong.append(f"it assumes something for the unknown task {name!r}; the ids are: {', '.join(tasks)}")
    if key is None:
        known = ", ".join(sorted(facts))
        wrong.append(f"it assumes something of the unknown fact {written!r}; use one of: {known}")
    value = None if key is None else facts[key]
    try:
        comparison = comparison_of(expected_of(expected, value))
    except ValueError as error:
        wrong.append(f"{expected!r} is nothing to expect of {written!r}: {error}; write a value, or <= 30")
        return None, wrong
    wrong += () if key is None else _ill_grounded(key, comparison, value)
    return (None if wrong or key is None else (task, Assumption(key, comparison, description))), wrong


def _known(key: str, facts: Mapping[str, Json]) -> str | None:
    """The fact that is meant, whatever the case it is written in."""
    if key in facts:
        return key
    return next((fact for fact in facts if fact.casefold() == key.casefold()), None)


def _ill_grounded(key: str, comparison: Comparison, value: Json) -> Iterator[str]:
    """An assumption that is wrong from the beginning, or that nothing could ever be compared with."""
    is_now = f"it assumes {key} {comparison}, and {key} is {told(value)}"
    try:
        if value is not None and not comparison.holds(value):
            yield f"{is_now} already; assume what is so, or leave the line out"
    except Incomparable as error:
        yield f"{is_now}: {error}; expect something like {told(value)}, or leave the line out"
