"""`cuewave schema NAME`: what an editor needs to complete and check a file."""

import json
from pathlib import Path

import click

from orchestrator.cli.codes import MISTAKE, OK
from orchestrator.cli.completing import schemas
from orchestrator.cli.output import emit, json_option, say
from orchestrator.cli.verbs import verb
from orchestrator.cli.writing import write_whole


@verb(ends=(OK, MISTAKE), examples=("cuewave schema agent", "cuewave schema --all --out schemas"))
@click.argument("name", required=False, shell_complete=schemas)
@click.option("--all", "every", is_flag=True, help="Every schema, in one document by the names of the files.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Into this folder, each as NAME.json, instead of stdout; the folder is made.",
)
@json_option
def command(name: str | None, every: bool, out: Path | None, as_json: bool) -> None:
    """Print the JSON Schema of the workspace file NAME (orchestrator, multi_step, …, agent), or of all files.

    A schema is JSON either way. With --out, --json says on stdout what was written.
    """
    from orchestrator.opening import file_schema, schema_names

    if every == (name is not None):
        raise click.UsageError("say which schema, or --all for every one")
    made = {known: file_schema(known) for known in ([name] if name is not None else schema_names())}
    if out is None:
        emit(made if name is None else made[name])
        return
    files = [_written(out / f"{known}.json", schema) for known, schema in made.items()]
    if as_json:
        emit({"folder": str(out), "files": files})
    else:
        say(f"{out}: {len(files)} file{'s' if len(files) != 1 else ''}")


def _written(file: Path, schema: object) -> str:
    """Write the schema; the name of its file."""
    from orchestrator.errors import UserError

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{file.parent}: the folder cannot be made: {error.strerror}") from None
    write_whole(file, f"{json.dumps(schema, indent=2, ensure_ascii=False)}\n")
    return file.name
