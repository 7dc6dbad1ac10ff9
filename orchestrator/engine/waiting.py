"""What a person reads of a run that waits: what it waits for, and how to go on. Pure."""

from collections.abc import Iterator

from orchestrator.engine.moves import Park
from orchestrator.runs.state import RunState


def waiting_reply(state: RunState, park: Park) -> str:
    """The reply of a run while it is parked."""
    return "\n".join(_lines(state, park))


def _lines(state: RunState, park: Park) -> Iterator[str]:
    run = state.run
    if "approval" in park.waits_for:
        why = f": {state.approval.reason}" if state.approval else ""
        yield f"The plan needs your word{why}. Nothing was run."
        if state.plan is not None:
            yield state.plan.to_text()
        yield f"Go on: cuewave runs approve {run}    Not at all: cuewave runs reject {run}"
    if "review" in park.waits_for:
        yield f"The run is held for a person: {state.review}."
        yield f"Once you have looked: cuewave runs clear-review {run}"
    for task in state.doubts:
        yield f"{task} is in doubt: {state.tasks[task].error}."
        yield f"It happened: cuewave runs answer {run} {task} --done    It did not: --redo"
