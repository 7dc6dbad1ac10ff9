"""What becomes of a signal: ignored, suppressed, or the plan is to change. Pure.

Laws: a signal matters only where it contradicts what a task assumes whose work is still to come, is going on,
or can be made good for; every other is ignored. Contradiction is decided by comparison. It costs O(tasks that
assume the key), however many there are.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from orchestrator.adaptation.containment import Heard, agreeing, contain
from orchestrator.comparison import told
from orchestrator.ids import Decision, Json, Phase, TaskId
from orchestrator.planning.task import Task
from orchestrator.runs.containing import Memory, Rules
from orchestrator.runs.messages import SignalReceived
from orchestrator.runs.revised import outdated
from orchestrator.runs.state import RunState

RulesOf: TypeAlias = Mapping[str, Rules]
"""The rules of each key; those under the empty key are for all others."""

AT_WORK: frozenset[Phase] = frozenset({"running", "waiting", "in_doubt"})

_FRESH = Memory()


@dataclass(frozen=True, slots=True)
class Decided:
    """What becomes of a signal, and why. `broken` are the tasks that it contradicts.

    `memory` is what containment knows of the key now, None where that is as before; `flags` says that a
    person should know.
    """

    decision: Decision
    reason: str
    broken: tuple[Task, ...] = ()
    memory: Memory | None = None
    flags: bool = False


def consider(state: RunState, signal: SignalReceived, now: float, rules: RulesOf) -> Decided:
    """What becomes of the signal, which the state does not have yet. `now` is on the run's own clock."""
    key = signal.key
    if outdated(state, signal):
        known = state.as_of[key].isoformat()
        return Decided("ignored", f"it tells what was so at {signal.time}, and what is known is of {known}")
    if state.scenario is not None and state.scenario.baseline:
        return Decided("ignored", "the plan is carried out as it was made")
    broken = contradicted(state, key, signal.value)
    known, law = state.memory.get(key, _FRESH), rules.get(key) or rules[""]
    if not broken:
        after = agreeing(known, law)
        return Decided("ignored", _why_not(state, key), memory=None if after is known else after)
    unit = "s" if state.scenario is None else "ticks"
    contained = contain(known, law, Heard(now, signal.source, signal.urgent, unit))
    if not contained.passes:
        return Decided("suppressed", contained.reason, broken, contained.memory, contained.flags)
    return Decided("revised", _because(key, signal, broken), broken, contained.memory)


def contradicted(state: RunState, key: str, value: Json) -> tuple[Task, ...]:
    """The tasks that the value contradicts, and that this matters to, in plan order."""
    return tuple(
        task for task in state.assumed.get(key, ()) if _matters(state, task) and _breaks(task, key, value)
    )


def standing(state: RunState) -> Iterator[tuple[str, tuple[Task, ...]]]:
    """Each key of which what is known contradicts tasks that this matters to, with these tasks."""
    for key in state.assumed:
        broken = contradicted(state, key, state.facts[key]) if key in state.facts else ()
        if broken:
            yield key, broken


def undo_of(task: TaskId) -> TaskId:
    """The id of the task that makes good for what this one wrote."""
    return TaskId(f"{task}.undo")


def _matters(state: RunState, task: Task) -> bool:
    found = state.tasks[task.id]
    if found.status == "done":
        return task.effects == "write" and task.compensate is not None and undo_of(task.id) not in state.tasks
    return found.status == "pending" or found.status in AT_WORK


def _breaks(task: Task, key: str, value: Json) -> bool:
    for assumption in task.assumes:  # noqa: SIM110 - a generator costs three times as much
        if assumption.key == key and not assumption.expected.holds(value):
            return True
    return False


def _why_not(state: RunState, key: str) -> str:
    assuming = state.assumed.get(key, ())
    if not assuming:
        return "no task assumes anything of it"
    if not any(_matters(state, task) for task in assuming):
        return "every task that assumes something of it is over"
    return "it contradicts nothing that is assumed"


def _because(key: str, signal: SignalReceived, broken: tuple[Task, ...]) -> str:
    """The revision in a sentence, for the person who reads the journal."""
    assumed = dict.fromkeys(str(a) for task in broken for a in task.assumes if a.key == key)
    who = ", ".join(task.id for task in broken)
    said = f" ({signal.source})" if signal.source else ""
    return (
        f"I changed my mind because {key} is {told(signal.value)}{said}; {who} assumed: {'; '.join(assumed)}"
    )
