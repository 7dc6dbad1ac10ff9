"""What an attempt came to, as the event that says so, in a person's words. Pure.

Laws: a write of which nobody knows whether it took effect is done again only by an idempotent agent, under
the same key, and never by another agent; else it is in doubt. What an agent cannot do is handed to the next
of its fallbacks.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from orchestrator.agents.contract import Output, Usage
from orchestrator.errors import CuewaveError, TaskError
from orchestrator.execution.retry import pause_before_retry
from orchestrator.execution.settings import Limits
from orchestrator.execution.slots import Unit
from orchestrator.ids import AgentName
from orchestrator.runs.events import TaskDone, TaskFailed, TaskHandedOver, TaskInDoubt, TaskRetrying
from orchestrator.runs.state import TaskState

End: TypeAlias = TaskDone | TaskFailed | TaskInDoubt | TaskRetrying | TaskHandedOver
"""How an attempt can end; with the last two the task goes on."""

UNKNOWN = "whether it took effect is not known"


def judged(unit: Unit, output: object) -> TaskDone | TaskFailed:
    """The unit's end. An empty result is data, and a failure only where the task asks for more."""
    if not isinstance(output, Output):
        raise TaskError(f"the agent returned {type(output).__name__} where an Output is due", doubtful=True)
    if unit.task.success == "not_empty" and is_empty(output):
        error = f"the result is empty, and agent {unit.task.agent} has `success: not_empty`"
        return TaskFailed(unit.id, error, output)
    return TaskDone(unit.id, output)


def after_failure(
    unit: Unit,
    found: TaskState,
    error: Exception,
    *,
    doubt: bool,
    limits: Limits,
    usage: Usage,
    rng: Callable[[], float],
) -> TaskRetrying | TaskInDoubt | TaskFailed:
    """What follows an attempt that raised: another one, a question to a person, or the end.

    `doubt` says that the work may have been done all the same, `limits` are those of the agent that failed,
    `usage` is what the attempt cost, `rng()` is in [0, 1).
    """
    pause = pause_before_retry(error, found.failures + 1, retries=limits.retries, rng=rng)
    if pause is not None and (limits.idempotent or not doubt):
        return TaskRetrying(unit.id, found.attempt, said(error), pause, found.attempt + (not doubt), usage)
    if doubt:
        return TaskInDoubt(unit.id, f"{said(error)}; {UNKNOWN}", usage)
    return TaskFailed(unit.id, said(error), None, usage)


def handed_over(
    failed: TaskFailed, attempt: int, agent: AgentName, chain: Sequence[AgentName]
) -> TaskFailed | TaskHandedOver:
    """The failure of this agent, or that the next in the chain of agents is to try."""
    following = chain[chain.index(agent) + 1 :] if agent in chain else ()
    if not following:
        return failed
    usage = failed.usage if failed.output is None else failed.usage + failed.output.usage
    return TaskHandedOver(failed.task, attempt, failed.error, following[0], usage)


def is_empty(output: Output) -> bool:
    """Whether there is nothing in a result: a list without items, or a blank text."""
    return not output.text.strip() if output.items is None else not output.items


def said(error: Exception) -> str:
    """The error in a person's words: a message of ours as it is, anything else with its type."""
    text, kind = str(error), type(error).__name__
    if not isinstance(error, CuewaveError):
        return f"{kind}: {text}" if text else kind
    return text or kind
