"""`python -m benchmarks [NAME] [--json]`: ratios to a bound, and whether they reach the goal."""

import argparse
import json
from importlib import import_module
from importlib.util import find_spec

NAMES = (
    "startup",
    "workspace",
    "cues",
    "prompts",
    "signals",
    "schedule",
    "makespan",
    "stores",
    "journaled",
    "many",
    "resume",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", nargs="?", choices=NAMES, help="one of them; all, where none is named")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    args = parser.parse_args()
    found: dict[str, list[dict[str, object]]] = {}
    for name in [args.name] if args.name else NAMES:
        found[name] = []
        for row in import_module(f"benchmarks.{name}").rows():
            found[name].append(row)
            if not args.json:
                print(_line(row), flush=True)
    if args.json:
        print(json.dumps(found, indent=2))
    elif found.keys() & {"schedule", "journaled", "many"} and find_spec("langgraph") is None:
        print("langgraph is not installed here: its rows are left out")


def _missed(row: dict[str, object]) -> bool:
    """A goal is a most, or with `at_least` a least."""
    ratio, goal, least = row["x_bound"], row["goal"], row.get("at_least")
    if not isinstance(ratio, float):
        return False
    return (isinstance(goal, float) and ratio > goal) or (isinstance(least, float) and ratio < least)


def _line(row: dict[str, object]) -> str:
    goal, least = row["goal"], row.get("at_least")
    told = f"  goal {goal}x" if goal is not None else f"  at least {least}x" if least is not None else ""
    cells = [f"{v}" for k, v in row.items() if k not in ("goal", "x_bound", "at_least")]
    bound = "" if row["x_bound"] is None else f"  {row['x_bound']}x bound"
    return "  ".join(f"{cell:<18}" for cell in cells) + bound + told + (" MISSED" if _missed(row) else "")


if __name__ == "__main__":
    main()
