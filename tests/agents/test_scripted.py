"""The laws of a script: foreseen calls are answered, all others and all left-over steps are errors."""

import asyncio

import pytest
from orchestrator.agents.chat import ChatModel, UnexpectedCall
from orchestrator.agents.scripted import script_of
from orchestrator.errors import ModelError, UserError
from orchestrator.testing import ScriptedModel


def ask(model: ScriptedModel, text: str) -> str:
    return asyncio.run(model.ask(text)).text


def test_a_call_is_answered_by_the_first_step_that_expects_it() -> None:
    with ScriptedModel(
        {"expect": "cat", "reply": "meow"}, "anything", {"expect": "cat", "reply": "purr"}
    ) as model:
        assert [ask(model, t) for t in ("a dog", "a cat", "the cat")] == ["anything", "meow", "purr"]


def test_the_last_message_is_what_a_step_expects() -> None:
    with ScriptedModel({"expect": "now", "reply": "yes"}) as model:
        asyncio.run(model.ask([("system", "then"), ("user", "now")]))
        assert [a.prompt for a in model.asked] == ["now"]
        assert [len(a.messages) for a in model.asked] == [2]


def test_an_unexpected_call_fails_and_is_remembered() -> None:
    model = ScriptedModel({"expect": "cat", "reply": "meow"})
    with pytest.raises(
        UnexpectedCall, match=r"call 1 was not foreseen: 'a dog'; left is: step 1 \(expects 'cat'\)"
    ):
        ask(model, "a dog")
    assert ask(model, "a cat") == "meow"
    with pytest.raises(AssertionError, match="call 1 was not foreseen"):
        model.assert_complete()


def test_a_left_over_step_fails_at_the_end() -> None:
    model = ScriptedModel("one", {"expect": "cat", "reply": "two"}, "three")
    ask(model, "hi")
    with pytest.raises(
        AssertionError, match=r"nobody asked for step 2 \(expects 'cat'\); nobody asked for step 3"
    ):
        model.assert_complete()


def test_equal_steps_are_taken_one_by_one() -> None:
    with ScriptedModel("same", "same") as model:
        assert [ask(model, "hi"), ask(model, "hi")] == ["same", "same"]


def test_an_error_inside_the_block_is_not_hidden_by_left_over_steps() -> None:
    with pytest.raises(ZeroDivisionError), ScriptedModel("never"):
        raise ZeroDivisionError


def test_a_workspace_script_that_runs_out_is_a_failure_of_the_model() -> None:
    model = ChatModel.of(script_of([], "scripts/demo.yaml"))
    with pytest.raises(ModelError, match=r"scripts/demo\.yaml: call 1 was not foreseen"):
        asyncio.run(model.ask("hi"))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("text", "demo: a script is a list of steps; found str"),
        ({"stepz": []}, "demo: a script has `version` and `steps`; found stepz"),
        ([{"replies": "x"}], "demo: step 1: replies: Extra inputs are not permitted"),
        (["ok", {"reply": 7}], "demo: step 2: reply: Input should be a valid string"),
        ([{"tool_calls": [{"args": {}}]}], "demo: step 1: tool_calls.0.name: Field required"),
    ],
)
def test_a_malformed_script_is_refused_with_its_step(data: object, said: str) -> None:
    with pytest.raises(UserError) as error:
        script_of(data, "demo")
    assert str(error.value) == said


def test_white_space_of_a_reply_survives_streaming() -> None:
    pieces: list[str] = []
    text = "  a\n\n- b\t c \n"
    with ScriptedModel(text) as model:
        assert asyncio.run(model.ask("hi", emit=pieces.append)).text == text
    assert "".join(pieces) == text
