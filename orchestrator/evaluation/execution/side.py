"""One side of a comparison: what a run did step by step, read off its journal. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from orchestrator.ids import Json, RunStatus
from orchestrator.runs.changes import PlanRevised, SignalJudged
from orchestrator.runs.events import Record, TaskDone, TaskFailed, TaskSkipped
from orchestrator.runs.fold import apply
from orchestrator.runs.messages import SignalReceived
from orchestrator.runs.state import RunState


@dataclass(slots=True)
class Heard:
    """A signal, and what became of it; `changed` are tasks with the actions that they were given."""

    key: str
    value: Json
    source: str
    decision: str = ""
    reason: str = ""
    changed: dict[str, str] = field(default_factory=dict[str, str])

    def to_json(self) -> dict[str, Json]:
        """The signal as in `compare execution NAME --json`."""
        return {
            "key": self.key,
            "value": self.value,
            "source": self.source,
            "decision": self.decision,
            "reason": self.reason,
            "changed": dict(self.changed),
        }


@dataclass(slots=True)
class Step:
    """What was done in one tick, and what was heard after it; the first step has no task."""

    tick: int
    task: str = ""
    agent: str = ""
    action: str = ""
    status: str = ""
    output: str = ""
    heard: list[Heard] = field(default_factory=list[Heard])

    def to_json(self) -> dict[str, Json]:
        """The step as in `compare execution NAME --json`."""
        return {
            "tick": self.tick,
            "task": self.task,
            "agent": self.agent,
            "action": self.action,
            "status": self.status,
            "output": self.output,
            "signals": [heard.to_json() for heard in self.heard],
        }


@dataclass(frozen=True, slots=True)
class Side:
    """One execution of a scenario. `done` of `tasks` tasks were carried out."""

    status: RunStatus
    revisions: int
    suppressed: int
    ignored: int
    review: str | None
    done: int
    tasks: int
    steps: Sequence[Step]
    outcome: Sequence[Mapping[str, Json]]

    def to_json(self) -> dict[str, Json]:
        """The side as in `compare execution NAME --json`."""
        return {
            "status": self.status,
            "revisions": self.revisions,
            "suppressed": self.suppressed,
            "ignored": self.ignored,
            "needs_human_review": self.review is not None,
            "review": self.review,
            "done": self.done,
            "tasks": self.tasks,
            "steps": [step.to_json() for step in self.steps],
            "outcome": list(self.outcome),
        }


def side_of(records: Sequence[Record]) -> Side:
    """What the run of these records did."""
    state = RunState(records[0].run)
    steps = [Step(0)]
    for record in records:
        apply(state, (record,))
        _read(record, state, steps)
    decisions = [judged.decision for judged in state.decisions]
    plan = () if state.plan is None else state.plan.tasks
    return Side(
        state.status,
        decisions.count("revised"),
        decisions.count("suppressed"),
        state.ignored,
        state.review,
        sum(state.tasks[task.id].status == "done" for task in plan),
        len(plan),
        steps,
        [found.to_json() for found in (state.outcome.found if state.outcome else ())],
    )


def _read(record: Record, state: RunState, steps: list[Step]) -> None:
    """Put what happened into its step."""
    match record.event:
        case TaskDone(task=id) | TaskFailed(task=id) if state.tasks[id].items is None:
            steps.append(_step(id, state))
        case TaskSkipped(task=id):
            steps.append(_step(id, state))
        case SignalReceived() as said:
            steps[-1].heard.append(Heard(said.key, said.value, said.source))
        case SignalJudged() as judged if steps[-1].heard:
            steps[-1].heard[-1].decision, steps[-1].heard[-1].reason = judged.decision, judged.reason
        case PlanRevised(changed=changed) if steps[-1].heard:
            steps[-1].heard[-1].changed.update((task.id, task.action) for task in changed)
        case _:
            return


def _step(id: str, state: RunState) -> Step:
    plan = () if state.plan is None else state.plan.tasks
    task = next(task for task in plan if task.id == id.partition("[")[0])
    found = next(found for known, found in state.tasks.items() if known == id)
    output = found.output.text if found.output is not None else found.error or ""
    return Step(state.ticks, id, found.agent or task.agent, task.action, found.status, output)
