"""Keywords that decide nothing: said twice, shared, never found, or taken apart by a cue.

Law: time is linear in what the operator wrote; no keyword is held against each other one.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from orchestrator.ids import AgentName, IntentName
from orchestrator.lints.subject import Subject
from orchestrator.routing.phrases import normal
from orchestrator.workspace.value import Doubt, Spot

_WALL = " \ue000 "
"""Stands between the keywords of one text: a word that no phrase has."""
_AMONG_WORDS = "so {} so"
_CUTTING = ("sequential", "parallel", "compound")
"""The cues at which a turn always comes apart; a distributive one may stay in its part."""


class _Keyword(NamedTuple):
    """A keyword where it is written: `at` is its place in the list of its intent."""

    agent: AgentName
    intent: IntentName
    at: int
    text: str

    @property
    def path(self) -> str:
        return f"intents.{self.intent}.keywords[{self.at}]"


def keyword_doubts(subject: Subject) -> Iterator[Doubt]:
    """What is to be doubted of the keywords of a workspace."""
    written: dict[str, list[_Keyword]] = {}
    for keyword in _keywords(subject):
        written.setdefault(normal(keyword.text), []).append(keyword)
    for same in written.values():
        if len(same) > 1:
            yield from _same(subject, same)
    distinct = [same[0] for same in written.values()]
    yield from _unmatched(subject, distinct)
    yield from _cut(subject, distinct)
    yield from _shadowed(subject, written)


def _keywords(subject: Subject) -> Iterator[_Keyword]:
    for name, agent in subject.workspace.agents.items():
        for intent, config in agent.intents.items():
            for at, text in enumerate(config.keywords):
                yield _Keyword(name, IntentName(intent), at, text)


def _same(subject: Subject, same: Sequence[_Keyword]) -> Iterator[Doubt]:
    """Of places where one keyword stands: twice in one intent, or in the intents of two agents."""
    seen: dict[str, _Keyword] = {}
    for keyword in same:
        before = seen.setdefault(keyword.intent, keyword)
        if before is not keyword:
            message = f"{keyword.text!r} is a keyword of this intent already; take it out"
            yield Doubt("keyword-twice", _spot(subject, keyword), message, (_spot(subject, before),))
    first, *others = seen.values()
    foreign = [keyword for keyword in others if keyword.agent != first.agent]
    if foreign:
        named = ", ".join(f"{k.agent} ({k.intent})" for k in (first, *foreign[1:]))
        message = (
            f"{foreign[0].text!r} speaks for {named} as well, so it does not decide between them; keep it in "
            "one, or write a longer phrase"
        )
        also = tuple(_spot(subject, keyword) for keyword in (first, *foreign[1:]))
        yield Doubt("keyword-shared", _spot(subject, foreign[0]), message, also)


def _unmatched(subject: Subject, keywords: Sequence[_Keyword]) -> Iterator[Doubt]:
    """Between blanks an ASCII phrase is always found; of others, a mark may cling to the blank before it."""
    for keyword in keywords:
        if keyword.text.isascii():
            continue
        found = subject.router.keywords.find(_AMONG_WORDS.format(keyword.text))
        if not any(hit.end - hit.start == len(keyword.text.strip()) for hit in found):
            message = f"{keyword.text!r} is found in no turn with other words; take it out, or write it anew"
            yield Doubt("keyword-never-matches", _spot(subject, keyword), message)


def _cut(subject: Subject, keywords: Sequence[_Keyword]) -> Iterator[Doubt]:
    """Keywords with a cue inside. All are looked through as one text; what a cue touches there, alone."""
    cues, starts, end = subject.router.cues, list[int](), 0
    for keyword in keywords:
        starts.append(end + len(_WALL))
        end = starts[-1] + len(keyword.text)
    hits = cues.hits(_WALL.join(["", *(keyword.text for keyword in keywords)])) if keywords else ()
    touched = {
        bisect_right(starts, start) - 1 for hit in hits if not hit.is_judged for start, _ in hit.pieces
    }
    for keyword in (keywords[at] for at in sorted(touched)):
        hit = next((hit for hit in cues.hits(keyword.text) if hit.meaning in _CUTTING), None)
        if hit is not None:
            message = (
                f"the cue {hit.cue!r} is inside {keyword.text!r}, so that a turn with it comes apart there; "
                "take one of the two out"
            )
            yield Doubt("keyword-holds-cue", _spot(subject, keyword), message)


def _shadowed(subject: Subject, written: Mapping[str, Sequence[_Keyword]]) -> Iterator[Doubt]:
    """An intent all of whose keywords another one has: whatever speaks for it speaks for that one too."""
    order = {intent.name: at for at, intent in enumerate(subject.router.keywords.intents)}
    rivals: dict[_Intent, set[_Intent]] = {}
    for same in written.values():
        listing = {_Intent(keyword.agent, keyword.intent) for keyword in same}
        for intent in listing:
            others = listing - {intent}
            rivals[intent] = rivals[intent] & others if intent in rivals else others
    for intent, others in rivals.items():
        if others:
            rival = min(others, key=lambda other: order[other.name])
            first = order[rival.name] < order[intent.name]
            never = "no turn ever goes here" if first else "it never leads"
            message = (
                f"all keywords of '{intent.name}' are also those of '{rival.name}' ({rival.agent}), so that "
                f"{never}; give it words of its own"
            )
            spot = subject.spot(intent.agent, f"intents.{intent.name}", at_key=True)
            also = (subject.spot(rival.agent, f"intents.{rival.name}", at_key=True),)
            yield Doubt("intent-shadowed", spot, message, also)


class _Intent(NamedTuple):
    agent: AgentName
    name: IntentName


def _spot(subject: Subject, keyword: _Keyword) -> Spot:
    return subject.spot(keyword.agent, keyword.path)
