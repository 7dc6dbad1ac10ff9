"""The keyword scorer: which intents a text speaks for, by the words their agents list. No model, no training.

A keyword found in the text counts once, however often it stands there, and not at all where it lies inside a
longer one ("invoices" inside "overdue invoices"). It gives each intent that lists it

    (1 + 0.5 × (words − 1)) / number of intents that list it

so that longer phrases say more, and shared ones little. With s the sum of an intent and o the greatest sum of
another, the confidence is s / (s + o + 0.25): 0.8 for one keyword against none, 0.44 for one against one.
Equal sums are ordered as the workspace declares the intents.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from orchestrator.errors import Fault, WorkspaceInvalid
from orchestrator.ids import AgentName, IntentName
from orchestrator.routing.pattern import PhraseRefused
from orchestrator.routing.phrases import PhraseHit, Phrases, fault_of, maximal, normal
from orchestrator.routing.route import Candidate, Evidence

if TYPE_CHECKING:
    from orchestrator.workspace.agent_file import AgentFile
    from orchestrator.workspace.models import RoutingFile

NAME = "keyword"
_PER_WORD = 0.5
_DOUBT = 0.25


@dataclass(frozen=True, slots=True)
class Intent:
    """An intent of an agent, with the description a model is shown."""

    name: IntentName
    agent: AgentName
    kind: str
    description: str


@dataclass(frozen=True, slots=True)
class _Keyword:
    """What one phrase is worth to each intent that lists it, and how that intent writes it."""

    worth: float
    written: tuple[tuple[int, str], ...]


class KeywordClassifier:
    """The intents of a workspace and one pattern for all their keywords."""

    def __init__(
        self, agents: "Mapping[AgentName, AgentFile]", sources: Mapping[AgentName, str] = {}
    ) -> None:
        """Raises WorkspaceInvalid with every keyword that cannot be looked for.

        `sources` are the files of the agents, where they are not called by the agents' names.
        """
        self.intents = tuple(_intents_of(agents))
        written: dict[str, dict[int, str]] = {}
        faults: list[Fault] = []
        for number, intent in enumerate(self.intents):
            for at, phrase in enumerate(agents[intent.agent].intents[intent.name].keywords):
                if fault := fault_of(phrase):
                    file = sources.get(intent.agent, f"agents/{intent.agent}.yaml")
                    faults.append(Fault(file, 0, 0, f"intents.{intent.name}.keywords[{at}]", fault))
                written.setdefault(normal(phrase), {}).setdefault(number, phrase)
        if faults:
            raise WorkspaceInvalid(tuple(faults))
        self._keywords = tuple(
            _Keyword(_worth(key, len(by)), tuple(by.items())) for key, by in written.items()
        )
        self._phrases = _compiled(tuple(written))

    def classify(self, text: str) -> tuple[Candidate, ...]:
        """The intents that the text speaks for, best first; empty where it speaks for none."""
        return self.rank(self.find(text))

    def find(self, text: str) -> tuple[PhraseHit, ...]:
        """The keywords of the text that lie inside no longer one; starts and ends both increase."""
        return maximal(self._phrases.scan(text))

    def rank(self, hits: Iterable[PhraseHit]) -> tuple[Candidate, ...]:
        """The intents that these hits speak for, best first."""
        tally = self.tally()
        spoken: dict[int, list[Evidence]] = {}
        for hit in hits:
            for intent, phrase in tally.add(hit):
                evidence = Evidence(NAME, phrase, hit.start, hit.end)
                spoken.setdefault(intent, []).append(evidence)
        order = sorted(tally.sums, key=lambda intent: (-tally.sums[intent], intent))
        return tuple(
            self._candidate(intent, tally.confidence(intent), tuple(spoken[intent])) for intent in order
        )

    @property
    def ceiling(self) -> float:
        """What no confidence passes: that of all keywords of one intent against none of another; 0 without
        keywords."""
        sums: dict[int, float] = {}
        for keyword in self._keywords:
            for intent, _ in keyword.written:
                sums[intent] = sums.get(intent, 0.0) + keyword.worth
        best = max(sums.values(), default=0.0)
        return best / (best + _DOUBT)

    def tally(self) -> "Tally":
        """A score sheet without hits."""
        return Tally(self._keywords)

    def _candidate(self, number: int, confidence: float, evidence: tuple[Evidence, ...]) -> Candidate:
        intent = self.intents[number]
        return Candidate(intent.name, intent.agent, intent.kind, confidence, evidence)


@dataclass(slots=True)
class Tally:
    """Sums of intents (by number), to which hits are added one by one. Sums only grow, so the best two are
    known at any time without looking at the others."""

    _keywords: Sequence[_Keyword]
    sums: dict[int, float] = field(default_factory=dict[int, float])
    best: int | None = None
    second: int | None = None
    _seen: set[int] = field(default_factory=set[int])

    def add(self, hit: PhraseHit) -> tuple[tuple[int, str], ...]:
        """The intents that the hit is new evidence for, with the keyword as each writes it."""
        if hit.number in self._seen:
            return ()
        self._seen.add(hit.number)
        keyword = self._keywords[hit.number]
        for intent, _ in keyword.written:
            self.sums[intent] = self.sums.get(intent, 0.0) + keyword.worth
            self._promote(intent)
        return keyword.written

    def confidence(self, intent: int) -> float:
        """Of an intent that has a sum."""
        other = self.second if intent == self.best else self.best
        mine = self.sums[intent]
        return mine / (mine + (0.0 if other is None else self.sums[other]) + _DOUBT)

    @property
    def margin(self) -> float:
        """The lead of the best intent over the second, in confidence; 0 without a best."""
        if self.best is None:
            return 0.0
        return self.confidence(self.best) - (0.0 if self.second is None else self.confidence(self.second))

    def _promote(self, intent: int) -> None:
        """The sum of `intent` has grown: it may have overtaken one of the best two."""
        if intent == self.best:
            return
        if self._leads(intent, self.best):
            self.best, self.second = intent, self.best
        elif self._leads(intent, self.second):
            self.second = intent

    def _leads(self, intent: int, other: int | None) -> bool:
        return other is None or (self.sums[intent], -intent) > (self.sums[other], -other)


def is_sure(confidence: float, margin: float, policy: "RoutingFile") -> bool:
    """Do confidence and the lead over the runner-up reach the workspace's bounds?"""
    return confidence >= policy.sure and margin >= policy.margin


def _intents_of(agents: "Mapping[AgentName, AgentFile]") -> Iterable[Intent]:
    for agent, file in agents.items():
        for name, config in file.intents.items():
            yield Intent(IntentName(name), agent, config.kind or file.kind, config.description)


def _worth(key: str, intents: int) -> float:
    return (1 + _PER_WORD * key.count(" ")) / intents


def _compiled(keys: Sequence[str]) -> Phrases:
    try:
        return Phrases(keys)
    except PhraseRefused as refused:
        raise WorkspaceInvalid((Fault("agents", 0, 0, "keywords", str(refused)),)) from refused
