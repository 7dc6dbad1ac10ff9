"""What a page or schema says of each knob: its meaning, the docstring below its field, and its default.

Pydantic can do this for every model at import; it then parses the source of every class at every start, which
was a quarter of the time it took to load the models. Nobody asks for meanings while a turn is served.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Any, get_args

from pydantic import BaseModel, TypeAdapter
from pydantic.fields import FieldInfo


def meanings(model: type[BaseModel]) -> dict[str, str]:
    """The meaning of each field of the model, inherited ones included."""
    found: dict[str, str] = {}
    for owner in reversed(model.__mro__):
        if issubclass(owner, BaseModel) and owner is not BaseModel:
            found |= _docstrings(owner)
    return {name: text for name, text in found.items() if name in model.model_fields}


def written_default(field: FieldInfo) -> Any:
    """The default as a file would say it: `120s`, not 120.0; None where there is none."""
    if field.is_required():
        return None
    value = field.get_default(call_default_factory=True)
    typed: Any = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
    return TypeAdapter[Any](typed).dump_python(value, mode="json")


def models_below(model: type[BaseModel]) -> tuple[type[BaseModel], ...]:
    """The model and all that its fields are made of, each once."""
    found: dict[type[BaseModel], None] = {model: None}
    waiting = [model]
    while waiting:
        for field in waiting.pop().model_fields.values():
            for inner in _models_in(field.annotation):
                if inner not in found:
                    found[inner] = None
                    waiting.append(inner)
    return tuple(found)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


def _docstrings(owner: type[BaseModel]) -> dict[str, str]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in pairwise(body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
