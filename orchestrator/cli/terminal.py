"""What a stream can show: colour, a list that is drawn anew, and how wide a line is.

Laws: `NO_COLOR` takes colour away whoever wants it; `FORCE_COLOR` and `CLICOLOR_FORCE` put it where no
terminal is; nothing is drawn anew but on a terminal that can move its cursor; `COLUMNS` says how wide a line
is, else the terminal does.
"""

import io
import os
from collections.abc import Mapping
from typing import TextIO

_UNABLE = ("dumb", "unknown")


def is_coloured(stream: TextIO, env: Mapping[str, str]) -> bool:
    """Whether colours and bold letters are for this stream."""
    if env.get("NO_COLOR"):
        return False
    if any(env.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return is_lively(stream, env) and env.get("CLICOLOR") != "0"


def is_lively(stream: TextIO | None, env: Mapping[str, str]) -> bool:
    """Whether what was written to the stream can be drawn anew."""
    return stream is not None and stream.isatty() and env.get("TERM", "") not in _UNABLE


def width_of(stream: TextIO, env: Mapping[str, str]) -> int | None:
    """How many columns a line has, None where nobody says."""
    told = env.get("COLUMNS", "")
    if told.isdecimal() and int(told) > 0:
        return int(told)
    return (os.get_terminal_size(stream.fileno()).columns or None) if stream.isatty() else None


def is_unicode(stream: TextIO) -> bool:
    """Whether the stream takes every character; one in memory does."""
    encoding: str | None = getattr(stream, "encoding", None)
    return encoding is None or encoding.lower().replace("-", "").startswith("utf")


def soften(*streams: TextIO | None) -> None:
    """Let no character or byte be a reason to stop: what a stream cannot carry becomes `?`, or U+FFFD."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
