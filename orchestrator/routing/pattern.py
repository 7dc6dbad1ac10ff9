"""The door to google-re2: phrases become one pattern that reads any text in linear time.

Phrases come folded, their words separated by one blank; they are escaped, so that no operator writes a
regular expression by accident. Of several phrases at one place the pattern finds the longest.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from orchestrator.errors import UserError

_SPACE = r"[\t-\r\x1c-\x20]+"
"""White space of ASCII; folding has turned every other kind into a blank."""
_LEAST_MEMORY = 8 << 20
_MEMORY_PER_BYTE = 1 << 10
"""re2 refuses a program above its bound. Measured: 2,000 phrases need more than 8 MiB, 32 MiB suffice."""


class PhraseRefused(UserError):
    """A phrase that cannot be looked for; `phrase` is None where all of them together are too much."""

    def __init__(self, phrase: str | None, message: str) -> None:
        self.phrase = phrase
        super().__init__(message)


class Match(Protocol):
    """Where a pattern was found, in bytes."""

    def span(self) -> tuple[int, int]:
        """First byte, and the one after the last."""
        ...


class Pattern(Protocol):
    """What is used of a compiled pattern; texts are UTF-8, so that nothing is encoded twice."""

    def finditer(self, text: bytes, pos: int, /) -> Iterator[Match]:
        """Matches from `pos` on that do not overlap, each found when it is asked for."""
        ...

    def match(self, text: bytes, pos: int, endpos: int, /) -> Match | None:
        """The longest match that begins at `pos` and ends at `endpos` or before."""
        ...


def compile_phrases(phrases: Sequence[str]) -> Pattern:
    """One pattern for all. Raises PhraseRefused, naming the phrase, where re2 cannot take it."""
    pattern, reason = _attempt(phrases)
    if pattern is not None:
        return pattern
    for phrase in phrases:
        if (alone := _attempt((phrase,)))[0] is None:
            raise PhraseRefused(phrase, f"the phrase {phrase[:60]!r} cannot be compiled: {alone[1]}")
    raise PhraseRefused(None, f"{len(phrases):,} phrases are too much for one pattern: {reason}")


def _attempt(phrases: Sequence[str]) -> tuple[Pattern | None, str]:
    """The pattern, or None and re2's reason."""
    import re2  # its package ships no types: `Any` ends at this function

    engine: Any = re2
    source = "|".join(_bounded(_SPACE.join(map(engine.escape, p.split(" "))), p) for p in phrases).encode()
    options = engine.Options()
    options.longest_match = options.never_capture = True
    options.log_errors = False
    options.max_mem = min(_LEAST_MEMORY + _MEMORY_PER_BYTE * len(source), 2 << 30)
    try:
        return engine.compile(source, options), ""
    except engine.error as error:
        return None, str(error)


def _bounded(source: str, phrase: str) -> str:
    """Saves candidates, decides nothing: re2's `\\b` knows ASCII only, but where it fails beside an ASCII
    letter or digit the true boundary fails too."""
    return rf"{_edge(phrase[0])}{source}{_edge(phrase[-1])}"


def _edge(char: str) -> str:
    return r"\b" if char.isascii() and (char.isalnum() or char == "_") else ""
