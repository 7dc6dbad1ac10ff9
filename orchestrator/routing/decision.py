"""From what the classifiers hold to a route.

Law: the first sure verdict decides, else the most confident one; below the threshold the turn is out of
scope, which is an answer too: the default agent, or none, with the nearest intents named.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.ids import AgentName
from orchestrator.routing.keyword import Intent, is_sure
from orchestrator.routing.route import Candidate, Route

if TYPE_CHECKING:
    from orchestrator.workspace.agent_file import AgentFile
    from orchestrator.workspace.models import RoutingFile

RUNNERS_UP = 5
"""Most alternatives a route carries."""
_NEAREST = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one classifier holds: its candidates, best first; none where it has no opinion. `nobody` is its
    confidence that no intent fits."""

    classifier: str
    ranked: tuple[Candidate, ...]
    nobody: float = 0.0

    @property
    def confidence(self) -> float:
        """Of its best candidate."""
        return self.ranked[0].confidence if self.ranked else 0.0

    @property
    def margin(self) -> float:
        """The lead over its own second candidate: two classifiers' scales are not compared."""
        return self.confidence - (self.ranked[1].confidence if len(self.ranked) > 1 else 0.0)

    def is_sure(self, policy: "RoutingFile") -> bool:
        """May the cascade stop here, with an intent or with none?"""
        if not self.ranked:
            return self.nobody > 0 and self.nobody >= policy.sure
        return is_sure(self.confidence, self.margin, policy)


@dataclass(frozen=True, slots=True)
class Scope:
    """What a workspace can serve, and what it does with the rest."""

    agents: "Mapping[AgentName, AgentFile]"
    intents: tuple[Intent, ...]
    policy: "RoutingFile"

    @property
    def default(self) -> AgentName | None:
        """The agent that takes turns out of scope."""
        return None if self.policy.default_agent is None else AgentName(self.policy.default_agent)


def decide(text: str, verdicts: Sequence[Verdict], scope: Scope, warnings: tuple[str, ...] = ()) -> Route:
    """The route of the turn, from the verdicts in the order they were given."""
    verdict = _deciding(verdicts, scope.policy)
    candidates = _distinct([*verdict.ranked, *(c for v in verdicts for c in v.ranked)])
    if not verdict.ranked or verdict.confidence < scope.policy.threshold:
        return _out_of_scope(text, verdict, candidates, scope, warnings)
    best = candidates[0]
    return Route(
        text=text,
        span=(0, len(text)),
        agent=best.agent,
        intent=best.intent,
        kind=best.kind,
        confidence=best.confidence,
        margin=verdict.margin,
        sure=verdict.is_sure(scope.policy),
        classifier=verdict.classifier,
        evidence=best.evidence,
        alternatives=candidates[1 : 1 + RUNNERS_UP],
        warnings=warnings,
    )


def _deciding(verdicts: Sequence[Verdict], policy: "RoutingFile") -> Verdict:
    """The first sure one, else the most confident one, the earlier of equals."""
    sure = next((verdict for verdict in verdicts if verdict.is_sure(policy)), None)
    return sure or max(verdicts, key=lambda verdict: verdict.confidence, default=Verdict("none", ()))


def _out_of_scope(
    text: str, verdict: Verdict, candidates: tuple[Candidate, ...], scope: Scope, warnings: tuple[str, ...]
) -> Route:
    agent = scope.default
    return Route(
        text=text,
        span=(0, len(text)),
        agent=agent,
        intent=None,
        kind="" if agent is None else scope.agents[agent].kind,
        confidence=verdict.confidence,
        margin=verdict.margin,
        sure=False,
        classifier=verdict.classifier if agent is None else "default",
        alternatives=candidates[:RUNNERS_UP],
        declined=_declined(candidates, scope) if agent is None else None,
        warnings=warnings,
    )


def _declined(candidates: Sequence[Candidate], scope: Scope) -> str:
    """Why nobody serves the turn, what comes nearest, or else what each agent is for, and what to do."""
    if not scope.agents:
        return "No agent can serve this: the workspace has none; add one in agents/."
    near = [(c.intent, c.agent) for c in candidates[:_NEAREST]]
    first = {intent.agent: intent.name for intent in reversed(scope.intents)}
    known = [(first[agent], agent) for agent in scope.agents if agent in first]
    named = ", ".join(f"{intent} (@{agent})" for intent, agent in near or known)
    said = f" The {'nearest' if near else 'known'} intents are: {named}." if named else ""
    addressed = (near or known)[0][1] if near or known else next(iter(scope.agents))
    return f"No agent is sure to serve this.{said} Say it in other words, or address an agent: @{addressed} …"


def _distinct(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Each intent once, where it stands first."""
    found: dict[tuple[str, str], Candidate] = {}
    for candidate in candidates:
        found.setdefault((candidate.agent, candidate.intent), candidate)
    return tuple(found.values())
