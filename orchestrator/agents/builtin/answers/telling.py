"""What a mail says in one sentence, taken from its own words.

Law: nothing is invented. Quoted text, signatures and greetings are left out; of what remains, the first
sentence with a request speaks for the mail, else the first with a day, a time or an amount, else the first
meaningful one.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from orchestrator.agents.builtin.asked import has_any
from orchestrator.agents.builtin.hours import find_time
from orchestrator.agents.builtin.when import find_period
from orchestrator.errors import TaskError

_ATTRIBUTION = re.compile(
    r"(?i)^(on\b.{5,200}\bwrote|.{0,80}\d.{0,80}\bwrote|-{2,} ?original message.*|_{20,})\s*:?$"
)
_SIGNATURE = re.compile(
    r"(?i)^(--\s?|sent from my \S.*|(best|kind|warm|many)? ?(regards|wishes|thanks)[,.!]?)$"
)
_AMOUNT = re.compile(r"[€$£¥]\s?\d|\d\s?[€£¥]|\b(?:EUR|USD|GBP|CHF)\s?\d|\d\s?(?:EUR|USD|GBP|CHF)\b")
_QUESTION = re.compile(r"\?(?=[\s\"”’)]|$)")  # and not the one in an address of the web
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”’)]?\s+(?=[\"“‘(]?[^\Wa-z_])")
_ABBREVIATED = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|No|Nos|approx|e\.g|i\.e|vs|etc)|\b[A-Z])\.$")


def fresh_text(text: str) -> str:
    """What the sender wrote this time: no quoted lines, nothing after a signature."""
    kept: list[str] = []
    for line in _joined_attributions(text).splitlines():
        stripped = line.strip()
        if _SIGNATURE.match(stripped) and any(k.strip() for k in kept):
            break
        if stripped.lower().startswith(("-----original message", "________")):
            break
        if not stripped.startswith(">") and not _ATTRIBUTION.match(stripped):
            kept.append(stripped)
    return "\n".join(kept).strip()


def _joined_attributions(text: str) -> str:
    """`On … wrote:` broken over two lines becomes one."""
    return re.sub(r"(?m)^(On\b[^\n>]{5,120})\n([^\n>]{0,120}wrote:)\s*$", r"\1 \2", text)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, white space evened out, greetings left out."""
    for paragraph in re.split(r"\n\s*\n", text):
        line = " ".join(paragraph.split())
        start = 0
        for end in [*(m.start() for m in _SENTENCE_END.finditer(line)), len(line)]:
            if end < len(line) and _ABBREVIATED.search(line[start:end]):
                continue
            sentence, start = line[start:end].strip(), end
            if _is_meaningful(sentence):
                yield sentence


def _is_meaningful(sentence: str) -> bool:
    """A greeting or a closing is short and ends with a comma, or is a single word or two."""
    words = sentence.split()
    return len(words) > 2 and not (len(words) <= 5 and sentence.endswith((",", "!")))


def telling_sentence(text: str, requests: Sequence[str], today: date, *, most: int = 180) -> str:
    """The sentence that speaks for the mail, cut at a word; empty where there is none."""
    found = list(sentences(fresh_text(text)))
    best = next((s for s in found if asks(s, requests)), None)
    best = best or next((s for s in found if _is_concrete(s, today)), None) or (found[0] if found else "")
    best = best[:1].upper() + best[1:]
    return best if len(best) <= most else f"{best[:most].rsplit(' ', 1)[0]} …"


def asks(text: str, requests: Sequence[str]) -> bool:
    """Whether somebody waits for an answer."""
    return _QUESTION.search(text) is not None or has_any(text, requests)


def _is_concrete(sentence: str, today: date) -> bool:
    if _AMOUNT.search(sentence):
        return True
    try:
        return find_period(sentence, today) is not None or find_time(sentence) is not None
    except TaskError:  # a day that no calendar has: somebody's typing error, still a day
        return True
