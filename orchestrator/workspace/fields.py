"""What knobs are made of: names, durations, counts, shares, secrets, and the law that all of them share."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    StrictInt,
    StringConstraints,
    ValidationInfo,
    model_validator,
)

from orchestrator.workspace.codes import CODES
from orchestrator.workspace.secrets import REFERENCE_PATTERN, resolve

NAME_PATTERN = r"^[A-Za-z][A-Za-z0-9_-]*$"
TICK_PATTERN = r"^(0|[1-9][0-9]{0,5})$"
DEPENDENCY_PATTERN = r"^[A-Za-z][A-Za-z0-9_-]*\*?$"
DURATION_PATTERN = r"^\d+(\.\d+)?(ms|s|m|h)$"
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def is_name(text: str) -> bool:
    """Whether the text is a name, as everything in a workspace has one."""
    return re.fullmatch(NAME_PATTERN, text) is not None


def _seconds(value: object) -> float:
    """`30s`, `1.5m`, `500ms`, `2h` → seconds. A bare number is refused: its unit would be a guess."""
    match = re.fullmatch(DURATION_PATTERN, value) if isinstance(value, str) else None
    if match is None:
        raise ValueError("a duration needs a number and a unit: 500ms, 30s, 2m or 1h")
    return float(match[0].removesuffix(match[2])) * _UNITS[match[2]]


Text = Annotated[str, StringConstraints(min_length=1)]
Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN)]
Seconds = Annotated[
    float,
    BeforeValidator(_seconds),
    PlainSerializer(lambda seconds: f"{seconds:g}s", return_type=str),
    Field(gt=0, allow_inf_nan=False, json_schema_extra={"type": "string", "pattern": DURATION_PATTERN}),
]
Positive = Annotated[StrictInt, Field(ge=1)]
Count = Annotated[StrictInt, Field(ge=0)]
Share = Annotated[float, Field(strict=True, ge=0, le=1)]
Code = Annotated[str, Field(json_schema_extra={"enum": list(CODES)})]
"""The code of a warning; whether there is such a one is held against CODES when files are judged."""


def _as_reference(schema: dict[str, Any]) -> None:
    """In a file a secret is a text; editors hint at the form that keeps it out of the file."""
    for key in ("properties", "required", "additionalProperties"):
        schema.pop(key, None)
    schema.update(type="string", pattern=REFERENCE_PATTERN)


class Secret(BaseModel):
    """A field meant for a secret: `${NAME}` is taken from the environment at load and never shown."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,
        json_schema_extra=_as_reference,
    )
    variable: str
    """The environment variable the value came from, or an empty string for a literal one."""
    value: str = Field(repr=False, exclude=True)
    """The secret itself."""

    @model_validator(mode="before")
    @classmethod
    def _resolve(cls, value: object, info: ValidationInfo) -> object:
        """Text of a file becomes a variable and its value; the environment comes in as `context["env"]`."""
        context: Mapping[str, Mapping[str, str]] = info.context or {}
        env = context.get("env")
        if isinstance(value, str):
            variable, found = resolve(value, {} if env is None else env)
            return {"variable": variable, "value": found}
        if env is not None:
            raise ValueError("a secret is due: the text `${NAME}` of an environment variable")
        return value

    def __str__(self) -> str:
        return f"${{{self.variable}}}" if self.variable else "***"


class Knobs(BaseModel):
    """What all files share: unknown keys are refused, values never change, each knob has its meaning."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class File(Knobs):
    """The top level of a file."""

    version: Literal[1] = 1
    """Version of the file format."""
