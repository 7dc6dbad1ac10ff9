"""`cuewave schema NAME`: what an editor needs to complete and check a file."""

import click

from orchestrator.cli.output import emit, json_option


@click.command()
@click.argument("name")
@json_option
def command(name: str, as_json: bool) -> None:  # noqa: ARG001 - a schema is JSON either way
    """Print the JSON Schema of the workspace file NAME (orchestrator, multi_step, …, agent)."""
    from orchestrator.opening import file_schema

    emit(file_schema(name))
