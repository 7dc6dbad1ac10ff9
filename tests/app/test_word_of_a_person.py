"""What writes asks first; what is refused has run nothing, written nothing and asked no model."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from orchestrator import Orchestrator
from orchestrator.errors import ApprovalNeeded, KindRefused
from orchestrator.preview import Preview
from orchestrator.runs.events import PlanApproved, PlanMade, TaskStarted
from orchestrator.testing import MemoryStore, ScriptedModel

from support.office import CALENDAR
from support.openai_server import serving

Open = Callable[..., Orchestrator]

READS = "find the overdue invoices"
WRITES = "find the overdue invoices, then write a reminder for each"
UNCLEAR = "find the overdue invoices and then frobnicate the widgets"


@pytest.mark.parametrize("approve", [None, lambda _: False], ids=["nobody", "refused"])
def test_a_plan_that_writes_runs_only_with_a_persons_word(
    open_office: Open, tmp_path: Path, approve: Callable[[Preview], bool] | None
) -> None:
    store = MemoryStore()
    with pytest.raises(
        ApprovalNeeded, match=r"t2 \(reminders, per item of t1\) writes.*nothing was run.*--yes"
    ):
        asyncio.run(open_office(store=store).run(WRITES, approve=approve))
    assert asyncio.run(store.runs()) == ()
    assert not (tmp_path / "office" / "var").exists()


def test_with_a_persons_word_it_runs_and_the_journal_says_so(open_office: Open, tmp_path: Path) -> None:
    store = MemoryStore()
    shown: list[Preview] = []

    def approve(preview: Preview) -> bool:
        shown.append(preview)
        return True

    result = asyncio.run(open_office(store=store).run(WRITES, approve=approve))
    events = [record.event for record in asyncio.run(store.read(result.run))]
    assert [type(e) for e in events].index(PlanApproved) < [type(e) for e in events].index(TaskStarted)
    assert [e.plan for e in events if isinstance(e, PlanMade)] == [shown[0].plan]
    assert "SUMMARY:Ann" in (tmp_path / "office" / "var" / "reminders.ics").read_text(encoding="utf-8")


def test_what_only_reads_asks_nobody(open_office: Open) -> None:
    def approve(_: Preview) -> bool:
        raise AssertionError("nobody is to be asked")

    store = MemoryStore()
    result = asyncio.run(open_office(store=store).run(READS, approve=approve))
    assert not [r for r in asyncio.run(store.read(result.run)) if isinstance(r.event, PlanApproved)]


def test_a_write_raises_the_kind_of_the_turn(open_office: Open) -> None:
    store = MemoryStore()
    app = open_office(store=store)
    assert asyncio.run(app.preview(WRITES, kind="answer")).approval.kind == "act"
    result = asyncio.run(app.run(WRITES, kind="answer", approve=lambda _: True))
    kinds = [r.event.kind for r in asyncio.run(store.read(result.run)) if isinstance(r.event, PlanMade)]
    assert kinds == ["act"]


def test_a_kind_that_always_asks_asks_for_a_reading_plan_too(open_office: Open) -> None:
    app = open_office({"config/planning.yaml": "kinds: {answer: {}, act: {}, care: {approval: always}}"})
    with pytest.raises(ApprovalNeeded, match="every plan of kind 'care' is shown first"):
        asyncio.run(app.run(READS, kind="care"))
    assert asyncio.run(app.run(READS, kind="care", approve=lambda _: True)).status == "done"


@pytest.mark.parametrize(
    ("kind", "said"), [("build", "asks for joint planning"), ("dance", "unknown kind 'dance'")]
)
def test_a_kind_that_cannot_be_planned_is_refused_before_any_model_call(
    open_office: Open, kind: str, said: str
) -> None:
    store = MemoryStore()
    with serving() as server:
        served = f"{{provider: openai, model: m, base_url: '{server.base_url}'}}"
        files = {
            "config/models.yaml": f"models: {{m: {served}}}",
            "config/planning.yaml": "model: m",
            "config/routing.yaml": "classifiers: [keyword, llm]\nmodel: m",
        }
        app = open_office(files, store=store)
        for turn in (app.preview(UNCLEAR, llm=True, kind=kind), app.run(UNCLEAR, kind=kind)):
            with pytest.raises(KindRefused, match=said):
                asyncio.run(turn)
        assert server.requests == []
    assert asyncio.run(store.runs()) == ()


def test_a_routed_joint_kind_is_refused_before_any_model_call(open_office: Open) -> None:
    files = {
        "agents/calendar.yaml": f"{CALENDAR}kind: build\n",
        "config/planning.yaml": "model: planner\nmode: model",
    }
    with ScriptedModel() as model, pytest.raises(KindRefused, match="'build' asks for joint planning"):
        asyncio.run(open_office(files, models=lambda _: model).run("check my calendar and then my calendar"))
