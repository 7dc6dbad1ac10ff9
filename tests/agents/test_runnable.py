"""The laws of the product as a LangChain Runnable."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableLambda
from orchestrator.agents.runnable import as_runnable, text_of
from orchestrator.errors import UserError
from orchestrator.testing import ScriptedModel


@dataclass(frozen=True)
class Ran:
    reply: str


@dataclass
class Parrot:
    """An app that repeats the turn, and keeps what it was asked."""

    asked: list[tuple[str, str | None]] = field(default_factory=list)

    async def run(self, text: str, *, session: str | None = None) -> Ran:
        self.asked.append((text, session))
        await asyncio.sleep(0)
        if text == "break":
            raise UserError("broken on purpose")
        return Ran(f"you said {text}")

    async def chunks(self, text: str, *, session: str | None = None) -> AsyncGenerator[str]:
        self.asked.append((text, session))
        for word in ("you ", "said ", text):
            await asyncio.sleep(0)
            yield word
            if text == "break":
                raise UserError("broken on purpose")


class Endless(Parrot):
    """An app that says one word and never comes to an end."""

    ended = False

    async def chunks(self, text: str, *, session: str | None = None) -> AsyncGenerator[str]:
        try:
            yield "well"
            await asyncio.Event().wait()
        finally:
            self.ended = True


class Seen(BaseCallbackHandler):
    """A callback handler that keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[tuple[str, Any]] = []
        self.tags: list[str] = []

    def on_chain_start(self, serialized: Any, inputs: Any, **kwargs: Any) -> None:
        self.events.append(("start", inputs))
        self.tags += kwargs.get("tags") or []

    def on_chain_end(self, outputs: Any, **kwargs: Any) -> None:
        self.events.append(("end", outputs))

    def on_chain_error(self, error: BaseException, **kwargs: Any) -> None:
        self.events.append(("error", str(error)))

    def on_chat_model_start(self, serialized: Any, messages: Any, **kwargs: Any) -> None:
        self.events.append(("model", messages[0][0].content))


def test_a_turn_is_invoked() -> None:
    assert as_runnable(Parrot()).invoke("hi") == "you said hi"


def test_a_turn_is_awaited() -> None:
    assert asyncio.run(as_runnable(Parrot()).ainvoke("hi")) == "you said hi"


def test_a_turn_is_streamed() -> None:
    assert list(as_runnable(Parrot()).stream("hi")) == ["you ", "said ", "hi"]


def test_a_turn_is_streamed_asynchronously() -> None:
    async def pieces() -> list[str]:
        return [p async for p in as_runnable(Parrot()).astream("hi")]

    assert asyncio.run(pieces()) == ["you ", "said ", "hi"]


def test_turns_are_served_in_a_batch() -> None:
    assert as_runnable(Parrot()).batch(["a", "b"]) == ["you said a", "you said b"]
    assert asyncio.run(as_runnable(Parrot()).abatch(["a", "b"])) == ["you said a", "you said b"]


def test_it_is_a_link_of_a_chain() -> None:
    chain = RunnableLambda(str.upper) | as_runnable(Parrot()) | RunnableLambda(len)
    assert chain.invoke("hi") == len("you said HI")


def test_a_synchronous_call_works_where_a_loop_is_running() -> None:
    async def inside() -> tuple[str, list[str]]:
        return as_runnable(Parrot()).invoke("hi"), list(as_runnable(Parrot()).stream("hi"))

    assert asyncio.run(inside()) == ("you said hi", ["you ", "said ", "hi"])


def test_the_thread_id_is_the_session() -> None:
    app = Parrot()
    runnable = as_runnable(app)
    config: Any = {"configurable": {"thread_id": 7}}
    runnable.invoke("a", config)
    list(runnable.stream("b", config))
    asyncio.run(runnable.ainvoke("c", config))
    runnable.invoke("d")
    assert app.asked == [("a", "7"), ("b", "7"), ("c", "7"), ("d", None)]


@pytest.mark.parametrize("how", ["invoke", "stream", "ainvoke", "astream"])
def test_callbacks_and_tags_are_honoured(how: str) -> None:
    seen = Seen()
    call(how, "hi", {"callbacks": [seen], "tags": ["mine"]})
    # A stream's input is not known when it starts: LangChain tells an empty one.
    assert seen.events == [("start", "hi" if "invoke" in how else {"input": ""}), ("end", "you said hi")]
    assert seen.tags == ["mine"]


@pytest.mark.parametrize("how", ["invoke", "stream", "ainvoke", "astream"])
def test_an_error_is_raised_and_told_to_callbacks(how: str) -> None:
    seen = Seen()
    with pytest.raises(UserError, match="broken on purpose"):
        call(how, "break", {"callbacks": [seen]})
    assert seen.events[-1] == ("error", "broken on purpose")


def call(how: str, turn: str, config: Any) -> None:
    runnable = as_runnable(Parrot())

    async def awaited() -> None:
        if how == "ainvoke":
            await runnable.ainvoke(turn, config)
        else:
            async for _ in runnable.astream(turn, config):
                pass

    if how == "invoke":
        runnable.invoke(turn, config)
    elif how == "stream":
        list(runnable.stream(turn, config))
    else:
        asyncio.run(awaited())


@pytest.mark.parametrize("loop", [False, True], ids=["synchronous", "in a loop"])
def test_models_asked_inside_report_to_the_same_callbacks(loop: bool) -> None:
    class Asking(Parrot):
        async def run(self, text: str, *, session: str | None = None) -> Ran:
            return Ran((await model.ask(text)).text)

    async def inside() -> str:
        return as_runnable(Asking()).invoke("hi", {"callbacks": [seen]})

    seen = Seen()
    with ScriptedModel("hello") as model:
        reply = asyncio.run(inside()) if loop else as_runnable(Asking()).invoke("hi", {"callbacks": [seen]})
    assert reply == "hello"
    assert ("model", "hi") in seen.events


def test_a_stream_that_nobody_reads_on_is_cancelled() -> None:
    app = Endless()
    stream = as_runnable(app).stream("hi")
    assert next(stream) == "well"
    stream.close()
    assert app.ended


def test_an_asynchronous_stream_that_nobody_reads_on_is_cancelled() -> None:
    async def first(app: Endless) -> str:
        stream = as_runnable(app).astream("hi")
        word = await anext(stream)
        await stream.aclose()
        assert app.ended
        return word

    assert asyncio.run(first(Endless())) == "well"


@pytest.mark.parametrize(
    "turn",
    [
        "hi",
        {"input": "hi"},
        {"messages": [("user", "hi")]},
        {"input": [{"role": "user", "content": "hi"}]},
        HumanMessage("hi"),
        [HumanMessage("before"), AIMessage("yes?"), HumanMessage("hi")],
        [HumanMessage([{"type": "text", "text": "hi"}]), AIMessage("yes?")],
    ],
)
def test_a_turn_is_taken_in_every_form_that_chains_pass_on(turn: Any) -> None:
    assert text_of(turn) == "hi"


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        ({"question": "hi"}, "a turn needs the key 'input' or 'messages'; found: question"),
        ([AIMessage("yes?")], "a turn needs a message of the user"),
        ([], "a turn needs a message of the user"),
        (7, "a turn is a text, or messages; found int"),
        ([("nobody", "hi")], "a turn is a text, or messages; found list"),
    ],
)
def test_a_turn_in_another_form_is_refused(turn: Any, said: str) -> None:
    with pytest.raises(UserError, match=said):
        text_of(turn)
