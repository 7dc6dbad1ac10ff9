"""The prompt of a dependent with ten results of 2 kB, beside the same template in a bare sandbox of Jinja2.

The bound is Jinja2's own `render` of a template that was compiled before, with the variables made before.
Ours checks, fences and cuts the results, and stops a text that grows beyond every bound.
"""

import statistics
from collections.abc import Callable, Iterator
from pathlib import Path

from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from orchestrator.agents.contract import Output, Upstream
from orchestrator.execution.settings import Budget
from orchestrator.execution.upstream import TEMPLATE, query_of, variables
from orchestrator.ids import AgentName, TaskId
from orchestrator.planning.task import Task
from orchestrator.prompts import Prompts

from benchmarks.measure import interleaved, ratio

ROUNDS, TIMES = 11, 300
GOAL = 1.5
FOLDER = Path(__file__).parents[1] / "prompts"
BUDGET = Budget(4_000, 40_000)


def _often(work: Callable[[], object]) -> Callable[[], None]:
    def times() -> None:
        for _ in range(TIMES):
            work()

    return times


def rows() -> Iterator[dict[str, object]]:
    """Microseconds of CPU a prompt."""
    agent, text = AgentName("a"), "what was found, in a few words. " * 64
    inputs = [Upstream(TaskId(f"t{n}"), agent, Output(text)) for n in range(10)]
    task = Task(
        TaskId("t10"), agent, "write it up", "find it, then write it up", tuple(u.task for u in inputs)
    )
    prompts = Prompts(FOLDER)
    bare = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(FOLDER), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    ).get_template(TEMPLATE)
    given = variables(task, inputs, budget=BUDGET)
    cases: dict[str, Callable[[], object]] = {
        "Jinja2, compiled before": lambda: bare.render(given),
        "Prompts.render": lambda: prompts.render(TEMPLATE, given),
        "with its variables": lambda: query_of(task, inputs, render=prompts.render, budget=BUDGET),
    }
    if len({str(case()) for case in cases.values()}) != 1:
        raise SystemExit("the prompts differ")
    found = interleaved({name: _often(case) for name, case in cases.items()}, rounds=ROUNDS)
    for name, seconds in found.items():
        yield {
            "what": "a prompt with ten results",
            "runner": name,
            "us": round(statistics.median(seconds) / TIMES * 1e6, 1),
            "x_bound": round(ratio(seconds, found["Jinja2, compiled before"]), 2),
            "goal": GOAL if name == "Prompts.render" else None,
        }
