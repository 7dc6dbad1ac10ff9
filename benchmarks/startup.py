"""CPU of whole processes: the verbs that must be quick, each beside the least that its libraries cost."""

import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

from benchmarks.measure import child_cpu, interleaved, ratio

CLICK, YAML = "import click", "import click, yaml"
MAIN = "import sys; from orchestrator.cli import main; main()"
_PARALLEL = "summarize my inbox and check my calendar"
_EDGES = "find the overdue invoices, then write a reminder for each"


class Command(NamedTuple):
    """What is typed, beside which imports, and at most how many times their cost."""

    argv: tuple[str, ...]
    bound: str
    goal: float | None = None


COMMANDS: dict[str, Command] = {
    "--help": Command(("--help",), CLICK, 1.3),
    "run --help": Command(("run", "--help"), CLICK),
    "check": Command(("check",), YAML),
    "route": Command(("route", _PARALLEL), YAML),
    "plan, one task": Command(("plan", "--json", "check my calendar"), YAML, 5.0),
    "plan, in parallel": Command(("plan", "--json", _PARALLEL), YAML, 6.0),
    "plan, with edges": Command(("plan", "--json", _EDGES), YAML, 8.0),
}


def process(*argv: str) -> Callable[[], None]:
    """A process that must end well; what it prints is not shown."""

    def work() -> None:
        subprocess.run(argv, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    return work


def rows() -> Iterator[dict[str, object]]:
    """One row per bound and per command."""
    cases = {bound: process(sys.executable, "-c", bound) for bound in (CLICK, YAML)}
    cases |= {name: process(sys.executable, "-c", MAIN, *c.argv) for name, c in COMMANDS.items()}
    seconds = interleaved(cases, rounds=11, cpu=child_cpu)
    for name, found in seconds.items():
        command = COMMANDS.get(name)
        yield {
            "command": f"python -c '{name}'" if command is None else f"cuewave {name}",
            "cpu_ms": round(statistics.median(found) * 1000, 1),
            "x_bound": None if command is None else round(ratio(found, seconds[command.bound]), 2),
            "goal": None if command is None else command.goal,
        }
