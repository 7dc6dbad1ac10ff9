"""What the options of these agents have in common: sizes, days, times, and the file itself."""

import re
from datetime import date, time, timedelta
from typing import Annotated

from pydantic import BeforeValidator, Field, PlainSerializer, WithJsonSchema

from orchestrator.workspace.models import Knobs, Text

_SPANS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_SIZES = {"KiB": 1024, "MiB": 1024**2, "GiB": 1024**3}
_SIZE = r"^[0-9]{1,6} ?(KiB|MiB|GiB)$"
_TIME = r"^[0-9]{2}:[0-9]{2}$"
_SPAN = r"^[0-9]{1,4}(m|h|d|w)$"


def _bytes(value: object) -> int:
    match = re.fullmatch(_SIZE, value) if isinstance(value, str) else None
    if match is None:
        raise ValueError("a size needs a number and a unit: 500KiB, 64MiB or 1GiB")
    return int(match[0].removesuffix(match[1])) * _SIZES[match[1]]


def _day(value: object) -> object:
    if isinstance(value, (date, str)):
        return value
    raise ValueError("a day is written as 2026-11-30")


def _time_of_day(value: object) -> object:
    if isinstance(value, str) and re.fullmatch(_TIME, value):
        return value
    raise ValueError('a time of day is written in quotes: "09:00"')


def _span(value: object) -> timedelta:
    match = re.fullmatch(_SPAN, value) if isinstance(value, str) else None
    if match is None:
        raise ValueError("a span of time needs a number and a unit: 30m, 2h, 1d or 1w")
    return int(match[0].removesuffix(match[1])) * _SPANS[match[1]]


def _written(pattern: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": pattern})


def size_text(size: int) -> str:
    """`1048576` → `1MiB`."""
    unit = max((u for u, n in _SIZES.items() if size % n == 0), key=lambda u: _SIZES[u])
    return f"{size // _SIZES[unit]}{unit}"


def _span_text(span: timedelta) -> str:
    unit = max((u for u, n in _SPANS.items() if not span % n), key=lambda u: _SPANS[u])
    return f"{span // _SPANS[unit]}{unit}"


Size = Annotated[
    int,
    Field(gt=0),
    BeforeValidator(_bytes),
    PlainSerializer(size_text),
    _written(_SIZE),
]
Day = Annotated[date, BeforeValidator(_day)]
TimeOfDay = Annotated[
    time,
    BeforeValidator(_time_of_day),
    PlainSerializer(lambda at: f"{at:%H:%M}", return_type=str),
    _written(_TIME),
]
Span = Annotated[timedelta, BeforeValidator(_span), PlainSerializer(_span_text), _written(_SPAN)]


class FileOptions(Knobs):
    """What every agent with a file has."""

    file: Text
    """The file, relative to the workspace; absolute paths and `~` are fine."""
    max_size: Size = 64 * 1024**2
    """A larger file is refused rather than half read."""


class ReadOptions(FileOptions):
    """What every agent that reads a file has."""

    as_of: Day | None = None
    """The day a sample was written for: dates are moved by whole days so that this day is today. Leave it out
    for your own files."""

    def shift(self, today: date) -> timedelta:
        """By how much the dates of the file are moved."""
        return timedelta() if self.as_of is None else today - self.as_of
