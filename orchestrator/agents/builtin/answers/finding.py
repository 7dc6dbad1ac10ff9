"""Which notes a search finds, and in which order. Pure.

Laws: a word in the title counts most, then one in a heading, then in the text, where often counts a little
more than once; a rare word counts more than one that stands everywhere. A note with more of the words comes
before one with fewer, and only those with the most are found. Equal ones are in the order of their names.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from orchestrator.agents.builtin.asked import stems_of
from orchestrator.agents.builtin.formats.markdown import Note, Section
from orchestrator.agents.builtin.formats.plain import one_line

_TITLE, _HEADING, _PHRASE = 6.0, 3.0, 2.0
_EXCERPT = 160


@dataclass(frozen=True, slots=True)
class Hit:
    """A note that has some of the words: what each word is worth in it, and the section that tells most."""

    name: str
    title: str
    heading: str
    excerpt: str
    worth: Mapping[str, float]
    phrase: bool


def hit_in(note: Note, words: Sequence[str]) -> Hit | None:
    """What a search for the words (stems) finds in a note."""
    title = set(stems_of(note.title)) | set(stems_of(note.name))
    texts = [note.body(section) for section in note.sections]
    headings = {stem for section in note.sections for stem in stems_of(section.heading)}
    stems = [stems_of(text) for text in texts]
    counts = Counter(stem for section in stems for stem in section)
    worth = {w: _worth(w, title, headings, counts[w]) for w in words}
    found = {w: value for w, value in worth.items() if value}
    if not found:
        return None
    further = [w for w in words if w not in title] or words
    best = max(range(len(texts)), key=lambda n: (*_telling(note.sections[n], stems[n], further), -n))
    phrase = len(words) > 1 and any(_in_a_row(words, section) for section in stems)
    heading = note.sections[best].heading
    return Hit(note.name, note.title, heading, excerpt_of(texts[best], words), found, phrase)


def ranked(hits: Iterable[Hit], notes: int) -> tuple[Hit, ...]:
    """The hits with the most of the words, best first; `notes` is how many were searched."""
    all_hits = tuple(hits)
    most = max((len(h.worth) for h in all_hits), default=0)
    with_word = Counter(word for hit in all_hits for word in hit.worth)

    def score(hit: Hit) -> float:
        known = sum(value * math.log(1 + notes / with_word[w]) for w, value in hit.worth.items())
        return known + _PHRASE * hit.phrase

    return tuple(sorted((h for h in all_hits if len(h.worth) == most), key=lambda h: (-score(h), h.name)))


def excerpt_of(text: str, words: Sequence[str]) -> str:
    """The line that has most of the words, or the first one; around the first of them, where it is long."""
    lines = [bare for line in text.split("\n") if (bare := _bare(line))]
    if not lines:
        return ""
    wanted = set(words)
    best = max(lines, key=lambda line: len(wanted & set(stems_of(line))))
    if len(best) <= _EXCERPT:
        return best
    places = [m.start() for m in re.finditer(r"\S+", best) if wanted & set(stems_of(m[0]))]
    begin = max(0, min((places or [0])[0] - _EXCERPT // 3, len(best) - _EXCERPT))
    cut = best[begin : begin + _EXCERPT].strip()
    return f"{'…' if begin else ''}{cut}{'…' if begin + _EXCERPT < len(best) else ''}"


def _worth(word: str, title: set[str], headings: set[str], count: int) -> float:
    return _TITLE * (word in title) + _HEADING * (word in headings) + count / (count + 1)


def _telling(section: Section, stems: Sequence[str], words: Sequence[str]) -> tuple[int, float]:
    """How many of the words a section has, and how much of them."""
    heading, counts = set(stems_of(section.heading)), Counter(stems)
    has = sum(w in heading or counts[w] > 0 for w in words)
    return has, sum(_worth(w, set(), heading, counts[w]) for w in words)


def _in_a_row(words: Sequence[str], stems: Sequence[str]) -> bool:
    return f" {' '.join(words)} " in f" {' '.join(stems)} "


def _bare(line: str) -> str:
    """A line without what makes it a heading, an item or a quotation; empty for a rule or a fence."""
    bare = one_line(re.sub(r"^\s*(?:[-*+>]\s+|\d+[.)]\s+|#+\s+|\[[ xX]\]\s+)*", "", line))
    return "" if re.fullmatch(r"[-*_=`~\s]*\w*", bare) and not re.search(r"\w\w", bare) else bare
