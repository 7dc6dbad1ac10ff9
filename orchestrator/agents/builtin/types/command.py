"""The type `command`: its options, and where its program is found.

Law: what is run stands in the YAML, word by word; nothing of a turn gets into it.
"""

import os
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictInt, StringConstraints

from orchestrator.agents.builtin.options import Size
from orchestrator.agents.contract import Agent, AgentType, Surroundings, no_calls
from orchestrator.agents.late import late
from orchestrator.errors import MissingProgram
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.fields import Knobs, Seconds, Secret, Text


def _plain(word: str) -> str:
    if "\0" in word:
        raise ValueError("a program cannot be handed a NUL character; take it out")
    return word


def _inside(folder: str) -> str:
    path = PurePath(folder)
    if path.is_absolute() or ".." in path.parts or folder.startswith("~"):
        raise ValueError("the folder is one of the workspace: no absolute path, no `..`, no `~`")
    return folder


Argument = Annotated[str, AfterValidator(_plain)]
Variable = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
ExitCode = Annotated[StrictInt, Field(ge=1, le=255)]


class CommandOptions(Knobs):
    """Options of `uses: command`."""

    argv: Annotated[tuple[Argument, ...], Field(min_length=1)]
    """The program and its arguments, as they are: no shell reads them, nothing is filled in. A program
    without a slash is looked for in `PATH`, one with a slash from the workspace."""
    cwd: Annotated[Text, AfterValidator(_plain), AfterValidator(_inside)] = "."
    """The folder in which it runs, within the workspace."""
    env: tuple[Variable, ...] = ()
    """Names of environment variables that it sees beside `PATH`, `HOME`, `LANG` and `CUEWAVE_KEY`."""
    secrets: Mapping[Variable, Secret] = Field(default_factory=dict[str, Secret])
    """Variables that it sees too, each with a `${NAME}` of the environment as its value; never shown."""
    output: Literal["text", "json"] = "text"
    """What it prints: a text, or one JSON document. An array is a list, over which "for each" can go."""
    passing: tuple[ExitCode, ...] = (75,)
    """Exit codes after which another attempt may help; 75 is EX_TEMPFAIL."""
    max_output: Size = 1024**2
    """A program that prints more is ended, and its task fails."""
    grace: Seconds = 5.0
    """How long it may take to end after SIGTERM; then it is killed."""


def program_of(agent: str, written: str, root: Path, path: str) -> Path:
    """Where the program is. Raises MissingProgram; `path` is the list of folders to look in."""
    named = _named(written, root, path)
    for candidate in named:
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
    if "/" not in written:
        raise _missing(agent, f"there is no program {written!r} in PATH; install it, or give its path")
    (place,) = named
    if place.is_dir():
        raise _missing(agent, f"{written} ({place}) is a folder; name the program in it")
    if place.exists():
        raise _missing(agent, f"{written} ({place}) cannot be run; make it executable: chmod +x")
    raise _missing(agent, f"there is no program {written}: looked for {place}")


def _named(written: str, root: Path, path: str) -> tuple[Path, ...]:
    if "/" in written:
        home = os.path.expanduser(written)
        return (root / home,)
    return tuple(Path(folder, written) for folder in path.split(os.pathsep) if folder)


def _missing(agent: str, message: str) -> MissingProgram:
    return MissingProgram(f"agent {agent!r}: {message}; it is options.argv[0]")


_late = late("orchestrator.agents.builtin.command")


def build(file: AgentFile, options: CommandOptions, surroundings: Surroundings) -> Agent:
    """The agent of a YAML file. Raises MissingProgram, so that a check finds it before a turn does."""
    program_of(file.name, options.argv[0], surroundings.root, os.environ.get("PATH", os.defpath))
    return _late(file, options, surroundings)


TYPE = AgentType(
    name="command",
    options=CommandOptions,
    effects="none",
    steps="one",
    operations=(),
    build=build,
    presumed="write",
    model_calls=no_calls,
)
