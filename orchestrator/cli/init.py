"""`cuewave init DIR`: a workspace of one's own to change."""

from pathlib import Path

import click

from orchestrator.cli.codes import MISTAKE, OK
from orchestrator.cli.output import emit, json_option, say
from orchestrator.cli.verbs import verb


@verb(
    ends=(OK, MISTAKE),
    examples=("cuewave init mine",),
)
@click.argument("directory", type=click.Path(path_type=Path))
@json_option
def command(directory: Path, as_json: bool) -> None:
    """Copy the shipped workspace (config, agents, prompts, samples) into DIRECTORY.

    The folder is made; one that holds anything is refused.
    """
    from orchestrator.workspace.making import init_workspace

    files = init_workspace(directory)
    if as_json:
        emit({"workspace": str(directory), "files": [str(f) for f in files]})
        return
    say(f"{directory}: {len(files)} files")
    say(f'next: cuewave --workspace {directory} run "summarize my inbox and check my calendar"')
