"""A scenario carried out twice from the same start, adaptively and as a baseline, with nothing kept."""

from collections.abc import Mapping
from dataclasses import dataclass

from orchestrator.app import Approve, Orchestrator
from orchestrator.evaluation.execution.side import Side, side_of
from orchestrator.ids import Json, Phase, RunId, TaskId
from orchestrator.planning.plan import Plan
from orchestrator.runs.memory import MemoryStore
from orchestrator.workspace.value import Workspace


@dataclass(frozen=True, slots=True)
class Picture:
    """The plan at the end of one side, with the states of its tasks."""

    plan: Plan
    states: Mapping[TaskId, Phase]

    def svg(self) -> str:
        """The picture, an SVG document."""
        return self.plan.to_svg(states=self.states)


@dataclass(frozen=True, slots=True)
class Compared:
    """Both executions of a scenario. The pictures are None where there is no plan to draw."""

    name: str
    adaptive: Side
    baseline: Side
    pictures: tuple[Picture | None, Picture | None]

    def to_json(self) -> dict[str, Json]:
        """The document of `compare execution NAME --json`."""
        return {
            "scenario": self.name,
            "adaptive": self.adaptive.to_json(),
            "baseline": self.baseline.to_json(),
        }


async def compared(workspace: Workspace, name: str, *, approve: Approve | None = None) -> Compared:
    """Carry the scenario out on both sides.

    Raises WorkspaceInvalid for faults of the scenario, UserError for one that is not there.
    """
    adaptive, first = await _side(workspace, name, baseline=False, approve=approve)
    baseline, second = await _side(workspace, name, baseline=True, approve=approve)
    return Compared(name, adaptive, baseline, (first, second))


async def _side(
    workspace: Workspace, name: str, *, baseline: bool, approve: Approve | None
) -> tuple[Side, Picture | None]:
    store = MemoryStore()
    app = Orchestrator(workspace, store=store)
    result = await app.run_scenario(name, baseline=baseline, approve=approve)
    side = side_of(await store.read(RunId(result.run)))
    state = await app.runs.state(result.run)
    await app.aclose()
    if state.plan is None:
        return side, None
    return side, Picture(state.plan, {task: found.status for task, found in state.tasks.items()})
