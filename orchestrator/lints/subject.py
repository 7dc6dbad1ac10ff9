"""What a law looks at: the workspace, with its cues and keywords compiled, and its templates."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from orchestrator.ids import AgentName
from orchestrator.prompts import Prompts
from orchestrator.routing.cascade import Router
from orchestrator.workspace.value import Doubt, Spot, Workspace

ORCHESTRATOR, MULTI_STEP, ROUTING, PLANNING, MODELS = (
    f"config/{name}.yaml" for name in ("orchestrator", "multi_step", "routing", "planning", "models")
)
PROMPTED = "llm"
"""The agent type whose agents ask a model."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A workspace without a fault; `router` is its own, `prompts` are its templates and the shipped ones."""

    workspace: Workspace
    router: Router
    prompts: Prompts

    def spot(self, agent: AgentName, path: str = "", *, at_key: bool = False) -> Spot:
        """A place in the file of an agent."""
        return Spot(self.workspace.sources[agent], path, at_key)

    @property
    def prompted(self) -> tuple[AgentName, ...]:
        """The agents that ask a model."""
        return tuple(name for name, agent in self.workspace.agents.items() if agent.uses == PROMPTED)

    @property
    def classifier_asks(self) -> bool:
        """Does a language model have a say in where turns go?"""
        routing = self.workspace.routing
        return routing.model is not None and "llm" in routing.classifiers

    @property
    def planner_asks(self) -> bool:
        """May a language model plan?"""
        planning = self.workspace.planning
        return planning.model is not None and planning.mode != "split"


Law: TypeAlias = Callable[[Subject], Iterator[Doubt]]
