"""CPU of whole processes: the verbs that must be quick, beside the least a click program can cost."""

import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator

from benchmarks.measure import child_cpu, interleaved, ratio

BOUND = "python -c 'import click'"
COMMANDS: dict[str, tuple[str, ...]] = {
    "--help": ("--help",),
    "run --help": ("run", "--help"),
    "check": ("check",),
    "route": ("route", "summarize my inbox and check my calendar"),
    "plan (parallel)": ("plan", "summarize my inbox and check my calendar"),
    "plan (with edges)": ("plan", "find the overdue invoices, then write a reminder for each"),
}
GOALS = {"--help": 1.3}
_MAIN = "import sys; from orchestrator.cli import main; main()"


def _process(*argv: str) -> Callable[[], None]:
    def work() -> None:
        subprocess.run(argv, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    return work


def _works(case: Callable[[], None]) -> bool:
    try:
        case()
    except subprocess.CalledProcessError:
        return False
    return True


def rows() -> Iterator[dict[str, object]]:
    """One row per command; one that does not work here is said to be skipped."""
    cases = {
        f"cuewave {name}": _process(sys.executable, "-c", _MAIN, *argv) for name, argv in COMMANDS.items()
    }
    working = {name: case for name, case in cases.items() if _works(case)}
    bound = _process(sys.executable, "-c", "import click")
    seconds = interleaved({BOUND: bound, **working}, rounds=11, cpu=child_cpu)
    for name, found in seconds.items():
        yield {
            "command": name,
            "cpu_ms": round(statistics.median(found) * 1000, 1),
            "x_bound": round(ratio(found, seconds[BOUND]), 2),
            "goal": GOALS.get(name.removeprefix("cuewave ")),
        }
    for name in cases.keys() - working.keys():
        yield {"command": name, "cpu_ms": None, "x_bound": None, "goal": None, "skipped": "does not run here"}
