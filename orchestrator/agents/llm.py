"""A prompted agent: a language model with a system prompt, and tools where its YAML names some.

Law: the model is asked at most `max_steps` times with tools, then once more without, to answer with what it
has found. Everything that can be wrong with the agent's YAML is refused when it is built; LangChain is loaded
at its first call. The user's text is a message, never part of a template.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from pydantic import Field, StrictInt

from orchestrator.agents.contract import (
    Agent,
    AgentType,
    Call,
    Item,
    Model,
    Output,
    Surroundings,
    Usage,
)
from orchestrator.agents.toolbox import Toolbox, toolbox
from orchestrator.agents.tools import ASK, Tool, Use, tools_of
from orchestrator.errors import TaskError, UserError
from orchestrator.prompts import Prompts
from orchestrator.workspace.agent_file import DEFAULT_MODEL, DEFAULT_PROMPT, AgentFile
from orchestrator.workspace.models import Knobs

if TYPE_CHECKING:
    from langchain_core.messages import ToolMessage

VARIABLES = frozenset({"agent", "description", "today", "tools"})
"""What the system prompt's template is given: two names, a day, and tools with `name` and `description`."""
_ENOUGH = "This is what the tools have returned. No more can be used: answer now, with what is here."


class LlmOptions(Knobs):
    """`options` of an agent that `uses: llm`."""

    max_steps: StrictInt = Field(default=8, ge=1, le=100)
    """Most replies of the model that may use tools; one more answers without them."""
    max_tool_chars: StrictInt = Field(default=8000, ge=1)
    """Most characters of one tool's result that the model sees."""


@dataclass(slots=True)
class _Bill:
    """What one call of the agent has cost so far, with what the agents it asked have cost."""

    usage: Usage = field(default_factory=Usage)

    def add(self, usage: Usage) -> None:
        self.usage += usage


@dataclass(frozen=True, slots=True)
class Prompted:
    """The agent, with all that its YAML names."""

    file: AgentFile
    options: LlmOptions
    model: Model
    prompts: Prompts
    tools: tuple[Tool, ...]
    now: Callable[[], datetime]

    async def run(self, call: Call) -> Output:
        """Answer the call's query; an empty reply is data.

        The text is streamed where there are no tools. With tools it is emitted whole: a reply may still turn
        out not to be the last, and a piece once emitted is part of the answer.
        """
        bill = _Bill()
        box = toolbox(self.tools, Use(call, bill.add), self.options.max_tool_chars)
        opening = [("system", self._system(box)), ("user", call.query)]
        try:
            if box.tools:
                text = await self._with_tools(opening, box, call, bill)
            else:
                text = await self._final(opening, call, bill)
        except TaskError as error:
            error.doubtful = error.doubtful or bool(box.written)
            raise
        return Output(text, items_in_json(text), bill.usage)

    async def _with_tools(self, opening: Sequence[Any], box: Toolbox, call: Call, bill: _Bill) -> str:
        talk = list(opening)
        found: list[ToolMessage] = []
        for _ in range(self.options.max_steps):
            reply = await self.model.ask(talk, tools=list(box.tools.values()), purse=call.purse)
            bill.add(reply.usage)
            if not reply.tool_calls:
                call.emit(reply.text)
                return reply.text
            results = await box.use(reply.tool_calls)
            talk += [reply.message, *results]
            found += results
        # Not the conversation itself: providers refuse one that has tool messages and offers no tools.
        return await self._final([*opening, ("user", _findings(found))], call, bill)

    async def _final(self, talk: Sequence[Any], call: Call, bill: _Bill) -> str:
        reply = await self.model.ask(talk, emit=call.emit, purse=call.purse)
        bill.add(reply.usage)
        return reply.text

    def _system(self, box: Toolbox) -> str:
        variables = {
            "agent": self.file.name,
            "description": self.file.description,
            "today": f"{self.now():%A %Y-%m-%d}",
            "tools": [{"name": t.name, "description": t.description} for t in box.tools.values()],
        }
        try:
            return self.prompts.render(self.file.prompt or DEFAULT_PROMPT, variables)
        except UserError as error:
            raise TaskError(str(error)) from error


def _findings(found: "Sequence[ToolMessage]") -> str:
    return "\n\n".join([*(str(m.text) for m in found), _ENOUGH])


def items_in_json(text: str) -> tuple[Item, ...] | None:
    """The items of a reply that is a JSON array of texts or objects and nothing else; None for any other."""
    bare = text.strip()
    if bare.startswith("```") and bare.endswith("```"):
        bare = bare.removeprefix("```").removeprefix("json").removesuffix("```").strip()
    if not bare.startswith("["):
        return None
    try:
        found: object = json.loads(bare)
    except (ValueError, RecursionError):
        return None
    elements = cast("list[object]", found)
    items = tuple(_item(e) for e in elements)
    return None if None in items else cast("tuple[Item, ...]", items)


def _item(element: object) -> Item | None:
    if isinstance(element, str):
        return Item(element)
    if isinstance(element, dict):
        return Item(json.dumps(element, ensure_ascii=False), cast("dict[str, Any]", element))
    return None


def build(file: AgentFile, options: LlmOptions, surroundings: Surroundings) -> Agent:
    """The agent of a YAML file. Raises UserError for a model, prompt or tool that cannot be had."""
    prompts = surroundings.prompts or Prompts(surroundings.root / "prompts")
    unknown = sorted(prompts.variables(file.prompt or DEFAULT_PROMPT) - VARIABLES)
    if unknown:
        raise UserError(
            f"agent {file.name!r}: its prompt {file.prompt or DEFAULT_PROMPT!r} uses {', '.join(unknown)}; "
            f"it is given {', '.join(sorted(VARIABLES))}"
        )
    tools = tools_of(file, surroundings)
    try:
        model = surroundings.models(file.model or DEFAULT_MODEL)
    except UserError as error:
        raise UserError(f"agent {file.name!r} needs a model: {error}") from error
    return Prompted(file, options, model, prompts, tools, surroundings.now)


def model_calls(file: AgentFile, options: LlmOptions) -> tuple[int, int] | None:
    """One call without tools; other agents among them may call models too, and nobody knows how often."""
    if any(tool.startswith(ASK) for tool in file.tools):
        return None
    return 1, options.max_steps + 1 if file.tools else 1


TYPE = AgentType(
    "llm", LlmOptions, effects="none", steps="many", operations=(), build=build, model_calls=model_calls
)
