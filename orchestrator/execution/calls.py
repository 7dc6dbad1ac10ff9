"""The call of one attempt: what the journal's state says of a unit, as its agent is to see it. Pure."""

from collections.abc import Callable

from orchestrator.agents.contract import Call, Item, Output, Upstream
from orchestrator.errors import InternalFault
from orchestrator.execution.settings import Budget, Render
from orchestrator.execution.slots import Unit
from orchestrator.execution.upstream import Piece, query_of
from orchestrator.ids import AgentName, RunId, TaskId
from orchestrator.runs.state import RunState

_NO_OUTPUT = Output("")


def key_of(run: RunId, unit: Unit, attempt: int) -> str:
    """The name of the attempt's effect."""
    return f"{run}/{unit.id}/{attempt}"


def call_of(
    unit: Unit,
    state: RunState,
    agent_of: Callable[[TaskId], AgentName],
    *,
    key: str,
    render: Render,
    budget: Budget,
    emit: Callable[[str], None],
) -> Call:
    """What the unit's agent is handed. A child of a mapped task sees its item, others the whole result."""
    task = unit.task
    piece, item = _piece(unit, state)
    inputs = tuple(
        _upstream(t, state, agent_of(t), item if t == task.map_over else None) for t in task.depends_on
    )
    return Call(
        query=query_of(task.action, task.request, inputs, render=render, budget=budget, piece=piece),
        action=task.action,
        request=task.request,
        intent=task.intent,
        inputs=inputs,
        item=item,
        key=key,
        emit=emit,
    )


def _piece(unit: Unit, state: RunState) -> tuple[Piece, Item] | tuple[None, None]:
    task = unit.task
    if not unit.number or task.map_over is None:
        return None, None
    items = state.tasks[task.id].items
    if items is None:
        raise InternalFault(f"{unit.id} was started before {task.id} was expanded")
    return Piece(task.map_over, unit.number, len(items)), items[unit.number - 1]


def _upstream(task: TaskId, state: RunState, agent: AgentName, item: Item | None) -> Upstream:
    if item is not None:
        return Upstream(task, agent, Output(item.text, items=(item,)))
    found = state.tasks[task]
    error = None if found.status == "done" else f"{found.status}: {found.error}"
    return Upstream(task, agent, found.output or _NO_OUTPUT, error)
