"""What a model says against a file → located faults, each once.

Law: a fault stands where the operator wrote what is wrong. A union is one fault, of the member that was
meant. What was already refused as YAML is not refused again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from orchestrator.errors import Fault
from orchestrator.workspace.document.nodes import Trail
from orchestrator.workspace.document.positions import Document, holds
from orchestrator.workspace.judging.shape import expected
from orchestrator.workspace.judging.wording import DUE, Complaint, sentence


def faults_of(
    document: Document, model: type[BaseModel], errors: Iterable[ErrorDetails], top: Trail
) -> tuple[Fault, ...]:
    """The faults of what stands below `top` in the document and is to be this model."""
    refused, broken = {_place(f) for f in document.faults}, set(document.broken)
    found: list[Fault] = []
    for c in _one_per_union([_complaint(e, document, top) for e in errors]):
        if not any(c.trail[:n] in broken for n in range(len(c.trail) + 1)):
            above = expected(model, c.trail[len(top) : -1])
            found.append(document.fault(c.trail, sentence(c, document, above), at_key=c.at_key))
    return tuple(f for f in found if _place(f) not in refused)


def _place(fault: Fault) -> tuple[int, int, str]:
    return fault.line, fault.column, fault.path


def _complaint(error: ErrorDetails, document: Document, top: Trail) -> Complaint:
    """The error with its place found in the data: a step that is not there names a member of a union."""
    kind, data, trail = error["type"], document.at(top), top
    at_key, member = kind == "extra_forbidden", None
    for step in error["loc"]:
        if step == "[key]":
            at_key = True
        elif holds(data, step):
            trail, data = (*trail, step), data[step]
        elif kind == "missing" and step == error["loc"][-1]:
            trail = (*trail, step)
        elif member is None:
            member = (trail, str(step))
    return Complaint(kind, error["msg"], error.get("ctx", {}), trail, at_key, DUE.get(kind, ""), member)


def _one_per_union(complaints: Sequence[Complaint]) -> Iterator[Complaint]:
    """Of a union, what the member says that was meant: the one whose kind of value stands there."""
    unions: dict[Trail, dict[str, list[Complaint]]] = {}
    for complaint in complaints:
        if complaint.member is None:
            yield complaint
        else:
            place, name = complaint.member
            unions.setdefault(place, {}).setdefault(name, []).append(complaint)
    for place, members in unions.items():
        mismatches = [c for m in members.values() for c in m if c.trail == place and c.due]
        meant = [m for m in members.values() if not any(c in mismatches for c in m)]
        if meant:
            yield from min(meant, key=len)
        else:
            due = " or ".join(dict.fromkeys(c.due for c in mismatches))
            yield replace(mismatches[0], type="", due=due)
