"""Many phrases, one pattern: where any of them occurs in a text, whatever the text and the phrases are.

The pattern only finds candidates. A phrase occurs where its folded words stand, separated by any white space,
begin and end at word boundaries, and cut no cluster of the original apart: that is decided here. `scan` gives
every occurrence; `leftmost_longest` and `maximal` choose among overlapping ones.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from orchestrator.ids import Span
from orchestrator.routing.fold import fold
from orchestrator.routing.pattern import Pattern, PhraseRefused, compile_phrases
from orchestrator.routing.words import is_boundary, next_boundary

LONGEST = 200
"""Most characters of a phrase: a longer one is a slip of the pen, and what a phrase costs grows with it."""
_SHOWN = 40


class PhraseHit(NamedTuple):
    """Phrase `number` stands at `start` to `end` of the original text (half-open). A tuple, since a
    long text makes many."""

    number: int
    start: int
    end: int


def normal(phrase: str) -> str:
    """The phrase folded, with one blank between words: equal for phrases that occur at the same places."""
    return " ".join(fold(phrase).text.split())


def fault_of(phrase: str) -> str | None:
    """Why this cannot be looked for, with the remedy; None where it can."""
    key = normal(phrase)
    if not key:
        return f"{phrase!r} has no visible character; write words, or take it out"
    if len(key) > LONGEST:
        return f"{phrase[:_SHOWN]!r}… has {len(key):,} characters, {LONGEST} are the most; shorten it"
    return None


class Phrases:
    """The compiled phrases. Of phrases that are the same when folded, hits name the first."""

    def __init__(
        self, phrases: Sequence[str], *, compiled: Callable[[Sequence[str]], Pattern] = compile_phrases
    ) -> None:
        """Raises PhraseRefused for a phrase with a fault, or for more than re2 can compile."""
        self._numbers: dict[str, int] = {}
        for number, phrase in enumerate(phrases):
            if fault := fault_of(phrase):
                raise PhraseRefused(phrase, fault)
            self._numbers.setdefault(normal(phrase), number)
        self._pattern = compiled(tuple(self._numbers)) if self._numbers else None
        self._entangled = _entangled(self._pattern, self._numbers) if self._pattern else frozenset[str]()

    def scan(self, text: str) -> tuple[PhraseHit, ...]:
        """Every occurrence of every phrase, by start, the longer first."""
        if self._pattern is None:
            return ()
        folded = fold(text)
        words, starts = folded.text, folded.starts
        return tuple(
            [
                PhraseHit(self._numbers[key], starts[start], starts[end])
                for key, start, end in self._candidates(self._pattern, words)
                if is_boundary(words, start) and is_boundary(words, end)
                if folded.is_edge(start) and folded.is_edge(end)
            ]
        )

    def _candidates(self, pattern: Pattern, text: str) -> Iterator[tuple[str, int, int]]:
        """Where the characters of a phrase stand, whatever is beside them. Where the phrase found may hold
        the beginning of another one, the search goes on inside it; else behind it."""
        place = _Place(text)
        found = pattern.finditer(place.data, 0)
        while match := next(found, None):
            first, last = match.span()
            start = place.char_at(first)
            end = start + place.width(first, last)
            key = self._key(text[start:end])
            yield key, start, end
            if key in self._entangled:
                yield from self._shorter(pattern, place, (first, last), start)
                found = pattern.finditer(place.data, place.byte_at(next_boundary(text, start)))

    def _shorter(
        self, pattern: Pattern, place: "_Place", span: Span, start: int
    ) -> Iterator[tuple[str, int, int]]:
        """The other phrases that begin where the one at `span` (in bytes) does, the longest first."""
        first, last = span
        while match := pattern.match(place.data, first, last - 1):
            last = match.span()[1]
            end = start + place.width(first, last)
            yield self._key(place.text[start:end]), start, end

    def _key(self, found: str) -> str:
        return found if found in self._numbers else " ".join(found.split())


class _Place:
    """Where a scan stands, in bytes of UTF-8 and in characters. It only moves on, so that all its steps
    together read the text once."""

    __slots__ = ("_ascii", "_byte", "_char", "data", "text")

    def __init__(self, text: str) -> None:
        self.text, self.data = text, text.encode()
        self._ascii = len(self.data) == len(text)
        self._byte = self._char = 0

    def char_at(self, byte: int) -> int:
        if self._ascii:
            return byte
        self._char += self.width(self._byte, byte)
        self._byte = byte
        return self._char

    def byte_at(self, char: int) -> int:
        """Of a character at or after the last `char_at`."""
        return char if self._ascii else self._byte + len(self.text[self._char : char].encode())

    def width(self, first: int, last: int) -> int:
        return last - first if self._ascii else len(self.data[first:last].decode())


def leftmost_longest(hits: Iterable[PhraseHit]) -> tuple[PhraseHit, ...]:
    """Of hits as `scan` orders them, those that do not overlap: the leftmost first, there the longest."""
    chosen: list[PhraseHit] = []
    for hit in hits:
        if not chosen or hit.start >= chosen[-1].end:
            chosen.append(hit)
    return tuple(chosen)


def maximal(hits: Iterable[PhraseHit]) -> tuple[PhraseHit, ...]:
    """Of hits as `scan` orders them, those that lie in no longer one; their starts and ends both increase."""
    chosen: list[PhraseHit] = []
    for hit in hits:
        if not chosen or hit.end > chosen[-1].end:
            chosen.append(hit)
    return tuple(chosen)


def _entangled(pattern: Pattern, keys: Iterable[str]) -> frozenset[str]:
    """The phrases inside which, or at whose beginning, another one may begin."""
    ordered = sorted(keys)
    return frozenset(key for key in ordered if any(_begins(pattern, ordered, key, at) for at in _places(key)))


def _places(key: str) -> Iterator[int]:
    return (at for at in range(len(key)) if key[at] != " " and is_boundary(key, at))


def _begins(pattern: Pattern, ordered: Sequence[str], key: str, at: int) -> bool:
    """May another phrase than `key` begin at `key[at]`, within it or going on behind it?"""
    data, first = key.encode(), len(key[:at].encode())
    if pattern.match(data, first, len(data) - (at == 0)):
        return True
    after = bisect_left(ordered, key[at:])
    return at > 0 and after < len(ordered) and ordered[after].startswith(key[at:])
