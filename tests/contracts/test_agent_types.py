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
    "notes": ("plans.md", "# Plans\n\nA talk about kites.\n"),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "notes": {"folder": "notes"},
    "command": {"argv": [sys.executable, "-c", "import sys; print('heard: ' + sys.stdin.read())"]},
    "form": {},
}
"""Of the types that work on no single file."""
ASKED = {*FILES, *OPTIONS}
SAID = {("notes", "write"): "write a note called Talks: the talk"}
"""What is asked for where "the talk" would not be understood."""
REMIND = ("reminders", "remind")
WRITING = {REMIND, ("notes", "append"), ("notes", "write")}
OPERATIONS = [(name, operation) for name in FILES for operation in agent_type(name).operations]


def type_of(name: str) -> AgentType:
    found = agent_type(name)
    assert found is not None
    return found


def said_to(name: str, operation: str | None, action: str = "the talk") -> str:
    return SAID.get((name, str(operation)), action)


def build(name: str, root: Path, *, write: bool = True) -> Agent:
    found = type_of(name)
    file, content = FILES.get(name, ("", ""))
    given = OPTIONS.get(name, {"file": file})
    if write and file:
        folder = root / given.get("folder", "")
        folder.mkdir(exist_ok=True)
        (folder / file).write_text(content)
    options = found.options.model_validate(given)
    return found.build(
        AgentFile(name=name, uses=name, effects="write"), options, Surroundings(root, True, lambda: NOW)
    )


def files_in(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


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
    assert set(BUILT_IN) - {"llm"} == ASKED


@pytest.mark.parametrize(("name", "operation"), OPERATIONS)
def test_every_operation_answers(tmp_path: Path, name: str, operation: str) -> None:
    action = said_to(name, operation, "do what you do about the talk")
    output = ask(build(name, tmp_path), action, operation)
    assert output.text.strip() == output.text
    assert output.text
    assert output.items is not None
    assert output.usage.model_calls == 0


@pytest.mark.parametrize("name", sorted(ASKED - FILES.keys()))
def test_who_has_no_operations_answers_to_what_it_says_that_it_reads(tmp_path: Path, name: str) -> None:
    agent = build(name, tmp_path)
    call = Call("the query", "the action", "the request", key="run/t1/1")
    output = asyncio.run(agent.run(call))
    assert ("the query" if getattr(agent, "reads_query", True) else "the action") in output.text
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
    action = said_to(name, operation)
    call = Call("emails from Zorro since 31 February", action, action, operation, key="run/t1/1")
    output = asyncio.run(build(name, tmp_path).run(call))
    assert output == ask(build(name, tmp_path), action, operation)


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
    with pytest.raises(TaskError, match=rf"there is no .* set options\.(file|folder) of the agent '{name}'"):
        ask(build(name, tmp_path, write=False), "the talk")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "operation"), OPERATIONS)
def test_what_only_reads_leaves_its_folder_as_it_was(tmp_path: Path, name: str, operation: str) -> None:
    agent = build(name, tmp_path)
    before = files_in(tmp_path)
    ask(agent, said_to(name, operation), operation)
    assert (files_in(tmp_path) == before) is ((name, operation) not in WRITING)
    known = type_of(name)
    assert ((name, operation) in WRITING) is (operation in known.writing or (name, operation) == REMIND)
    assert known.effects == ("write" if name == "reminders" else "read")


@pytest.mark.parametrize("name", sorted(ASKED))
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


@pytest.mark.parametrize(("name", "operation"), sorted(WRITING))
def test_an_effect_under_one_key_happens_once(tmp_path: Path, name: str, operation: str) -> None:
    agent = build(name, tmp_path)
    ask(agent, said_to(name, operation), operation, key="run/t1/1")
    once = files_in(tmp_path)
    ask(agent, said_to(name, operation), operation, key="run/t1/2")
    assert files_in(tmp_path) == once
