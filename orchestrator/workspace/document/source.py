"""The text of one file, with the place of every character of it.

Law: a fault shows where it is: line and column count from 1, in characters, the way an editor counts them;
the line is shown with it, but never a secret, and never a character that would garble a terminal.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass

from orchestrator.errors import Fault
from orchestrator.ids import Span
from orchestrator.workspace.secrets import secret_spans

MAX_BYTES = 1 << 20
"""A larger file is refused unread."""
_WIDTH = 160
_BREAK = re.compile(r"\r\n|\n|\r")
_NOT_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
_UNSHOWN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]")
_SECRET = "*"


@dataclass(frozen=True, slots=True)
class Source:
    """A file's name and text. `starts` are the offsets of its lines, `hidden` the ranges not to be shown."""

    file: str
    text: str
    starts: tuple[int, ...]
    hidden: tuple[Span, ...] = ()

    def fault(self, at: int, path: str, message: str) -> Fault:
        """The fault at an offset of the text."""
        line = bisect_right(self.starts, at)
        start = self.starts[line - 1]
        shown = self._shown(start)
        column = min(at - start, len(shown))
        first = max(0, min(column - _WIDTH // 2, len(shown) - _WIDTH))
        piece = shown[first : first + _WIDTH]
        if first:
            piece = "…" + piece[1:]
        if first + _WIDTH < len(shown):
            piece = piece[:-1] + "…"
        return Fault(self.file, line, column + 1, path, message, piece, first + 1)

    def _shown(self, start: int) -> str:
        """The line that begins there, of the same length, without what must not be seen."""
        end = _BREAK.search(self.text, start)
        line = self.text[start : end.start() if end else len(self.text)]
        for low, high in self.hidden:
            low, high = max(low - start, 0), min(high - start, len(line))  # noqa: PLW2901 - within the line
            if low < high:
                line = line[:low] + _SECRET * (high - low) + line[high:]
        return _UNSHOWN.sub("\ufffd", line)


def shown(text: str, most: int) -> str:
    """A text for a message: of so many characters at most, and escaped where it would garble a terminal."""
    text = text if len(text) <= most else f"{text[: most - 1]}…"
    return text if text.isprintable() else ascii(text)[1:-1]


def source_of(file: str, text: str, hidden: tuple[Span, ...] = ()) -> Source:
    """The text with its lines found."""
    return Source(file, text, (0, *(m.end() for m in _BREAK.finditer(text))), hidden)


def decode(file: str, raw: bytes) -> tuple[Source, tuple[Fault, ...]]:
    """The text of a file's bytes, and the fault where it is no text.

    A UTF-8 byte order mark at the start is left out: editors write it unasked, and it means nothing.
    """
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        source = source_of(file, "")
        return source, (source.fault(0, "", "the file is UTF-16; save it as UTF-8"),)
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        at, message = len(raw[: error.start].decode("utf-8")), f"byte {raw[error.start]:#04x} is not UTF-8"
        source = _unparsed(file, raw.decode("utf-8", "replace"))
        return source, (source.fault(at, "", f"{message}; save the file as UTF-8"),)
    odd = _NOT_TEXT.search(text)
    if odd is None:
        return source_of(file, text), ()
    source = _unparsed(file, text)
    message = f"the character U+{ord(odd[0]):04X} may not stand in YAML; take it out"
    return source, (source.fault(odd.start(), "", message),)


def _unparsed(file: str, text: str) -> Source:
    return source_of(file, text, secret_spans(text))
