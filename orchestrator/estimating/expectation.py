"""What one task of a plan is expected to take, from the samples of its agent. Pure.

Laws: samples of the same intent are preferred, where there are enough. What a type of agent declares of its
calls stands in where there is no history, and beats it where it says that there are none. A mapped task is a
number of items, as many as its source found before, times what one unit took; either may be unknown.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from orchestrator.estimating.draws import draws
from orchestrator.estimating.makespan import Work
from orchestrator.ids import AgentName, TaskId
from orchestrator.planning.estimate import Range
from orchestrator.planning.task import Task
from orchestrator.runs.samples import History, Sample

ENOUGH = 5
"""So many samples of an intent, and those of other intents of the agent are left aside."""

FEWEST = 2
"""So many samples at least: there is no range in one."""

Calls = tuple[int, int] | None
"""The least and the most calls of a model that an attempt makes by its type; None where it does not say."""

_COSTS = ("model_calls", "tokens", "money")
_ONE = (1.0,)


class Expectation(NamedTuple):
    """What is known of one task: numbers of its units, and what one unit took, in ascending order.

    `units` is empty where a mapped task's number of items is not known, `each` where there is no history; so
    little of one that it gives no range is none.
    """

    task: Task
    units: Sequence[float]
    each: Mapping[str, Sequence[float]]
    samples: int
    calls: Calls

    def works(self, stream: int, most: int) -> list[Work] | None:
        """What the task is in each imagined run, with so many items at most; None where that is not known."""
        if not self.units or not self.each:
            return None
        units, seconds = draws(self.units, stream), draws(self.each["seconds"], stream + 1)
        return [Work(min(int(n), most), s) for n, s in zip(units, seconds, strict=True)]

    def costs(self, quantity: str, stream: int, most: int) -> list[float] | Range | None:
        """What it costs in each imagined run, or within which bounds; None where that is not known."""
        if self.calls == (0, 0):
            return 0.0, 0.0
        if self.units and self.each:
            each = draws(self.each[quantity], stream + 1)
            return [min(n, most) * cost for n, cost in zip(draws(self.units, stream), each, strict=True)]
        if quantity != "model_calls" or self.calls is None or not self.units:
            return None
        low, high = self.calls
        return self.units[0] * low, self.units[-1] * high

    def usual(self, places: int) -> float | None:
        """How many seconds it takes where all is as usual, and so many units may run at a time."""
        if not self.units or not self.each:
            return None
        return Work(round(_middle(self.units)), _middle(self.each["seconds"])).alone(places)


def expectation(
    task: Task, tasks: Mapping[TaskId, Task], history: History, calls: Mapping[AgentName, Calls]
) -> Expectation:
    """What is known of the task; `tasks` are those of its plan."""
    done = [sample for sample in _of(task, history) if sample.units]
    units: Sequence[float] = _ONE
    samples = len(done)
    if task.map_over is not None:
        source = tasks[task.map_over]
        units = sorted(float(s.found) for s in _of(source, history) if s.found is not None)
        samples = min(samples, len(units))
        units = units if len(units) >= FEWEST else ()
    each = {name: sorted(_amount(s, name) / s.units for s in done) for name in ("seconds", *_COSTS)}
    return Expectation(task, units, each if len(done) >= FEWEST else {}, samples, calls.get(task.agent))


def _of(task: Task, history: History) -> Sequence[Sample]:
    """The samples that speak for the task."""
    samples = history.samples.get(task.agent, ())
    same = [sample for sample in samples if sample.intent == task.intent]
    return same if len(same) >= ENOUGH else samples


def _middle(values: Sequence[float]) -> float:
    """The median of values in ascending order; the library's would load too much for a dry run."""
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def _amount(sample: Sample, quantity: str) -> float:
    usage = sample.usage
    match quantity:
        case "seconds":
            return sample.seconds
        case "model_calls":
            return usage.model_calls
        case "tokens":
            return usage.input_tokens + usage.output_tokens
        case _:
            return usage.money
