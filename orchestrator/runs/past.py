"""What is kept of a run once it has ended, and how far off its estimate was. Pure functions of its state.

Laws: only a task that was done, and was at work under one driver from beginning to end, is a sample: the time
in which a process was dead is nobody's work. An estimate is of a run in which all goes well, so whether it
held is counted of runs that are done.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from orchestrator.agents.contract import NO_USAGE
from orchestrator.ids import AgentName, Json, TaskId
from orchestrator.planning.estimate import QUANTITIES, Range
from orchestrator.planning.task import Task
from orchestrator.runs.events import Record, RunEnded
from orchestrator.runs.fold import apply, fold
from orchestrator.runs.samples import MOST_OF_A_RUN, Past, Sample
from orchestrator.runs.state import RunState

_MANY = 50


@dataclass(frozen=True, slots=True)
class Reckoning:
    """One quantity of a run: what was expected, and what it came to; None for what is not known.

    `error` is how far it is outside the range: above zero for more than expected, below for less.
    """

    expected: Range | None
    actual: float | None

    @property
    def error(self) -> float | None:
        """See Reckoning."""
        if self.expected is None or self.actual is None:
            return None
        low, high = self.expected
        return max(self.actual - high, 0.0) or min(self.actual - low, 0.0)

    @property
    def says_something(self) -> bool:
        """Whether there is an error, and not only nothing where nothing was expected."""
        return self.error is not None and (self.expected, self.actual) != ((0, 0), 0)

    def to_json(self) -> dict[str, Json]:
        """As in `status RUN --json`."""
        expected = None if self.expected is None else list(self.expected)
        held = None if self.error is None else self.error == 0
        return {"expected": expected, "actual": self.actual, "error": self.error, "held": held}


def reckoned(state: RunState) -> Mapping[str, Reckoning] | None:
    """The estimate of a run beside what it came to, once it has ended; None where none was made."""
    if state.estimate is None:
        return None
    actual = _actual(state) if state.ended is not None else dict[str, float]()
    return {name: Reckoning(state.estimate.range_of(name), actual.get(name)) for name in QUANTITIES}


def _actual(state: RunState) -> dict[str, float]:
    usage = state.usage
    return {
        "seconds": round(state.driven, 6),
        "model_calls": usage.model_calls,
        "tokens": usage.input_tokens + usage.output_tokens,
        "money": usage.money,
    }


def past_after(state: RunState, records: Sequence[Record]) -> Past | None:
    """What is kept of the run with these records, which come after `state`; None where they do not end it."""
    for record in records:  # no generator: it is asked of every append there is
        if type(record.event) is RunEnded:
            break
    else:
        return None
    if len(records) > 1:
        return past_of(fold(records, state))
    after = replace(state)  # the end of a run changes none of its tasks, and they may be many
    apply(after, records)
    return past_of(after)


def past_of(state: RunState) -> Past:
    """What is kept of a run as it is: the last samples of each agent, and whether the estimate held."""
    tasks = () if state.plan is None else state.plan.tasks
    samples: dict[AgentName, list[Sample]] = {task.agent: [] for task in tasks}
    wanting, found = set(samples), _items_found(tasks, state)
    for task in reversed(tasks):
        if task.agent in wanting and (sample := _sample(task, state, found.get(task.id))) is not None:
            samples[task.agent].append(sample)
            if len(samples[task.agent]) == MOST_OF_A_RUN:
                wanting.remove(task.agent)
        if not wanting:
            break
    compared = reckoned(state) if state.status == "done" else None
    held = {name: it.error == 0 for name, it in (compared or {}).items() if it.says_something}
    kept = {agent: tuple(its) for agent, its in samples.items() if its}
    return Past(kept, held, _rest(state) if state.status == "done" else None)


def _rest(state: RunState) -> float | None:
    """The seconds in which the run was driven, before the first task and after the last.

    Of very many tasks nobody looks at all to find out: it is next to nothing then.
    """
    first, last = state.at, state.started
    if first is None or last is None or len(state.tasks) > _MANY:
        return None
    for task in state.tasks.values():
        if task.started is not None and task.items is None:
            if task.ended is None or task.cut_short:
                return None
            first, last = min(first, task.started), max(last, task.ended)
    at_work = max((last - first).total_seconds(), 0.0)
    return round(max(state.driven - at_work, 0.0), 6)


def _items_found(tasks: Sequence[Task], state: RunState) -> Mapping[TaskId, int]:
    """How many items each task had that another one was mapped over."""
    mapped = ((task.map_over, state.tasks[task.id].items) for task in tasks if task.map_over is not None)
    return {source: len(items) for source, items in mapped if items is not None}


def _sample(task: Task, state: RunState, found: int | None) -> Sample | None:
    whole = state.tasks[task.id]
    if whole.status != "done":
        return None
    units = [whole] if whole.items is None else [state.tasks[child] for child in state.children(task.id)]
    seconds, usage = 0.0, NO_USAGE
    for unit in units:
        if unit.cut_short or unit.started is None or unit.ended is None:
            return None
        seconds += (unit.ended - unit.started).total_seconds()
        if unit.usage is not NO_USAGE:
            usage += unit.usage
    if found is None and whole.output is not None and whole.output.items is not None:
        found = len(whole.output.items)
    return Sample(task.intent, len(units), round(seconds, 6), usage, found)
