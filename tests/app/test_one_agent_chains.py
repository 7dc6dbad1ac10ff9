"""Several steps of one agent, seen through the whole: one task, or a chain that hands its results on."""

import asyncio
from collections.abc import Callable

import pytest
from orchestrator import Orchestrator
from orchestrator.testing import ScriptedModel

from support.office import WRITER

Open = Callable[..., Orchestrator]

CHAIN = "draft a poem about rain and then polish it"
ONE_STEP = {"agents/writer.yaml": f"{WRITER}steps: one\n"}
MANY_STEPS = {"agents/writer.yaml": WRITER}


def test_a_chain_of_an_agent_of_many_steps_is_one_task_with_the_whole_request(open_office: Open) -> None:
    with ScriptedModel({"expect": CHAIN, "reply": "Rain, polished."}) as model:
        result = asyncio.run(open_office(MANY_STEPS, models=lambda _: model).run(CHAIN))
    assert result.plan is not None
    assert [(t.id, t.agent, t.action) for t in result.plan.tasks] == [("t1", "writer", CHAIN)]
    assert (result.plan.source, result.plan.collapsed) == ("direct", True)
    assert result.plan.collapse_reason == (
        "all 2 tasks are one chain of 'writer', which carries several steps through by itself"
    )
    assert model.asked[0].prompt == CHAIN
    assert result.reply == "Rain, polished."


def test_a_models_plan_of_one_chain_collapses_too(open_office: Open) -> None:
    text = "draft a poem about rain and then frobnicate it"
    lines = "TASK: t1 | draft a poem | writer | none\nTASK: t2 | frobnicate it | writer | t1"
    planner, writer = ScriptedModel(lines), ScriptedModel({"expect": text, "reply": "Done."})
    models = {"planner": planner, "default": writer}
    app = open_office({**MANY_STEPS, "config/planning.yaml": "model: planner"}, models=models.__getitem__)
    with planner, writer:
        result = asyncio.run(app.run(text))
    assert result.plan is not None
    assert [(t.id, t.action) for t in result.plan.tasks] == [("t1", text)]
    assert result.usage.model_calls == 2


def test_an_agent_of_one_step_keeps_its_chain_and_sees_the_step_before(open_office: Open) -> None:
    with ScriptedModel("Rain, rain.", "Rain, polished.") as model:
        result = asyncio.run(open_office(ONE_STEP, models=lambda _: model).run(CHAIN))
    assert result.plan is not None
    assert [(t.action, t.depends_on) for t in result.plan.tasks] == [
        ("draft a poem about rain", ()),
        ("polish it", ("t1",)),
    ]
    assert result.plan.collapse_reason == "agent 'writer' does one step at a time (steps: one)"
    first, second = model.asked
    assert first.prompt == "draft a poem about rain"
    assert f"The overall request, so that you know what this is for:\n{CHAIN}" in second.prompt
    assert "Your step. Do this and nothing else:\npolish it" in second.prompt
    assert "Result of t1 (agent writer, done):\n```data\nRain, rain.\n```" in second.prompt
    assert result.reply == "Rain, polished."


def test_two_tasks_of_one_agent_keep_their_own_results(open_office: Open) -> None:
    with ScriptedModel("Rain, rain.", "Rain, polished.") as model:
        result = asyncio.run(open_office(ONE_STEP, models=lambda _: model).run(CHAIN))
    assert {task: found.output.text for task, found in result.results.items() if found.output} == {
        "t1": "Rain, rain.",
        "t2": "Rain, polished.",
    }


@pytest.mark.parametrize("files", [ONE_STEP, MANY_STEPS], ids=["one", "many"])
def test_two_steps_that_can_run_at_once_do_not_collapse(open_office: Open, files: dict[str, str]) -> None:
    text = "draft a poem about rain as well as polish the minutes"
    steps = [
        {"expect": "draft a poem about rain", "reply": "Rain."},
        {"expect": "polish the minutes", "reply": "Minutes."},
    ]
    with ScriptedModel(*steps) as model:
        result = asyncio.run(open_office(files, models=lambda _: model).run(text))
    assert result.plan is not None
    assert (result.plan.waves, result.plan.collapsed) == ((("t1", "t2"),), False)
    assert result.plan.collapse_reason == "2 tasks of wave 1 can run at once"
    assert result.reply == ("draft a poem about rain (done)\nRain.\n\npolish the minutes (done)\nMinutes.")


def test_collapse_can_be_switched_off(open_office: Open) -> None:
    files = {**MANY_STEPS, "config/planning.yaml": "collapse: off"}
    plan = asyncio.run(open_office(files, models=lambda _: ScriptedModel()).plan(CHAIN))
    assert (len(plan.tasks), plan.collapse_reason) == (2, "collapse is off")


def test_a_chain_of_different_agents_does_not_collapse(open_office: Open) -> None:
    text = "find the overdue invoices and then draft a letter"
    with ScriptedModel("Dear Ann, …") as model:
        result = asyncio.run(open_office(MANY_STEPS, models=lambda _: model).run(text))
    assert result.plan is not None
    assert [t.agent for t in result.plan.tasks] == ["ledger", "writer"]
    assert "Ann, invoice 7: 10.00, due 2026-11-02" in model.asked[0].prompt


def test_a_collapsed_chain_that_writes_is_still_asked_about(open_office: Open) -> None:
    files = {"agents/writer.yaml": f"{WRITER}effects: write\n"}
    preview = asyncio.run(open_office(files, models=lambda _: ScriptedModel()).preview(CHAIN))
    assert preview.plan.collapsed
    assert (preview.approval.needed, preview.approval.reason) == (True, "t1 (writer) writes")
