"""The task: one unit of work for one agent, frozen."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from orchestrator.ids import (
    AgentName,
    Effects,
    IntentName,
    Json,
    OnUpstreamFailure,
    Span,
    Success,
    TaskId,
)
from orchestrator.planning.grounds.assumption import Assumption

if TYPE_CHECKING:
    from orchestrator.workspace.agent_file import AgentFile


@dataclass(frozen=True, slots=True)
class Compensation:
    """What makes good for a write whose ground has gone: `action`, a template over `facts`, for an agent."""

    agent: AgentName
    action: str
    effects: Effects = "write"


@dataclass(frozen=True, slots=True)
class Task:
    """One unit of work for one agent.

    `map_over` is one of `depends_on`: the task runs once per item of that task's result. `source_span` is
    the half-open range of the request's characters that the task serves; None where code found none.
    `assumes` is what it takes for granted, `compensate` what is done where that breaks after it has written.
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
    assumes: tuple[Assumption, ...] = ()
    compensate: Compensation | None = None

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
            "assumes": [assumption.to_json() for assumption in self.assumes],
            "compensate": None if self.compensate is None else asdict(self.compensate),
        }


def assigned(task: Task, agents: "Mapping[AgentName, AgentFile]") -> Task:
    """The task with what its agent says of all its tasks.

    Agents are given with the defaults of their types filled in; where effects are unset all the same, the
    task counts as writing, so that nothing slips past an approval. An unknown agent is left to the laws.
    """
    agent = agents.get(task.agent)
    if agent is None:
        return task
    return replace(
        task,
        effects=agent.effects or "write",
        success=agent.success,
        on_upstream_failure=agent.on_upstream_failure,
    )
