"""What a run came to, as a frozen value: the RunResult of the Python interface and of `run TEXT --json`."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime

from orchestrator.agents.contract import Output, Usage
from orchestrator.ids import Json, RunId, RunStatus, TaskId, TaskStatus
from orchestrator.planning.grounds.outcome import OutcomeFound
from orchestrator.planning.plan import Plan
from orchestrator.runs.past import Reckoning, reckoned
from orchestrator.runs.state import RunState, TaskState


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What a task came to. `items` are the children of a mapped task, by their ids, in order."""

    status: TaskStatus
    output: Output | None
    error: str | None
    started: datetime | None
    ended: datetime | None
    attempts: int = 0
    items: Mapping[TaskId, "TaskResult"] = field(default_factory=dict[TaskId, "TaskResult"])

    def to_json(self) -> dict[str, Json]:
        """The result as in `run TEXT --json`; a mapped task has its children under `items`."""
        document: dict[str, Json] = {
            "status": self.status,
            "output": None if self.output is None else self.output.text,
            "error": self.error,
            "started": _iso(self.started),
            "ended": _iso(self.ended),
            "attempts": self.attempts,
        }
        if self.items:
            document["items"] = [{"id": child, **result.to_json()} for child, result in self.items.items()]
        return document


@dataclass(frozen=True, slots=True)
class RunResult:
    """What a run came to. `results` has every task of the plan, in plan order.

    `waits_for` is what a waiting run needs of the world outside: `approval`, `answer TASK`, `review`.
    `estimate` has for each quantity what was expected, and, once the run has ended, what it came to.
    `outcome` are the tests of the real result, where the plan has some.
    """

    run: RunId
    status: RunStatus
    reply: str
    plan: Plan | None
    results: Mapping[TaskId, TaskResult]
    usage: Usage
    needs_human_review: bool = False
    waits_for: tuple[str, ...] = ()
    estimate: Mapping[str, Reckoning] | None = None
    outcome: tuple[OutcomeFound, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """The document of `run TEXT --json`."""
        return {
            "run": self.run,
            "status": self.status,
            "reply": self.reply,
            "plan": None if self.plan is None else self.plan.to_json(),
            "results": {task: result.to_json() for task, result in self.results.items()},
            "needs_human_review": self.needs_human_review,
            "waits_for": list(self.waits_for),
            "usage": asdict(self.usage),
            "outcome": [found.to_json() for found in self.outcome],
            "estimate": None
            if self.estimate is None
            else {name: it.to_json() for name, it in self.estimate.items()},
        }


def result_of(state: RunState) -> RunResult:
    """The result of a run as far as it is."""
    tasks = () if state.plan is None else state.plan.tasks
    return RunResult(
        run=state.run,
        status=state.status,
        reply=state.reply,
        plan=state.plan,
        results={task.id: _result(state, task.id) for task in tasks},
        usage=state.usage,
        needs_human_review=state.review is not None,
        waits_for=state.waits_for,
        estimate=reckoned(state),
        outcome=() if state.outcome is None else state.outcome.found,
    )


def _result(state: RunState, task: TaskId) -> TaskResult:
    found = state.tasks[task]
    return TaskResult(
        status=_status(found),
        output=found.output,
        error=found.error,
        started=found.started,
        ended=found.ended,
        attempts=found.attempt,
        items={child: _result(state, child) for child in state.children(task)},
    )


def _status(task: TaskState) -> TaskStatus:
    return "waiting" if task.status == "pending" else task.status


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
