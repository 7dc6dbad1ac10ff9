"""What a run came to, for the person who asked: its status, and the reply. Pure.

Laws: all done and one leaf, the reply is that leaf's output. Otherwise `prompts/reply.j2` says of every task
whether it was done, failed or skipped, and why, and shows each result that no later one has taken up.
"""

from orchestrator.errors import WorkspaceInvalid
from orchestrator.ids import Render, RunStatus
from orchestrator.planning.plan import Plan
from orchestrator.runs.changes import OutcomeChecked
from orchestrator.runs.state import RunState, TaskState

TEMPLATE = "reply.j2"
_EMPTY = "(empty result)"


def status_of(state: RunState) -> RunStatus:
    """`done` when all tasks are, `cancelled` when some were not let end, `failed` when none is done."""
    found = [] if state.plan is None else [_status(state.tasks[task.id]) for task in state.plan.tasks]
    if "cancelled" in found:
        return "cancelled"
    done = found.count("done")
    return "done" if done == len(found) else "partial" if done else "failed"


def reply_of(state: RunState, status: RunStatus, render: Render) -> str:
    """The reply of a run that ends so. A fault in the template does not cost its results."""
    if state.plan is None:
        return ""
    leaves = state.plan.leaves
    if len(leaves) == 1 and status == "done":
        return _text(state.tasks[leaves[0]]) or _EMPTY
    parts = parts_of(state, state.plan)
    try:
        return render(TEMPLATE, {"request": state.plan.request, "status": status, "parts": parts}).strip()
    except WorkspaceInvalid as invalid:
        return f"{_plain(parts)}\n\n({invalid})"


def with_outcome(reply: str, checked: OutcomeChecked) -> str:
    """The reply, and below it what of the real result is not as it should be."""
    wrong = [f"- {found.description}: {found.seen}" for found in checked.found if not found.well]
    return "\n".join((reply, "", "The result is not as it should be:", *wrong)) if wrong else reply


def parts_of(state: RunState, plan: Plan) -> list[dict[str, str | None]]:
    """Each task: `id`, `agent`, `action`, `status`, `reason` (where not done), `text` (where it is shown)."""
    taken_up = {
        dependency
        for task in plan.tasks
        if state.tasks[task.id].status == "done"
        for dependency in task.depends_on
    }
    return [
        {
            "id": task.id,
            "agent": task.agent,
            "action": task.action,
            "status": _status(state.tasks[task.id]),
            "reason": None if state.tasks[task.id].status == "done" else state.tasks[task.id].error,
            "text": None if task.id in taken_up else _shown(state.tasks[task.id]),
        }
        for task in plan.tasks
    ]


def _plain(parts: list[dict[str, str | None]]) -> str:
    return "\n\n".join(
        "\n".join(filter(None, (f"{p['action']} ({p['status']})", p["reason"], p["text"]))) for p in parts
    )


def _status(task: TaskState) -> str:
    """A task that has not ended when the run does was cut off."""
    return "cancelled" if task.status in ("pending", "running", "waiting") else task.status


def _shown(task: TaskState) -> str | None:
    return _text(task) or (_EMPTY if task.status == "done" else None)


def _text(task: TaskState) -> str:
    return task.output.text.strip() if task.output is not None else ""
