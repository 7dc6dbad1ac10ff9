"""One attempt of one agent at one task: bounded in time, and ending in a result or an error, nothing else."""

import asyncio

from orchestrator.agents.contract import Agent, Call, Output
from orchestrator.errors import CuewaveError, TaskError
from orchestrator.execution.clock import Clock
from orchestrator.execution.crew import this_task
from orchestrator.execution.retry import TimedOut, leaves_doubt
from orchestrator.execution.slots import Unit
from orchestrator.ids import Effects
from orchestrator.runs.events import TaskDone, TaskFailed


async def attempt(agent: Agent, call: Call, *, seconds: float, clock: Clock) -> Output:
    """The agent's output. Raises TimedOut after `seconds`, and whatever the agent raises.

    CancelledError is raised only where this asyncio task was cancelled by someone else; where the agent's own
    work was cut off from within, that is its error.
    """
    cut = _Cut(this_task(), seconds)
    alarm = clock.call_later(seconds, cut)
    try:
        return _checked(await agent.run(call))
    except (asyncio.CancelledError, Exception) as error:
        meaning = cut.meaning_of(error)
        if meaning is error:
            raise
        raise meaning from error
    finally:
        alarm.cancel()
        cut.over()


class _Cut:
    """Cancels an asyncio task when its time is up, and knows whose doing a cancellation was."""

    def __init__(self, task: "asyncio.Task[object]", seconds: float) -> None:
        self._task, self._seconds = task, seconds
        self._before = task.cancelling()
        self._late = False

    def __call__(self) -> None:
        self._late = True
        self._task.cancel()

    def meaning_of(self, error: BaseException) -> BaseException:
        """What an error of the agent is, seen from here."""
        cancelled = isinstance(error, asyncio.CancelledError)
        if cancelled and self._task.cancelling() - self._late > self._before:
            return error
        if self._late:
            return TimedOut(self._seconds)
        return TaskError("the agent's own work was cancelled from within") if cancelled else error

    def over(self) -> None:
        """Take back a cancellation of ours."""
        if self._late:
            self._task.uncancel()


def _checked(output: object) -> Output:
    if not isinstance(output, Output):
        raise TaskError(f"the agent returned {type(output).__name__} where an Output is due")
    return output


def judged(unit: Unit, output: Output) -> TaskDone | TaskFailed:
    """The unit's end. An empty result is data, and a failure only where the task asks for more."""
    if unit.task.success == "not_empty" and is_empty(output):
        error = f"the result is empty, and agent {unit.task.agent} has `success: not_empty`"
        return TaskFailed(unit.id, error, output)
    return TaskDone(unit.id, output)


def is_empty(output: Output) -> bool:
    """Whether there is nothing in a result: a list without items, or a blank text."""
    return not output.text.strip() if output.items is None else not output.items


def said(error: Exception, effects: Effects) -> str:
    """The error in a person's words: a message of ours as it is, anything else with its type."""
    text, kind = str(error), type(error).__name__
    if not isinstance(error, CuewaveError):
        text = f"{kind}: {text}" if text else kind
    if effects == "write" and leaves_doubt(error):
        return f"{text}; whether it took effect is not known, so it is not tried again"
    return text or kind
