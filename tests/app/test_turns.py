"""The orchestrator as a whole: a turn in, its route, plan, preview, run, stream or reply out."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from orchestrator import Orchestrator, WorkspaceInvalid
from orchestrator.errors import KindRefused
from orchestrator.runs.events import OutputChunk, Record, RunEnded, RunParked, TurnReceived
from orchestrator.testing import MemoryStore, ScriptedModel

from support.office import WRITER, office, shipped_copy

Open = Callable[..., Orchestrator]

TWO = "find the overdue invoices and check my calendar"
EACH = "find the overdue invoices, then write a reminder for each"
ANN = "1 of 2 open invoices is overdue, 10.00:\n- Ann, invoice 7: 10.00, due 2026-11-02, 28 days late"
LUNCH = "Today: 1 entry on the calendar.\n- 12:00–13:00 Lunch with Cy"
BOTH = f"find the overdue invoices (done)\n{ANN}\n\ncheck my calendar (done)\n{LUNCH}"
TASK_KEYS = {
    "id",
    "agent",
    "intent",
    "action",
    "depends_on",
    "map_over",
    "source_span",
    "effects",
    "assumes",
    "compensate",
    "params",
}


def happenings(app: Orchestrator, text: str, **how: Any) -> list[Any]:
    async def gather() -> list[Any]:
        return [happening async for happening in app.stream(text, **how)]

    return asyncio.run(gather())


def pieces(app: Orchestrator, text: str) -> list[str]:
    async def gather() -> list[str]:
        return [piece async for piece in app.chunks(text)]

    return asyncio.run(gather())


def test_a_turn_is_routed_with_its_evidence(open_office: Open) -> None:
    text = "please check my calendar"
    route = asyncio.run(open_office().route(text))
    assert (route.agent, route.intent, route.kind, route.sure) == (
        "calendar",
        "check_calendar",
        "answer",
        True,
    )
    assert [text[e.start : e.end] for e in route.evidence] == ["my calendar"]


@pytest.mark.parametrize(
    ("text", "compound"),
    [
        (TWO, True),
        ("check my calendar and then frobnicate", True),
        ("invoices of Ann and Bo", False),
        ("", False),
    ],
)
def test_whether_a_turn_is_compound_has_one_answer(open_office: Open, text: str, compound: bool) -> None:
    app = open_office()
    assert app.is_multi_step_query(text) is compound
    assert asyncio.run(app.sight(text)).compound.is_multi_step is compound


@pytest.mark.parametrize("cues", [None, "", "cues: []"])
def test_without_cues_no_turn_is_compound(open_office: Open, cues: str | None) -> None:
    app = open_office({"config/multi_step.yaml": cues})
    assert not app.is_multi_step_query(TWO)
    assert len(asyncio.run(app.plan(EACH)).tasks) == 1


def test_a_plan_is_a_value_with_waves_and_a_drawing(open_office: Open) -> None:
    plan = asyncio.run(open_office().plan(TWO))
    assert [(t.id, t.agent, t.action) for t in plan.tasks] == [
        ("t1", "ledger", "find the overdue invoices"),
        ("t2", "calendar", "check my calendar"),
    ]
    assert plan.waves == (("t1", "t2"),)
    assert plan.to_mermaid().startswith("flowchart")


def test_a_preview_has_exactly_the_keys_of_the_interface_and_the_kind(open_office: Open) -> None:
    document: Any = asyncio.run(open_office().preview(EACH)).to_json()
    assert set(document) == {"text", "compound", "route", "plan", "approval", "depth", "estimate", "warnings"}
    assert set(document["compound"]) == {"is_multi_step", "cues", "ignored"}
    assert [set(cue) for cue in document["compound"]["cues"]] == [{"cue", "meaning", "start", "end"}] * 2
    assert {"intent", "agent", "kind", "confidence", "margin", "alternatives"} <= set(document["route"])
    assert set(document["plan"]) == {
        "source",
        "collapsed",
        "collapse_reason",
        "tasks",
        "waves",
        "revisions",
        "repairs",
        "outcome",
    }
    assert [set(task) for task in document["plan"]["tasks"]] == [TASK_KEYS] * 2
    assert document["approval"] == {
        "needed": True,
        "reason": "t2 (reminders, per item of t1) writes",
        "kind": "act",
    }
    assert document["depth"] == {"flow": "direct"}
    assert document["estimate"] == {
        "seconds": None,
        "model_calls": [0, 0],
        "tokens": [0, 0],
        "money": [0, 0],
        "samples": 0,
        "coverage": 0,
        "critical_path": ["t1", "t2"],
        "quantiles": [0.1, 0.9],
        "effects": {"read": ["t1"], "write": ["t2"]},
        "record": {},
    }


def test_a_result_has_exactly_the_keys_of_the_interface_and_the_attempts(open_office: Open) -> None:
    result = asyncio.run(open_office().run(EACH, approve=lambda _: True))
    document: Any = result.to_json()
    assert set(document) == {
        "run",
        "status",
        "outcome",
        "reply",
        "plan",
        "results",
        "needs_human_review",
        "waits_for",
        "estimate",
        "usage",
    }
    own = {"status", "output", "error", "started", "ended", "attempts"}
    assert {task: set(found) for task, found in document["results"].items()} == {
        "t1": own,
        "t2": own | {"items"},
    }
    assert [set(item) for item in document["results"]["t2"]["items"]] == [own | {"id"}]
    assert document["usage"] == {"model_calls": 0, "input_tokens": 0, "output_tokens": 0, "money": 0.0}


def test_a_run_answers_every_part(open_office: Open) -> None:
    result = asyncio.run(open_office().run(TWO))
    assert (result.status, result.reply) == ("done", BOTH)
    assert {task: found.status for task, found in result.results.items()} == {"t1": "done", "t2": "done"}


def test_a_task_gets_its_own_words_and_the_persons_sentence(open_office: Open) -> None:
    tasks = asyncio.run(open_office().plan(TWO)).tasks
    assert [dict(task.params) for task in tasks] == [
        {"query": "find the overdue invoices", "request": TWO},
        {"query": "check my calendar", "request": TWO},
    ]


def test_a_turn_that_nobody_serves_is_answered_and_runs_nothing(open_office: Open) -> None:
    result = asyncio.run(open_office().run("translate this poem"))
    assert (result.status, dict(result.results)) == ("done", {})
    assert "No agent is sure to serve this" in result.reply
    assert "@" in result.reply


def test_what_became_of_a_run_can_be_asked_later(open_office: Open) -> None:
    app = open_office()
    result = asyncio.run(app.run(TWO))
    assert asyncio.run(app.result(result.run)) == result


def test_a_stream_is_the_journal_as_it_is_written(open_office: Open) -> None:
    store = MemoryStore()
    app = open_office(store=store)
    seen = happenings(app, TWO, session="s1")
    records = [h for h in seen if isinstance(h, Record)]
    assert [r.seq for r in records] == list(range(1, len(records) + 1))
    assert tuple(records) == asyncio.run(store.read(records[0].run))
    began = records[0].event
    assert isinstance(began, TurnReceived)
    assert (began.text, began.session) == (TWO, "s1")
    assert asyncio.run(store.kept(began.workspace)) is not None
    assert records[-1].event == RunEnded("done", BOTH)


def test_a_stream_shows_output_as_it_arrives(open_office: Open) -> None:
    with ScriptedModel("Roses are red.") as model:
        app = open_office({"agents/writer.yaml": WRITER}, models=lambda _: model)
        seen = happenings(app, "draft a poem")
    assert [h.text for h in seen if isinstance(h, OutputChunk)] == ["Roses", " are", " red."]


def test_a_stream_raises_what_the_run_raises(open_office: Open) -> None:
    with pytest.raises(KindRefused):
        happenings(open_office(), EACH, kind="build")


def test_a_stream_of_a_run_that_waits_ends_when_it_is_parked(open_office: Open) -> None:
    seen = happenings(open_office(), EACH)
    assert isinstance(seen[-1], Record)
    assert isinstance(seen[-1].event, RunParked)


@pytest.mark.parametrize("text", [TWO, "check my calendar", "translate this poem", ""])
def test_the_pieces_of_a_reply_are_the_reply(open_office: Open, text: str) -> None:
    app = open_office()
    assert "".join(pieces(app, text)) == asyncio.run(app.run(text)).reply


def test_the_pieces_of_a_prompted_agents_reply_come_one_by_one(open_office: Open) -> None:
    with ScriptedModel("Roses are red.") as model:
        app = open_office({"agents/writer.yaml": WRITER}, models=lambda _: model)
        assert pieces(app, "draft a poem") == ["Roses", " are", " red."]


def test_as_a_runnable_it_invokes_streams_and_batches(open_office: Open) -> None:
    runnable = open_office().as_runnable()
    assert runnable.invoke(TWO) == BOTH
    assert asyncio.run(runnable.ainvoke({"input": TWO})) == BOTH
    assert "".join(runnable.stream(TWO)) == BOTH
    assert runnable.batch(["check my calendar", "find the overdue invoices"]) == [LUNCH, ANN]


def test_as_a_runnable_it_takes_its_place_in_a_chain(open_office: Open) -> None:
    from langchain_core.runnables import RunnableLambda

    chain = RunnableLambda(lambda day: f"check my {day}") | open_office().as_runnable() | str.upper
    assert chain.invoke("calendar") == LUNCH.upper()


def test_as_a_runnable_it_says_what_needs_a_persons_word_and_runs_nothing(
    open_office: Open, tmp_path: Path
) -> None:
    runnable = open_office().as_runnable()
    assert "cuewave runs approve" in runnable.invoke(EACH)
    assert "cuewave runs approve" in "".join(runnable.stream(EACH))
    assert not (tmp_path / "office" / "var").exists()


def test_every_agent_is_built_when_the_workspace_is_opened(tmp_path: Path) -> None:
    office(
        tmp_path / "office",
        {"config/models.yaml": "", "agents/writer.yaml": WRITER, "agents/other.yaml": OTHER},
    )
    with pytest.raises(WorkspaceInvalid) as refused:
        Orchestrator.from_workspace(tmp_path / "office")
    assert [fault.file for fault in refused.value.faults] == ["agents/other.yaml", "agents/writer.yaml"]
    assert all("there is no such model" in fault.message for fault in refused.value.faults)


OTHER = WRITER.replace("name: writer", "name: other").replace("draft", "sketch").replace("polish", "varnish")


def test_a_broken_template_is_found_before_anything_runs(open_office: Open, tmp_path: Path) -> None:
    store = MemoryStore()
    app = open_office(store=store)
    (tmp_path / "office" / "prompts" / "reply.j2").write_text("{% for %}", encoding="utf-8")
    with pytest.raises(WorkspaceInvalid, match=r"prompts/reply\.j2:1"):
        asyncio.run(app.run(TWO))
    assert not asyncio.run(store.runs())
    with pytest.raises(WorkspaceInvalid, match=r"prompts/reply\.j2:1"):
        Orchestrator.from_workspace(tmp_path / "office", thorough=True)


def test_the_shipped_workspace_serves_its_main_turn_without_a_model(tmp_path: Path) -> None:
    app = Orchestrator.from_workspace(shipped_copy(tmp_path / "mine"), thorough=True)
    result = asyncio.run(app.run("summarize my inbox and check my calendar"))
    assert [t.agent for t in result.plan.tasks] == ["inbox", "calendar"]
    assert (result.status, result.usage.model_calls) == ("done", 0)
    assert "summarize my inbox (done)" in result.reply
    assert "check my calendar (done)" in result.reply


def test_the_shipped_workspace_writes_a_reminder_for_each_overdue_invoice(tmp_path: Path) -> None:
    app = Orchestrator.from_workspace(shipped_copy(tmp_path / "mine"))
    result = asyncio.run(app.run(EACH, approve=lambda _: True))
    written = (tmp_path / "mine" / "var" / "reminders.ics").read_text(encoding="utf-8")
    assert written.count("BEGIN:VEVENT") == len(result.results["t2"].items) > 1
