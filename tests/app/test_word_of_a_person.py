"""What writes asks first; what is refused has run nothing, written nothing and asked no model."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from orchestrator import Orchestrator
from orchestrator.control import approval_of_plan
from orchestrator.errors import KindRefused, UserError
from orchestrator.ids import RunId
from orchestrator.preview import Preview
from orchestrator.runs.events import PlanMade, TaskStarted
from orchestrator.runs.messages import FeedbackGiven, PlanApproved
from orchestrator.testing import MemoryStore, ScriptedModel

from support.office import CALENDAR
from support.openai_server import serving

Open = Callable[..., Orchestrator]

READS = "find the overdue invoices"
WRITES = "find the overdue invoices, then write a reminder for each"
UNCLEAR = "find the overdue invoices and then frobnicate the widgets"


def test_a_plan_that_writes_waits_for_a_persons_word(open_office: Open, tmp_path: Path) -> None:
    store = MemoryStore()
    result = asyncio.run(open_office(store=store).run(WRITES))
    assert (result.status, result.waits_for) == ("waiting", ("approval",))
    assert "t2 (reminders, per item of t1) writes" in result.reply
    assert f"cuewave runs approve {result.run}" in result.reply
    assert not [r for r in asyncio.run(store.read(RunId(result.run))) if isinstance(r.event, TaskStarted)]
    assert not (tmp_path / "office" / "var").exists()


def test_a_plan_that_a_person_does_not_want_is_never_run(open_office: Open, tmp_path: Path) -> None:
    result = asyncio.run(open_office().run(WRITES, approve=lambda _: False))
    assert (result.status, result.reply) == ("cancelled", "Nothing was run: the plan was rejected.")
    assert not (tmp_path / "office" / "var").exists()


@pytest.mark.parametrize("answer", ["no", 1, asyncio.sleep], ids=["text", "number", "function"])
def test_what_is_neither_yes_nor_no_agrees_to_nothing(
    answer: object, open_office: Open, tmp_path: Path
) -> None:
    def approve(_: Preview) -> Any:
        return answer

    async def run() -> None:
        app = open_office()
        with pytest.raises(UserError, match="must answer True, False or None"):
            await app.run(WRITES, approve=approve)
        (entry,) = await app.runs.entries()
        assert entry.status == "waiting"

    asyncio.run(run())
    assert not (tmp_path / "office" / "var").exists()


def test_a_run_whose_question_could_not_be_asked_waits_for_the_answer(open_office: Open) -> None:
    def approve(_: Preview) -> bool:
        raise ConnectionError("the chat is gone")

    async def run() -> None:
        app = open_office()
        with pytest.raises(ConnectionError):
            await app.run(WRITES, approve=approve)
        (entry,) = await app.runs.entries()
        assert entry.status == "waiting"
        assert (await app.runs.approve(entry.run, by="ann")).status == "done"

    asyncio.run(run())


def test_what_waits_goes_on_where_it_is_approved_later(open_office: Open, tmp_path: Path) -> None:
    async def run() -> None:
        app = open_office()
        waiting = await app.run(WRITES)
        state = await app.runs.tell(waiting.run, approval_of_plan(await app.runs.state(waiting.run), "ann"))
        assert state.status == "done"

    asyncio.run(run())
    assert "SUMMARY:Ann" in (tmp_path / "office" / "var" / "reminders.ics").read_text(encoding="utf-8")


def test_feedback_is_part_of_the_turn_when_it_is_planned_anew(open_office: Open) -> None:
    async def run() -> None:
        app = open_office()
        waiting = await app.run(WRITES)
        state = await app.runs.tell(waiting.run, FeedbackGiven("ann", "and check my calendar", True))
        assert state.status == "waiting"
        assert state.plan is not None
        assert "calendar" in {task.agent for task in state.plan.tasks}
        assert state.plan.revisions == ("feedback: and check my calendar",)
        assert state.approved is None

    asyncio.run(run())


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
    waiting = asyncio.run(app.run(READS, kind="care"))
    assert (waiting.status, "every plan of kind 'care' is shown first" in waiting.reply) == ("waiting", True)
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
    assert not asyncio.run(store.runs())


def test_a_routed_joint_kind_is_refused_before_any_model_call(open_office: Open) -> None:
    files = {
        "agents/calendar.yaml": f"{CALENDAR}kind: build\n",
        "config/planning.yaml": "model: planner\nmode: model",
    }
    with ScriptedModel() as model, pytest.raises(KindRefused, match="'build' asks for joint planning"):
        asyncio.run(open_office(files, models=lambda _: model).run("check my calendar and then my calendar"))
