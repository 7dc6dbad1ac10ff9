"""The plan: a frozen DAG of tasks, and the laws no plan may break.

Laws: ids unique, dependencies known, no task depends on itself, acyclic, agents known. The waves (topological
generations) partition the tasks. A plan is made by `plan_of` alone, so a plan that exists is lawful.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from orchestrator.errors import Diagnostic, PlanRefused
from orchestrator.ids import EFFECTS, AgentName, Effects, Json, Phase, PlanSource, TaskId
from orchestrator.planning.grounds.outcome import OutcomeCheck
from orchestrator.planning.repair import Repair
from orchestrator.planning.task import Task

if TYPE_CHECKING:
    from orchestrator.planning.drawing.scene.scene import Direction
    from orchestrator.planning.drawing.svg import Theme


@dataclass(frozen=True, slots=True)
class Plan:
    """Tasks in a fixed order, and their waves. Made by `plan_of`.

    `collapse_reason` says why the plan was or was not collapsed to one task; None where the question did not
    arise. `warnings` are for the person who reads the plan. `repairs` say how the plan may be changed while
    it runs, `outcome` what its result is judged by, `revisions` why it is no longer what it was.
    """

    request: str
    tasks: tuple[Task, ...]
    waves: tuple[tuple[TaskId, ...], ...]
    source: PlanSource
    collapsed: bool = False
    collapse_reason: str | None = None
    warnings: tuple[str, ...] = ()
    revisions: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()
    outcome: tuple[OutcomeCheck, ...] = ()

    @property
    def effects(self) -> Effects:
        """The strongest effect of any task."""
        return EFFECTS[max((EFFECTS.index(t.effects) for t in self.tasks), default=0)]

    @property
    def leaves(self) -> tuple[TaskId, ...]:
        """The tasks whose result no other task reads, in plan order."""
        read = {dependency for task in self.tasks for dependency in task.depends_on}
        return tuple(task.id for task in self.tasks if task.id not in read)

    def to_json(self) -> dict[str, Json]:
        """The plan as in `plan TEXT --json`."""
        return {
            "source": self.source,
            "collapsed": self.collapsed,
            "collapse_reason": self.collapse_reason,
            "tasks": [t.to_json() for t in self.tasks],
            "waves": [list(w) for w in self.waves],
            "revisions": list(self.revisions),
            "repairs": [repair.to_json() for repair in self.repairs],
            "outcome": [asdict(check) for check in self.outcome],
        }

    def to_text(self, width: int = 100) -> str:
        """The plan as lines for a terminal of this width."""
        from orchestrator.planning.drawing.text import to_text

        return to_text(self.tasks, self.waves, width)

    def to_mermaid(self) -> str:
        """The plan as a Mermaid flowchart."""
        from orchestrator.planning.drawing.mermaid import to_mermaid

        return to_mermaid(self.tasks, self.waves)

    def to_dot(self) -> str:
        """The plan in Graphviz DOT."""
        from orchestrator.planning.drawing.dot import to_dot

        return to_dot(self.tasks, self.waves)

    def to_svg(
        self,
        *,
        states: Mapping[TaskId, Phase] | None = None,
        seconds: Mapping[TaskId, float] | None = None,
        direction: "Direction" = "auto",
        theme: "Theme" = "auto",
    ) -> str:
        """The plan as a picture, an SVG document.

        With `states` each task shows where it is; `seconds` says how long tasks take, for the longest path.
        """
        from orchestrator.planning.drawing.scene.scene import Shown, scene_of
        from orchestrator.planning.drawing.svg import to_svg

        shown = Shown(states, seconds, direction)
        return to_svg(scene_of(self.request, self.tasks, self.waves, shown), theme)


def plan_of(
    request: str,
    tasks: Sequence[Task],
    source: PlanSource,
    agents: Collection[AgentName],
    *,
    warnings: tuple[str, ...] = (),
) -> Plan:
    """The lawful plan of these tasks. Raises PlanRefused with a diagnostic for every broken law."""
    faults = tuple(_broken_laws(tasks, agents))
    if faults:
        raise PlanRefused(faults)
    return Plan(request, tuple(tasks), _waves(tasks), source, warnings=warnings)


def _broken_laws(tasks: Sequence[Task], agents: Collection[AgentName]) -> Iterator[Diagnostic]:
    ids = {t.id for t in tasks}
    seen: set[TaskId] = set()
    for task in tasks:
        if task.id in seen:
            yield Diagnostic(0, f"two tasks are called {task.id!r}; give each its own id")
        seen.add(task.id)
        if task.agent not in agents:
            known = ", ".join(sorted(agents))
            yield Diagnostic(
                0, f"task {task.id!r} names the unknown agent {task.agent!r}; known are: {known}"
            )
        yield from _broken_dependencies(task, ids)


def _broken_dependencies(task: Task, ids: Collection[TaskId]) -> Iterator[Diagnostic]:
    if len(set(task.depends_on)) < len(task.depends_on):
        yield Diagnostic(0, f"task {task.id!r} names a dependency twice; name it once")
    for dependency in task.depends_on:
        if dependency == task.id:
            yield Diagnostic(0, f"task {task.id!r} depends on itself; remove the dependency")
        elif dependency not in ids:
            yield Diagnostic(0, f"task {task.id!r} depends on the unknown task {dependency!r}")
    if task.map_over is not None and task.map_over not in task.depends_on:
        yield Diagnostic(0, f"task {task.id!r} maps over {task.map_over!r} without depending on it")


def _waves(tasks: Sequence[Task]) -> tuple[tuple[TaskId, ...], ...]:
    """Topological generations, each in plan order. Raises PlanRefused with every cycle as a path."""
    if not any(t.depends_on for t in tasks):
        return (tuple(t.id for t in tasks),) if tasks else ()
    from orchestrator.planning.graph import find_cycles, generations

    waves = generations(tasks)
    if waves is None:
        cycles = find_cycles(tasks)
        raise PlanRefused(tuple(Diagnostic(0, f"{cycle_text(c)}; remove one dependency") for c in cycles))
    return waves


def cycle_text(cycle: Sequence[TaskId]) -> str:
    """A cycle as people read it."""
    return f"the tasks form a cycle: {' -> '.join(cycle)}"
