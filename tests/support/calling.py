"""The command line in this process: the same `main`, its streams and its exit code."""

import io
import json
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from orchestrator.cli import main

SHIPPED = Path(__file__).parents[2]


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def cuewave(*arguments: str, cwd: Path | None = None, given: str = "") -> Done:
    """What the command line does with these words, and this text on stdin."""
    out, err, before = io.StringIO(), io.StringIO(), (sys.argv, sys.stdin)
    sys.argv, sys.stdin = ["cuewave", *arguments], io.StringIO(given)
    try:
        with (
            chdir(cwd or SHIPPED),
            redirect_stdout(out),
            redirect_stderr(err),
            pytest.raises(SystemExit) as end,
        ):
            main()
    finally:
        sys.argv, sys.stdin = before
    return Done(int(end.value.code or 0), out.getvalue(), err.getvalue())
