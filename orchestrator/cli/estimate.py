"""Estimates in a person's words: what a run is expected to take, and afterwards how far off that was.

Law: what is not known is said to be so, or not said; no number stands in for it.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from orchestrator.planning.estimate import QUANTITIES

if TYPE_CHECKING:
    from orchestrator.planning.estimate import Range
    from orchestrator.planning.task import Task
    from orchestrator.preview import Preview
    from orchestrator.runs.past import Reckoning

_UNITS = {"seconds": "s", "model_calls": "model calls", "tokens": "tokens", "money": "of money"}
_NAMES = {"seconds": "time", "model_calls": "model calls", "tokens": "tokens", "money": "money"}
_MARGIN = " " * 10
_DOES = {"read": "reads", "write": "writes"}


def estimate_lines(preview: "Preview") -> Iterator[str]:
    """What a run of the plan is expected to take, on what ground, its longest way, and its effects."""
    estimate = preview.estimate
    if estimate is None:
        return
    ranges = {name: estimate.range_of(name) for name in QUANTITIES}
    known = [_range(name, found) for name, found in ranges.items() if found not in (None, (0, 0))]
    known += ["no model calls"] if ranges["model_calls"] == (0, 0) else []
    unknown = [_NAMES[name] for name, found in ranges.items() if found is None]
    yield f"estimate  {'; '.join([*known, *(f'{name} not known yet' for name in unknown)])}"
    if estimate.coverage:
        runs = f"about {estimate.coverage * 10:.0f} of 10 such runs"
        yield f"{_MARGIN}for {runs}, by {estimate.samples} earlier tasks of each agent at least"
    if preview.record:
        told = (f"{held} of {of} in {_NAMES[name]}" for name, (held, of) in preview.record.items())
        yield f"{_MARGIN}of earlier estimates held: {', '.join(told)}"
    if len(estimate.critical_path) > 1:
        yield f"longest   {' -> '.join(estimate.critical_path)}"
    yield f"effects   {'; '.join(map(_effect, preview.plan.tasks))}"


def _effect(task: "Task") -> str:
    each = f" for each item of {task.map_over}" if task.map_over else ""
    return f"{task.id} {_DOES.get(task.effects, 'has none')}{each}"


def reckoning_lines(found: "Mapping[str, Reckoning] | None") -> Iterator[str]:
    """What a run was expected to take, and once it has ended what it took and how far off that was."""
    head = "estimate"
    for name, it in (found or {}).items():
        if it.expected is not None and (it.actual is None or it.says_something):
            yield f"{head:<10}{_told(name, it)}"
            head = ""


def _told(name: str, it: "Reckoning") -> str:
    expected = _range(name, it.expected) if it.expected else ""
    if it.actual is None or it.error is None:
        return f"{expected} expected"
    off = "over" if it.error > 0 else "under"
    how = f"{off} by {_number(name, abs(it.error))}" if it.error else "as expected"
    return f"{_number(name, it.actual)} {_UNITS[name]}, {expected} expected: {how}"


def _range(name: str, found: "Range") -> str:
    low, high = (_number(name, end) for end in found)
    return f"{low} {_UNITS[name]}" if low == high else f"{low} to {high} {_UNITS[name]}"


def _number(name: str, value: float) -> str:
    """Seconds and money with three figures, what is counted as it is."""
    return f"{value:,.0f}" if name in ("model_calls", "tokens") or value >= 1000 else f"{value:.3g}"
