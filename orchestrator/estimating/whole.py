"""A whole plan estimated: its ranges and its critical path, from what is expected of each task. Pure.

Laws: a quantity of which one task's part is not known is not known. Sums are made, and schedules run, once
for each imagined run; the range is that of their totals. What planning costs is added as it is.
"""

from collections.abc import Mapping, Sequence
from math import ceil, floor
from typing import NamedTuple

from orchestrator.estimating.draws import POINTS, draws, range_of
from orchestrator.estimating.expectation import Calls, Expectation, expectation
from orchestrator.estimating.makespan import Timetable
from orchestrator.execution.settings import Settings
from orchestrator.ids import AgentName, TaskId
from orchestrator.planning.drawing.critical import critical_path
from orchestrator.planning.estimate import Estimate, Range
from orchestrator.planning.plan import Plan
from orchestrator.runs.samples import History


class Planning(NamedTuple):
    """What routing and planning the turn cost, or will; None for what is not known."""

    model_calls: Range = (0, 0)
    tokens: Range | None = (0, 0)
    money: Range | None = (0, 0)


FREE = Planning()


class Outlook(NamedTuple):
    """An estimate, with the usual seconds of each task, for drawings; none where not all are known."""

    estimate: Estimate
    seconds: Mapping[TaskId, float]


def outlook(
    plan: Plan,
    history: History,
    settings: Settings,
    *,
    calls: Mapping[AgentName, Calls],
    planning: Planning = FREE,
) -> Outlook:
    """What a run of the plan is expected to take. `calls` are what the agents' types declare."""
    tasks = {task.id: task for task in plan.tasks}
    expected = [expectation(task, tasks, history, calls) for task in plan.tasks]
    usual = {e.task.id: e.usual(_places(e, settings)) for e in expected}
    known = {task: taken for task, taken in usual.items() if taken is not None}
    seconds = known if len(known) == len(tasks) else {}
    most = settings.max_items
    estimate = Estimate(
        seconds=_rounded(_seconds(plan, expected, settings, history.rests), 6),
        model_calls=_whole(_total("model_calls", expected, planning.model_calls, most)),
        tokens=_whole(_total("tokens", expected, planning.tokens, most)),
        money=_rounded(_total("money", expected, planning.money, most), 6),
        samples=min((e.samples for e in expected), default=0),
        critical_path=critical_path(plan.tasks, plan.waves, seconds or None),
    )
    return Outlook(estimate, seconds)


def _places(expected: Expectation, settings: Settings) -> int:
    return min(settings.concurrency, settings.agents[expected.task.agent].concurrency)


def _seconds(
    plan: Plan, expected: Sequence[Expectation], settings: Settings, rests: Sequence[float]
) -> Range | None:
    """The range of what the imagined runs take, with what earlier ones took beside their tasks."""
    works = [e.works(2 * place + 1, settings.max_items) for place, e in enumerate(expected)]
    known = [its for its in works if its is not None]
    if len(known) < len(expected) or not known:
        return None
    ids = [task.id for task in plan.tasks]
    runs = (dict(zip(ids, run, strict=True)) for run in zip(*known, strict=True))
    beside = draws(sorted(rests) or (0.0,), 0)
    table = Timetable(plan, settings)
    return range_of([table.makespan(run) + rest for run, rest in zip(runs, beside, strict=True)])


def _total(quantity: str, expected: Sequence[Expectation], planning: Range | None, most: int) -> Range | None:
    """The range of the sum; bounds that are no draws are added to its ends."""
    parts = [e.costs(quantity, 2 * place + 1, most) for place, e in enumerate(expected)]
    drawn = [part for part in parts if isinstance(part, list)]
    bounds = [planning, *(part for part in parts if not isinstance(part, list))]
    known = [bound for bound in bounds if bound is not None]
    if len(known) < len(bounds):
        return None
    low, high = range_of([sum(run) for run in zip(*drawn, strict=True)] if drawn else [0.0] * POINTS)
    return low + sum(b[0] for b in known), high + sum(b[1] for b in known)


def _whole(found: Range | None) -> Range | None:
    """Of what is counted, the range that has both ends."""
    return None if found is None else (floor(found[0]), ceil(found[1]))


def _rounded(found: Range | None, digits: int) -> Range | None:
    return None if found is None else (round(found[0], digits), round(found[1], digits))
