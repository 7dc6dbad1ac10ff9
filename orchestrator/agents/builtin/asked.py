"""What a request says besides its day: the phrases after marker words, and the words that carry meaning.

Law: which words mark or mean nothing is the operator's (options), not this module's; matching is blind to
case and accents and goes by whole words. Time is linear in the text.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence

from orchestrator.agents.contract import AgentType, Call
from orchestrator.errors import TaskError
from orchestrator.ids import Span

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_STOP = r"[;?!\n]"
_SHORTEST_PLURAL = 3
_SHORT, _MOST_NEAR, _ALIKE = 2, 3, 0.75


def operation_of(call: Call, kind: AgentType) -> str:
    """The operation the call names, or the type's default one."""
    wanted = call.operation or kind.operations[0]
    if wanted not in kind.operations:
        known = ", ".join(kind.operations)
        raise TaskError(
            f"an agent of type {kind.name!r} has no operation {wanted!r}; it has: {known}. Correct the intent"
        )
    return wanted


def folded(text: str) -> str:
    """The text without case and accents."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, folded, without a possessive ending."""
    return tuple(re.sub(r"['’]s?$", "", w) for w in _WORD.findall(folded(text)))


def stems_of(text: str) -> tuple[str, ...]:
    """The words of a text, one of several things like one of them: `invoices` is `invoice`."""
    return tuple(w[:-1] if len(w) > _SHORTEST_PLURAL and w.endswith("s") else w for w in words_of(text))


def telling_words(text: str, ignore: Collection[str]) -> tuple[str, ...]:
    """The words of a text as they are written, each once, without those to be ignored."""
    return tuple(dict.fromkeys(w for w in _WORD.findall(text) if not set(words_of(w)) & set(ignore)))


def without(text: str, span: Span) -> str:
    """The text with a stretch taken out; what stood before and after stays apart."""
    return f"{text[: span[0]]} ; {text[span[1] :]}"


def has_any(text: str, phrases: Sequence[str]) -> bool:
    """Whether one of the phrases occurs, as whole words."""
    return _phrases(phrases).search(text) is not None


def phrases_after(text: str, markers: Sequence[str], stops: Sequence[str]) -> tuple[str, ...]:
    """What follows each marker, up to the next marker, stop or end of sentence."""
    ends = re.compile(f"{_phrases([*markers, *stops]).pattern}|{_STOP}", re.IGNORECASE)
    return tuple(p for p in _phrases_after(text, _phrases(markers), ends) if p)


def _phrases_after(text: str, marker: re.Pattern[str], ends: re.Pattern[str]) -> Iterator[str]:
    for match in marker.finditer(text):
        end = ends.search(text, match.end())
        yield text[match.end() : end.start() if end else len(text)].strip(" \t.,:\"'“”‘’")


def nearest_names(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names that are written almost so, or have a word that is; the most alike first."""
    from difflib import get_close_matches

    whole = {" ".join(words_of(n)): n for n in names}
    spelt = {word: n for words, n in whole.items() for word in words.split() if len(word) > _SHORT} | whole
    close = get_close_matches(" ".join(words_of(name)), spelt, n=_MOST_NEAR, cutoff=_ALIKE)
    return tuple(dict.fromkeys(spelt[word] for word in close))


def split_names(phrase: str, joins: Sequence[str]) -> tuple[str, ...]:
    """`Bob, Alice and Eve` → the three."""
    parts = re.split(f"{_phrases(joins).pattern}|,", phrase, flags=re.IGNORECASE)
    return tuple(p.strip() for p in parts if p.strip())


def any_phrase(phrases: Sequence[str]) -> str:
    """The source of a pattern for all phrases, whole words, the longest first; for any case."""
    longest_first = sorted(phrases, key=len, reverse=True)
    any_of = "|".join(r"\s+".join(map(re.escape, p.split())) for p in longest_first) or "(?!)"
    return rf"(?<!\w)(?:{any_of})(?!\w)"


def _phrases(phrases: Sequence[str]) -> re.Pattern[str]:
    return re.compile(any_phrase(phrases), re.IGNORECASE)
