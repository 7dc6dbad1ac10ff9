"""How verbs speak: one JSON document on stdout, or text for people; everything else goes to stderr.

Law: whoever wrote a text (a mail, a model, the person who asks), no character of it commands a terminal, and
what is written is always UTF-8. Tables are drawn with rich, which honours `NO_COLOR`.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

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


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Write text for a person to stdout, or stderr."""
    click.echo(plain(text), err=err, nl=nl)


def emit(document: object) -> None:
    """Write one JSON document to stdout."""
    text = json.dumps(document, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None)
    click.echo(text.translate(_ESCAPED))


def warn(messages: Iterable[str]) -> None:
    """Write warnings to stderr, a line each."""
    for message in messages:
        say(f"warning: {message}", err=True)


def columns(*, err: bool = False) -> int:
    """How wide the terminal is that a text goes to; 100 where it goes elsewhere."""
    stream = sys.stderr if err else sys.stdout
    wide = os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    return wide or 100


def has_person() -> bool:
    """Is there somebody to ask: a terminal to read from and one to ask on?"""
    streams = (sys.stdin, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in streams)


def console(*, stderr: bool = False) -> "Console":
    """A rich console; where the stream is no terminal it wraps nothing and colours nothing."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, highlight=False, markup=False, soft_wrap=not stream.isatty())


def quoted(text: str, start: int, end: int) -> str:
    """`start-end "words"` of a span, 1-based as positions in messages are."""
    return f'{start + 1}-{end} "{text[start:end]}"'
