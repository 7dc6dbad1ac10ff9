"""One target under atheris, in a process of its own; the rest of the command line is libFuzzer's."""

import sys
from importlib import import_module

import atheris

if __name__ == "__main__":
    with atheris.instrument_imports(include=["orchestrator", "yaml"], enable_loader_override=False):
        target = import_module(f"fuzz.{sys.argv.pop(1)}")
        for seed in target.seeds():  # so that what is imported late is imported here
            target.check(seed)
    atheris.Setup(sys.argv, target.check)
    atheris.Fuzz()
