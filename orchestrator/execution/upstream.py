"""What a dependent is told of the results it stands on: the variables of `prompts/dependent.j2`. Pure.

Laws: another's result is data. It is only ever the value of a variable, between fences that it cannot close.
What does not fit the budget is cut, and the cut says its size and where the whole is. Nothing is passed on as
blank text: an empty result and a failure say so.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.agents.contract import Upstream
from orchestrator.agents.fence import fence_for
from orchestrator.execution.settings import Budget
from orchestrator.ids import Render, TaskId
from orchestrator.planning.plan import Task

TEMPLATE = "dependent.j2"


@dataclass(frozen=True, slots=True)
class Piece:
    """Which of the mapped dependency's items a child is about: `number` from 1, of `count`."""

    source: TaskId
    number: int
    count: int


def query_of(
    task: Task, inputs: Sequence[Upstream], *, render: Render, budget: Budget, piece: Piece | None = None
) -> str:
    """What the agent of a dependent reads."""
    return render(TEMPLATE, variables(task, inputs, budget=budget, piece=piece))


def variables(
    task: Task, inputs: Sequence[Upstream], *, budget: Budget, piece: Piece | None = None
) -> dict[str, object]:
    """`request` (None where the step says the same), `step`, `results`.

    Each result has `id`, `agent`, `status` (`done` or `failed`), `part` (which item of the result it is, or
    None), `text`, `fence`, `cut_note` (None where nothing was cut).
    """
    texts = [_text(upstream) for upstream in inputs]
    room = shares(list(map(len, texts)), per_result=budget.per_result, total=budget.total)
    return {
        "request": None if task.request.strip() == task.action.strip() else task.request,
        "step": task.action,
        "results": [
            _result(upstream, text, size, piece)
            for upstream, text, size in zip(inputs, texts, room, strict=True)
        ],
    }


def shares(sizes: Sequence[int], *, per_result: int, total: int) -> list[int]:
    """How much of each result is shown: short ones whole, long ones an equal share of the rest."""
    room = [size if size < per_result else per_result for size in sizes]
    if sum(room) <= total:
        return room
    left = total
    for place, n in enumerate(sorted(range(len(room)), key=lambda n: room[n])):
        room[n] = min(room[n], left // (len(room) - place))
        left -= room[n]
    return room


def _result(upstream: Upstream, text: str, size: int, piece: Piece | None) -> dict[str, object]:
    part = f"item {piece.number} of {piece.count}" if piece and piece.source == upstream.task else None
    shown = text[:size]
    return {
        "id": upstream.task,
        "agent": upstream.agent,
        "status": "done" if upstream.error is None else "failed",
        "part": part,
        "text": shown,
        "fence": fence_for(shown),
        "cut_note": None if size >= len(text) else _cut_note(len(text), size, upstream.task, part),
    }


def _text(upstream: Upstream) -> str:
    text = upstream.output.text if upstream.output.text.strip() else ""
    if upstream.error is None:
        return text or "(empty result)"
    return f"(no result: {upstream.error})" + (f"\n\n{text}" if text else "")


def _cut_note(whole: int, shown: int, task: TaskId, part: str | None) -> str:
    source = f"{part} of {task}" if part else task
    return f"… {whole - shown:,} of {whole:,} characters left out; the whole is the result of {source}"
