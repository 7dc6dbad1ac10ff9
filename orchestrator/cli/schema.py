"""`cuewave schema NAME`: what an editor needs to complete and check a file."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from orchestrator.cli.completing import schemas
from orchestrator.cli.output import emit, json_option, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from orchestrator.ids import Json


@click.command()
@click.argument("name", required=False, shell_complete=schemas)
@click.option("--all", "every", is_flag=True, help="All of them, by name, as one document.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="With --all: a file NAME.json for each in this folder, which is made.",
)
@json_option
def command(name: str | None, every: bool, out: Path | None, as_json: bool) -> None:
    """Print the JSON Schema of the workspace file NAME (orchestrator, multi_step, …, agent)."""
    from orchestrator.opening import file_schema
    from orchestrator.workspace.schema import schema_names

    if every == (name is not None) or (out and not every):
        raise click.UsageError(f"name one of {', '.join(schema_names())}, or take --all")
    if name is not None:
        emit(file_schema(name))
        return
    found = {each: file_schema(each) for each in schema_names()}
    if out is None:
        emit(found)
        return
    written = _written(out, found)
    if as_json:
        emit(written)
    else:
        say("\n".join(written))


def _written(folder: Path, found: "Mapping[str, Mapping[str, Json]]") -> list[str]:
    """Write a file for each schema; their names."""
    import json

    from orchestrator.cli.writing import write_whole
    from orchestrator.errors import UserError

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: the folder cannot be made: {error.strerror or error}") from None
    for name, schema in found.items():
        write_whole(folder / f"{name}.json", f"{json.dumps(schema, indent=2, ensure_ascii=False)}\n")
    return [str(folder / f"{name}.json") for name in found]
