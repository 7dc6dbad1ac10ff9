"""An agent that answers what the records say, when they say so, and the purse that pays for it.

Law: it is told nothing and knows nothing but the attempt it is asked for. One that the records do not know,
or do not know the end of, never ends.
"""

from collections.abc import Mapping, Sequence
from contextvars import ContextVar

from orchestrator.agents.contract import Call, Output, Usage, Verdict
from orchestrator.errors import Fenced, TaskError
from orchestrator.execution.outcome import UNKNOWN
from orchestrator.execution.purse import AttemptPurse, RunPurse
from orchestrator.execution.retry import TimedOut
from orchestrator.execution.settings import Budgets
from orchestrator.ids import TaskId
from orchestrator.replay.places import Places
from orchestrator.replay.script import BUDGET, NEVER, Begin, End, Era, RanOut
from orchestrator.runs.events import TaskDone, TaskFailed, TaskInDoubt, TaskRetrying
from orchestrator.runs.state import RunState

_AT_WORK_ON: ContextVar[TaskId] = ContextVar("_AT_WORK_ON")


class Attempted:
    """The attempts that were made of a run. `begun` must be told of every one that begins again."""

    def __init__(self, places: Places, begins: Mapping[TaskId, Sequence[Begin]]) -> None:
        self._places, self._begins = places, begins
        self._begun: dict[TaskId, int] = {}

    def begun(self, task: TaskId) -> None:
        """Another attempt at the task has begun."""
        self._begun[task] = self._begun.get(task, 0) + 1

    async def end(self, task: TaskId, call: Call) -> Output:
        """What came of the present attempt, when it did."""
        begin = self.present(task)
        if begin is None or begin.end is None:
            await self._places.until(NEVER)
            raise TaskError("this attempt has no end")
        await self._places.until(begin.ended)
        if begin.verdict is not None:
            raise _Unanswered("it got no answer", passing=False)
        return _answer(begin.end, call)

    async def pause(self) -> None:
        """Wait as long as it was waited for the next attempt at the task that is at work."""
        task = _AT_WORK_ON.get()
        begins = self._begins.get(task, ())[self._begun[task] :]
        await self._places.until(begins[0].at if begins and begins[0].paused else NEVER)

    def present(self, task: TaskId) -> Begin | None:
        """The attempt that was begun last; None where the records have no such."""
        begins, number = self._begins.get(task, ()), self._begun.get(task, 0)
        return begins[number - 1] if 0 < number <= len(begins) else None


class Recorded:
    """An agent of the run."""

    reads_query = False

    def __init__(self, attempted: Attempted) -> None:
        self._attempted = attempted

    async def run(self, call: Call) -> Output:
        """See Agent: what came of this attempt."""
        task = _task_of(call.key)
        _AT_WORK_ON.set(task)
        return await self._attempted.end(task, call)


class Telling(Recorded):
    """An agent of the run that can tell whether an effect came about."""

    async def verify(self, key: str) -> Verdict:
        """See Agent: what was told of this one."""
        begin = self._attempted.present(_task_of(key))
        if begin is None or begin.verdict is None:
            return Verdict(None)
        return Verdict(begin.verdict.happened, begin.verdict.output)


class RecordedPurse(RunPurse):
    """Pays for everything, and is found empty where the records say so."""

    def __init__(self, era: Era, state: RunState) -> None:
        super().__init__(Budgets(), spent=state.usage, tasks=state.units_begun)
        self.limits_tasks, self._left = True, era.begun
        self._run, self._last = state.run, era.last
        self.ran_out = era.ran_out

    def tasks_left(self) -> int | None:
        """See RunPurse."""
        return self._left

    def begin_tasks(self, count: int) -> None:
        """See RunPurse."""
        self._left -= count

    def refuse_tasks(self) -> None:
        """See RunPurse. Raises Fenced where the records end before anything was refused."""
        if self.ran_out is None:
            raise Fenced(self._run, self._last, self._last)


class _Unanswered(TimedOut):
    """An attempt got no answer: it may have taken effect."""

    def __init__(self, message: str, *, passing: bool) -> None:
        TaskError.__init__(self, message, passing=passing, doubtful=True)


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
            if end.error.startswith(BUDGET):
                raise RanOut(end.error)
            raise TaskError(end.error, passing=isinstance(end, TaskRetrying))


def _spend(usage: Usage, call: Call) -> None:
    if isinstance(call.purse, AttemptPurse):
        call.purse.settle(usage)
