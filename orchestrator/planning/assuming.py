"""What a planner says its tasks take for granted: lines `ASSUME: task | key | expected | description`.

Laws: what looks like an ASSUME line is an assumption or a diagnostic, never dropped; all faults are reported,
each with its line and what to do; what is written is read back. The same decoration is let pass as around
TASK lines.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from orchestrator.comparison import Comparison, Incomparable, comparison_of
from orchestrator.errors import Diagnostic
from orchestrator.ids import Json, TaskId
from orchestrator.planning.grounds.assumption import Assumption

FORMAT = "ASSUME: task | key | expected | description"

_HEAD = re.compile(
    r"^[\s>#|*_`+•–—-]*(?:\(?\d{1,4}[.):]+\s*)?[*_`]*ASSUME[*_`]*\s*[:：][*_`]*(?P<rest>.*)$", re.I
)
_BAR = re.compile(r"(?<!\\)[|｜]")
_SIGNS: Mapping[str, str] = {
    **{"<=": "lte", "≤": "lte", ">=": "gte", "≥": "gte", "!=": "ne", "≠": "ne"},
    **{"==": "eq", "=": "eq", "<": "lt", ">": "gt"},
}
_SIGNED = re.compile(rf"^({'|'.join(map(re.escape, _SIGNS))})\s*(.+)$")
_BETWEEN = re.compile(r"^(between|outside)\s+(.+?)\s+and\s+(.+)$", re.IGNORECASE)
_LISTED = re.compile(r"^(not in|in)\s+(.+)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AssumeLine:
    """One assumption as the planner wrote it; `line` is 1-based and does not count for equality."""

    task: TaskId
    assumption: Assumption
    line: int = field(default=0, compare=False)


def render(lines: Iterable[AssumeLine]) -> str:
    """The assumptions as the planner is to write them."""
    return "\n".join(
        f"ASSUME: {line.task} | {line.assumption.key} | {json.dumps(line.assumption.expected.to_json())}"
        f" | {_escaped(line.assumption.description)}"
        for line in lines
    )


def parse(
    reply: str, tasks: Iterable[TaskId], facts: Mapping[str, Json]
) -> tuple[tuple[AssumeLine, ...], tuple[Diagnostic, ...]]:
    """The assumptions of a reply, and what is wrong with it. `facts` are the known ones with their values."""
    known, found, faults = frozenset(tasks), list[AssumeLine](), list[Diagnostic]()
    for number, line in enumerate(reply.splitlines(), 1):
        head = _HEAD.match(line)
        body = head["rest"].strip(" *_`") if head else ""
        if head is None or body.casefold() == FORMAT.removeprefix("ASSUME: "):
            continue
        made = _read(body, number, known, facts)
        if isinstance(made, AssumeLine):
            found.append(made)
        else:
            faults += (Diagnostic(number, message) for message in made)
    return tuple(found), tuple(faults)


def _read(
    body: str, number: int, tasks: frozenset[TaskId], facts: Mapping[str, Json]
) -> AssumeLine | list[str]:
    fields = [part.replace("\\|", "|").strip() for part in _BAR.split(body)]
    if len(fields) not in (3, 4):
        return [f"an assumption is `{FORMAT}`; found {len(fields)} of its 4 fields"]
    task, key, expected, description = *fields, *[""] * (4 - len(fields))
    id, key = TaskId(task.strip(" *_`'\"").lower()), key.strip(" *_`'\"")
    wrong = list(_unknown(id, key, tasks, facts))
    try:
        comparison = comparison_of(_expected(expected))
        if key in facts and not wrong:
            wrong += _ill_grounded(key, comparison, facts[key])
    except ValueError as error:
        return [*wrong, f"{expected!r} is nothing to expect of {key!r}: {error}"]
    return wrong or AssumeLine(id, Assumption(key, comparison, description), number)


def _unknown(task: TaskId, key: str, tasks: frozenset[TaskId], facts: Mapping[str, Json]) -> Iterator[str]:
    if task not in tasks:
        yield f"it assumes for the unknown task {task!r}; the ids are: {', '.join(sorted(tasks))}"
    if key not in facts:
        yield f"it assumes something of the unknown fact {key!r}; known are: {', '.join(sorted(facts))}"


def _ill_grounded(key: str, comparison: Comparison, value: Json) -> Iterator[str]:
    """An assumption that is wrong from the beginning, or that nothing could ever be compared with."""
    try:
        if value is not None and not comparison.holds(value):
            yield f"it assumes {key} {comparison}, and it is {json.dumps(value)} already; assume what is so"
    except Incomparable as error:
        yield f"it assumes {key} {comparison}, and {key} is {json.dumps(value)}: {error}"


def _expected(text: str) -> Json:
    """What is expected, in JSON, in signs (`<= 30`), or in words (`between 1 and 5`, `in a, b`)."""
    text = text.strip(" `")
    signed, between, listed = _SIGNED.match(text), _BETWEEN.match(text), _LISTED.match(text)
    if signed:
        return {_SIGNS[signed[1]]: _value(signed[2])}
    if between:
        return {between[1].lower(): [_value(between[2]), _value(between[3])]}
    if listed:
        values = [_value(part) for part in listed[2].strip("[]()").split(",")]
        return {listed[1].lower().replace(" ", "_"): values}
    return _value(text)


def _value(text: str) -> Json:
    """One value: JSON where it is that, else the text itself."""
    try:
        return json.loads(text.strip(), parse_constant=_refused)
    except ValueError:
        return text.strip(" '\"`")


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
