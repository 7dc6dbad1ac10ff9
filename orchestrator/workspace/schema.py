"""JSON Schema of every workspace file, so that an editor completes and checks what the loader will judge.

Law: generated from the models and nothing else, so it cannot differ from what is read. Durations and secrets
are the texts that people write; the `options` of an agent are those of the type it uses. `make schemas`
writes `schemas/`, and a test holds the files against the models.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias, cast

from pydantic import BaseModel

from orchestrator.errors import UserError
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.fields import File
from orchestrator.workspace.judging.wording import nearest
from orchestrator.workspace.meanings import meanings, models_below, written_default
from orchestrator.workspace.models import CONFIG_FILES
from orchestrator.workspace.scenario_file import ScenarioFile
from orchestrator.workspace.value import KnownType

Schema: TypeAlias = dict[str, Any]

_OTHERS: Mapping[str, type[File]] = {"scenario": ScenarioFile, "agent": AgentFile}
"""Beside those of `config/`: what there may be many of."""
_BY_NAME = ("properties", "patternProperties", "$defs")
_VALUES = ("default", "const", "enum", "examples", "required")
_STRAY = ("gt", "ge", "lt", "le")
"""Bounds that pydantic leaves over where a text stands for a number; no JSON Schema knows them."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_names() -> tuple[str, ...]:
    """The files that have a schema, by the name that `cuewave schema` takes."""
    return (*CONFIG_FILES, *_OTHERS)


def schema(name: str, types: Mapping[str, KnownType]) -> Schema:
    """The JSON Schema (2020-12) of a file; `types` are the agent types whose options are to be known."""
    if name not in schema_names():
        raise UserError(f"there is no schema '{name}'{nearest(name, schema_names())}")
    made = _described({**CONFIG_FILES, **_OTHERS}[name])
    if name == "agent":
        made = _with_types(made, types)
    return {"$schema": DIALECT, **_as_written(made)}


def write_schemas(folder: Path, types: Mapping[str, KnownType]) -> list[Path]:
    """Write every schema as `NAME.json`; the files that were written."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for name in schema_names():
        text = json.dumps(schema(name, types), indent=2, ensure_ascii=False)
        written.append(folder / f"{name}.json")
        written[-1].write_text(f"{text}\n", encoding="utf-8")
    return written


def _with_types(agent: Schema, types: Mapping[str, KnownType]) -> Schema:
    """The agent's schema, which knows for each type what its `options` may hold."""
    definitions = dict(agent.get("$defs", {}))
    rules: list[Schema] = []
    for name, known in sorted(types.items()):
        options = _described(known.options, ref_template=f"#/$defs/{name}.{{model}}")
        definitions |= {f"{name}.{inner}": made for inner, made in options.pop("$defs", {}).items()}
        then: Schema = {"properties": {"options": options}}
        if options.get("required"):
            then["required"] = ["options"]
        rules.append({"if": {"properties": {"uses": {"const": name}}, "required": ["uses"]}, "then": then})
    return {**agent, "$defs": definitions, "allOf": rules} if rules else agent


def _described(model: type[BaseModel], **how: Any) -> Schema:
    """The model's schema, with the meaning of every knob, and its default as files write it."""
    made = model.model_json_schema(**how)
    for part in models_below(model):
        target = made if part is model else made.get("$defs", {}).get(part.__name__, {})
        said = meanings(part)
        for name, knob in target.get("properties", {}).items():
            if name in said:
                knob["description"] = said[name]
            if "default" in knob:
                knob["default"] = written_default(part.model_fields[name])
    return made


def _as_written(made: Schema) -> Schema:
    """The schema in terms of the file, where pydantic speaks of values in memory; all the way down."""
    schema = {key: _inner(key, value) for key, value in made.items() if key not in _STRAY}
    if schema.get("default", "") is None or isinstance(schema.get("default"), dict):
        del schema["default"]
    if "patternProperties" in schema:
        schema.setdefault("additionalProperties", False)
    return schema


def _inner(key: str, value: Any) -> Any:
    if key in _VALUES:
        return value
    if key in _BY_NAME:
        return {name: _as_written(inner) for name, inner in value.items()}
    if isinstance(value, dict):
        return _as_written(cast(Schema, value))
    if isinstance(value, list):
        return [_as_written(cast(Schema, v)) if isinstance(v, dict) else v for v in cast(list[Any], value)]
    return value
