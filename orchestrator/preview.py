"""What a turn would become, before anything runs: cues, route, plan, approval and cost, as one value."""

from dataclasses import dataclass

from orchestrator.agents.contract import Usage
from orchestrator.ids import Json
from orchestrator.planning.approval import Approval
from orchestrator.planning.plan import Plan
from orchestrator.routing.route import Compound, Route


@dataclass(frozen=True, slots=True)
class Sighting:
    """What routing saw in a turn."""

    text: str
    compound: Compound
    route: Route

    def to_json(self) -> dict[str, Json]:
        """The document of `route TEXT --json`."""
        return {"text": self.text, "compound": self.compound.to_json(), "route": self.route.to_json()}


@dataclass(frozen=True, slots=True)
class Preview:
    """The dry run of a turn. `model_calls` is the least and the most that planning it would cost; `usage`
    is what was spent on this preview (nothing, unless a model was allowed)."""

    sighting: Sighting
    plan: Plan
    approval: Approval
    model_calls: tuple[int, int]
    usage: Usage

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know about the route and the plan."""
        return self.plan.warnings

    def to_json(self) -> dict[str, Json]:
        """The document of `plan TEXT --json`."""
        return {
            **self.sighting.to_json(),
            "plan": self.plan.to_json(),
            "approval": self.approval.to_json(),
            "depth": {"flow": "direct"},
            "estimate": {"model_calls": list(self.model_calls)},
            "warnings": list(self.warnings),
        }
