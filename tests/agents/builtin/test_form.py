"""The stand-in for a service: the same words, the same answer, and nothing happens."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.builtin.form import build
from orchestrator.agents.builtin.types.form import TYPE, FormOptions
from orchestrator.agents.contract import Agent, Call, Item, Output, Surroundings, Upstream, Verdict
from orchestrator.errors import TaskError
from orchestrator.workspace.agent_file import AgentFile
from pydantic import ValidationError

CLOCK = {"time": r"\b(\d{2}:\d{2})\b"}


def form(**options: Any) -> Agent:
    made = FormOptions.model_validate(options)
    return build(AgentFile(name="desk", uses="form"), made, Surroundings(Path(), True, None))


def asked(agent: Agent, action: str, *inputs: Output, item: Item | None = None) -> Output:
    upstream = tuple(Upstream(f"t{at}", "other", output) for at, output in enumerate(inputs))
    call = Call("the rendered query 23:59", action, "the request 00:00", inputs=upstream, item=item)
    return asyncio.run(agent.run(call))


def test_without_options_it_says_again_what_it_was_told() -> None:
    assert asked(form(), " book it ") == Output("book it", (Item("book it"),))


def test_the_fields_are_the_data_of_its_one_item_and_fill_the_reply() -> None:
    agent = form(fields={**CLOCK, "gate": "gate [A-Z]"}, reply="$$5 at $time, ${gate}: $text")
    assert asked(agent, "shuttle from gate B at 14:00") == Output(
        "$5 at 14:00, gate B: shuttle from gate B at 14:00",
        (Item("$5 at 14:00, gate B: shuttle from gate B at 14:00", {"time": "14:00", "gate": "gate B"}),),
    )


def test_a_field_that_is_not_found_is_left_out_and_blank_in_the_reply() -> None:
    output = asked(form(fields=CLOCK, reply="at $time."), "whenever")
    assert output == Output("at .", (Item("at ."),))


def test_a_required_field_that_is_not_found_fails_the_task_and_says_where_to_look() -> None:
    with pytest.raises(
        TaskError, match=r"there is no time in 'whenever'; .*options\.fields\.time of .*'desk'"
    ):
        asked(form(fields=CLOCK, required=["time"]), "whenever")


def test_what_the_task_says_itself_goes_before_the_item_and_that_before_results() -> None:
    agent = form(fields=CLOCK, reply="$time")
    result, item = Output("at 10:00", (Item("", {"time": "11:00"}),)), Item("x", {"time": "12:00"})
    assert asked(agent, "at 13:00", result, item=item).text == "13:00"
    assert asked(agent, "then", result, item=item).text == "12:00"
    assert asked(agent, "then", result).text == "11:00"
    assert asked(agent, "then", Output("at 10:00")).text == "10:00"
    assert asked(agent, "then", item=Item("at 09:00")).text == "09:00"
    assert asked(agent, "then").text == ""


def test_neither_the_rendered_query_nor_the_request_is_read() -> None:
    assert form().reads_query is False
    assert asked(form(fields=CLOCK), "now").items[0].data == {}


@pytest.mark.parametrize(("said", "number"), [("7", 7), ("-3", -3), ("2.5", 2.5), ("1e3", 1000.0)])
def test_a_number_is_one(said: str, number: float) -> None:
    agent = form(fields={"size": r"for (\S+)"}, numbers=["size"])
    assert asked(agent, f"a table for {said}").items[0].data == {"size": number}


@pytest.mark.parametrize("said", ["two", "nan", "1e999", "9" * 5000])
def test_a_number_that_is_none_fails_the_task(said: str) -> None:
    with pytest.raises(TaskError, match=r"the size of the agent 'desk' is to be a number"):
        asked(form(fields={"size": r"for (\S+)"}, numbers=["size"]), f"a table for {said}")


def test_what_another_knows_as_data_keeps_its_kind() -> None:
    known = Output("", (Item("", {"size": 4}),))
    assert asked(form(fields={"size": "x"}), "now", known).items[0].data == {"size": 4}


def test_items_are_a_list_each_with_its_own_fields() -> None:
    agent = form(items=r"[A-Z]\w+ \d+", fields={"seats": r"\d+"}, numbers=["seats"], reply="$text ($seats)")
    assert asked(agent, "book Ann 2, Bo 1 and nobody", Output("9")) == Output(
        "- Ann 2 (2)\n- Bo 1 (1)", (Item("Ann 2 (2)", {"seats": 2}), Item("Bo 1 (1)", {"seats": 1}))
    )
    assert asked(agent, "nobody") == Output("Nothing.", ())


def test_a_pretended_write_never_came_about() -> None:
    assert asyncio.run(form().verify("run/t1/1")) == Verdict(happened=False)
    assert (TYPE.effects, TYPE.presumed) == ("none", None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fields": {"a": "("}}, r"no regular expression that re2 reads: missing \)"),
        ({"fields": {"a": "(?=b)"}}, "no regular expression that re2 reads"),
        ({"items": "(a)(b)"}, "one group at most"),
        ({"fields": {"a-b": "x"}}, "pattern"),
        ({"fields": {"text": "x"}}, "call the field something else"),
        ({"fields": {"a": "x"}, "required": ["b"]}, "`required` names 'b', which is none of the fields"),
        ({"fields": {"a": "x"}, "numbers": ["b"]}, "`numbers` names 'b', which is none of the fields"),
        ({"fields": {"a": "x"}, "reply": "$b"}, r"the reply names \$b, and there are: \$a, \$text"),
        ({"reply": "5 $"}, r"write \$\$ for a dollar sign"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(options: Mapping[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        FormOptions.model_validate(options)


@given(st.text())
def test_whatever_it_is_told_it_answers_the_same_twice(text: str) -> None:
    agent = form(fields={"word": r"\w+"}, items=r"\S+")
    assert asked(agent, text) == asked(agent, text)
