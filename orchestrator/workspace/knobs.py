"""The table of all knobs, generated from the models, so that the docs cannot drift from the code.

`python -m orchestrator.workspace.knobs` writes `docs/knobs.md`; a test holds the file against it.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.meanings import meanings, written_default
from orchestrator.workspace.models import CONFIG_FILES, Knobs
from orchestrator.workspace.scenario_file import ScenarioFile

FILES: dict[str, type[Knobs]] = {
    **{f"config/{name}.yaml": model for name, model in CONFIG_FILES.items()},
    "agents/*.yaml": AgentFile,
    "config/scenarios/*.yaml": ScenarioFile,
}


def page() -> str:
    """The whole page as Markdown: a table for each file."""
    head = "# All knobs\n\nGenerated from the models; `version` is 1 in every file and may be left out.\n"
    return head + "".join(f"\n## {file}\n\n{table(model)}" for file, model in FILES.items())


def table(model: type[BaseModel]) -> str:
    """The knobs of one model as a Markdown table, those of the models below it under dotted keys."""
    rows = "".join(f"| `{key}` | {default} | {meaning} |\n" for key, default, meaning in _rows(model, ""))
    return f"| key | default | meaning |\n|---|---|---|\n{rows}"


def _rows(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, str, str]]:
    said = meanings(model)
    for name, field in model.model_fields.items():
        if name == "version":
            continue
        inner, key = _inner(field.annotation), f"{prefix}{name}"
        if name in said or inner is None:
            yield key, _default(field), said.get(name, "").replace("\n", " ").replace("|", r"\|")
        if inner is not None:
            yield from _rows(inner[1], f"{key}.{inner[0]}")


def _inner(annotation: Any) -> tuple[str, type[BaseModel]] | None:
    """The model below a key, if there is one, and the placeholder of a mapping's keys."""
    if isinstance(annotation, type) and issubclass(annotation, Knobs):
        return "", annotation
    arguments: tuple[Any, ...] = get_args(annotation)
    if get_origin(annotation) is Mapping and (below := _inner(arguments[1])):
        return f"NAME.{below[0]}", below[1]
    models = [a for a in arguments if isinstance(a, type) and issubclass(a, Knobs)]
    if not models:
        return None
    return "", models[0]


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = written_default(field)
    if isinstance(value, dict):
        return "see below" if value and field.default_factory else ""
    return "" if value in (None, "", []) else f"`{_on_one_line(value)}`"


def _on_one_line(value: object) -> str:
    """The value as YAML has it, within one cell."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    text = ", ".join(map(str, cast("list[object]", value))) if isinstance(value, list) else str(value)
    return text.replace("\n", r"\n").replace("|", r"\|")


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "docs/knobs.md").write_text(page(), encoding="utf-8")
