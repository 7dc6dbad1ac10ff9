"""A branch that fails takes its dependents with it and nothing else, and the reply names every part."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from orchestrator import Orchestrator
from orchestrator.testing import ScriptedModel

from support.office import REMINDERS, WRITER

Open = Callable[..., Orchestrator]

THREE = "check my calendar, find the overdue invoices and remind me of them"
NO_TABLE = {"data/invoices.csv": None}


def test_one_branch_fails_its_dependent_is_skipped_and_the_other_is_done(
    open_office: Open, tmp_path: Path
) -> None:
    result = asyncio.run(open_office(NO_TABLE).run(THREE, approve=lambda _: True))
    assert {task: found.status for task, found in result.results.items()} == {
        "t1": "done",
        "t2": "failed",
        "t3": "skipped",
    }
    assert result.status == "partial"
    assert "there is no data/invoices.csv" in (result.results["t2"].error or "")
    assert "t2" in (result.results["t3"].error or "")
    assert not (tmp_path / "office" / "var").exists()


def test_the_reply_says_of_each_part_what_became_of_it(open_office: Open) -> None:
    reply = asyncio.run(open_office(NO_TABLE).run(THREE, approve=lambda _: True)).reply
    done, failed, skipped = reply.split("\n\n")
    assert done == "check my calendar (done)\nToday: 1 entry on the calendar.\n- 12:00–13:00 Lunch with Cy"
    assert failed.startswith("find the overdue invoices (failed: there is no data/invoices.csv")
    assert skipped.startswith("remind me of them (skipped: ")


def test_a_run_of_which_nothing_is_done_has_failed(open_office: Open) -> None:
    result = asyncio.run(open_office(NO_TABLE).run("find the overdue invoices"))
    assert result.status == "failed"
    assert "find the overdue invoices (failed: there is no data/invoices.csv" in result.reply


def test_a_dependent_may_see_the_failure_instead(open_office: Open) -> None:
    files = {**NO_TABLE, "agents/writer.yaml": f"{WRITER}on_upstream_failure: run\n"}
    with ScriptedModel("Nothing to report.") as model:
        app = open_office(files, models=lambda _: model)
        result = asyncio.run(app.run("find the overdue invoices and then draft a letter"))
    assert result.status == "partial"
    assert "Result of t1 (agent ledger, failed):" in model.asked[0].prompt
    assert "(no result: failed: there is no data/invoices.csv" in model.asked[0].prompt


def test_a_model_that_fails_fails_its_task_alone(open_office: Open) -> None:
    with ScriptedModel({"error": {"message": "overloaded", "status": 503}}) as model:
        app = open_office({"agents/writer.yaml": WRITER}, models=lambda _: model)
        result = asyncio.run(app.run("draft a letter as well as check my calendar"))
    assert (result.status, result.results["t2"].status) == ("partial", "done")
    assert "HTTP 503: overloaded" in (result.results["t1"].error or "")


def test_an_empty_result_is_data(open_office: Open, tmp_path: Path) -> None:
    files = {"data/invoices.csv": "number,name,amount,due,paid\n8,Bo,20.00,2026-12-24,no\n"}
    result = asyncio.run(
        open_office(files).run(
            "find the overdue invoices, then write a reminder for each", approve=lambda _: True
        )
    )
    assert (result.status, dict(result.results["t2"].items)) == ("done", {})
    assert not (tmp_path / "office" / "var").exists()


def test_an_empty_result_is_a_failure_where_the_agent_says_so(open_office: Open) -> None:
    empty = {"data/invoices.csv": "number,name,amount,due,paid\n"}
    files = {**empty, "agents/reminders.yaml": REMINDERS, "agents/ledger.yaml": STRICT}
    result = asyncio.run(open_office(files).run("find the overdue invoices"))
    assert result.status == "failed"
    assert "success: not_empty" in result.reply


STRICT = """\
name: ledger
uses: ledger
success: not_empty
intents: {find_overdue: {operation: overdue, keywords: [overdue invoices]}}
options: {file: data/invoices.csv}
"""
