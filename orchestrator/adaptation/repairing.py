"""How a plan is changed: the declared repair that fits is made into the tasks as they are from now on. Pure.

Laws: a task that has begun is never patched, nor one that neither assumed the key nor depends on one that
did; all others stay the very same objects. What a task assumed is re-aligned to what is so. The plan that
comes of it obeys the laws of every plan, else there is no such repair.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from orchestrator.adaptation.deciding import AT_WORK, undo_of
from orchestrator.errors import PlanRefused
from orchestrator.ids import AgentName, Effects, Json, TaskId
from orchestrator.planning.grounds.assumption import Assumption
from orchestrator.planning.plan import Plan, plan_of
from orchestrator.planning.repair import Patch, Repair
from orchestrator.planning.task import Task
from orchestrator.runs.changes import PlanRevised
from orchestrator.runs.identity import plan_hash
from orchestrator.runs.revised import revised_plan
from orchestrator.runs.state import RunState

Render: TypeAlias = Callable[[str, Mapping[str, object]], str]
"""A template, as a text, and its variables become text."""


@dataclass(frozen=True, slots=True)
class Broken:
    """What a registered repair is told: the run, the fact, and the tasks that it contradicts."""

    state: RunState
    key: str
    value: Json
    tasks: tuple[Task, ...]


Repairer: TypeAlias = Callable[[Broken], Repair | None]
"""A registered repair: a pure function that says what is to be changed, None where it knows nothing."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """What repairs are made with. `assign` gives a task what its agent says of all its tasks."""

    render: Render
    assign: Callable[[Task], Task]
    agents: Collection[AgentName]
    registered: Callable[[str], Repairer]


@dataclass(frozen=True, slots=True)
class Mended:
    """A plan as it can be from now on.

    `recalled` are tasks at work that are called off first, `stuck` those that cannot be, since they write.
    `asks` says why a person must agree, empty where nobody must.
    """

    event: PlanRevised
    recalled: tuple[TaskId, ...]
    stuck: tuple[TaskId, ...]
    asks: str


def mended(broken: Broken, reason: str, workshop: Workshop) -> Mended | str:
    """The plan changed for what broke; or why there is no way to.

    Raises what a template raises that cannot be rendered.
    """
    return _Mending(broken, workshop).made(reason)


def kept(broken: Broken) -> tuple[Task, ...]:
    """The tasks that broke, going by what is so now, and otherwise as they were."""
    return tuple(realigned(task, broken.key, broken.value) for task in broken.tasks)


def realigned(task: Task, key: str, value: Json) -> Task:
    """The task, going by what is so now of this key."""

    def of(assumption: Assumption) -> Assumption:
        if assumption.key != key or not assumption.contradicted(value):
            return assumption
        return replace(assumption, expected=assumption.expected.realigned(value))

    return replace(task, assumes=tuple(map(of, task.assumes)))


class _Mending:
    """One change of one plan."""

    def __init__(self, broken: Broken, workshop: Workshop) -> None:
        state = broken.state
        if state.plan is None:
            raise ValueError(f"run {state.run}: there is no plan to change")
        self._broken, self._workshop, self._state, self._plan = broken, workshop, state, state.plan
        self._facts = {**state.facts, broken.key: broken.value}
        at_work = [task for task in broken.tasks if state.tasks[task.id].status in AT_WORK]
        self._stuck = tuple(task.id for task in at_work if _cannot_be_recalled(state, task))
        self._recalled = tuple(task.id for task in at_work if task.id not in self._stuck)
        self._over = [task for task in broken.tasks if state.tasks[task.id].status == "done"]
        self._to_come = [
            t for t in broken.tasks if t.id in self._recalled or state.tasks[t.id].status == "pending"
        ]

    def made(self, reason: str) -> Mended | str:
        if not self._to_come and not self._over:
            return f"{', '.join(self._stuck)} is at work, writes, and cannot be called off"
        repair, declared = self._repair()
        if repair is None and self._to_come:
            return f"nothing is declared to be done where {self._broken.key} changes"
        try:
            event = self._event(repair or Repair(self._broken.key), reason)
        except PlanRefused as refused:
            return f"the repair would break the plan: {refused}"
        after = revised_plan(self._plan, event)
        event = replace(event, plan_hash=plan_hash(after))
        return Mended(
            event, self._recalled, self._stuck, _asks(self._plan, after, declared=declared, shown=self._shown)
        )

    @property
    def _shown(self) -> bool:
        return self._state.approval is not None

    def _repair(self) -> tuple[Repair | None, bool]:
        """The first declared repair that fits, and whether it is written down to the last word."""
        for repair in self._plan.repairs:
            fits = repair.on == self._broken.key and (
                repair.when is None or repair.when.holds(self._broken.value)
            )
            if fits and repair.uses is None:
                return repair, True
            found = self._workshop.registered(repair.uses)(self._broken) if fits and repair.uses else None
            if found is not None:
                return found, False
        return None, True

    def _event(self, repair: Repair, reason: str) -> PlanRevised:
        tasks = {task.id: task for task in self._plan.tasks}
        reach = self._reach()
        changed = {
            t.id: realigned(t, self._broken.key, self._broken.value) for t in (*self._to_come, *self._over)
        }
        for patch in repair.patches:
            if patch.task in reach:
                changed[patch.task] = self._patched(changed.get(patch.task) or tasks[patch.task], patch)
        added = [self._filled(task) for task in repair.add]
        undone = [self._undoing(task) for task in self._over]
        dropped = tuple(task for task in repair.drop if task in reach)
        kept = [changed.get(t.id, t) for t in self._plan.tasks if t.id not in dropped]
        new = plan_of(self._plan.request, [*kept, *added, *undone], self._plan.source, self._workshop.agents)
        because = f"{reason}: {repair.because}" if repair.because else reason
        return PlanRevised(
            because,
            tuple(t for t in (*changed.values(), *added, *undone) if t.id not in dropped),
            "",
            dropped,
            None if new.waves == self._plan.waves else new.waves,
        )

    def _reach(self) -> frozenset[TaskId]:
        """What a repair may change: what broke, and what depends on it, as far as it has not begun."""
        reach = {task.id for task in self._broken.tasks}
        for wave in self._plan.waves[1:]:
            after = (t for t in self._plan.tasks if t.id in wave)
            reach.update(t.id for t in after if not reach.isdisjoint(t.depends_on))
        pending = (t for t in reach if self._state.tasks[t].status == "pending")
        return frozenset((*pending, *self._recalled))

    def _patched(self, task: Task, patch: Patch) -> Task:
        depends_on = task.depends_on if patch.depends_on is None else patch.depends_on
        over = patch.map_over or (task.map_over if task.map_over in depends_on else None)
        action = task.action if patch.action is None else self._text(patch.action)
        agent = patch.agent or task.agent
        changed = replace(task, action=action, agent=agent, depends_on=depends_on, map_over=over)
        return changed if agent == task.agent else self._workshop.assign(changed)

    def _filled(self, task: Task) -> Task:
        return replace(task, action=self._text(task.action))

    def _undoing(self, task: Task) -> Task:
        """The task that makes good for what this one wrote."""
        how = task.compensate
        if how is None:
            raise ValueError(f"{task.id} has no compensation")
        action = self._text(how.action)
        made = Task(undo_of(task.id), how.agent, action, task.request, source_span=task.source_span)
        return self._workshop.assign(made)

    def _text(self, template: str) -> str:
        return self._workshop.render(template, {"facts": self._facts})


def _cannot_be_recalled(state: RunState, task: Task) -> bool:
    return task.effects == "write" or state.tasks[task.id].status == "in_doubt"


def _asks(before: Plan, after: Plan, *, declared: bool, shown: bool) -> str:
    """Why a person must agree to the change; empty where nobody must.

    What was declared was shown when the plan was approved. Anything else goes on unasked only where it
    changes no agent, no effect and no write.
    """
    if declared and (shown or _rank(after.effects) <= _rank(before.effects)):
        return ""
    known = {task.id: task for task in before.tasks}
    new = [task for task in after.tasks if known.get(task.id) is not task]
    told = list(_raised(new, known))
    return "; ".join(told) if told else ""


def _raised(new: Iterable[Task], known: Mapping[TaskId, Task]) -> Iterable[str]:
    for task in new:
        old = known.get(task.id)
        if old is None:
            if task.effects == "write" or task.agent not in {t.agent for t in known.values()}:
                yield f"{task.id} ({task.agent}, {task.effects}) is new"
        elif task.agent != old.agent or task.effects != old.effects:
            yield f"{task.id} goes to {task.agent} ({task.effects}) instead of {old.agent} ({old.effects})"
        elif task.effects == "write" and task.action != old.action:
            yield f"{task.id} ({task.agent}) writes something else"


_RANKS: Sequence[Effects] = ("none", "read", "write")


def _rank(effects: Effects) -> int:
    return _RANKS.index(effects)
