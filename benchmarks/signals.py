"""Deciding on a signal of a run with many tasks to come: how long it takes, journaling apart.

The bound is the least that any decision needs: looking the key up and comparing the value with `==`, once for
each task that assumes the key.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from orchestrator.adaptation.deciding import consider
from orchestrator.comparison import comparison_of
from orchestrator.ids import AgentName, RunId, TaskId
from orchestrator.planning.grounds.assumption import Assumption
from orchestrator.planning.plan import plan_of
from orchestrator.planning.task import Task
from orchestrator.runs.containing import Rules
from orchestrator.runs.events import PlanMade, Record
from orchestrator.runs.fold import fold
from orchestrator.runs.messages import SignalReceived
from orchestrator.runs.state import RunState

from benchmarks.measure import interleaved, ratio

TASKS = 10_000
SIGNALS = 100_000
ROUNDS = 5
GOAL_US = 20.0
_RULES = {"": Rules()}


def rows() -> Iterator[dict[str, object]]:
    """Irrelevant signals, and those on keys that one and ten tasks assume, none of which they contradict."""
    for assuming in (1, 10):
        state, keys = _run(assuming), TASKS // assuming
        cases = {
            "irrelevant": [SignalReceived(f"other{n % 997}", n, "bench") for n in range(SIGNALS)],
            f"{assuming} assume": [SignalReceived(f"k{n % keys}", 0, "bench") for n in range(SIGNALS)],
        }
        for name, signals in cases.items():
            if any(consider(state, s, 0.0, _RULES).decision != "ignored" for s in signals[:100]):
                raise AssertionError("nothing here contradicts the plan")
            yield _row(name, state, signals)


def _row(name: str, state: RunState, signals: Sequence[SignalReceived]) -> dict[str, object]:
    bound = {key: len(tasks) for key, tasks in state.assumed.items()}

    def decide() -> None:
        for signal in signals:
            consider(state, signal, 0.0, _RULES)

    def compare() -> None:
        for signal in signals:
            for _ in range(bound.get(signal.key, 0)):
                if signal.value == 1:
                    raise AssertionError(signal)

    seconds = interleaved({"decide": decide, "compare": compare}, rounds=ROUNDS)
    each = min(seconds["decide"]) / len(signals) * 1e6
    return {
        "case": f"signals {name}",
        "us_a_signal": round(each, 2),
        "bare_us": round(min(seconds["compare"]) / len(signals) * 1e6, 2),
        "x_bare": round(ratio(seconds["decide"], seconds["compare"]), 1),
        "x_bound": round(each / GOAL_US, 2),
        "goal": 1.0,
    }


def _run(assuming: int) -> RunState:
    """A run of so many pending tasks, each key assumed by `assuming` of them."""
    tasks = [
        Task(
            TaskId(f"t{n}"),
            AgentName("a"),
            "do it",
            "do it",
            assumes=(Assumption(f"k{n // assuming}", comparison_of({"lte": 3})),),
        )
        for n in range(TASKS)
    ]
    made = plan_of("do it", tasks, "model", [AgentName("a")])
    record = Record(RunId("r"), 1, datetime(2026, 1, 1, tzinfo=UTC), PlanMade(made, "answer"))
    return fold([record], RunState(RunId("r")))
