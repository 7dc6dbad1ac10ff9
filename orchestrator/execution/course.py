"""The course of a run: which units start, which tasks are skipped, expanded and gathered, as the others end.

It decides, as events and units, and does nothing; the scheduler journals the events, then does them. What is
due after an append (`take_due`) needs results that the append brings into the state.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from orchestrator.agents.contract import Output
from orchestrator.errors import InternalFault
from orchestrator.execution.mapped import Child, gathered, items_of, too_many
from orchestrator.execution.ready import Ready, remaining_hops
from orchestrator.execution.settings import Settings
from orchestrator.execution.slots import Places, Slots, Unit
from orchestrator.ids import AgentName, TaskId
from orchestrator.planning.plan import Plan
from orchestrator.runs.events import Event, TaskDone, TaskExpanded, TaskFailed, TaskSkipped
from orchestrator.runs.state import ENDED, RunState

_NOTHING = Output("")


class Course:
    """The course of one plan under one driver.

    `start` says which units start now; each takes a place until it is told to `end`.
    """

    def __init__(self, plan: Plan, settings: Settings) -> None:
        self._settings = settings
        self._places: dict[AgentName, Places] = {}
        self._units = self._units_of(plan)
        self._ready = Ready(plan, settings.schedule)
        self._slots = Slots(settings.concurrency)
        self.start = self._slots.take
        self._max_items = settings.max_items
        self._doubts: set[TaskId] = set()
        self._children_left: dict[TaskId, int] = {}
        self._due: list[Unit] = []
        self._recalled: dict[TaskId, int] = {}
        self._kept_back: set[TaskId] = set()
        self._at_work: frozenset[TaskId] = frozenset()

    def cut_off_writes(self, state: RunState) -> list[Unit]:
        """The attempts without an end whose effect may have come about, where doing them again would harm."""
        return [
            unit
            for unit in self._all(state)
            if (found := state.tasks[unit.id]).cut_off
            and unit.task.effects == "write"
            and not self._settings.agents[found.agent or unit.task.agent].idempotent
        ]

    @property
    def complete(self) -> bool:
        """Whether every task has ended."""
        return not self._ready.left

    def begin(self, state: RunState) -> list[Event]:
        """Take up a run where its journal left it."""
        free = list(self._ready.first())
        self._doubts.update(state.doubts)
        skipped: list[tuple[TaskId, str]] = []
        over = {task: found for task, found in state.tasks.items() if found.status in ENDED}
        if state.units_begun:
            self._units = {task: self._with_agent(unit, state) for task, unit in self._units.items()}
        for task in self._units if over else ():
            if task in over:
                follows = self._ready.ended(task, well=over[task].status == "done")
                free.extend(follows.ready)
                skipped.extend(follows.skipped)
        self._offer([task for task in free if task not in over])
        return [TaskSkipped(task, reason) for task, reason in skipped if task not in over]

    def end(self, unit: Unit, *, well: bool) -> Sequence[Event]:
        """A unit has ended; what that means for others."""
        self._slots.release(unit)
        parent = unit.task.id
        if not unit.number:
            return self._settle(parent, well=well)
        self._children_left[parent] -= 1
        if not self._children_left[parent]:
            self._due.append(self._units[parent])
        return ()

    def hold(self, unit: Unit) -> Sequence[Event]:
        """A unit is in doubt: its place is free, and what depends on it waits."""
        self._slots.release(unit)
        return ()

    def hand_over(self, unit: Unit, to: AgentName) -> Sequence[Event]:
        """Another agent is to try: the unit waits for one of its places."""
        self._slots.release(unit)
        self._slots.offer(unit._replace(places=self._places_of(to)))
        return ()

    def recall(self, tasks: Collection[TaskId], state: RunState) -> None:
        """Call these tasks off, which are as in the state; each is offered anew once all of it is back."""
        waiting = self._slots.drain(self._places.values())
        idle = {unit.id for unit in waiting}
        for unit in waiting:
            self._slots.offer(unit)
        for task in tasks:
            at_work = _at_work(state, (task, *state.children(task))) - idle
            if at_work:
                self._recalled[task] = len(at_work)

    def back(self, unit: Unit) -> None:
        """A unit that was called off has stopped: its place is free."""
        self._slots.release(unit)
        task = unit.task.id
        self._recalled[task] -= 1
        if not self._recalled[task]:
            del self._recalled[task]
            if task in self._kept_back:
                self._kept_back.remove(task)
                self._offer([task])

    def is_recalled(self, unit: Unit) -> bool:
        """Whether the unit is to stop, and not to be begun."""
        return unit.task.id in self._recalled

    def adopt(self, plan: Plan, state: RunState) -> list[Event]:
        """Go on with a plan that was changed. All that has happened must be in the state.

        What is at work stays at work; all else is offered as it is now.
        """
        idle = {unit.id for unit in self._slots.drain(self._places.values())}
        self._at_work = _at_work(state, state.tasks) - idle
        self._units = self._units_of(plan)
        self._ready = Ready(plan, self._settings.schedule)
        self._children_left.clear()
        self._due.clear()
        skipped = self.begin(state)
        due, self._due = self._due, []
        for unit in due:
            items = state.tasks[unit.id].items
            if items is None:
                self._due.append(unit)
            else:
                self._offer_children(unit, len(items), state)
        self._at_work = frozenset()
        return skipped

    def take_due(self) -> Sequence[Unit]:
        """The mapped tasks to expand or gather, once all that ended so far is in the state."""
        if not self._due:
            return ()
        due, self._due = self._due, []
        return due

    def broken_off(self, task: TaskId, state: RunState, reason: str) -> TaskFailed:
        """The end of a mapped task of which some children never will: what the others came to is kept."""
        children = [_child(child, state, undone=reason) for child in state.children(task)]
        output, error = gathered(self._units[task].task.map_over or task, children)
        return TaskFailed(task, error or reason, output)

    def resolve(self, unit: Unit, state: RunState) -> list[Event]:
        """Expand a mapped task, or gather its children where they have ended."""
        if unit.task.id in self._children_left:
            return self._gather(unit, state)
        events: list[Event] = []
        items = state.tasks[unit.task.id].items
        if items is None:
            source = unit.task.map_over
            if source is None:
                raise InternalFault(f"{unit.id} maps over nothing")
            items = items_of(state.tasks[source].output or _NOTHING)
            error = too_many(source, len(items), self._max_items)
            if error is not None:
                return [TaskFailed(unit.id, error), *self._settle(unit.id, well=False)]
            events.append(TaskExpanded(unit.id, items))
        self._offer_children(unit, len(items), state)
        return events

    def _offer_children(self, parent: Unit, count: int, state: RunState) -> None:
        children = [parent.child(number) for number in range(1, count + 1)]
        open_ones = [c for c in children if c.id not in state.tasks or state.tasks[c.id].status not in ENDED]
        self._children_left[parent.id] = len(open_ones)
        for child in open_ones:
            if child.id not in self._doubts and child.id not in self._at_work:
                self._slots.offer(self._with_agent(child, state))
        if not open_ones:
            self._due.append(parent)

    def _gather(self, unit: Unit, state: RunState) -> list[Event]:
        task = unit.task
        children = [_child(child, state) for child in state.children(task.id)]
        output, error = gathered(task.map_over or task.id, children)
        event = TaskDone(task.id, output) if error is None else TaskFailed(task.id, error, output)
        return [event, *self._settle(task.id, well=error is None)]

    def _settle(self, task: TaskId, *, well: bool) -> Sequence[Event]:
        ready, skipped = self._ready.ended(task, well=well)
        self._offer(ready)
        return [TaskSkipped(lost, reason) for lost, reason in skipped] if skipped else ()

    def _offer(self, tasks: Sequence[TaskId]) -> None:
        for task in tasks:
            unit = self._units[task]
            if task in self._recalled:
                self._kept_back.add(task)
            elif unit.task.map_over is not None:
                self._due.append(unit)
            elif task not in self._doubts and task not in self._at_work:
                self._slots.offer(unit)

    def _all(self, state: RunState) -> Iterator[Unit]:
        """Every task, and the children of those that were expanded."""
        for unit in self._units.values():
            yield unit
            for number in range(1, len(state.tasks[unit.id].items or ()) + 1):
                yield unit.child(number)

    def _units_of(self, plan: Plan) -> dict[TaskId, Unit]:
        hops = remaining_hops(plan)
        places = {agent: self._places_of(agent) for agent in {t.agent for t in plan.tasks}}
        return {t.id: Unit(-hops[t.id], n, 0, t.id, t, places[t.agent]) for n, t in enumerate(plan.tasks)}

    def _places_of(self, agent: AgentName) -> Places:
        if agent not in self._places:
            self._places[agent] = Places(self._settings.agents[agent].concurrency)
        return self._places[agent]

    def _with_agent(self, unit: Unit, state: RunState) -> Unit:
        """The unit on the places of the agent that it was handed to, where it was."""
        found = state.tasks.get(unit.id)
        if found is None or found.agent is None:
            return unit
        return unit._replace(places=self._places_of(found.agent))


def _at_work(state: RunState, units: Iterable[TaskId]) -> frozenset[TaskId]:
    """Those of which an attempt has begun, or is waited for; not a mapped task, but its children."""
    tasks = state.tasks
    return frozenset(u for u in units if tasks[u].status in ("running", "waiting") and tasks[u].items is None)


def _child(child: TaskId, state: RunState, undone: str | None = None) -> Child:
    found = state.tasks[child]
    return Child(child, found.output, None if found.status == "done" else found.error or undone)
