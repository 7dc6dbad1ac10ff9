"""`cuewave completion SHELL`: the script by which a shell completes our verbs, options and values."""

from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import OK
from orchestrator.cli.completing import VARIABLE
from orchestrator.cli.output import emit, json_option, say
from orchestrator.cli.verbs import verb
from orchestrator.errors import InternalFault

if TYPE_CHECKING:
    from typing import Literal


@verb(ends=(OK,), examples=("cuewave completion bash",))
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@json_option
@click.pass_context
def command(ctx: click.Context, shell: "Literal['bash', 'zsh', 'fish']", as_json: bool) -> None:
    """Print the script that lets SHELL complete verbs, options, runs, agents, kinds and schemas.

    \b
    bash   cuewave completion bash > ~/.local/share/bash-completion/completions/cuewave
    zsh    cuewave completion zsh > DIR/_cuewave    DIR is a folder of $fpath, before compinit
    fish   cuewave completion fish > ~/.config/fish/completions/cuewave.fish
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    if made is None:
        raise InternalFault(f"click knows no completion for {shell}")
    script = made(ctx.find_root().command, {}, "cuewave", VARIABLE).source()
    if as_json:
        emit({"shell": shell, "script": script})
    else:
        say(script, nl=False)
