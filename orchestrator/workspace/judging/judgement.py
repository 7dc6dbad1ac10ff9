"""A document against the model it is to be: the value, or all that speaks against it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from orchestrator.errors import Fault
from orchestrator.workspace.document.nodes import Trail
from orchestrator.workspace.document.positions import Document
from orchestrator.workspace.fields import Secret
from orchestrator.workspace.judging.faults import faults_of
from orchestrator.workspace.judging.shape import expected, secret_trails, strings
from orchestrator.workspace.secrets import reference

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Judged(Generic[M]):
    """`value` is None where there are faults. `document` is the same, but does not show its secrets."""

    value: M | None
    document: Document
    faults: tuple[Fault, ...]


def judge(document: Document, model: type[M], env: Mapping[str, str], top: Trail = ()) -> Judged[M]:
    """Make the model of what stands below `top`; nothing there counts as an empty mapping."""
    data: Any = document.at(top)
    if data is None and top:
        data = {}
    shy = document.hiding((*top, *t) for t in secret_trails(model, data))
    value, errors = _made(model, data, env)
    misplaced = _misplaced(shy, model, data, top)
    places = {(f.line, f.column) for f in misplaced}
    others = (f for f in faults_of(shy, model, errors, top) if (f.line, f.column) not in places)
    faults = (*misplaced, *others)
    return Judged(None if faults else value, shy, faults)


def _made(model: type[M], data: Any, env: Mapping[str, str]) -> tuple[M | None, list[Any]]:
    """The value or the errors; the exception, which knows the data, stays here."""
    try:
        return model.model_validate(data, context={"env": env}), []
    except ValidationError as error:
        return None, error.errors(include_url=False, include_input=False)


def _misplaced(document: Document, model: type[BaseModel], data: object, top: Trail) -> tuple[Fault, ...]:
    """`${NAME}` in a field that is not meant for a secret, where it would be taken as it stands."""
    message = "`${NAME}` is read only in fields meant for a secret, such as api_key; write the text itself"
    return tuple(
        document.fault((*top, *trail), message)
        for trail, text in strings(data)
        if reference(text) and (places := expected(model, trail)) and not {Secret, Any} & set(places)
    )
