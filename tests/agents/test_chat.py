"""The laws of asking a model, through a real client over HTTP and a script alike."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from orchestrator.agents.chat import ChatModel, UnexpectedCall
from orchestrator.agents.contract import Reply, Usage
from orchestrator.agents.models import Models
from orchestrator.agents.scripted import script_of
from orchestrator.errors import BudgetExceeded, Fenced, ModelError
from orchestrator.workspace.fields import Secret
from orchestrator.workspace.models import ModelConfig

from support.openai_server import Answer, OpenAIServer, serving

KEY = "sk-live-0123456789abcdef"
LOOKUP = {
    "type": "function",
    "function": {
        "name": "lookup",
        "description": "looks a word up",
        "parameters": {"type": "object", "properties": {"word": {"type": "string"}}},
    },
}


def over_http(server: OpenAIServer, **more: Any) -> ChatModel:
    settings = {"provider": "openai", "model": "small", "base_url": server.base_url, **more}
    return Models({"m": ModelConfig(**settings)}, root=Path())("m")


def from_script(*steps: object) -> ChatModel:
    return ChatModel.of(script_of(steps, "script"), "m")


def failure(model: ChatModel, **more: Any) -> ModelError:
    with pytest.raises(ModelError) as error:
        asyncio.run(model.ask("hi", **more))
    return error.value


def patient(model: ChatModel, retries: int, pauses: list[float]) -> ChatModel:
    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    model.retries, model.pause, model.rng = retries, pause, lambda: 0.5
    return model


def test_a_script_and_an_endpoint_answer_through_the_same_door() -> None:
    with serving(Answer("hello", tokens=(3, 2))) as server:
        served = asyncio.run(over_http(server).ask([("system", "be kind"), ("user", "hi")]))
    scripted = asyncio.run(from_script({"reply": "hello", "usage": (3, 2)}).ask([("user", "hi")]))
    for reply in (served, scripted):
        assert (reply.text, reply.tool_calls, reply.usage) == ("hello", (), Usage(1, 3, 2))
    assert server.requests[0]["messages"] == [
        {"role": "system", "content": "be kind"},
        {"role": "user", "content": "hi"},
    ]
    assert server.requests[0]["model"] == "small"


@pytest.mark.parametrize("text", ["one two three", "one"])
def test_pieces_of_a_stream_make_up_the_text(text: str) -> None:
    with serving(Answer(text, tokens=(3, 2))) as server:
        for model in (over_http(server), from_script({"reply": text, "usage": (3, 2)})):
            pieces: list[str] = []
            reply = asyncio.run(model.ask("hi", emit=pieces.append))
            assert (reply.text, reply.usage) == (text, Usage(1, 3, 2))
            assert pieces == [text.split(maxsplit=1)[0], *(f" {w}" for w in text.split()[1:])]
    assert server.requests[0]["stream"] is True


@pytest.mark.parametrize("emit", [None, lambda _: None], ids=["whole", "streamed"])
def test_a_model_may_want_tools_used(emit: Callable[[str], None] | None) -> None:
    with serving(Answer(tool_calls=(("lookup", {"word": "wave"}), ("lookup", {"word": "cue"})))) as server:
        script = from_script(
            {"tool_calls": [{"name": "lookup", "args": {"word": w}} for w in ("wave", "cue")]}
        )
        for model in (over_http(server), script):
            reply = asyncio.run(model.ask("hi", tools=[LOOKUP], emit=emit))
            assert [(c.name, c.arguments, c.fault) for c in reply.tool_calls] == [
                ("lookup", {"word": "wave"}, None),
                ("lookup", {"word": "cue"}, None),
            ]
            assert len({c.id for c in reply.tool_calls}) == 2
    assert server.requests[0]["tools"] == [LOOKUP]


def test_tool_arguments_that_are_no_json_are_a_fault_of_the_call() -> None:
    with serving(Answer(tool_calls=(("lookup", '{"word": '),))) as server:
        (call,) = asyncio.run(over_http(server).ask("hi", tools=[LOOKUP])).tool_calls
    assert (call.name, call.arguments) == ("lookup", {})
    assert call.fault is not None
    assert "not valid JSON" in call.fault


@pytest.mark.parametrize(
    ("status", "passing", "said"),
    [
        (400, False, "HTTP 400: refused"),
        (401, False, "HTTP 401: the key was refused; check `api_key` in config/models.yaml"),
        (403, False, "HTTP 403: the key was refused"),
        (404, False, "HTTP 404: refused"),
        (422, False, "HTTP 422: refused"),
        (408, True, "HTTP 408: refused"),
        (429, True, "HTTP 429: refused"),
        (500, True, "HTTP 500: refused"),
        (503, True, "HTTP 503: refused"),
    ],
)
@pytest.mark.parametrize("emit", [None, lambda _: None], ids=["whole", "streamed"])
def test_the_status_says_whether_trying_again_may_help(
    status: int, passing: bool, said: str, emit: Callable[[str], None] | None
) -> None:
    with serving(Answer(status=status)) as server:
        served = failure(over_http(server), emit=emit)
    scripted = failure(from_script({"error": {"message": "refused", "status": status}}), emit=emit)
    for error in (served, scripted):
        assert error.passing is passing
        assert said in str(error)
    assert len(server.requests) == 1
    assert str(served).startswith("model 'm' (openai small): ")


def test_a_spent_quota_does_not_pass() -> None:
    error = failure(from_script({"error": {"message": "quota", "status": 429, "code": "insufficient_quota"}}))
    assert not error.passing


def test_a_reply_that_does_not_come_in_time_is_a_passing_error() -> None:
    with serving(Answer(hold=True)) as server:
        error = failure(over_http(server, timeout="100ms"))
    assert error.passing
    assert "no answer in time" in str(error)


def test_a_server_that_is_not_there_is_a_passing_error() -> None:
    with serving() as server:
        pass
    error = failure(over_http(server))
    assert error.passing
    assert "cannot be reached" in str(error)


WHOLE = b'{"choices": [{"index": 0, "message": {"role": "assistant", "content": "hi"}}]}'


@pytest.mark.parametrize(
    ("raw", "whole", "streamed"),
    [
        (b"", "it sent no JSON", "it streamed nothing"),
        (b"{nope", "it sent no JSON", "it streamed nothing"),
        (b"<html>Welcome</html>", "it sent no JSON", "it streamed nothing"),
        (b"{}", "its JSON has no answer in it", "it streamed nothing"),
        (b'"text"', "its JSON has no answer in it", "it streamed nothing"),
        (b'{"choices": null}', "its JSON has no answer in it", "it streamed nothing"),
        (b'{"choices": []}', "its JSON has no answer in it", "it streamed nothing"),
        (b'{"choices": [{}]}', "its JSON has no answer in it", "it streamed nothing"),
        (
            b'{"error": {"message": "no model is loaded"}}',
            "it said: no model is loaded",
            "it streamed nothing",
        ),
        (b"\xff\xfe\xfd", "it sent bytes that are no text", "it sent bytes that are no text"),
        (WHOLE, None, "it streamed nothing"),
    ],
)
def test_an_answer_in_no_known_form_does_not_pass_and_names_the_endpoint(
    raw: bytes, whole: str | None, streamed: str
) -> None:
    for emit, came in ((None, whole), (lambda _: None, streamed)):
        if came is None:
            continue
        with serving(Answer(raw=raw)) as server:
            error = failure(over_http(server), emit=emit)
        host = server.base_url.removeprefix("http://").removesuffix("/v1")
        assert not error.passing
        assert str(error) == (
            f"model 'm' (openai small): the endpoint at {host} did not answer as an OpenAI-compatible one "
            f"({came}); check `base_url`"
        )


def test_an_error_nobody_knows_is_named_and_does_not_pass() -> None:
    error = failure(from_script({"error": "a strange thing"}))
    assert str(error) == "model 'm': ScriptedFailure: a strange thing"
    assert not error.passing


def test_a_stream_that_breaks_off_is_not_begun_again() -> None:
    pieces: list[str] = []
    with serving(Answer("one two", cut=True), "never asked for") as server:
        error = failure(patient(over_http(server), 3, []), emit=pieces.append)
    assert pieces == ["one", " two"]
    assert error.passing
    assert len(server.requests) == 1


def test_passing_errors_are_tried_again_and_every_try_is_counted() -> None:
    pauses: list[float] = []
    with serving(Answer(status=500), Answer(status=503), "ok") as server:
        reply = asyncio.run(patient(over_http(server), 2, pauses).ask("hi"))
    assert (reply.text, reply.usage.model_calls) == ("ok", 3)
    assert pauses == [0.25, 0.5]


def test_a_pause_that_the_server_asks_for_is_kept() -> None:
    pauses: list[float] = []
    with serving(Answer(status=429, headers={"Retry-After": "7"}), "ok") as server:
        asyncio.run(patient(over_http(server), 1, pauses).ask("hi"))
    assert pauses == [7.0]


def test_a_model_that_asks_for_too_long_a_pause_is_not_waited_for_and_another_stands_in() -> None:
    pauses: list[float] = []
    with serving(Answer(status=429, headers={"Retry-After": "86400"}), "never asked for") as server:
        first = patient(over_http(server), 3, pauses)
        first.fallbacks = (from_script("second"),)
        reply = asyncio.run(first.ask("hi"))
    assert (reply.text, reply.usage.model_calls, pauses) == ("second", 2, [])
    assert len(server.requests) == 1


def test_errors_that_cannot_pass_are_not_tried_again() -> None:
    with serving(Answer(status=400), "never asked for") as server:
        failure(patient(over_http(server), 3, []))
    assert len(server.requests) == 1


def test_the_last_error_says_what_pause_was_asked_for() -> None:
    with serving(Answer(status=429, headers={"Retry-After": "7"})) as server:
        assert failure(over_http(server)).retry_after == 7.0


def test_fallbacks_are_asked_in_order() -> None:
    first = from_script({"error": "broken"})
    first.fallbacks = (from_script({"error": {"message": "busy", "status": 503}}), from_script("third"))
    reply = asyncio.run(first.ask("hi"))
    assert (reply.text, reply.usage.model_calls) == ("third", 3)


def test_when_all_fail_each_is_told_and_any_that_can_pass_counts() -> None:
    first = from_script({"error": "broken"})
    first.fallbacks = (from_script({"error": {"message": "busy", "status": 503}}),)
    error = failure(first)
    assert str(error) == "model 'm': ScriptedFailure: broken; model 'm': HTTP 503: busy"
    assert error.passing


def test_the_key_is_sent_and_never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    leak = f"Incorrect API key provided: {KEY}. Authorization: Bearer {KEY}"
    secret = Secret(variable="OPENAI_API_KEY", value=KEY)
    with serving(*(Answer(status=s, error=leak) for s in (401, 400, 500))) as server:
        errors = [failure(over_http(server, api_key=secret)) for _ in range(3)]
        monkeypatch.setenv("OPENAI_API_KEY", "plainword")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        server.answers.append(Answer(status=400, error="your key plainword is odd"))
        by_environment = Models({"m": ModelConfig(provider="openai", model="small")}, root=Path())("m")
        errors.append(failure(by_environment))
    assert [h["authorization"] for h in server.headers] == [f"Bearer {KEY}"] * 3 + ["Bearer plainword"]
    for error in errors:
        assert KEY not in str(error)
        assert "plainword" not in str(error)
        assert error.__suppress_context__


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_an_answer_that_repeats_the_key_does_not_tell_it(streamed: bool) -> None:
    secret = Secret(variable="OPENAI_API_KEY", value="two words a key")
    pieces: list[str] = []
    with serving("my key is two words a key and", "two words are no key") as server:
        model = over_http(server, api_key=secret)
        replies = [asyncio.run(model.ask("hi", emit=pieces.append if streamed else None)) for _ in range(2)]
    assert [reply.text for reply in replies] == ["my key is *** and", "two words are no key"]
    assert "".join(pieces) == ("my key is *** andtwo words are no key" if streamed else "")


def test_another_endpoint_never_gets_the_key_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving("ok") as server:
        asyncio.run(over_http(server).ask("hi"))
    assert server.headers[0]["authorization"] == "Bearer not-needed"


def test_a_missing_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    error = failure(Models({"m": ModelConfig(provider="openai", model="small")}, root=Path())("m"))
    assert "OPENAI_API_KEY" in str(error)
    assert not error.passing


def test_one_model_serves_one_event_loop_after_another() -> None:
    with serving("a", "b", "c") as server:
        model = over_http(server)
        assert [asyncio.run(model.ask("hi")).text for _ in range(3)] == ["a", "b", "c"]


def test_concurrent_questions_are_asked_at_the_same_time() -> None:
    async def both(model: ChatModel) -> list[Reply]:
        return await asyncio.gather(model.ask("one"), model.ask("two"))

    with serving("a", "b") as server:
        replies = asyncio.run(both(over_http(server)))
    assert sorted(r.text for r in replies) == ["a", "b"]


def test_cancelling_a_question_cancels_the_call() -> None:
    async def cancelled(model: ChatModel) -> None:
        task = asyncio.create_task(model.ask("hi"))
        assert await asyncio.to_thread(server.asked.wait, 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with serving(Answer(hold=True)) as server:
        asyncio.run(cancelled(over_http(server)))


def test_an_error_of_ours_while_an_answer_arrives_is_not_taken_for_a_failure_of_the_model() -> None:
    def stop(_: str) -> None:
        raise Fenced("r1", 2, 1)

    with pytest.raises(Fenced):
        asyncio.run(patient(from_script("one two", "never"), 1, []).ask("hi", emit=stop))


def test_a_call_no_script_foresees_is_not_taken_for_a_failure_of_the_model() -> None:
    strict = ChatModel.of(script_of((), "script", strict=True))
    strict.fallbacks = (from_script("never"),)
    with pytest.raises(UnexpectedCall):
        asyncio.run(strict.ask("hi"))


# ── who pays ────────────────────────────────────────────────────────────────────────────────────────────


class Counting:
    """A purse with so many calls in it; `told` is what was asked of it, in order."""

    def __init__(self, calls: int = 99) -> None:
        self.left, self.told = calls, list[str | Usage]()

    def begin_call(self) -> None:
        self.told.append("may I?")
        if not self.left:
            raise BudgetExceeded("model calls of the run", 1, 1)
        self.left -= 1

    def spend(self, usage: Usage) -> None:
        self.told.append(usage)

    @property
    def asked(self) -> int:
        return self.told.count("may I?")


BUSY = {"error": {"message": "busy", "status": 503}}


@pytest.mark.parametrize("emit", [None, lambda _: None], ids=["whole", "streamed"])
def test_the_purse_is_asked_before_a_call_and_told_afterwards_what_it_took(
    emit: Callable[[str], None] | None,
) -> None:
    with serving(Answer("hello", tokens=(3, 2))) as server:
        for model in (over_http(server), from_script({"reply": "hello", "usage": (3, 2)})):
            purse = Counting()
            asyncio.run(model.ask("hi", emit=emit, purse=purse))
            assert purse.told == ["may I?", Usage(0, 3, 2)]
            server.answers.append(Answer("hello", tokens=(3, 2)))


def test_it_is_asked_before_every_retry_and_before_every_fallback() -> None:
    first = patient(from_script(BUSY, BUSY, BUSY), 2, [])
    second = patient(from_script(BUSY, {"reply": "hello", "usage": (3, 2)}), 1, [])
    first.fallbacks = (second,)
    purse = Counting()
    reply = asyncio.run(first.ask("hi", purse=purse))
    assert purse.told == ["may I?"] * 5 + [Usage(0, 3, 2)]
    assert reply.usage == Usage(5, 3, 2)


@pytest.mark.parametrize("calls", range(4))
def test_a_refusal_goes_straight_up_and_nobody_is_asked_any_more(calls: int) -> None:
    scripts = [script_of((BUSY, BUSY), name, strict=True) for name in ("one", "two")]
    first, second = (patient(ChatModel.of(script), 1, []) for script in scripts)
    first.fallbacks = (second,)
    purse = Counting(calls)
    with pytest.raises(BudgetExceeded) as refused:
        asyncio.run(first.ask("hi", purse=purse))
    assert str(refused.value) == "the budget of model calls of the run is used up (1 of 1)"
    assert not refused.value.passing
    assert sum(len(script.asked) for script in scripts) == calls
    assert purse.asked == calls + 1


def test_where_all_fail_each_try_was_paid_for() -> None:
    purse = Counting()
    failure(patient(from_script(BUSY, BUSY, BUSY), 2, []), purse=purse)
    assert purse.told == ["may I?"] * 3


def test_an_answer_that_breaks_off_was_paid_for_and_is_not_asked_for_again() -> None:
    purse = Counting()
    with serving(Answer("one two", cut=True)) as server:
        failure(patient(over_http(server), 3, []), emit=lambda _: None, purse=purse)
    assert purse.told == ["may I?"]


def priced(reply: object, price: tuple[float, float]) -> ChatModel:
    model = from_script(reply)
    model.price = price
    return model


def test_money_is_by_the_price_of_a_million_tokens_in_and_out() -> None:
    purse = Counting()
    model = priced({"reply": "x", "usage": (2_000_000, 500_000)}, (0.25, 2.0))
    reply = asyncio.run(model.ask("hi", purse=purse))
    assert reply.usage == Usage(1, 2_000_000, 500_000, 1.5)
    assert purse.told[-1] == Usage(0, 2_000_000, 500_000, 1.5)


def test_money_is_by_the_price_of_the_model_that_answered() -> None:
    dear = priced({"error": "broken"}, (1_000_000.0, 1_000_000.0))
    dear.fallbacks = (priced({"reply": "x", "usage": (3, 2)}, (1_000_000.0, 10_000_000.0)),)
    assert asyncio.run(dear.ask("hi")).usage == Usage(2, 3, 2, 23.0)
    free = priced({"error": "broken"}, (1_000_000.0, 1_000_000.0))
    free.fallbacks = (from_script({"reply": "x", "usage": (3, 2)}),)
    assert asyncio.run(free.ask("hi")).usage == Usage(2, 3, 2, 0.0)


def test_the_prices_of_the_file_are_those_of_its_models() -> None:
    with serving(Answer(status=500), Answer("x", tokens=(1_000_000, 500_000))) as server:
        common = {"provider": "openai", "model": "m", "base_url": server.base_url}
        configs = {
            "dear": ModelConfig(**common, fallbacks=("cheap",), price={"input": 10.0, "output": 20.0}),
            "cheap": ModelConfig(**common, price={"input": 8.0, "output": 2.0}),
        }
        reply = asyncio.run(Models(configs, root=Path())("dear").ask("hi"))
    assert reply.usage == Usage(2, 1_000_000, 500_000, 9.0)


def test_an_answer_that_does_not_say_what_it_took_counts_as_a_call_alone() -> None:
    purse = Counting()
    reply = asyncio.run(priced("x", (5.0, 5.0)).ask("hi", purse=purse))
    assert reply.usage == Usage(1)
    assert purse.told == ["may I?", Usage()]
