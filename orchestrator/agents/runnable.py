"""The whole product as one LangChain Runnable, to be dropped into chains that exist already.

Law: callbacks, tags and run name of the config are LangChain's affair and are honoured by its own machinery;
`configurable.thread_id` is the session. A synchronous call runs an event loop of its own, in a thread where
one is running here already. Importing this module loads LangChain.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from contextvars import copy_context
from queue import SimpleQueue
from typing import Any, Protocol, TypeAlias, TypeVar, cast

from langchain_core.messages import BaseMessage, convert_to_messages
from langchain_core.runnables import Runnable, RunnableConfig

from orchestrator.errors import UserError

Turn: TypeAlias = str | BaseMessage | Sequence[Any] | Mapping[str, Any]
"""A text, a message, messages (the last one of the user counts), or a mapping with `input` or `messages`."""
T = TypeVar("T")


class Ran(Protocol):
    """What is read of the result of a run."""

    @property
    def reply(self) -> str:
        """What the person reads."""
        ...


class App(Protocol):
    """What is needed of the product."""

    async def run(self, text: str, *, session: str | None = None) -> Ran:
        """Serve one turn."""
        ...

    def chunks(self, text: str, *, session: str | None = None) -> AsyncGenerator[str]:
        """Serve one turn, and give its reply in pieces as they arrive; closing it cancels the turn."""
        ...


class TurnRunnable(Runnable[Turn, str]):
    """A turn in, the reply out."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.name = "cuewave"

    def invoke(self, input: Turn, config: RunnableConfig | None = None, **kwargs: Any) -> str:
        """Serve a turn and wait for it, also where an event loop is running."""
        return self._call_with_config(self._serve_here, input, config, **kwargs)

    async def ainvoke(self, input: Turn, config: RunnableConfig | None = None, **kwargs: Any) -> str:
        """Serve a turn."""
        return await self._acall_with_config(self._serve, input, config, **kwargs)

    def stream(self, input: Turn, config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[str]:
        """The reply in pieces, as they arrive; the turn is cancelled where nobody reads on."""
        yield from self._transform_stream_with_config(iter([input]), self._pieces_here, config, **kwargs)

    async def astream(
        self, input: Turn, config: RunnableConfig | None = None, **kwargs: Any
    ) -> AsyncIterator[str]:
        """The reply in pieces, as they arrive."""

        async def one() -> AsyncIterator[Turn]:
            yield input

        pieces = self._atransform_stream_with_config(one(), self._pieces, config, **kwargs)
        async with aclosing(cast("AsyncGenerator[str]", pieces)):
            async for piece in pieces:
                yield piece

    async def _serve(self, turn: Turn, run_manager: object, config: RunnableConfig) -> str:
        ran = await self.app.run(text_of(turn), session=session_of(config))
        return ran.reply

    def _serve_here(self, turn: Turn, run_manager: object, config: RunnableConfig) -> str:
        return _outcome(self._serve(turn, run_manager, config))

    async def _pieces(
        self, turns: AsyncIterator[Turn], run_manager: object, config: RunnableConfig
    ) -> AsyncIterator[str]:
        async for turn in turns:
            async with aclosing(self.app.chunks(text_of(turn), session=session_of(config))) as pieces:
                async for piece in pieces:
                    yield piece

    def _pieces_here(
        self, turns: Iterator[Turn], run_manager: object, config: RunnableConfig
    ) -> Iterator[str]:
        for turn in turns:
            yield from _pulled(self.app.chunks(text_of(turn), session=session_of(config)))


def as_runnable(app: App) -> TurnRunnable:
    """The product as a Runnable: invoke, ainvoke, stream, astream and batch."""
    return TurnRunnable(app)


def text_of(turn: Turn) -> str:
    """The text of a turn in any of the forms that chains pass on. Raises UserError for another."""
    if isinstance(turn, str):
        return turn
    if isinstance(turn, Mapping):
        inner = turn.get("input", turn.get("messages"))
        if inner is None:
            raise UserError(f"a turn needs the key 'input' or 'messages'; found: {', '.join(map(str, turn))}")
        return text_of(inner)
    messages = [turn] if isinstance(turn, BaseMessage) else _messages(turn)
    said = [m for m in messages if m.type == "human"]
    if not said:
        raise UserError("a turn needs a message of the user; there is none among the messages")
    return str(said[-1].text)


def _messages(turn: object) -> list[BaseMessage]:
    try:
        return convert_to_messages(cast("Any", turn))
    except (TypeError, ValueError, NotImplementedError) as error:
        raise UserError(f"a turn is a text, or messages; found {type(turn).__name__}: {error}") from error


def session_of(config: RunnableConfig) -> str | None:
    """The session that the config names as `configurable.thread_id`."""
    thread = config.get("configurable", {}).get("thread_id")
    return None if thread is None else str(thread)


def _outcome(work: Coroutine[Any, Any, T]) -> T:
    """What the coroutine comes to, in a loop of its own; in a thread where this one has a loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(copy_context().run, asyncio.run, work).result()


_END = object()


def _pulled(pieces: AsyncGenerator[str]) -> Iterator[str]:
    """The pieces, fetched by one task in a thread of its own; closing the iterator cancels it."""
    queue: SimpleQueue[object] = SimpleQueue()
    started: SimpleQueue[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = SimpleQueue()

    async def fetch() -> None:
        started.put((asyncio.get_running_loop(), cast("asyncio.Task[None]", asyncio.current_task())))
        try:
            async with aclosing(pieces):
                async for piece in pieces:
                    queue.put(piece)
        finally:
            queue.put(_END)

    with ThreadPoolExecutor(1) as thread:
        ended = thread.submit(copy_context().run, asyncio.run, fetch())
        loop, task = started.get()
        try:
            while (piece := queue.get()) is not _END:
                yield cast("str", piece)
        except BaseException:
            loop.call_soon_threadsafe(task.cancel)
            raise
        ended.result()
