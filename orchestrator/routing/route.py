"""The values of routing: what was found in a turn, who serves it, and whether it is compound."""

from dataclasses import dataclass

from orchestrator.ids import JUDGED, AgentName, IntentName, Json, Meaning, Span


@dataclass(frozen=True, slots=True)
class CueHit:
    """A cue found in a turn. `start` and `end` are characters of the original text, half-open.

    `pieces` are the literal pieces of a gapped cue (`first ... then`); a plain cue has one.
    """

    cue: str
    meaning: Meaning
    start: int
    end: int
    pieces: tuple[Span, ...]

    @property
    def is_judged(self) -> bool:
        """Does it count only where it joins two differently routed sides?"""
        return self.meaning in JUDGED

    def to_json(self) -> dict[str, Json]:
        """The cue as in `route TEXT --json`."""
        return {"cue": self.cue, "meaning": self.meaning, "start": self.start, "end": self.end}


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why an intent got its score: the words that spoke for it, with their place in the turn."""

    classifier: str
    phrase: str
    start: int
    end: int

    def to_json(self) -> dict[str, Json]:
        """The evidence as in `route TEXT --json`."""
        return {"classifier": self.classifier, "phrase": self.phrase, "start": self.start, "end": self.end}


@dataclass(frozen=True, slots=True)
class Candidate:
    """An intent with its confidence in [0, 1]."""

    intent: IntentName
    agent: AgentName
    kind: str
    confidence: float
    evidence: tuple[Evidence, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """The candidate as in `route TEXT --json`."""
        return {
            "intent": self.intent,
            "agent": self.agent,
            "kind": self.kind,
            "confidence": round(self.confidence, 4),
            "evidence": [e.to_json() for e in self.evidence],
        }


@dataclass(frozen=True, slots=True)
class Route:
    """Where a turn goes.

    `agent` is None where the turn is declined (out of scope without a default agent). `intent` is None
    also for a default agent and for an agent addressed by name. `sure` says that confidence and margin
    reach the workspace's bounds. `alternatives` are the runners-up, best first. `text` is what the agent is
    asked: the turn, or what follows the address.
    """

    text: str
    span: Span
    agent: AgentName | None
    intent: IntentName | None
    kind: str
    confidence: float
    margin: float
    sure: bool
    classifier: str
    evidence: tuple[Evidence, ...] = ()
    alternatives: tuple[Candidate, ...] = ()
    addressed: bool = False
    declined: str | None = None
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """The `route` object of `route TEXT --json`."""
        return {
            "intent": self.intent,
            "agent": self.agent,
            "kind": self.kind,
            "confidence": round(self.confidence, 4),
            "margin": round(self.margin, 4),
            "sure": self.sure,
            "classifier": self.classifier,
            "addressed": self.addressed,
            "declined": self.declined,
            "evidence": [e.to_json() for e in self.evidence],
            "alternatives": [c.to_json() for c in self.alternatives],
        }


@dataclass(frozen=True, slots=True)
class Compound:
    """Whether a turn has parts. `cues` are the hits that count, in order; `ignored` the joiners and weak
    cues that were found but do not join two differently routed sides."""

    cues: tuple[CueHit, ...] = ()
    ignored: tuple[CueHit, ...] = ()

    @property
    def is_multi_step(self) -> bool:
        """Has the turn several parts?"""
        return bool(self.cues)

    def to_json(self) -> dict[str, Json]:
        """The `compound` object of `route TEXT --json`."""
        return {
            "is_multi_step": self.is_multi_step,
            "cues": [c.to_json() for c in self.cues],
            "ignored": [c.to_json() for c in self.ignored],
        }
