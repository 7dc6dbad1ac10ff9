"""Reading a workspace of 2,000 lines: YAML with the place of every value beside PyYAML without, and `check`.

`check` is compared as a whole process: what it costs beyond the import of what validates (pydantic and the
models), in parts of `--help`.
"""

import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import yaml
from orchestrator.workspace.document.positions import read

from benchmarks.measure import child_cpu, interleaved, ratio
from benchmarks.startup import MAIN, process

LINES = 2_000
GOAL_YAML, GOAL_CHECK = 1.3, 1.8
SHIPPED = Path(__file__).parents[1]
_VALIDATES = "import orchestrator.workspace.models, orchestrator.workspace.agent_file, click"


def _agent(number: int) -> str:
    intents = "".join(
        f"""  duty_{number}_{n}:
    description: does duty {n} of desk {number} when it is asked to
    keywords: [duty {number} {n}, errand {number} {n}, "chore number {number} {n}"]
    examples:
      - please do duty {number} {n} at once
      - there is errand {number} {n} to run
"""
        for n in range(8)
    )
    return f"""name: desk_{number}
description: Does the duties of desk {number}.
uses: ledger
effects: read
intents:
{intents}options: {{file: samples/invoices.csv, noun: invoice}}
limits: {{timeout: 30s, retries: 2, concurrency: 4}}
"""


def make(root: Path) -> int:
    """A workspace of about 2,000 lines of YAML; how many it has."""
    for folder in ("config", "prompts", "samples"):
        shutil.copytree(SHIPPED / folder, root / folder)
    (root / "agents").mkdir()
    lines, number = sum(len(f.read_text().splitlines()) for f in (root / "config").glob("*.yaml")), 0
    while lines < LINES:
        text = _agent(number)
        (root / "agents" / f"desk_{number}.yaml").write_text(text)
        lines, number = lines + len(text.splitlines()), number + 1
    return lines


def _reading(files: list[tuple[str, bytes]]) -> Iterator[dict[str, object]]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    def plainly() -> None:
        for _, raw in files:
            yaml.load(raw, Loader=loader)

    def with_places() -> None:
        for name, raw in files:
            if read(name, raw).faults:
                raise SystemExit(f"{name} has faults")

    seconds = interleaved({"PyYAML, C loader": plainly, "with places": with_places}, rounds=11)
    for name, found in seconds.items():
        yield {
            "what": f"{LINES:,} lines of YAML",
            "runner": name,
            "cpu_ms": round(statistics.median(found) * 1e3, 1),
            "x_bound": round(ratio(found, seconds["PyYAML, C loader"]), 2),
            "goal": GOAL_YAML if name == "with places" else None,
        }


def _checking(root: Path) -> Iterator[dict[str, object]]:
    cases: dict[str, Callable[[], None]] = {
        "--help": process(sys.executable, "-c", MAIN, "--help"),
        "import click": process(sys.executable, "-c", "import click"),
        "import what validates": process(sys.executable, "-c", _VALIDATES),
        "check": process(sys.executable, "-c", MAIN, "--workspace", str(root), "check"),
    }
    seconds = interleaved(cases, rounds=9, cpu=child_cpu)
    pure = [
        check - (models - click)
        for check, models, click in zip(
            seconds["check"], seconds["import what validates"], seconds["import click"], strict=True
        )
    ]
    for name, found in {**seconds, "check, without that import": pure}.items():
        yield {
            "what": f"check of {LINES:,} lines",
            "runner": name,
            "cpu_ms": round(statistics.median(found) * 1e3, 1),
            "x_bound": round(ratio(found, seconds["--help"]), 2),
            "goal": GOAL_CHECK if name.startswith("check,") else None,
        }


def rows() -> Iterator[dict[str, object]]:
    """First the YAML, then the process."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make(root)
        files = [(f.relative_to(root).as_posix(), f.read_bytes()) for f in sorted(root.rglob("*.yaml"))]
        yield from _reading(files)
        yield from _checking(root)
