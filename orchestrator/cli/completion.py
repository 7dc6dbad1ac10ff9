"""`cuewave completion SHELL`: the script that teaches a shell to complete verbs, options, and ids of runs."""

import click

from orchestrator.cli.output import emit, json_option, say

VARIABLE = "_CUEWAVE_COMPLETE"
"""By this the script asks the program what there is."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@json_option
@click.pass_context
def command(ctx: click.Context, shell: str, as_json: bool) -> None:
    """Print the completion script for SHELL.

    \b
    bash:  echo 'eval "$(cuewave completion bash)"' >> ~/.bashrc
    zsh:   echo 'eval "$(cuewave completion zsh)"' >> ~/.zshrc
    fish:  cuewave completion fish > ~/.config/fish/completions/cuewave.fish
    """
    from click.shell_completion import get_completion_class

    known = get_completion_class(shell)
    if known is None:
        raise click.UsageError(f"{shell} is not a shell that can be taught")
    script = known(ctx.find_root().command, {}, "cuewave", VARIABLE)
    if as_json:
        emit({"shell": shell, "script": script.source()})
    else:
        say(script.source())
