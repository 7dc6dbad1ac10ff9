"""An agent that answers what the records say, when they say so, and the purse that pays for it.

Law: it is told nothing and knows nothing but the attempt it is asked for. One that the records do not know,
or do not know the end of, never ends.
"""

from collections.abc import Mapping, Sequence
from contextvars import ContextVar

from orchestrator.agents.contract import Call, Output, Usage, Verdict
from orchestrator.errors import BudgetExceeded, ModelError, TaskError
from orchestrator.execution.outcome import UNKNOWN
from orchestrator.execution.purse import AttemptPurse, RunPurse
from orchestrator.execution.retry import TimedOut
from orchestrator.execution.settings import Budgets
from orchestrator.ids import TaskId
from orchestrator.replay.places import Places
from orchestrator.replay.script import NEVER, Begin, End, Era
from orchestrator.runs.events import TaskDone, TaskFailed, TaskInDoubt, TaskRetrying
from orchestrator.runs.state import RunState

_AT_WORK_ON: ContextVar[TaskId] = ContextVar("_AT_WORK_ON")


class Recorded:
    """All agents of a run. `begun` must be told of every attempt that begins."""

    reads_query = False

    def __init__(self, places: Places, begins: Mapping[TaskId, Sequence[Begin]]) -> None:
        self._places, self._begins = places, begins
        self._begun: dict[TaskId, int] = {}

    def begun(self, task: TaskId) -> None:
        """Another attempt at the task has begun."""
        self._begun[task] = self._begun.get(task, 0) + 1

    async def run(self, call: Call) -> Output:
        """See Agent: what came of this attempt."""
        task = _task_of(call.key)
        _AT_WORK_ON.set(task)
        begin = self._present(task)
        if begin is None or begin.end is None:
            await self._places.until(NEVER)
            raise TaskError("this attempt has no end")
        await self._places.until(begin.ended)
        return _answer(begin.end, call)

    async def verify(self, key: str) -> Verdict:
        """What was told of an effect that was in doubt."""
        begin = self._present(_task_of(key))
        if begin is None or begin.verdict is None:
            return Verdict(None)
        return Verdict(begin.verdict.happened, begin.verdict.output)

    async def pause(self) -> None:
        """Wait as long as it was waited for the next attempt at the task that is at work."""
        task = _AT_WORK_ON.get()
        begins = self._begins.get(task, ())[self._begun[task] :]
        await self._places.until(begins[0].at if begins and begins[0].paused else NEVER)

    def _present(self, task: TaskId) -> Begin | None:
        begins, number = self._begins.get(task, ()), self._begun.get(task, 0)
        return begins[number - 1] if 0 < number <= len(begins) else None


class RecordedPurse(RunPurse):
    """Pays for everything, and is found empty where the records say so."""

    def __init__(self, era: Era, state: RunState, *, limits_tasks: bool) -> None:
        super().__init__(Budgets(), spent=state.usage, tasks=state.units_begun)
        self.limits_tasks, self._left = limits_tasks, era.begun
        if era.ran_out is not None:
            self.run_out(BudgetExceeded(era.ran_out.budget, era.ran_out.limit, era.ran_out.used))

    def tasks_left(self) -> int | None:
        """See RunPurse."""
        return self._left if self.limits_tasks else None

    def begin_tasks(self, count: int) -> None:
        """See RunPurse."""
        self._left -= count


class _Unanswered(TimedOut):
    """An attempt got no answer: it may have taken effect."""

    def __init__(self, message: str, *, passing: bool) -> None:
        TaskError.__init__(self, message, passing=passing)


class _Refused(BudgetExceeded):
    """A model was not asked, since that could not be paid for."""

    def __init__(self, message: str) -> None:
        ModelError.__init__(self, message)


def _task_of(key: str) -> TaskId:
    """The task, or child, of a key `run/task/attempt`."""
    return TaskId(key.partition("/")[2].rpartition("/")[0])


def _answer(end: End, call: Call) -> Output:
    match end:
        case TaskDone(output=output) | TaskFailed(output=Output() as output):
            return output
        case TaskInDoubt(reason=reason, usage=usage):
            _spend(usage, call)
            raise _Unanswered(reason.removesuffix(f"; {UNKNOWN}"), passing=False)
        case TaskRetrying(error=error, usage=usage) if end.next_attempt == end.attempt:
            _spend(usage, call)
            raise _Unanswered(error, passing=True)
        case _:
            _spend(end.usage, call)
            if end.error.startswith("the budget of "):
                raise _Refused(end.error)
            raise TaskError(end.error, passing=isinstance(end, TaskRetrying))


def _spend(usage: Usage, call: Call) -> None:
    if isinstance(call.purse, AttemptPurse):
        call.purse.settle(usage)
