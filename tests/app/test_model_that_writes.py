"""A prompted agent has another one write: each thing is written once, whatever becomes of the model."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from orchestrator import Orchestrator
from orchestrator.runs.messages import DoubtAnswered
from orchestrator.runs.result import RunResult
from orchestrator.testing import ScriptedModel

Open = Callable[..., Orchestrator]

CLERK = """\
name: clerk
uses: llm
effects: write
tools: ["agent:reminders"]
intents:
  office: {keywords: [office work]}
limits: {retries: 2}
"""
BANK = {"name": "ask_reminders", "args": {"request": "remind me tomorrow to call the bank"}}
MILK = {"name": "ask_reminders", "args": {"request": "remind me tomorrow to buy milk"}}
OVERLOADED = {"error": {"message": "overloaded", "status": 503}}


def opened(open_office: Open, model: ScriptedModel) -> Orchestrator:
    return open_office({"agents/clerk.yaml": CLERK}, models=lambda _: model)


async def worked(app: Orchestrator) -> RunResult:
    return await app.run("do the office work", approve=lambda _: True)


def written(tmp_path: Path) -> list[str]:
    calendar = (tmp_path / "office" / "var" / "reminders.ics").read_text(encoding="utf-8")
    return [line for line in calendar.splitlines() if line.startswith("SUMMARY")]


def asked(*calls: Any) -> dict[str, Any]:
    return {"tool_calls": list(calls)}


def test_everything_that_is_asked_for_in_one_task_is_written(open_office: Open, tmp_path: Path) -> None:
    with ScriptedModel(asked(BANK, MILK), "both are set") as model:
        assert asyncio.run(worked(opened(open_office, model))).status == "done"
    assert written(tmp_path) == ["SUMMARY:Call the bank", "SUMMARY:Buy milk"]


def test_a_model_that_fails_after_it_had_something_written_is_not_simply_asked_again(
    open_office: Open, tmp_path: Path
) -> None:
    async def work(model: ScriptedModel) -> None:
        app = opened(open_office, model)
        result = await worked(app)
        assert (result.status, result.waits_for) == ("waiting", ("answer t1",))
        state = await app.runs.tell(result.run, DoubtAnswered("ann", "t1", happened=False))
        assert (state.status, state.reply) == ("done", "both are set")

    with ScriptedModel(asked(BANK), OVERLOADED, asked(MILK, BANK), "both are set") as model:
        asyncio.run(work(model))
    assert written(tmp_path) == ["SUMMARY:Call the bank", "SUMMARY:Buy milk"]


def test_a_model_that_fails_before_it_had_anything_written_is_asked_again(
    open_office: Open, tmp_path: Path
) -> None:
    with ScriptedModel(OVERLOADED, asked(BANK), "it is set") as model:
        assert asyncio.run(worked(opened(open_office, model))).status == "done"
    assert written(tmp_path) == ["SUMMARY:Call the bank"]
