"""The lines of a session: from a prompt with line editing and history, or from a pipe as they are.

Laws: where there is no terminal there is neither prompt nor history; a text of several lines that is pasted
at a prompt is one turn; Ctrl-C at the prompt begins the line anew, Ctrl-D ends the session.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType

from orchestrator.cli.history import History
from orchestrator.cli.output import say

PROMPT = "you> "


def piped() -> Iterator[str]:
    """The lines of stdin that are not blank, until its end."""
    while sys.stdin is not None and (line := sys.stdin.readline()):
        if line.strip():
            yield line.rstrip("\r\n")


def typed(history: History, words: Sequence[str]) -> Iterator[str]:
    """What a person types that is not blank, until Ctrl-D; `words` are completed at the Tab key."""
    editor = _editor()
    if editor is not None:
        _set_up(editor, history.read(), words)
    while True:
        try:
            line = _plainly() if editor is None else input(PROMPT)
        except KeyboardInterrupt:
            say("", err=True)
            continue
        except EOFError:
            say("", err=True)
            return
        if line.strip():
            kept = history.add(line)
            if editor is not None and kept is not None:
                editor.add_history(kept)
            yield line


def _editor() -> ModuleType | None:
    """The library that edits lines; None where Python has none, or stdout is no terminal."""
    try:
        import readline
    except ImportError:
        return None
    return readline if sys.stdout.isatty() else None


def _set_up(readline: ModuleType, lines: Sequence[str], words: Sequence[str]) -> None:
    readline.set_auto_history(False)
    readline.clear_history()
    for line in lines:
        readline.add_history(line)
    readline.set_completer_delims(" \t\n")
    readline.set_completer(completer(words))
    # macOS puts another library behind the same name, which has commands of its own.
    is_editline = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_editline else "tab: complete")


def completer(words: Sequence[str]) -> Callable[[str, int], str | None]:
    """What gives the nth of the words that begin as what is typed, and then None."""

    def complete(begun: str, number: int) -> str | None:
        meant = [word for word in words if word.startswith(begun)] if begun else []
        return f"{meant[number]} " if number < len(meant) else None

    return complete


def _plainly() -> str:
    """A line as the terminal gives it, asked for on stderr."""
    say(PROMPT, err=True, nl=False)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")
