"""What an attempt came to, as the event that says so, in a person's words. Pure."""

from orchestrator.agents.contract import Output
from orchestrator.errors import CuewaveError, TaskError
from orchestrator.execution.retry import leaves_doubt
from orchestrator.execution.slots import Unit
from orchestrator.ids import Effects
from orchestrator.runs.events import TaskDone, TaskFailed


def judged(unit: Unit, output: object) -> TaskDone | TaskFailed:
    """The unit's end. An empty result is data, and a failure only where the task asks for more."""
    if not isinstance(output, Output):
        raise TaskError(f"the agent returned {type(output).__name__} where an Output is due")
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
