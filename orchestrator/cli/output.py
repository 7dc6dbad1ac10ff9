"""How verbs speak: one JSON document on stdout, or text for people; everything else goes to stderr.

Law: whoever wrote a text (a mail, a model, the person who asks), no character of it commands a terminal; and
whatever it is written in, every stream takes it.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any

import click

from orchestrator.cli.terminal import is_coloured, is_unicode, width_of

json_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--json", "as_json", is_flag=True, help="One JSON document on stdout, nothing else."
)


_COMMANDS = (
    *range(0x09),
    *range(0x0B, 0x20),
    *range(0x7F, 0xA0),
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
)
"""Control characters but for tab and line break, and marks that turn the direction of what follows."""
_SURROGATES = range(0xD800, 0xE000)
_PLAIN = dict.fromkeys((*_COMMANDS, *_SURROGATES), "\ufffd")
_ESCAPED = {code: f"\\u{code:04x}" for code in (*_COMMANDS, *_SURROGATES)}


def plain(text: str) -> str:
    """The text with every character that a terminal would obey, or that is none, shown as U+FFFD."""
    return text.translate(_PLAIN)


def say(text: str, *, err: bool = False, nl: bool = True, **style: Any) -> None:
    """Write text for a person to stdout, or stderr; `style` is click's, where the stream takes colours."""
    shown = plain(text)
    if style and is_coloured(sys.stderr if err else sys.stdout, os.environ):
        click.echo(click.style(shown, **style), err=err, nl=nl, color=True)
    else:
        click.echo(shown, err=err, nl=nl)


def emit(document: object) -> None:
    """Write one JSON document to stdout, in ASCII where the stream cannot take every character."""
    unicode = is_unicode(sys.stdout)
    indent = 2 if sys.stdout.isatty() else None
    text = json.dumps(document, ensure_ascii=not unicode, indent=indent)
    click.echo(text.translate(_ESCAPED))


def warn(messages: Iterable[str]) -> None:
    """Write warnings to stderr, a line each."""
    for message in messages:
        say("warning: ", err=True, nl=False, fg="yellow")
        say(message, err=True)


def columns(*, err: bool = False) -> int:
    """How wide a drawing is that goes to stdout or stderr; 100 where nobody says."""
    return width_of(sys.stderr if err else sys.stdout, os.environ) or 100


def room(*, err: bool = False) -> int | None:
    """How wide a table may be: where it goes to no terminal, as wide as it gets."""
    stream = sys.stderr if err else sys.stdout
    return width_of(stream, os.environ) if stream.isatty() else None


def has_person() -> bool:
    """Is there somebody to ask: a terminal to read from and one to ask on?"""
    streams = (sys.stdin, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in streams)


def quoted(text: str, start: int, end: int) -> str:
    """`start-end "words"` of a span, 1-based as positions in messages are."""
    return f'{start + 1}-{end} "{text[start:end]}"'
