"""The table of all knobs, generated from the models, so that the docs cannot drift from the code.

`python -m orchestrator.workspace.knobs` writes `docs/knobs.md`; a test holds the file against it.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast, get_args, get_origin

from pydantic import BaseModel, BeforeValidator
from pydantic.fields import FieldInfo

from orchestrator.workspace.meanings import meanings
from orchestrator.workspace.models import CONFIG_FILES, AgentFile, Knobs

FILES: dict[str, type[Knobs]] = {
    **{f"config/{name}.yaml": model for name, model in CONFIG_FILES.items()},
    "agents/*.yaml": AgentFile,
}


def page() -> str:
    """The whole page as Markdown: a table for each file."""
    head = "# All knobs\n\nGenerated from the models; `version` is 1 in every file and may be left out.\n"
    return head + "".join(_section(file, model) for file, model in FILES.items())


def _section(file: str, model: type[Knobs]) -> str:
    rows = "".join(f"| `{key}` | {default} | {meaning} |\n" for key, default, meaning in _rows(model, ""))
    return f"\n## {file}\n\n| key | default | meaning |\n|---|---|---|\n{rows}"


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
    models = [a for a in arguments if isinstance(a, type) and issubclass(a, Knobs)]
    if not models:
        return None
    return ("NAME." if get_origin(annotation) is Mapping else ""), models[0]


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value: Any = field.get_default(call_default_factory=True)
    if value is None or isinstance(value, BaseModel) or value in ((), {}, ""):
        return ""
    if isinstance(value, dict):
        return "see below"
    if isinstance(value, float) and any(isinstance(m, BeforeValidator) for m in field.metadata):
        return f"`{value:g}s`"
    if isinstance(value, tuple):
        return f"`{', '.join(cast('tuple[str, ...]', value))}`"
    return f"`{value}`"


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "docs/knobs.md").write_text(page(), encoding="utf-8")
