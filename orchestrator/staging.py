"""A scenario as a run of it begins: its plan, what is known, and what will be signalled.

Law: what a scenario says is all there is to it. Its plan is one like every other, under the same laws; its
repairs and tests are declared in it, so that whoever sees the plan has seen them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from orchestrator.adaptation.expression import parse
from orchestrator.adaptation.registered import repair_names
from orchestrator.comparison import Comparison
from orchestrator.ids import AgentName, Json, TaskId
from orchestrator.planning.grounds.assumption import Assumption
from orchestrator.planning.grounds.outcome import OutcomeCheck
from orchestrator.planning.plan import Plan, plan_of
from orchestrator.planning.repair import Patch, Repair
from orchestrator.planning.task import Compensation, Task, assigned
from orchestrator.runs.changes import Scripted
from orchestrator.sandbox import names_in, render_text
from orchestrator.workspace.grounds import AssumptionConfig, CompensationConfig, Containment
from orchestrator.workspace.judging.scenario.texts import Tongue
from orchestrator.workspace.scenario_file import (
    ScenarioFile,
    ScenarioOutcome,
    ScenarioPatch,
    ScenarioRepair,
    ScenarioTask,
)
from orchestrator.workspace.scenarios import load_scenario
from orchestrator.workspace.value import Workspace

TONGUE = Tongue(render_text, names_in, parse, repair_names)
"""How the templates and expressions of scenarios are read."""


@dataclass(frozen=True, slots=True)
class Staged:
    """A scenario, ready to be run.

    `containment` is what it says of single facts, and under the empty key of all others, where it does.
    """

    plan: Plan
    facts: Mapping[str, Json]
    timeline: tuple[Scripted, ...]
    containment: Mapping[str, Containment]


def staged(workspace: Workspace, name: str) -> Staged:
    """The scenario of this name.

    Raises WorkspaceInvalid with all its faults, and UserError where there is none of this name.
    """
    return stage(load_scenario(workspace, name, TONGUE), name, workspace)


def stage(scenario: ScenarioFile, name: str, workspace: Workspace) -> Staged:
    """A scenario that was judged, as it begins."""
    staging = _Staging(scenario, name, workspace)
    whole = {} if scenario.containment is None else {"": scenario.containment}
    return Staged(staging.plan(), dict(scenario.facts), tuple(staging.timeline()), {**whole, **scenario.keys})


@dataclass(frozen=True, slots=True)
class _Staging:
    """One scenario on its way to its plan."""

    scenario: ScenarioFile
    name: str
    workspace: Workspace

    def plan(self) -> Plan:
        tasks = tuple(
            replace(task, action=render_text(task.action, {"facts": self.scenario.facts}))
            for task in map(self.task, self.scenario.tasks)
        )
        plan = plan_of(self.scenario.description, tasks, "scenario", self.workspace.agents)
        repairs = tuple(map(self.repair, self.scenario.repairs))
        return replace(plan, repairs=repairs, outcome=tuple(map(_outcome, self.scenario.outcome)))

    def timeline(self) -> Iterator[Scripted]:
        """The signals, in the order in which they are due; what comes again with its id is dropped."""
        ids = set[str]()
        for tick, signals in sorted(self.scenario.timeline.items(), key=lambda at: int(at[0])):
            for number, signal in enumerate(signals, 1):
                id = signal.id or f"{self.name}/{tick}/{number}"
                if id not in ids:
                    said = (signal.key, signal.value, signal.source, signal.time or "", signal.urgent)
                    yield Scripted(int(tick), id, *said)
                ids.add(id)

    def task(self, config: ScenarioTask) -> Task:
        """The task, whose action is a template still."""
        depends_on, map_over = _dependencies(config.depends_on)
        task = Task(
            id=TaskId(config.id),
            agent=AgentName(config.agent),
            action=config.action,
            request=self.scenario.description,
            depends_on=depends_on,
            map_over=map_over,
            assumes=tuple(map(self.assumption, config.assumes)),
            compensate=self.compensation(config.compensate),
        )
        own = assigned(task, self.workspace.agents)
        return replace(
            own,
            success=config.success or own.success,
            on_upstream_failure=config.on_upstream_failure or own.on_upstream_failure,
        )

    def assumption(self, config: AssumptionConfig) -> Assumption:
        expected = config.comparison or Comparison("eq", (self.scenario.facts[config.key],))
        return Assumption(config.key, expected, config.description)

    def compensation(self, config: CompensationConfig | None) -> Compensation | None:
        if config is None:
            return None
        agent = AgentName(config.agent)
        return Compensation(agent, config.action, self.workspace.agents[agent].effects or "write")

    def repair(self, config: ScenarioRepair) -> Repair:
        return Repair(
            config.on,
            config.comparison,
            patches=tuple(_patch(task, patch) for task, patch in config.patch.items()),
            add=tuple(map(self.task, config.add)),
            drop=tuple(map(TaskId, config.drop)),
            uses=config.uses,
            because=config.because,
        )


def _patch(task: str, config: ScenarioPatch) -> Patch:
    agent = None if config.agent is None else AgentName(config.agent)
    if config.depends_on is None:
        return Patch(TaskId(task), config.action, agent)
    return Patch(TaskId(task), config.action, agent, *_dependencies(config.depends_on))


def _dependencies(written: Sequence[str]) -> tuple[tuple[TaskId, ...], TaskId | None]:
    """The tasks that are waited for, and the one whose items a task runs for."""
    ids = tuple(TaskId(each.removesuffix("*")) for each in written)
    return ids, next((id for id, each in zip(ids, written, strict=True) if each.endswith("*")), None)


def _outcome(config: ScenarioOutcome) -> OutcomeCheck:
    agent = None if config.agent is None else AgentName(config.agent)
    return OutcomeCheck(config.description, config.that, config.file, agent, config.asks, config.contains)
