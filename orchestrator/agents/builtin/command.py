"""The agent `command`: hands the query to a program, and answers with what that prints.

Laws: the query is the program's input and never part of what is run; it sees nothing of the environment but
what is named; a failure tells the exit code and the last of what it complained of, without the secrets.
"""

import json
import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from orchestrator.agents.builtin.formats.plain import speakable
from orchestrator.agents.builtin.options import size_text
from orchestrator.agents.builtin.process import Ended, Program, run_program
from orchestrator.agents.builtin.types.command import CommandOptions, program_of
from orchestrator.agents.contract import Call, Item, Output, Surroundings
from orchestrator.agents.secrecy import veiled
from orchestrator.errors import TaskError, UserError
from orchestrator.workspace.agent_file import AgentFile

_ALWAYS = ("PATH", "HOME", "LANG")
_LINES = 5
"""Most lines of a complaint that are told, the last ones."""
_LONGEST = 300
"""Most characters of each."""


@dataclass(frozen=True, slots=True)
class Command:
    """The agent. `environment` is what there is; the program sees a part of it."""

    name: str
    options: CommandOptions
    root: Path
    environment: Mapping[str, str]

    async def run(self, call: Call) -> Output:
        """Run the program once."""
        program = self._program(call)
        try:
            ended = await run_program(program, call.query.encode("utf-8", "replace"))
        except OSError as error:
            reason = error.strerror or str(error)
            raise TaskError(
                f"{self._shown} cannot be started: {reason}; see options.argv and options.cwd"
            ) from error
        self._judge(ended)
        return self._answer(ended.printed)

    def _program(self, call: Call) -> Program:
        path = self.environment.get("PATH", os.defpath)
        try:
            program = program_of(self.name, self.options.argv[0], self.root, path)
        except UserError as error:
            raise TaskError(str(error)) from error
        argv = (str(program), *self.options.argv[1:])
        return Program(argv, self._folder(), self._env(call), self.options.max_output, self.options.grace)

    def _folder(self) -> Path:
        root = self.root.resolve()
        folder = (root / self.options.cwd).resolve()
        if not folder.is_relative_to(root):
            raise TaskError(f"{self.options.cwd} ({folder}) leads out of the workspace; correct options.cwd")
        if not folder.is_dir():
            raise TaskError(
                f"there is no folder {self.options.cwd}: looked for {folder}; correct options.cwd"
            )
        return folder

    def _env(self, call: Call) -> Mapping[str, str]:
        """`CUEWAVE_KEY` names the effect: run and task, so that it is the same for another attempt."""
        names = (*_ALWAYS, *self.options.env)
        seen = {name: self.environment[name] for name in names if name in self.environment}
        secrets = {name: secret.value for name, secret in self.options.secrets.items()}
        return {**seen, **secrets, "CUEWAVE_KEY": call.key.rpartition("/")[0]}

    @property
    def _shown(self) -> str:
        return f"the program {self.options.argv[0]}"

    def _judge(self, ended: Ended) -> None:
        """Raises TaskError where the program did not do well.

        By its exit code it says so itself; one that was ended says nothing of what it had done by then.
        """
        if ended.too_much:
            bound = size_text(self.options.max_output)
            message = f"{self._shown} printed more than {bound} and was ended; raise options.max_output"
            raise TaskError(message, doubtful=True)
        if ended.code == 0:
            return
        how = f"exit code {ended.code}" if ended.code > 0 else _signal_name(-ended.code)
        lines = self._last_lines(ended.complaint)
        complaint = "".join(f"\n  {line}" for line in lines)
        message = f"{self._shown} ended with {how}{':' if lines else ''}{complaint}"
        raise TaskError(message, passing=ended.code in self.options.passing, doubtful=ended.code < 0)

    def _last_lines(self, complaint: bytes) -> Sequence[str]:
        text = speakable(self._text(complaint))
        lines = [line.rstrip()[:_LONGEST] for line in text.splitlines() if line.strip()]
        return lines[-_LINES:]

    def _text(self, data: bytes) -> str:
        return veiled(data.decode("utf-8", "replace"), [s.value for s in self.options.secrets.values()])

    def _answer(self, printed: bytes) -> Output:
        if self.options.output == "text":
            return Output(speakable(self._text(printed)).strip())
        try:
            return answer_in(json.loads(self._text(printed), parse_constant=_no_number))
        except (ValueError, RecursionError) as error:
            message = (
                f"{self._shown} printed something else than one JSON document ({error}); correct it, "
                f"or set options.output to text"
            )
            raise TaskError(message, doubtful=True) from error


def answer_in(found: object) -> Output:
    """The answer in a JSON document: an array is a list; an object may have a `text`, and `items`."""
    told = cast("dict[str, object]", found) if isinstance(found, dict) else {"items": found}
    text, items = told.get("text"), told.get("items")
    if isinstance(items, list):
        return _listed(text if isinstance(text, str) else None, cast("list[object]", items))
    return Output(_written(text if isinstance(text, str) else cast(object, found)))


def _listed(text: str | None, elements: Sequence[object]) -> Output:
    items = tuple(map(_item, elements))
    said = "\n".join(f"- {item.text}" for item in items) or "Nothing." if text is None else text
    return Output(speakable(said).strip(), items)


def _item(element: object) -> Item:
    """An element as a person reads it: its `text`, where it has one."""
    if not isinstance(element, dict):
        return Item(_written(element))
    data = cast("dict[str, Any]", element)
    text = data.get("text")
    return Item(speakable(text) if isinstance(text, str) else _written(data), data)


def _written(found: object) -> str:
    return speakable(found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)).strip()


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _signal_name(number: int) -> str:
    try:
        return f"the signal {signal.Signals(number).name}"
    except ValueError:
        return f"the signal {number}"


def build(agent: AgentFile, options: CommandOptions, surroundings: Surroundings) -> Command:
    """The agent of a YAML file."""
    return Command(agent.name, options, surroundings.root, os.environ)
