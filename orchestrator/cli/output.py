"""How verbs speak: one JSON document on stdout, or text for people; everything else goes to stderr.

Text is written with rich where stdout is a terminal and plainly where it is not, so that pipes get no
control characters; `NO_COLOR` is honoured by rich itself.
"""

import json
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

json_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--json", "as_json", is_flag=True, help="One JSON document on stdout, nothing else."
)


def emit(document: object) -> None:
    """Write one JSON document to stdout."""
    click.echo(json.dumps(document, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None))


def warn(messages: Iterable[str]) -> None:
    """Write warnings to stderr, a line each."""
    for message in messages:
        click.echo(f"warning: {message}", err=True)


def console(*, stderr: bool = False) -> "Console":
    """A rich console; where the stream is no terminal it wraps nothing and colours nothing."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, highlight=False, markup=False, soft_wrap=not stream.isatty())


def quoted(text: str, start: int, end: int) -> str:
    """`start-end "words"` of a span, 1-based as positions in messages are."""
    return f'{start + 1}-{end} "{text[start:end]}"'
