"""Which words of the request each task serves, and whether any are left over.

Law: each detected part has a task and each task a part, or there is a warning that names it. What a planner
says of its tasks is not taken for their span: code finds it, the same for the same words.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from orchestrator.ids import Span
from orchestrator.planning.task import Task

_WORD = re.compile(r"\w+")
_FIRST_WITHOUT_SPACES = 0x0E00
"""Thai; Chinese and Japanese come after it."""


def spans(actions: Sequence[str], text: str, asked: Span, parts: Sequence[Span]) -> tuple[Span | None, ...]:
    """The range of `text` that each action serves: its own words, else the part that shares most with it.

    An action that is in the text twice takes the first place that no earlier action has.
    """
    found: list[Span | None] = []
    taken: set[Span] = set()
    candidates = _Candidates(text, parts or (asked,))
    for action in actions:
        literal = _literal(action, text, asked)
        span = next(
            (s for s in literal if s not in taken), literal[0] if literal else candidates.best(action)
        )
        found.append(span)
        if span is not None:
            taken.add(span)
    return tuple(found)


def uncovered(tasks: Sequence[Task], text: str, parts: Sequence[Span]) -> tuple[str, ...]:
    """A warning for each part without a task, and for each task without a part."""
    served = [t.source_span for t in tasks if t.source_span is not None]
    return (*_forgotten(served, text, parts), *_groundless(tasks))


def _forgotten(served: Sequence[Span], text: str, parts: Sequence[Span]) -> Iterator[str]:
    for start, end in parts:
        if not any(a < end and start < b for a, b in served):
            yield f"no task serves “{text[start:end]}”"


def _groundless(tasks: Sequence[Task]) -> Iterator[str]:
    for task in tasks:
        if task.source_span is None:
            yield f"task {task.id!r} ({task.action}) serves no words of the request that could be found"


def _literal(action: str, text: str, asked: Span) -> list[Span]:
    """Every place of the action's words in what is asked, in any case and with any white space."""
    words = action.split()
    if not words:
        return []
    before = r"(?<!\w)" if _is_bounded(words[0][0]) else ""
    after = r"(?!\w)" if _is_bounded(words[-1][-1]) else ""
    pattern = re.compile(before + r"\s+".join(map(re.escape, words)) + after, re.IGNORECASE)
    return [m.span() for m in pattern.finditer(text, *asked)]


def _is_bounded(character: str) -> bool:
    """Whether a word ends at this letter; scripts without spaces have no such end."""
    return character.isalnum() and ord(character) < _FIRST_WITHOUT_SPACES


class _Candidates:
    """The parts of a request, by their words. A word that several parts have speaks for each of them less."""

    def __init__(self, text: str, parts: Sequence[Span]) -> None:
        self._parts = tuple((span, _words(text[slice(*span)])) for span in parts)
        self._shared_by = Counter(word for _, words in self._parts for word in words)

    def best(self, action: str) -> Span | None:
        """The part that shares most with the action; the first of equals.

        Among several it must share what amounts to one word of its own; a sole part, half the action's words.
        """
        words = _words(action)
        scored = [(sum(1 / self._shared_by[w] for w in words & own), span) for span, own in self._parts]
        score, span = max(scored, key=lambda s: s[0])
        enough = 1 if len(self._parts) > 1 else max(1, len(words) / 2)
        return span if score >= enough else None


def _words(text: str) -> frozenset[str]:
    return frozenset(w.casefold() for w in _WORD.findall(text))
