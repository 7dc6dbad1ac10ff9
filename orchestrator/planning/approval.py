"""The kind of a turn, and whether a person must agree before its plan runs.

Laws: a plan's effects, and the kinds of its parts, can only raise what is asked of a person; no kind is
planned that this version cannot plan. Collapse changes neither.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.errors import KindRefused
from orchestrator.ids import AgentName, Json
from orchestrator.planning.plan import Plan

if TYPE_CHECKING:
    from orchestrator.workspace.agent_file import AgentFile
    from orchestrator.workspace.models import KindPolicy, PlanningFile

_STRICTNESS = ("never", "on_write", "always")


@dataclass(frozen=True, slots=True)
class Approval:
    """`kind` is the turn's kind with the plan's effects taken into account; `reason` is for people."""

    kind: str
    needed: bool
    reason: str

    def to_json(self) -> dict[str, Json]:
        """The `approval` object of `plan TEXT --json`."""
        return {"needed": self.needed, "reason": self.reason, "kind": self.kind}


def policy_of(kind: str, planning: "PlanningFile") -> "KindPolicy":
    """The policy of a kind that can be planned here. Raises KindRefused for an unknown or a joint one."""
    policy = planning.kinds.get(kind)
    if policy is None:
        known = ", ".join(sorted(planning.kinds))
        raise KindRefused(
            f"unknown kind {kind!r}; config/planning.yaml has: {known}. Use one, or add it to `kinds:`"
        )
    if policy.planning == "joint":
        raise KindRefused(
            f"kind {kind!r} asks for joint planning (planner plus reviewer), which is not in this version; "
            f"name another kind (--kind), or set kinds.{kind}.planning: ordinary in config/planning.yaml"
        )
    return policy


def task_kinds(plan: Plan, agents: "Mapping[AgentName, AgentFile]") -> tuple[str, ...]:
    """The kinds of the plan's tasks, each once: the intent's, else the agent's."""
    kinds: dict[str, None] = {}
    for task in plan.tasks:
        agent = agents[task.agent]
        intent = agent.intents.get(task.intent) if task.intent is not None else None
        kinds[(intent.kind if intent is not None else None) or agent.kind] = None
    return tuple(kinds)


def strictest_kind(kinds: Iterable[str], planning: "PlanningFile") -> str:
    """The kind that asks a person most; the first of equals. Raises KindRefused as `policy_of`."""
    return max(kinds, key=lambda kind: _STRICTNESS.index(policy_of(kind, planning).approval))


def approval_of(kind: str, plan: Plan, planning: "PlanningFile") -> Approval:
    """Whether a plan of a turn of this kind needs a person's word. Raises KindRefused as `policy_of`.

    A plan that writes is raised to `writes_raise_to` where its own kind never asks.
    """
    writes = plan.effects == "write"
    if writes and policy_of(kind, planning).approval == "never":
        kind = planning.writes_raise_to
    policy = policy_of(kind, planning).approval
    if policy == "always":
        return Approval(kind, True, f"every plan of kind {kind!r} is shown first")
    if not writes:
        return Approval(kind, False, "nothing in the plan writes")
    if policy == "never":
        return Approval(kind, False, f"{_writers(plan)}, but kind {kind!r} never asks")
    return Approval(kind, True, _writers(plan))


def _writers(plan: Plan) -> str:
    """The tasks that write, for people."""
    writers = [t for t in plan.tasks if t.effects == "write"]
    named = ", ".join(
        f"{t.id} ({t.agent}{f', per item of {t.map_over}' if t.map_over else ''})" for t in writers
    )
    return f"{named} {'writes' if len(writers) == 1 else 'write'}"
