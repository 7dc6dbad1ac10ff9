"""The plan: a frozen DAG of tasks, and the laws no plan may break.

Laws: ids unique, dependencies known, no task depends on itself, acyclic, agents known. The waves (topological
generations) partition the tasks. A plan is made by `plan_of` alone, so a plan that exists is lawful.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from orchestrator.errors import Diagnostic, PlanRefused
from orchestrator.ids import (
    AgentName,
    Effects,
    IntentName,
    Json,
    OnUpstreamFailure,
    PlanSource,
    Span,
    Success,
    TaskId,
)


@dataclass(frozen=True, slots=True)
class Task:
    """One unit of work for one agent.

    `map_over` is one of `depends_on`: the task runs once per item of that task's result. `source_span` is
    the half-open range of the request's characters that the task serves; None where code found none.
    """

    id: TaskId
    agent: AgentName
    action: str
    request: str
    depends_on: tuple[TaskId, ...] = ()
    map_over: TaskId | None = None
    intent: IntentName | None = None
    source_span: Span | None = None
    effects: Effects = "none"
    success: Success = "any"
    on_upstream_failure: OnUpstreamFailure = "skip"

    @property
    def params(self) -> Mapping[str, str]:
        """`query` is the task's own action, `request` the user's sentence."""
        return {"query": self.action, "request": self.request}

    def to_json(self) -> dict[str, Json]:
        """The task as in `plan TEXT --json`."""
        return {
            "id": self.id,
            "agent": self.agent,
            "intent": self.intent,
            "action": self.action,
            "depends_on": list(self.depends_on),
            "map_over": self.map_over,
            "source_span": None if self.source_span is None else list(self.source_span),
            "effects": self.effects,
            "params": dict(self.params),
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """Tasks in a fixed order, and their waves. Made by `plan_of`.

    `collapse_reason` says why the plan was or was not collapsed to one task; None where the question did not
    arise. `warnings` are for the person who reads the plan.
    """

    request: str
    tasks: tuple[Task, ...]
    waves: tuple[tuple[TaskId, ...], ...]
    source: PlanSource
    collapsed: bool = False
    collapse_reason: str | None = None
    warnings: tuple[str, ...] = ()
    revisions: tuple[str, ...] = ()

    @property
    def effects(self) -> Effects:
        """The strongest effect of any task."""
        found = {t.effects for t in self.tasks}
        return "write" if "write" in found else "read" if "read" in found else "none"

    def to_json(self) -> dict[str, Json]:
        """The plan as in `plan TEXT --json`."""
        return {
            "source": self.source,
            "collapsed": self.collapsed,
            "collapse_reason": self.collapse_reason,
            "tasks": [t.to_json() for t in self.tasks],
            "waves": [list(w) for w in self.waves],
            "revisions": list(self.revisions),
        }

    def to_text(self) -> str:
        """The plan as indented lines, for a terminal."""
        from orchestrator.planning.draw import to_text

        return to_text(self)

    def to_mermaid(self) -> str:
        """The plan as a Mermaid flowchart."""
        from orchestrator.planning.draw import to_mermaid

        return to_mermaid(self)

    def to_dot(self) -> str:
        """The plan in Graphviz DOT."""
        from orchestrator.planning.draw import to_dot

        return to_dot(self)


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
    ids = [t.id for t in tasks]
    for position, task in enumerate(tasks):
        if task.id in ids[:position]:
            yield Diagnostic(0, f"two tasks are called {task.id!r}; give each its own id")
        if task.agent not in agents:
            known = ", ".join(sorted(agents))
            yield Diagnostic(
                0, f"task {task.id!r} names the unknown agent {task.agent!r}; known are: {known}"
            )
        for dependency in task.depends_on:
            if dependency == task.id:
                yield Diagnostic(0, f"task {task.id!r} depends on itself; remove the dependency")
            elif dependency not in ids:
                yield Diagnostic(0, f"task {task.id!r} depends on the unknown task {dependency!r}")
        if task.map_over is not None and task.map_over not in task.depends_on:
            yield Diagnostic(0, f"task {task.id!r} maps over {task.map_over!r} without depending on it")


def _waves(tasks: Sequence[Task]) -> tuple[tuple[TaskId, ...], ...]:
    """Topological generations, each in plan order. Raises PlanRefused with the cycle as a path."""
    if not any(t.depends_on for t in tasks):
        return (tuple(t.id for t in tasks),) if tasks else ()
    from orchestrator.planning.graph import find_cycle, generations

    cycle = find_cycle(tasks)
    if cycle is not None:
        raise PlanRefused(
            (Diagnostic(0, f"the tasks form a cycle: {' -> '.join(cycle)}; remove one dependency"),)
        )
    return generations(tasks)
