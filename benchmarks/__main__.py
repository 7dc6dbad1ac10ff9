"""`python -m benchmarks [startup|schedule] [--json]`: ratios to a bound, and whether they reach the goal."""

import argparse
import json
from importlib import import_module
from importlib.util import find_spec

NAMES = ("startup", "schedule")


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
    elif "schedule" in found and find_spec("langgraph") is None:
        print("langgraph is not installed here: its rows are left out")


def _missed(row: dict[str, object]) -> bool:
    ratio, goal = row["x_bound"], row["goal"]
    return isinstance(ratio, float) and isinstance(goal, float) and ratio > goal


def _line(row: dict[str, object]) -> str:
    goal = "" if row["goal"] is None else f"  goal {row['goal']}x{' MISSED' if _missed(row) else ''}"
    cells = [f"{v}" for k, v in row.items() if k not in ("goal", "x_bound")]
    return "  ".join(f"{cell:<18}" for cell in cells) + f"  {row['x_bound']}x bound{goal}"


if __name__ == "__main__":
    main()
