"""What holds for every agent type, whoever wrote it.

The deterministic ones are also asked: a good file for each is the only thing this suite knows of them.
"""

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from orchestrator.agents.contract import Agent, AgentType, Call, Output, Surroundings
from orchestrator.agents.registry import BUILT_IN, agent_type
from orchestrator.errors import TaskError
from orchestrator.ids import EFFECTS
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.meanings import meanings, models_below
from pydantic import ValidationError

NOW = datetime(2026, 11, 30, 8, tzinfo=UTC)
EVENT = "BEGIN:VEVENT\nUID:1\nDTSTART:20261130T100000Z\nSUMMARY:Talk\nEND:VEVENT\n"
FILES: dict[str, tuple[str, str]] = {
    "inbox": (
        "post.mbox",
        "From - Mon Nov 30 07:00:00 2026\nFrom: a@example.org\nSubject: Hello\n\nHow are you?\n",
    ),
    "calendar": ("c.ics", f"BEGIN:VCALENDAR\nVERSION:2.0\n{EVENT}END:VCALENDAR\n"),
    "ledger": ("t.csv", "name,amount,due\nAnn,1.00,2026-10-21\n"),
    "reminders": ("r.ics", f"BEGIN:VCALENDAR\nVERSION:2.0\n{EVENT}END:VCALENDAR\n"),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "command": {"argv": [sys.executable, "-c", "import sys; print('heard: ' + sys.stdin.read())"]}
}
"""Of the types that work on no file."""
ASKED = (*FILES, *OPTIONS)
WRITING = {("reminders", "remind")}
OPERATIONS = [(name, operation) for name in FILES for operation in agent_type(name).operations]


def type_of(name: str) -> AgentType:
    found = agent_type(name)
    assert found is not None
    return found


def build(name: str, root: Path, *, write: bool = True) -> Agent:
    found = type_of(name)
    given = OPTIONS.get(name)
    if given is None:
        file, content = FILES[name]
        given = {"file": file}
        if write:
            (root / file).write_text(content)
    options = found.options.model_validate(given)
    return found.build(AgentFile(name=name, uses=name), options, Surroundings(root, True, lambda: NOW))


def ask(agent: Agent, action: str, operation: str | None = None, key: str = "run/t1/1") -> Output:
    return asyncio.run(agent.run(Call(action, action, action, operation=operation, key=key)))


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_type_has_the_name_it_is_registered_under_and_operations_without_doubles(name: str) -> None:
    found = type_of(name)
    assert found.name == name
    assert len(set(found.operations)) == len(found.operations)
    assert found.effects in EFFECTS
    assert found.presumed is None or EFFECTS.index(found.presumed) > EFFECTS.index(found.effects)
    assert set(found.writing) <= set(found.operations)
    assert not found.writing or found.effects != "write"
    assert found.steps in ("one", "many")


@pytest.mark.parametrize("name", BUILT_IN)
def test_options_are_frozen_explained_and_refuse_what_they_do_not_know(name: str) -> None:
    options = type_of(name).options
    assert options.model_config.get("frozen") is True
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        options.model_validate({"file": "f", "no_such_knob": 1})
    for model in models_below(options):
        assert set(meanings(model)) == set(model.model_fields), model.__name__


@pytest.mark.parametrize("name", BUILT_IN)
def test_an_option_has_a_default_or_is_named_as_missing(name: str) -> None:
    options = type_of(name).options
    required = [n for n, f in options.model_fields.items() if f.is_required()]
    if not required:
        options.model_validate({})
        return
    with pytest.raises(ValidationError) as caught:
        options.model_validate({})
    assert [(e["type"], e["loc"]) for e in caught.value.errors()] == [("missing", (n,)) for n in required]


def test_every_deterministic_type_is_asked_here() -> None:
    assert set(ASKED) == set(BUILT_IN) - {"llm"}


@pytest.mark.parametrize(("name", "operation"), OPERATIONS)
def test_every_operation_answers(tmp_path: Path, name: str, operation: str) -> None:
    output = ask(build(name, tmp_path), "do what you do about the talk", operation)
    assert output.text.strip() == output.text
    assert output.text
    assert output.items is not None
    assert output.usage.model_calls == 0


@pytest.mark.parametrize("name", OPTIONS)
def test_who_has_no_operations_reads_the_query(tmp_path: Path, name: str) -> None:
    assert getattr(build(name, tmp_path), "reads_query", True)
    call = Call("the query", "the action", "the request", key="run/t1/1")
    output = asyncio.run(build(name, tmp_path).run(call))
    assert "the query" in output.text
    assert output.text.strip() == output.text
    assert output.usage.model_calls == 0


@pytest.mark.parametrize("name", FILES)
def test_no_operation_means_the_default_one(tmp_path: Path, name: str) -> None:
    agent = build(name, tmp_path)
    default = type_of(name).operations[0]
    assert ask(agent, "the talk", None, "run/t1/1") == ask(
        build(name, tmp_path), "the talk", default, "run/t1/1"
    )


@pytest.mark.parametrize(("name", "operation"), OPERATIONS)
def test_what_is_asked_is_read_from_the_action_not_from_the_rendered_query(
    tmp_path: Path, name: str, operation: str
) -> None:
    call = Call("emails from Zorro since 31 February", "the talk", "the talk", operation, key="run/t1/1")
    output = asyncio.run(build(name, tmp_path).run(call))
    assert output == ask(build(name, tmp_path), "the talk", operation)


@pytest.mark.parametrize("name", FILES)
def test_an_unknown_operation_is_refused_with_the_known_ones(tmp_path: Path, name: str) -> None:
    with pytest.raises(TaskError, match=r"no operation 'juggle'; it has: "):
        ask(build(name, tmp_path), "juggle", "juggle")


@pytest.mark.parametrize(("name", "operation"), OPERATIONS)
def test_an_empty_query_gives_an_answer_or_a_task_error(tmp_path: Path, name: str, operation: str) -> None:
    for action in ("", " \n\t ", "\ud800", "?" * 2000):
        try:
            said = ask(build(name, tmp_path), action, operation).text
        except TaskError as error:
            said = str(error)
        assert said


@pytest.mark.parametrize("name", [n for n in FILES if type_of(n).effects == "read"])
def test_a_missing_file_is_a_task_error_that_names_the_option(tmp_path: Path, name: str) -> None:
    with pytest.raises(TaskError, match=rf"there is no .* set options\.file of the agent '{name}'"):
        ask(build(name, tmp_path, write=False), "the talk")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "operation"), OPERATIONS)
def test_what_only_reads_leaves_its_folder_as_it_was(tmp_path: Path, name: str, operation: str) -> None:
    agent = build(name, tmp_path)
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    ask(agent, "the talk", operation)
    after = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    assert (after == before) is ((name, operation) not in WRITING)
    assert type_of(name).effects == ("write" if name in {n for n, _ in WRITING} else "read")


@pytest.mark.parametrize("name", ASKED)
def test_a_call_can_be_cancelled(tmp_path: Path, name: str) -> None:
    agent = build(name, tmp_path)

    async def cut_off() -> None:
        task: asyncio.Task[Any] = asyncio.ensure_future(
            agent.run(Call("the talk", "the talk", "the talk", key="r/t/1"))
        )
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cut_off())


@pytest.mark.parametrize("name", [n for n in FILES if type_of(n).effects == "write"])
def test_an_effect_under_one_key_happens_once(tmp_path: Path, name: str) -> None:
    agent = build(name, tmp_path)
    ask(agent, "the talk", key="run/t1/1")
    once = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    ask(agent, "the talk", key="run/t1/2")
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == once
