"""Folding: two texts that a reader takes for the same words fold to the same characters.

Folded are case (Unicode case folding), composition (NFC), the kind of apostrophe (curly to straight) and the
kind of white space (beyond ASCII, to a blank); lone surrogates become U+FFFD. Dotted and dotless i: İ folds
to i, its dot dropped; I folds to i; ı stays ı. These are not the Turkish rules, where I would fold to ı.

Law: text is folded cluster by cluster (a character with the marks on it), and every folded character knows
which characters of the original its cluster is, so that a place in the folded text can be cited in the
original. A cluster of more than 31 characters is cut there: composing a longer one takes quadratic time.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, pairwise, repeat

_LONGEST_CLUSTER = 31
"""A base with 30 marks, the bound of Unicode's stream-safe text format (UAX 15)."""
_APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u201b\u02bc\uff07", "'"))


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text. `starts[i]` is where the cluster of `text[i]` begins in the original; one more entry
    holds the length of the original. Clusters tile the original, so a cluster ends where the next begins."""

    text: str
    starts: Sequence[int]

    def is_edge(self, at: int) -> bool:
        """Does a cluster begin or end here? Not within a ß, nor between a letter and its accent."""
        return at == 0 or self.starts[at - 1] != self.starts[at]


def fold(text: str) -> Folded:
    """The folded text with its way back to the original. Linear in the length of the text."""
    size = len(text)
    if text.isascii():
        return Folded(text.lower(), range(size + 1))
    clusters = _clusters(text)
    known = {cluster: fold_cluster(cluster) for cluster in set(clusters)}
    parts = [known[cluster] for cluster in clusters]
    folded = "".join(parts)
    if len(folded) == len(clusters) == size:
        return Folded(folded, range(size + 1))
    begins = accumulate(map(len, clusters), initial=0)
    starts = chain(chain.from_iterable(map(repeat, begins, map(len, parts))), (size,))
    return Folded(folded, tuple(starts))


@lru_cache(maxsize=8192)
def fold_cluster(cluster: str) -> str:
    """What one cluster folds to; never empty."""
    if cluster.isspace():
        return cluster if cluster.isascii() else " "
    if "\ud800" <= cluster[0] <= "\udfff":
        return "\ufffd" + fold_cluster(cluster[1:]) if len(cluster) > 1 else "\ufffd"
    cased = unicodedata.normalize("NFC", cluster).casefold().replace("i\u0307", "i")
    return unicodedata.normalize("NFC", cased).translate(_APOSTROPHES)


def _clusters(text: str) -> Sequence[str]:
    """The text cut before every character that does not join the one before it."""
    joining = {char for char in set(text) if _joins(char)}
    if not joining:
        return text
    cuts = [at for at, char in enumerate(text) if at == 0 or char not in joining]
    clusters = [text[start:end] for start, end in pairwise((*cuts, len(text)))]
    if max(map(len, clusters)) <= _LONGEST_CLUSTER:
        return clusters
    return [piece for cluster in clusters for piece in _cut(cluster)]


def _cut(cluster: str) -> Sequence[str]:
    return [cluster[at : at + _LONGEST_CLUSTER] for at in range(0, len(cluster), _LONGEST_CLUSTER)]


def _joins(char: str) -> bool:
    """Can this character compose with, or does it sit on, the one before it? Marks, and the letters of
    scripts that compose without marks: Hangul vowels and finals, Kirat Rai vowels."""
    if char < "\u0300":
        return False
    return (
        unicodedata.category(char)[0] == "M"
        or "\u1160" <= char <= "\u11ff"
        or "\U00016d63" <= char <= "\U00016d6a"
    )
