"""What to do about a command line that cannot be understood, where the parser's own message does not say it.

Law: each remedy is for a mistake that people make who know the command, but not where its words must stand.
"""

import click


def remedy_of(error: click.ClickException) -> str:
    """What to write instead; empty where there is nothing to add."""
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    if ctx is None:
        return ""
    match error:
        case click.NoSuchOption(option_name="--workspace"):
            root, _, verb = ctx.command_path.partition(" ")
            return f"--workspace stands before the verb: {root} --workspace DIR {verb}"
        case click.NoSuchOption(possibilities=None | []) if _takes_text(ctx.command):
            return f"a text that begins with - stands behind two dashes: {ctx.command_path} -- TEXT"
        case click.MissingParameter() if error.param is not None and error.param.nargs == -1:
            return "write what you want, or - to read it from stdin"
        case _:
            return ""


def _takes_text(command: click.Command) -> bool:
    return any(isinstance(param, click.Argument) and param.nargs == -1 for param in command.params)
