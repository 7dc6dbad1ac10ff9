"""`--svg FILE`: a plan as a picture, beside what a verb says, or instead of it.

Law: a picture in a file leaves the rest of the output as it is; on stdout (`-`) it is the whole output.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from orchestrator.cli.output import say
from orchestrator.cli.writing import write_whole

svg_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--svg",
    type=click.Path(path_type=Path, allow_dash=True),
    metavar="FILE",
    help="Draw the plan as an SVG picture in FILE; - is stdout, and then nothing else.",
)

_STDOUT = Path("-")


def alone(svg: Path | None, *, beside: str | None) -> None:
    """Refuse a picture on stdout beside another output, which is named as its option is."""
    if svg == _STDOUT and beside:
        raise click.UsageError(f"--svg - and {beside} each are the whole output; name a file, or choose one")


def drawn(picture: str, svg: Path) -> bool:
    """Put the picture where it is due; whether that was stdout, so that there is nothing more to say."""
    if svg == _STDOUT:
        say(picture, nl=False)
        return True
    write_whole(svg, picture)
    say(f"drawn: {svg}", err=True)
    return False
