"""Several calls of the command line in one process, since most of what a short one takes is its start."""

import subprocess
import sys
from collections.abc import Mapping
from typing import IO, NamedTuple

from support.calling import SHIPPED

NEXT = "--next--"
END = b"\x1e"
"""Ends what a call writes, on stdout and on stderr."""

CALLS = f"""
import os, sys
from orchestrator.cli import main

stdout, codes, calls = os.dup(1), [], [[]]
for word in sys.argv[1:]:
    calls.append([]) if word == "{NEXT}" else calls[-1].append(word)
for words in calls:
    os.dup2(stdout, 1)  # a call whose reader has gone away has left another in its place
    sys.argv = ["cuewave", *words]
    try:
        main()
    except SystemExit as end:
        codes.append(str(end.code or 0))
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
        try:
            os.write(stream.fileno(), {END!r})
        except BrokenPipeError:
            pass
os.write(2, " ".join(codes).encode())
"""


class Call(NamedTuple):
    code: int
    out: bytes
    err: bytes


def words_of(*calls: tuple[str, ...]) -> list[str]:
    """The calls as one command line."""
    first, *others = calls
    return [*first, *(word for call in others for word in (NEXT, *call))]


def several(
    *calls: tuple[str, ...],
    env: Mapping[str, str],
    given: bytes | None = b"",
    stdout: int | IO[bytes] = subprocess.PIPE,
) -> list[Call]:
    """What each call came to, one after the other, in this environment.

    `given` is what stands on stdin, None where that is closed.
    """
    closed = ["bash", "-c", 'exec "$@" <&-', "bash"] if given is None else []
    command = [*closed, sys.executable, "-c", CALLS, *words_of(*calls)]
    done = subprocess.run(
        command, input=given, stdout=stdout, stderr=subprocess.PIPE, cwd=SHIPPED, env=env, check=False
    )
    *errs, codes = done.stderr.split(END)
    outs = done.stdout.split(END) if done.stdout is not None else [b""] * len(calls)
    assert len(errs) == len(calls), done.stderr
    return [Call(int(c), out, err) for c, out, err in zip(codes.split(), outs, errs, strict=False)]
