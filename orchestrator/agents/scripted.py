"""A chat model that answers from a script: for tests, and for a workspace that runs without a provider.

Law: a call is answered by the first step left whose `expect` is in the last prompt; a call without one is an
error, and so are steps that nobody asked for. It is a LangChain chat model like any other, so that a script
and a real endpoint go through the same code. Importing this module loads LangChain.
"""

import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolCall
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import tool_call, tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, model_validator

from orchestrator.agents.chat import UnexpectedCall
from orchestrator.errors import ModelError, UserError


class ScriptedCall(BaseModel):
    """A tool that the scripted reply wants used."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    args: dict[str, Any] = Field(default_factory=dict)


class ScriptedError(BaseModel):
    """How the scripted call fails: with this HTTP status and code, or with an error that tells neither."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    message: str
    status: int | None = None
    code: str | None = None


class Step(BaseModel):
    """One call that a script foresees, and its answer: a reply, tool calls (also both) or an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    expect: str = ""
    reply: str = ""
    tool_calls: tuple[ScriptedCall, ...] = ()
    error: ScriptedError | None = None
    usage: tuple[int, int] | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, data: object) -> object:
        """A bare text is a reply; a bare error is its message."""
        if isinstance(data, str):
            return {"reply": data}
        if not isinstance(data, Mapping):
            return data
        fields = dict(cast("Mapping[str, object]", data))
        if isinstance(fields.get("error"), str):
            fields["error"] = {"message": fields["error"]}
        return fields


class ScriptedFailure(Exception):
    """What a scripted error raises, with the attributes by which providers tell the status and the reason."""

    def __init__(self, error: ScriptedError) -> None:
        self.status_code, self.code = error.status, error.code
        super().__init__(error.message)


@dataclass(frozen=True, slots=True)
class Asked:
    """One call that was made: the last prompt, the whole conversation, the names of the tools offered."""

    prompt: str
    messages: tuple[BaseMessage, ...]
    tools: tuple[str, ...]


class ScriptedChat(BaseChatModel):
    """`steps` in their order. `strict` raises UnexpectedCall, which no code takes for a model's failure."""

    steps: tuple[Step, ...]
    strict: bool = False
    source: str = "script"
    _left: list[Step] = PrivateAttr(default_factory=list[Step])
    _asked: list[Asked] = PrivateAttr(default_factory=list[Asked])
    _unexpected: list[str] = PrivateAttr(default_factory=list[str])

    def model_post_init(self, context: Any, /) -> None:
        """At first all steps are left."""
        super().model_post_init(context)
        self._left = list(self.steps)

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The calls so far."""
        return tuple(self._asked)

    def assert_complete(self) -> None:
        """Raises AssertionError where steps are left over, or a call was not foreseen."""
        left = [f"nobody asked for {_named(self.steps, step)}" for step in self._left]
        faults = [*self._unexpected, *left]
        if faults:
            raise AssertionError(f"{self.source}: " + "; ".join(faults))

    def bind_tools(
        self, tools: Sequence[Any], *, tool_choice: str | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """The model with these tools offered; a script decides by itself which it calls."""
        return self.bind(tools=[convert_to_openai_tool(t) for t in tools], **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        step, call = self._take(messages, kwargs.get("tools", ()))
        message = AIMessage(
            content=step.reply, tool_calls=_tool_calls(step, call), usage_metadata=_usage(step)
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._generate(messages, **kwargs)

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        step, call = self._take(messages, kwargs.get("tools", ()))
        for word in re.findall(r"\s*\S+|\s+$", step.reply):
            yield ChatGenerationChunk(message=AIMessageChunk(content=word))
        calls = [
            tool_call_chunk(name=c["name"], args=json.dumps(c["args"]), id=c["id"], index=i)
            for i, c in enumerate(_tool_calls(step, call))
        ]
        yield ChatGenerationChunk(
            message=AIMessageChunk(content="", tool_call_chunks=calls, usage_metadata=_usage(step))
        )

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in self._stream(messages, **kwargs):
            yield chunk

    def _take(self, messages: Sequence[BaseMessage], tools: Sequence[Any]) -> tuple[Step, int]:
        """The step that answers this call, and the call's number. Raises what the step says, if it does."""
        prompt = str(messages[-1].text)
        names = tuple(str(t["function"]["name"]) for t in tools)
        self._asked.append(Asked(prompt, tuple(messages), names))
        step = next((s for s in self._left if s.expect in prompt), None)
        if step is None:
            raise self._unforeseen(prompt)
        self._left = [s for s in self._left if s is not step]
        if step.error is not None:
            raise ScriptedFailure(step.error)
        return step, len(self._asked)

    def _unforeseen(self, prompt: str) -> Exception:
        left = "; ".join(_named(self.steps, s) for s in self._left) or "nothing"
        fault = f"call {len(self._asked)} was not foreseen: {_cut(prompt)!r}; left is: {left}"
        self._unexpected.append(fault)
        error = UnexpectedCall if self.strict else ModelError
        return error(f"{self.source}: {fault}")

    @property
    def _llm_type(self) -> str:
        return "scripted"


def script_of(data: object, source: str, *, strict: bool = False) -> ScriptedChat:
    """The chat model of a script: a list of steps, or a mapping with `steps`. Raises UserError."""
    if isinstance(data, Mapping):
        fields = cast("Mapping[str, Any]", data)
        unknown = sorted(set(fields) - {"version", "steps"})
        if unknown:
            raise UserError(f"{source}: a script has `version` and `steps`; found {', '.join(unknown)}")
        data = fields.get("steps")
    if not isinstance(data, list | tuple):
        raise UserError(f"{source}: a script is a list of steps; found {type(data).__name__}")
    steps = cast("Sequence[object]", data)
    return ScriptedChat(
        steps=tuple(_step(i, s, source) for i, s in enumerate(steps, 1)), strict=strict, source=source
    )


def _step(number: int, data: object, source: str) -> Step:
    try:
        return Step.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(p) for p in first["loc"])
        raise UserError(f"{source}: step {number}: {where}: {first['msg']}") from error


def _tool_calls(step: Step, call: int) -> list[ToolCall]:
    """Ids are told by the number of the call, so that a run of the script is the same every time."""
    return [
        tool_call(name=t.name, args=t.args, id=f"call_{call}_{i}") for i, t in enumerate(step.tool_calls, 1)
    ]


def _usage(step: Step) -> UsageMetadata | None:
    if step.usage is None:
        return None
    read, written = step.usage
    return UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)


def _named(steps: Sequence[Step], step: Step) -> str:
    number = next(i for i, s in enumerate(steps, 1) if s is step)
    return f"step {number}" + (f" (expects {_cut(step.expect)!r})" if step.expect else "")


def _cut(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}…"
