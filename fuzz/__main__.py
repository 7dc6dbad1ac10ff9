"""`python -m fuzz [TARGET ...] [--seconds N | --runs N] [--seed N]`: ever new inputs for the targets.

It needs the extra `fuzz`. An input that breaks a law is shown and kept under `build/fuzz/`, and the exit code
is 1; `python -m fuzz TARGET --input FILE` tries it again, without the extra. With --runs and --seed it does
the same every time.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

TARGETS = ("task_lines", "assume_lines", "documents", "workspaces", "cues")
KEPT = Path("build/fuzz")
SLOWEST = 20
"""Seconds that one input may take; what is usual is a hundredth."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help=f"all where none is named: {', '.join(TARGETS)}"
    )
    parser.add_argument("--seconds", type=int, help="how long for each target; 60 where --runs is not set")
    parser.add_argument("--runs", type=int, help="most inputs for each target")
    parser.add_argument(
        "--seed", type=int, default=0, help="of chance; 0, which is usual, is another one every time"
    )
    parser.add_argument("--input", type=Path, help="give the target only what is in this file")
    args = parser.parse_args()
    if unknown := {*args.targets} - {*TARGETS}:
        parser.error(f"there is no target {', '.join(sorted(unknown))}; there are: {', '.join(TARGETS)}")
    if args.input is not None:
        for name in args.targets:
            target(name).check(args.input.read_bytes())
        return
    if find_spec("atheris") is None:
        parser.error("atheris is not installed: pip install -e '.[fuzz]'")
    seconds = args.seconds if args.seconds is not None else 60 if args.runs is None else 0
    bounds = [
        f"-max_total_time={seconds}",
        f"-seed={args.seed}",
        f"-runs={-1 if args.runs is None else args.runs}",
    ]
    codes = [_fuzzed(name, bounds) for name in args.targets or TARGETS]
    sys.exit(any(codes))


def target(name: str) -> Any:
    """The module of a target. Any: what it has is in the docstring of the package."""
    return import_module(f"fuzz.{name}")


def _fuzzed(name: str, bounds: Iterable[str]) -> int:
    """The exit code of a process for the target: libFuzzer ends the one that it is in."""
    print(f"== {name}", file=sys.stderr, flush=True)
    module = target(name)
    kept = KEPT / name
    kept.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="cuewave-fuzz-") as scratch:
        new, seeds, words = (Path(scratch, part) for part in ("new", "seeds", "words"))
        new.mkdir()
        seeds.mkdir()
        for number, seed in enumerate(module.seeds()):
            (seeds / f"{number:03}").write_bytes(seed)
        words.write_text("".join(_quoted(module.WORDS)), encoding="ascii")
        options = [
            f"-dict={words}",
            f"-artifact_prefix={kept}/",
            f"-max_len={module.LONGEST}",
            f"-timeout={SLOWEST}",
        ]
        command = [sys.executable, "-m", "fuzz.one", name, *bounds, *options, str(new), str(seeds)]
        return subprocess.run(command, check=False).returncode


def _quoted(words: Iterable[str]) -> Iterator[str]:
    """The words as libFuzzer's dictionaries have them."""
    for word in words:
        yield '"' + "".join(f"\\x{byte:02x}" for byte in word.encode("utf-8", "surrogatepass")) + '"\n'


if __name__ == "__main__":
    main()
