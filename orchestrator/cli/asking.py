"""A question to the person at the terminal.

Laws: it is asked on stderr, so that stdout holds what was asked for and nothing else; only a yes is a yes,
whatever was typed ahead; and it can be left, by Ctrl-C or Ctrl-D, without an answer.
"""

import sys

import click

from orchestrator.cli.output import say

_ANSWERS = {"y": True, "yes": True, "n": False, "no": False, "": False}


def confirmed(question: str) -> bool:
    """Whether the person says yes; an empty line is a no. Raises click.Abort where the question is left."""
    from orchestrator.cli.interrupt import leavable

    with leavable():
        try:
            return _answer(question)
        except KeyboardInterrupt:
            raise click.Abort from None


def _answer(question: str) -> bool:
    while True:
        say(f"{question} [y/N]: ", err=True, nl=False)
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            raise click.Abort
        if (answer := _ANSWERS.get(line.strip().lower())) is not None:
            return answer
        say("that is neither yes nor no", err=True)
