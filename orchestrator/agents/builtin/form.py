"""The agent `form`: reads fields out of what it is told, and answers with them. It stands in for a service.

Law: the same words give the same answer, and nothing in the world changes, whatever its effects are declared
to be: the write of a stand-in is a pretended one, which never comes about.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from string import Template

from orchestrator.agents.builtin.formats.plain import speakable
from orchestrator.agents.builtin.types.form import TEXT, FormOptions, Pattern, compiled
from orchestrator.agents.contract import Call, Item, Output, Surroundings, Verdict
from orchestrator.errors import TaskError
from orchestrator.ids import Json
from orchestrator.workspace.agent_file import AgentFile

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Form:
    """The agent. `patterns` find its fields, `things` its items, where it answers with a list."""

    name: str
    options: FormOptions
    patterns: Mapping[str, Pattern]
    things: Pattern | None

    @property
    def reads_query(self) -> bool:
        """It reads the task's own words, and the results as they are: no prompt is rendered for it."""
        return False

    async def verify(self, key: str) -> Verdict:
        """A pretended write never came about."""
        return Verdict(happened=False)

    async def run(self, call: Call) -> Output:
        """Fill the form in, once for each item where there are some."""
        await asyncio.sleep(0)  # whoever waits for it can call it off, as with a real service
        words = speakable(call.action).strip()
        if self.things is None:
            item = self._filled(words, call)
            return Output(item.text, (item,))
        found = [match.group(self.things.groups) for match in self.things.finditer(words)]
        items = tuple(self._filled(thing, None) for thing in found if thing)
        return Output("\n".join(f"- {item.text}" for item in items) or "Nothing.", items)

    def _filled(self, words: str, call: Call | None) -> Item:
        """The fields of these words, and the answer with them; `call` has where else to look."""
        data: dict[str, Json] = {}
        for name, pattern in self.patterns.items():
            value = _searched(pattern, words)
            if value is None and call is not None:
                value = next(_elsewhere(name, pattern, call), None)
            if value is not None:
                data[name] = self._value(name, value)
            elif name in self.options.required:
                raise TaskError(
                    f"there is no {name} in {words[:_SHOWN]!r}; say it in the task, or change"
                    f" options.fields.{name} of the agent {self.name!r}"
                )
        blank = dict.fromkeys(self.patterns, "")
        return Item(Template(self.options.reply).substitute({**blank, **data, TEXT: words}).strip(), data)

    def _value(self, name: str, value: Json) -> Json:
        if name not in self.options.numbers or not isinstance(value, str):
            return value
        number = _number(value)
        if number is None:
            raise TaskError(
                f"the {name} of the agent {self.name!r} is to be a number, and {value[:_SHOWN]!r} is none;"
                f" change options.fields.{name}, or take it out of options.numbers"
            )
        return number


def _elsewhere(name: str, pattern: Pattern, call: Call) -> Iterator[Json]:
    """What the item and the results of others say of a field: as data, or else in words."""
    results = [upstream.output for upstream in call.inputs]
    for item in (*((call.item,) if call.item else ()), *(i for r in results for i in r.items or ())):
        found = item.data.get(name)
        if isinstance(found, str | int | float | bool):
            yield found
    for text in (*((call.item.text,) if call.item else ()), *(result.text for result in results)):
        if (value := _searched(pattern, text)) is not None:
            yield value


def _searched(pattern: Pattern, text: str) -> str | None:
    match = pattern.search(speakable(text))
    return None if match is None else match.group(pattern.groups)


def _number(text: str) -> int | float | None:
    with suppress(ValueError):
        return int(text)
    with suppress(ValueError):
        number = float(text)
        return number if isfinite(number) else None
    return None


def build(file: AgentFile, options: FormOptions, _: Surroundings) -> Form:
    """The agent of a YAML file."""
    patterns = {name: compiled(pattern) for name, pattern in options.fields.items()}
    return Form(file.name, options, patterns, compiled(options.items) if options.items else None)
