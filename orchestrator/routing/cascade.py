"""The router of a workspace: an address, else the classifiers, cheapest first, until one is sure.

Laws: no decision is a value (`agent` None), never the last route again. Whether a turn is compound has one
answer here, whichever classifier routed it. Every turn is routed afresh; a router keeps nothing of a turn.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from orchestrator.ids import AgentName, Ask, Render
from orchestrator.routing import llm
from orchestrator.routing.address import Address, find_address, nearest_name
from orchestrator.routing.compound import detect
from orchestrator.routing.cues import CueSet
from orchestrator.routing.decision import RUNNERS_UP, Scope, Verdict, decide
from orchestrator.routing.keyword import NAME as KEYWORD
from orchestrator.routing.keyword import KeywordClassifier
from orchestrator.routing.route import Candidate, Compound, Evidence, Route

if TYPE_CHECKING:
    from orchestrator.workspace.agent_file import AgentFile
    from orchestrator.workspace.models import MultiStepFile, RoutingFile


class Router:
    """Cues, keywords and bounds of one workspace, compiled."""

    def __init__(
        self,
        agents: "Mapping[AgentName, AgentFile]",
        routing: "RoutingFile",
        multi_step: "MultiStepFile",
        sources: Mapping[AgentName, str] = {},
    ) -> None:
        """Raises WorkspaceInvalid for cues and keywords that cannot be looked for.

        `sources` are the files of the agents, where they are not called by the agents' names.
        """
        self._policy, self._agents = routing, agents
        self.cues = CueSet.of(multi_step)
        self.keywords = KeywordClassifier(agents, sources)
        self._scope = Scope(agents, self.keywords.intents, routing)

    def compound(self, text: str) -> Compound:
        """The joints of the turn, with their evidence."""
        return detect(text, self.cues, self.keywords, self._policy)

    def is_multi_step_query(self, text: str) -> bool:
        """Has the turn several parts? The one answer of the workspace."""
        return self.compound(text).is_multi_step

    def is_reference(self, text: str) -> bool:
        """Does this part of a turn point back at an earlier one?"""
        return self.cues.is_reference(text)

    def part(self, text: str) -> Candidate | None:
        """The route of a part of a turn by its keywords, where it is sure. Evidence is cited in the part."""
        verdict = self._by_keyword(text)
        return verdict.ranked[0] if verdict.is_sure(self._policy) else None

    def route_now(self, text: str) -> Route:
        """The route without a model: by address or keywords."""
        address = find_address(text, self._agents)
        if address is not None and address.agent is not None:
            return self._addressed(text, address, address.agent)
        verdicts = [self._by_keyword(text)] if KEYWORD in self._policy.classifiers else []
        return decide(text, verdicts, self._scope, self._unknown(address))

    async def route(self, text: str, *, ask: Ask | None = None, render: Render | None = None) -> Route:
        """The route by the whole cascade. The model is asked only where one is given, and nothing before it
        is sure."""
        address = find_address(text, self._agents)
        if ask is None or render is None or (address is not None and address.agent is not None):
            return self.route_now(text)
        warnings = self._unknown(address)
        verdicts: list[Verdict] = []
        for classifier in self._policy.classifiers:
            if classifier == KEYWORD:
                verdicts.append(self._by_keyword(text))
            else:
                opinion = await llm.classify(text, self.keywords.intents, ask, render)
                ranked = (opinion.candidate,) if opinion.candidate else ()
                verdicts.append(Verdict(llm.NAME, ranked, opinion.nobody))
                warnings += (opinion.warning,) if opinion.warning else ()
            if verdicts[-1].is_sure(self._policy):
                break
        return decide(text, verdicts, self._scope, warnings)

    def _by_keyword(self, text: str) -> Verdict:
        return Verdict(KEYWORD, self.keywords.classify(text))

    def _addressed(self, text: str, address: Address, agent: AgentName) -> Route:
        """The agent by its name; among its own intents the one its keywords speak for."""
        start, end = address.rest
        hits = [hit for hit in self.keywords.find(text) if hit.start >= start]
        own = [c for c in self.keywords.rank(hits) if c.agent == agent]
        best = own[0] if own else None
        mark = Evidence("address", f"@{agent}", *address.mark)
        return Route(
            text=text[start:end],
            span=address.rest,
            agent=agent,
            intent=best.intent if best else None,
            kind=best.kind if best else self._agents[agent].kind,
            confidence=1.0,
            margin=1.0,
            sure=True,
            classifier="address",
            evidence=(mark, *(best.evidence if best else ())),
            alternatives=tuple(own[1 : 1 + RUNNERS_UP]),
            addressed=True,
        )

    def _unknown(self, address: Address | None) -> tuple[str, ...]:
        if address is None:
            return ()
        nearest = nearest_name(address.written, self._agents)
        hint = f"; the nearest name is @{nearest}" if nearest else ""
        return (f"there is no agent @{address.written}{hint}; routed by the words of the turn",)
