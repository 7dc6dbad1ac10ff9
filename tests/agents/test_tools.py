"""The laws of naming tools: nothing goes beyond the agent's effects, and nobody is asked in a circle."""

import asyncio
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.tools import BaseTool
from orchestrator.agents.contract import Agent, Call, Output, Peer, Surroundings, Usage
from orchestrator.agents.tools import MAX_DEPTH, Use, tools_of
from orchestrator.errors import TaskError, UserError
from orchestrator.ids import AgentName, Effects
from orchestrator.workspace.agent_file import AgentFile

NOW = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)


class Quiet:
    """An agent that keeps the last call and answers what it was asked."""

    last: Call | None = None

    async def run(self, call: Call) -> Output:
        self.last = call
        return Output(call.query, usage=Usage(1, 2, 3))


class FailsFirst(Quiet):
    """The same, and the first time it fails."""

    async def run(self, call: Call) -> Output:
        failing = self.last is None
        output = await super().run(call)
        if failing:
            raise TaskError("busy")
        return output


def file(name: str = "writer", *tools: str, **more: Any) -> AgentFile:
    return AgentFile.model_validate({"name": name, "uses": "llm", "tools": tools, "effects": "none", **more})


def around(*peers: AgentFile, agent: Agent | None = None) -> Surroundings:
    made = {AgentName(f.name): Peer(f, (), lambda: agent or Quiet()) for f in peers}
    return Surroundings(Path(), False, lambda: NOW, peers=made)


def made(name: str, surroundings: Surroundings, call: Call | None = None, **more: Any) -> BaseTool:
    (found,) = tools_of(file("writer", name, **more), surroundings)
    return found.make(Use(call or Call("q", "a", "r"), lambda _: None))


def refusal(writer: AgentFile, surroundings: Surroundings) -> str:
    with pytest.raises(UserError) as error:
        tools_of(writer, surroundings)
    return str(error.value)


def test_today_tells_the_day_of_the_clock() -> None:
    assert asyncio.run(made("today", around()).ainvoke({})) == "Monday 2026-03-02 14:05+00:00"


@pytest.mark.parametrize(("own", "peer"), [("none", "read"), ("none", "write"), ("read", "write")])
def test_an_agent_may_not_ask_one_that_does_more(own: Effects, peer: Effects) -> None:
    said = refusal(file("writer", "agent:desk", effects=own), around(file("desk", effects=peer)))
    assert said == (
        f"agent 'writer': the tool 'agent:desk' has effects {peer!r}, and the agent only {own!r}; "
        f"declare `effects: {peer}` for the agent, or take the tool out"
    )


@pytest.mark.parametrize(("own", "peer"), [("none", "none"), ("read", "read"), ("write", "read")])
def test_an_agent_may_ask_one_that_does_no_more(own: Effects, peer: Effects) -> None:
    (found,) = tools_of(file("writer", "agent:desk", effects=own), around(file("desk", effects=peer)))
    assert (found.name, found.effects) == ("ask_desk", peer)


@pytest.mark.parametrize("name", ["update_todos", "mcp:files"])
def test_a_tool_of_a_later_version_is_refused_by_name(name: str) -> None:
    assert refusal(file("writer", name), around()) == (
        f"agent 'writer': the tool {name!r} is not in this version; leave it out"
    )


def test_an_unknown_tool_is_refused_with_those_there_are() -> None:
    assert refusal(file("writer", "tody"), around()).endswith("is not known; known are: today, agent:NAME")


def test_an_unknown_agent_is_refused_with_those_there_are() -> None:
    said = refusal(file("writer", "agent:dusk"), around(file("desk")))
    assert said.endswith("'agent:dusk' names an agent that there is not; there are: desk")


def test_a_tool_named_twice_is_refused() -> None:
    assert "is called 'today', as another" in refusal(file("writer", "today", "today"), around())


def test_an_agent_that_asks_itself_is_refused() -> None:
    writer = file("writer", "agent:writer")
    assert "writer -> writer" in refusal(writer, around(writer))


def test_agents_that_ask_one_another_in_a_circle_are_refused_with_the_way() -> None:
    a, b, c = file("a", "agent:b"), file("b", "today", "agent:c"), file("c", "agent:a")
    peers = around(a, b, c)
    assert "in a circle: a -> b -> c -> a;" in refusal(a, peers)
    assert "in a circle: b -> c -> a -> b;" in refusal(b, peers)


def test_a_circle_that_others_form_is_not_this_agents_fault() -> None:
    a, b, c = file("a", "agent:b"), file("b", "agent:c"), file("c", "agent:b")
    assert [t.name for t in tools_of(a, around(a, b, c))] == ["ask_b"]


def test_two_ways_to_one_agent_are_no_circle() -> None:
    a, b, c = file("a", "agent:b", "agent:c"), file("b", "agent:c"), file("c")
    assert [t.name for t in tools_of(a, around(b, c))] == ["ask_b", "ask_c"]


def test_a_chain_of_questions_is_bounded() -> None:
    desk = around(file("desk"))
    deepest = made("agent:desk", desk, Call("q", "a", "r", depth=MAX_DEPTH - 1))
    assert asyncio.run(deepest.ainvoke({"request": "x"})) == "x"
    with pytest.raises(TaskError, match="ask one another more than 4 deep"):
        asyncio.run(made("agent:desk", desk, Call("q", "a", "r", depth=MAX_DEPTH)).ainvoke({"request": "x"}))


def test_an_intent_of_the_asked_agent_may_be_named() -> None:
    desk = file("desk", intents={"add": {"description": "put in"}, "list": {}})
    agent = Quiet()
    asking = made("agent:desk", around(desk, agent=agent))
    assert asking.args["intent"] == {
        "type": "string",
        "enum": ["add", "list"],
        "description": "add: put in; list",
    }
    asyncio.run(asking.ainvoke({"request": "x", "intent": "list"}))
    assert agent.last is not None
    assert agent.last.intent == "list"


def effects_of(*requests: str, attempt: int = 1, agent: Quiet | None = None) -> list[str]:
    """What names the effects of these questions, asked in this attempt of a task, without the attempt."""
    agent = agent or Quiet()
    desk = around(file("desk", effects="write"), agent=agent)
    asking = made("agent:desk", desk, Call("q", "a", "r", key=f"r1/t1/{attempt}"), effects="write")
    effects: list[str] = []
    for request in requests:
        with suppress(TaskError):
            asyncio.run(asking.ainvoke({"request": request}))
        assert agent.last is not None
        effect, _, last = agent.last.key.rpartition("/")
        assert last == str(attempt)
        effects.append(effect)
    return effects


def test_each_question_is_an_effect_of_its_own() -> None:
    effects = effects_of("call the bank", "buy milk", "buy milk")
    assert len(set(effects)) == 3
    assert all(effect.startswith("r1/t1/desk-") for effect in effects)


def test_the_same_question_of_the_next_attempt_is_the_same_effect_whatever_was_asked_before_it() -> None:
    bank, milk = effects_of("call the bank", "buy milk")
    assert effects_of("buy milk", "call the bank", attempt=2) == [milk, bank]


def test_a_question_that_got_no_answer_is_the_same_effect_when_it_is_asked_again() -> None:
    first, again, on_purpose = effects_of("x", "x", "x", agent=FailsFirst())
    assert first == again != on_purpose


def test_a_question_without_a_key_has_none() -> None:
    agent = Quiet()
    asyncio.run(made("agent:desk", around(file("desk"), agent=agent)).ainvoke({"request": "x"}))
    assert agent.last is not None
    assert agent.last.key == ""


MODULE = '''
from langchain_core.tools import tool

@tool
def shout(word: str) -> str:
    """Says a word louder."""
    return word.upper()

def place(surroundings):
    @tool
    def where() -> str:
        """Says where the workspace is."""
        return str(surroundings.root)
    where.metadata = {"effects": "read"}
    return where

@tool("today")
def other_today() -> str:
    """Says what day it was."""
    return "yesterday"
other_today.metadata = {"effects": "none"}

def broken(surroundings):
    raise RuntimeError("no luck")

def odd(surroundings):
    return 7
'''


@pytest.fixture
def visiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package that offers tools, as far as the interpreter can tell."""
    (tmp_path / "visiting_tools.py").write_text(MODULE)
    info = tmp_path / "visiting_tools-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: visiting-tools\nVersion: 1.0\n")
    offers = ("shout", "place", "other_today", "broken", "odd")
    lines = [f"{name} = visiting_tools:{name}" for name in offers]
    (info / "entry_points.txt").write_text("\n".join(["[cuewave.tools]", *lines]) + "\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "visiting_tools", raising=False)


@pytest.mark.usefixtures("visiting")
def test_a_package_offers_a_tool_by_entry_point() -> None:
    shout = made("shout", around(), effects="write")
    assert asyncio.run(shout.ainvoke({"word": "wave"})) == "WAVE"
    assert asyncio.run(made("place", around(), effects="read").ainvoke({})) == "."


@pytest.mark.usefixtures("visiting")
def test_a_tool_that_does_not_say_what_it_may_do_counts_as_writing() -> None:
    assert "has effects 'write', and the agent only 'read'" in refusal(
        file("writer", "shout", effects="read"), around()
    )


@pytest.mark.usefixtures("visiting")
@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("broken",), "'broken' cannot be loaded from 'visiting_tools:broken': RuntimeError: no luck"),
        (("odd",), "'odd' ('visiting_tools:odd') is no LangChain tool but a int"),
        (("today", "other_today"), "'other_today' is called 'today', as another of its tools is"),
        (("gone",), "known are: today, agent:NAME, broken, odd, other_today, place, shout"),
    ],
)
def test_an_offer_that_cannot_be_used_is_refused(names: tuple[str, ...], said: str) -> None:
    assert said in refusal(file("writer", *names, effects="write"), around())
