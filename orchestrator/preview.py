"""What a turn would become, before anything runs: cues, route, plan, approval and cost, as one value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from orchestrator.agents.contract import Usage
from orchestrator.ids import Json, TaskId
from orchestrator.planning.approval import Approval
from orchestrator.planning.estimate import HIGH, LOW, QUANTITIES, Estimate
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
    is what was spent on this preview (nothing, unless a model was allowed).

    `estimate` is what a run is expected to take, None where nobody has looked or there is nothing to run, and
    `seconds` how long each task usually takes, where all of that is known; `held` says of earlier runs, the
    youngest first, of which quantities the estimate held. `cautions` are what could not be found out.
    """

    sighting: Sighting
    plan: Plan
    approval: Approval
    model_calls: tuple[int, int]
    usage: Usage
    estimate: Estimate | None = None
    seconds: Mapping[TaskId, float] = field(default_factory=dict[TaskId, float])
    held: Sequence[Mapping[str, bool]] = ()
    cautions: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know about the route, the plan and the estimate."""
        return (*self.plan.warnings, *self.cautions)

    @property
    def record(self) -> Mapping[str, tuple[int, int]]:
        """For each quantity of how many earlier runs the estimate held, and how many there were."""
        told = {name: [run[name] for run in self.held if name in run] for name in QUANTITIES}
        return {name: (sum(its), len(its)) for name, its in told.items() if its}

    def to_json(self) -> dict[str, Json]:
        """The document of `plan TEXT --json`."""
        return {
            **self.sighting.to_json(),
            "plan": self.plan.to_json(),
            "approval": self.approval.to_json(),
            "depth": {"flow": "direct"},
            "estimate": self._estimate(),
            "warnings": list(self.warnings),
        }

    def _estimate(self) -> dict[str, Json]:
        """What is expected; the calls are those that planning would cost, where nothing is to be run."""
        estimate = self.estimate or Estimate(model_calls=self.model_calls)
        tasks = self.plan.tasks
        return {
            **estimate.to_json(),
            "quantiles": [LOW, HIGH],
            "effects": {does: [t.id for t in tasks if t.effects == does] for does in ("read", "write")},
            "record": {name: {"held": held, "of": of} for name, (held, of) in self.record.items()},
        }
