"""How a run ends: what is left is told of with its reason, the real result is looked at, and that is all.

Law: a run ends once, and its last event says how. Nothing is left without a word.
"""

from collections.abc import Iterable, Sequence

from orchestrator.errors import InternalFault
from orchestrator.execution.course import Course
from orchestrator.execution.outcome import UNKNOWN
from orchestrator.execution.purse import RunPurse
from orchestrator.execution.reply import reply_of, with_outcome
from orchestrator.execution.settings import World
from orchestrator.ids import RunStatus, TaskId
from orchestrator.runs.events import (
    BudgetRanOut,
    Event,
    RunEnded,
    TaskCancelled,
    TaskInDoubt,
    TaskSkipped,
)
from orchestrator.runs.journal import Journal
from orchestrator.runs.state import ENDED


class Ending:
    """The end of one run. `begun` once it is being ended; `out_of_time` where its time was up."""

    def __init__(self, journal: Journal, course: Course, *, world: World, purse: RunPurse) -> None:
        self.begun = self.out_of_time = False
        self._journal, self._state, self._course = journal, journal.state, course
        self._world, self._purse = world, purse

    async def of_what_is_left(self, *, stopping: bool) -> None:
        """Nobody is at work any more: say of what is not done why. With only doubt left, the run waits."""
        if self._state.ended is not None:
            return
        left = [task for task, found in self._state.tasks.items() if found.status not in (*ENDED, "in_doubt")]
        doubts = self._state.doubts
        out_of_tasks = bool(left) and not stopping and not doubts and self._purse.tasks_left() == 0
        if out_of_tasks:
            self._purse.refuse_tasks()
        if self.out_of_time or out_of_tasks:
            await self._journal.append(*self._ran_out(), *self._given_up(left))
            await self.of_run("partial")
        elif stopping:
            await self._journal.append(*map(TaskCancelled, left))
            await self.of_run("cancelled")
        elif not doubts:
            raise InternalFault(f"run {self._journal.run}: nobody is at work on {', '.join(left)}")

    async def of_run(self, status: RunStatus) -> None:
        """End the run so, unless its real result, or its budget, says otherwise."""
        self.begun = True
        events: Sequence[Event] = ()
        if status not in ("done", "cancelled"):
            events = self._ran_out()
            status = "partial" if events or self._state.budget is not None else status
        reply = reply_of(self._state, status, self._world.render)
        judge, plan = self._world.judge, self._state.plan
        if judge is not None and plan is not None and plan.outcome and status != "cancelled":
            checked = await judge(self._state)
            events = (*events, checked)
            status = "outcome_failed" if status == "done" and not checked.well else status
            reply = with_outcome(reply, checked)
        await self._journal.append(*events, RunEnded(status, reply))

    def _given_up(self, left: Iterable[TaskId]) -> Iterable[Event]:
        """What a budget that ran out leaves undone, or cuts off; first the mapped tasks."""
        doubtful = {unit.id for unit in self._course.cut_off_writes(self._state)}
        tasks, reason = self._state.tasks, str(self._purse.ran_out)
        for task in sorted(left, key=lambda t: tasks[t].items is None):
            if task in doubtful:
                yield TaskInDoubt(task, f"{reason}; {UNKNOWN}")
            elif tasks[task].cut_off:
                yield TaskCancelled(task)
            elif tasks[task].items is not None:
                yield self._course.broken_off(task, self._state, reason)
            else:
                yield TaskSkipped(task, reason)

    def _ran_out(self) -> Sequence[Event]:
        """The budget that ran out, and what it would have been needed for; told once."""
        ran_out, plan = self._purse.ran_out, self._state.plan
        if ran_out is None or self._state.budget is not None:
            return ()
        undone = [t for t in (plan.tasks if plan else ()) if self._state.tasks[t.id].status != "done"]
        needed = ", ".join(f"{t.id} ({t.agent})" for t in undone)
        return (BudgetRanOut(ran_out.budget, float(ran_out.limit), float(ran_out.used), needed),)
