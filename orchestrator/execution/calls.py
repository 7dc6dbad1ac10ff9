"""The call of one attempt: what the journal's state says of a unit, as its agent is to see it. Pure."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias

from orchestrator.agents.contract import UNLIMITED, Call, Item, Output, Purse, Upstream
from orchestrator.errors import InternalFault
from orchestrator.execution.settings import Budget
from orchestrator.execution.slots import Unit
from orchestrator.execution.upstream import Piece, query_of
from orchestrator.ids import AgentName, Render, TaskId
from orchestrator.runs.state import RunState

Emit: TypeAlias = Callable[[TaskId, str], None]

_NO_OUTPUT = Output("")


class Calls:
    """Makes the calls of one run. `emit` takes a task and a piece of its output."""

    def __init__(
        self,
        state: RunState,
        agents: Mapping[TaskId, AgentName],
        *,
        render: Render,
        budget: Budget,
        emit: Emit,
    ) -> None:
        self._state = state
        self._render, self._budget, self._emit = render, budget, emit
        self._upstreams = _Upstreams(state, agents)

    def of(self, unit: Unit, key: str, *, query: bool, purse: Purse = UNLIMITED) -> Call:
        """What the unit's agent is handed. A child of a mapped task sees its item, others the whole.

        Without `query`, the agent does not read it and it is not rendered.
        """
        task = unit.task
        text, inputs, item = task.action, (), None
        if task.depends_on:
            inputs = tuple(map(self._upstreams.__getitem__, task.depends_on))
            piece = None
            if unit.number:
                piece, item = self._piece(unit)
                inputs = tuple([_one_item(u, item) if u.task == task.map_over else u for u in inputs])
            if query:
                text = query_of(task, inputs, render=self._render, budget=self._budget, piece=piece)
        emit = partial(self._emit, unit.id)
        return Call(text, task.action, task.request, None, task.intent, inputs, item, key, emit, purse=purse)

    def _piece(self, unit: Unit) -> tuple[Piece, Item]:
        task = unit.task
        items = self._state.tasks[task.id].items
        if items is None or task.map_over is None:
            raise InternalFault(f"{unit.id} was started before {task.id} was expanded")
        return Piece(task.map_over, unit.number, len(items)), items[unit.number - 1]


class _Upstreams(dict[TaskId, Upstream]):
    """What tasks came to, each made once for all that depend on it."""

    def __init__(self, state: RunState, agents: Mapping[TaskId, AgentName]) -> None:
        super().__init__()
        self._state, self._agents = state, agents

    def __missing__(self, task: TaskId) -> Upstream:
        found = self._state.tasks[task]
        error = None if found.status == "done" else f"{found.status}: {found.error}"
        self[task] = Upstream(task, self._agents[task], found.output or _NO_OUTPUT, error)
        return self[task]


def _one_item(whole: Upstream, item: Item) -> Upstream:
    return Upstream(whole.task, whole.agent, Output(item.text, items=(item,)), whole.error)
