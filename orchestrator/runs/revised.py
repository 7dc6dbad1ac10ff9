"""How facts, signals and changes of the plan become the state of a run, each by its own step.

Law: a revision leaves every task that it does not name the very same object.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from orchestrator.errors import InternalFault
from orchestrator.planning.plan import Plan
from orchestrator.planning.task import Task
from orchestrator.runs.changes import (
    FactsGiven,
    OutcomeChecked,
    PlanRevised,
    ScenarioBegun,
    SignalJudged,
    TaskRecalled,
)
from orchestrator.runs.messages import SignalReceived
from orchestrator.runs.state import RunState, TaskState


def _facts_given(state: RunState, event: FactsGiven, _: datetime) -> None:
    state.facts.update(event.facts)


def _scenario_begun(state: RunState, event: ScenarioBegun, _: datetime) -> None:
    state.scenario = event


def _signal_received(state: RunState, event: SignalReceived, _: datetime) -> None:
    """What was so earlier than what is known already changes nothing."""
    following = state.following
    if following is not None and following.id == event.message:
        state.told += 1
    if event.time:
        if outdated(state, event):
            return
        state.as_of[event.key] = datetime.fromisoformat(event.time)
    state.facts[event.key] = event.value


def outdated(state: RunState, event: SignalReceived) -> bool:
    """Whether it tells what was so before what is known already."""
    known = state.as_of.get(event.key)
    return bool(event.time) and known is not None and datetime.fromisoformat(event.time) < known


def _signal_judged(state: RunState, event: SignalJudged, _: datetime) -> None:
    if event.decision == "ignored":
        state.ignored += 1
    else:
        state.decisions.append(event)
    if event.memory is not None:
        state.memory[event.key] = event.memory


def _plan_revised(state: RunState, event: PlanRevised, _: datetime) -> None:
    if state.plan is None:
        raise InternalFault(f"run {state.run}: there is no plan to revise")
    state.plan, state.plan_hash = revised_plan(state.plan, event), event.plan_hash
    for dropped in event.dropped:
        del state.tasks[dropped]
    for task in event.changed:
        state.tasks.setdefault(task.id, TaskState())
    state.assumed = assumed_by(state.plan.tasks)


def revised_plan(plan: Plan, event: PlanRevised) -> Plan:
    """The plan as it is from now on."""
    changed = {task.id: task for task in event.changed}
    kept = [changed.pop(task.id, task) for task in plan.tasks if task.id not in event.dropped]
    waves = plan.waves if event.waves is None else event.waves
    return replace(
        plan, tasks=(*kept, *changed.values()), waves=waves, revisions=(*plan.revisions, event.reason)
    )


def assumed_by(tasks: Iterable[Task]) -> dict[str, tuple[Task, ...]]:
    """For each key the tasks that assume something of it, in plan order."""
    found: dict[str, list[Task]] = {}
    for task in tasks:
        for key in dict.fromkeys(assumption.key for assumption in task.assumes):
            found.setdefault(key, []).append(task)
    return {key: tuple(those) for key, those in found.items()}


def _task_recalled(state: RunState, event: TaskRecalled, _: datetime) -> None:
    """It is as if it had never begun, but for its number: the next attempt is another one."""
    task = state.tasks[event.task]
    for child in state.children(event.task):
        del state.tasks[child]
    task.status, task.next_attempt = "pending", task.attempt + 1
    task.items, task.started, task.error = None, None, None
    task.cut_short = True


def _outcome_checked(state: RunState, event: OutcomeChecked, _: datetime) -> None:
    state.outcome = event


# Any: each step takes the event type of its key, which a dict's type cannot say.
CHANGES: Mapping[type, Callable[[RunState, Any, datetime], None]] = {
    FactsGiven: _facts_given,
    ScenarioBegun: _scenario_begun,
    SignalReceived: _signal_received,
    SignalJudged: _signal_judged,
    TaskRecalled: _task_recalled,
    PlanRevised: _plan_revised,
    OutcomeChecked: _outcome_checked,
}
