"""One way to ask a language model, whoever serves it.

Any LangChain chat model can stand behind a ChatModel. Timeout, retries, fallbacks, the mapping of errors and
the counting of usage are the same for all of them. LangChain is loaded at the first question, not before.
"""

import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from orchestrator.agents.backoff import pause_before
from orchestrator.agents.contract import UNLIMITED, Messages, Purse, Reply, ToolCall, Usage
from orchestrator.agents.failure import failure_of
from orchestrator.agents.secrecy import Veil, secrets_of, veiled
from orchestrator.errors import CuewaveError, ModelError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, AIMessageChunk

Emit = Callable[[str], None]


class UnexpectedCall(AssertionError):
    """A scripted model was asked what its script does not foresee; it is not taken for a model's failure."""


async def _sleep(seconds: float) -> None:
    import asyncio

    await asyncio.sleep(seconds)


@dataclass(slots=True)
class ChatModel:
    """A language model with its manners: how long to wait, how often to try, who stands in for it.

    `label` names it in messages; `unlike` says of an answer in no known form whose it is. `retries` are extra
    tries after errors that can pass; `fallbacks` are asked in order when it fails. Once pieces of an answer
    were emitted no other try is made: they cannot be taken back. `price` is that of a million tokens, of
    prompts and of answers. `pause` and chance (`rng()` is in [0, 1)) are arguments, so that tests need not
    wait.
    """

    label: str
    make: Callable[[], "BaseChatModel"]
    timeout: float = 60.0
    retries: int = 0
    fallbacks: "tuple[ChatModel, ...]" = ()
    unlike: str = ""
    price: tuple[float, float] = (0.0, 0.0)
    pause: Callable[[float], Awaitable[None]] = _sleep
    rng: Callable[[], float] = random.random
    _made: "BaseChatModel | None" = field(default=None, init=False, repr=False)

    @classmethod
    def of(
        cls, chat: "BaseChatModel", name: str = "", *, timeout: float = 60.0, retries: int = 0
    ) -> "ChatModel":
        """Any LangChain chat model, behind this door."""
        return cls(f"model {name or type(chat).__name__!r}", lambda: chat, timeout=timeout, retries=retries)

    async def ask(
        self,
        messages: Messages,
        *,
        tools: Sequence[Any] = (),
        emit: Emit | None = None,
        purse: Purse = UNLIMITED,
    ) -> Reply:
        """One answer. `tools` is what the model's `bind_tools` takes. Raises ModelError.

        With `emit` the text is streamed where the provider can; `usage.model_calls` counts every try. The
        purse is asked before each of them. Where it refuses, that is raised, whatever was tried before.
        """
        pieces = _Pieces(emit)
        failures: list[ModelError] = []
        for model in (self, *self.fallbacks):
            reply = await model._persist(messages, tools, pieces, purse, failures)
            if reply is not None:
                purse.spend(reply.usage)
                return replace(reply, usage=reply.usage + Usage(model_calls=len(failures) + 1))
            if pieces.sent:
                break
        raise _together(failures)

    async def _persist(
        self,
        messages: Messages,
        tools: Sequence[Any],
        pieces: "_Pieces",
        purse: Purse,
        failures: list[ModelError],
    ) -> Reply | None:
        """Try until there is an answer, or waiting cannot help; every failure goes into `failures`."""
        for attempt in range(1, self.retries + 2):
            purse.begin_call()
            try:
                return await self._once(messages, tools, pieces)
            except ModelError as error:
                failures.append(error)
                if pieces.sent or not error.passing or attempt > self.retries:
                    break
                pause = pause_before(attempt, asked=error.retry_after, share=self.rng())
                if pause is None:
                    break
                await self.pause(pause)
        return None

    async def _once(self, messages: Messages, tools: Sequence[Any], pieces: "_Pieces") -> Reply:
        import asyncio

        try:
            model = self._bound(tools)  # outside the time limit: a first use imports the provider
            secrets = secrets_of(self._made)
            async with asyncio.timeout(self.timeout):
                veil = Veil(pieces, secrets) if pieces.emit else None
                message = await _answer(model, messages, veil, self.label)
        except (CuewaveError, UnexpectedCall):
            raise
        except Exception as error:  # noqa: BLE001 - each provider's library has errors of its own
            # `from None`: their texts may quote a key, and tracebacks are logged.
            unlike = self.unlike if self._made is not None else ""
            raise failure_of(error, self.label, unlike=unlike, secrets=secrets_of(self._made)) from None
        reply = reply_of(message)
        usage = replace(reply.usage, money=self._money(reply.usage))
        return replace(reply, text=veiled(reply.text, secrets), usage=usage)

    def _money(self, usage: Usage) -> float:
        """What so many tokens cost."""
        a_prompt, an_answer = self.price
        return (usage.input_tokens * a_prompt + usage.output_tokens * an_answer) / 1_000_000

    def _bound(self, tools: Sequence[Any]) -> Any:
        if self._made is None:
            self._made = self.make()
        return self._made.bind_tools(list(tools)) if tools else self._made


@dataclass(slots=True)
class _Pieces:
    """Passes pieces of text on, and remembers that it did."""

    emit: Emit | None
    sent: bool = False

    def __call__(self, text: str) -> None:
        if text and self.emit is not None:
            self.sent = True
            self.emit(text)


async def _answer(model: Any, messages: Messages, pieces: Veil | None, label: str) -> "AIMessage":
    sent = messages if isinstance(messages, str) else list(messages)
    if pieces is None:
        return await model.ainvoke(sent)
    return await _streamed(model.astream(sent), pieces, label)


async def _streamed(chunks: "AsyncGenerator[AIMessageChunk]", pieces: Veil, label: str) -> "AIMessage":
    from langchain_core.messages import message_chunk_to_message

    whole: AIMessageChunk | None = None
    async with aclosing(chunks) as stream:
        async for chunk in stream:
            pieces(str(chunk.text))
            whole = chunk if whole is None else cast("AIMessageChunk", whole + chunk)
    if whole is None:
        raise ModelError(f"{label}: the stream ended before an answer began", passing=True)
    pieces.end()
    return cast("AIMessage", message_chunk_to_message(whole))


def reply_of(message: "AIMessage") -> Reply:
    """What we keep of LangChain's answer, and the answer itself for the next turn of the conversation."""
    calls = [ToolCall(c["id"] or "", c["name"], c["args"]) for c in message.tool_calls]
    broken = [
        ToolCall(c["id"] or "", c["name"] or "", {}, c["error"] or "its arguments are no JSON object")
        for c in message.invalid_tool_calls
    ]
    counted = message.usage_metadata
    usage = Usage(0, counted["input_tokens"], counted["output_tokens"]) if counted else Usage()
    return Reply(str(message.text), (*calls, *broken), usage, message)


def _together(failures: Sequence[ModelError]) -> ModelError:
    """All failures as one: what each said, once; it can pass if any of them can."""
    if len(failures) == 1:
        return failures[0]
    told = "; ".join(dict.fromkeys(str(f) for f in failures))
    pauses = [f.retry_after for f in failures if f.retry_after is not None]
    return ModelError(told, passing=any(f.passing for f in failures), retry_after=min(pauses, default=None))
