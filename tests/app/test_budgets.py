"""What a whole run, or a session of runs, may spend: no call beyond it, and the run ends with what it has."""

import asyncio
import json
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from orchestrator import Orchestrator
from orchestrator.agents.contract import UNLIMITED, Purse, Reply, Usage
from orchestrator.control import approval_of_plan
from orchestrator.errors import PlanRefused, UserError
from orchestrator.ids import RunId, TaskId
from orchestrator.runs.events import BudgetRanOut, Event, RunEnded, TaskDone, TaskSkipped, TaskStarted
from orchestrator.runs.result import RunResult
from orchestrator.testing import FakeClock, MemoryStore, ScriptedModel

from support.office import WRITER

Open = Callable[..., Orchestrator]

THREE = "draft a letter and then polish it and then polish it"
DRAFTS = "draft a letter and then polish it"
UNCLEAR = "find the overdue invoices and then frobnicate the widgets"
WRITES = "find the overdue invoices, then write a reminder for each"
T1, T2 = TaskId("t1"), TaskId("t2")
LETTER, POLISHED = ({"reply": text, "usage": (20, 5)} for text in ("Dear Ann", "Dearest Ann"))
ONE_STEP = WRITER + "steps: one\n"  # so that two steps of it are two tasks
PRICED = """\
models:
  default: {provider: scripted, file: scripts/silent.yaml, price: {input: 1000, output: 4000}}
"""


def budget(**limits: Any) -> str:
    """`config/orchestrator.yaml` with these: `run` and `session` are texts in the flow style."""
    return "budgets:\n" + "".join(f"  {scope}: {told}\n" for scope, told in limits.items())


def writing(**limits: Any) -> dict[str, str]:
    """The office with a writer, and with budgets."""
    return {"config/orchestrator.yaml": budget(**limits), "agents/writer.yaml": ONE_STEP}


def scripted(*steps: object) -> dict[str, Any]:
    """The knobs of an office all of whose models are this script, in which every call must be foreseen."""
    script = ScriptedModel(*steps)
    return {"models": lambda _: script, "store": MemoryStore()}


async def ran_out(app: Orchestrator, result: RunResult) -> list[BudgetRanOut]:
    return [e for e in await events(app, result.run) if isinstance(e, BudgetRanOut)]


async def events(app: Orchestrator, run: str) -> list[Event]:
    return [record.event for record in await app.runs.store.read(RunId(run))]


def statuses(result: RunResult) -> dict[str, str]:
    return {str(task): found.status for task, found in result.results.items()}


# ── a run ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ("{model_calls: 1}", BudgetRanOut("model calls of the run", 1, 1, "t2 (writer)")),
        ("{tokens: 25}", BudgetRanOut("tokens of the run", 25, 25, "t2 (writer)")),
        ("{tokens: 3}", BudgetRanOut("tokens of the run", 3, 25, "t2 (writer)")),
    ],
)
def test_a_run_ends_with_what_it_has_and_says_what_it_would_have_needed(
    open_office: Open, limits: str, told: BudgetRanOut
) -> None:
    async def run() -> None:
        app = open_office(writing(run=limits), **scripted(LETTER))
        result = await app.run(DRAFTS)
        assert (result.status, statuses(result)) == ("partial", {"t1": "done", "t2": "failed"})
        assert result.usage == Usage(1, 20, 5)
        assert await ran_out(app, result) == [told]
        assert "Dear Ann" in result.reply
        assert f"the budget of {told.budget} is used up" in result.reply

    asyncio.run(run())


def test_money_is_counted_by_the_price_of_the_model(open_office: Open, tmp_path: Path) -> None:
    script = json.dumps([{"reply": "Dear Ann", "usage": [20, 5]}, {"reply": "never"}])
    files = {**writing(run="{money: 0.04}"), "config/models.yaml": PRICED, "scripts/silent.yaml": script}

    async def run() -> None:
        app = open_office(files, store=MemoryStore())
        result = await app.run(DRAFTS)
        assert (result.status, statuses(result)) == ("partial", {"t1": "done", "t2": "failed"})
        assert result.usage == Usage(1, 20, 5, 0.04)  # 20 at 1,000 and 5 at 4,000 for a million
        assert await ran_out(app, result) == [BudgetRanOut("money of the run", 0.04, 0.04, "t2 (writer)")]

    asyncio.run(run())


def test_a_budget_that_is_enough_changes_nothing(open_office: Open) -> None:
    limits = "{model_calls: 2, tokens: 51, money: 9.5, tasks: 2, wall_time: 1h}"
    app = open_office(
        writing(run=limits, session=limits.replace(", wall_time: 1h", "")), **scripted(LETTER, POLISHED)
    )
    result = asyncio.run(app.run(DRAFTS, session="s1"))
    assert (result.status, result.reply, result.usage) == ("done", "Dearest Ann", Usage(2, 40, 10))
    assert asyncio.run(ran_out(app, result)) == []


@pytest.mark.parametrize("limits", ["{model_calls: 0}", "{tokens: 0}", "{money: 0}"])
@pytest.mark.parametrize("scope", ["run", "session"])
def test_a_budget_of_nothing_asks_no_model_and_all_else_goes_on(
    open_office: Open, scope: str, limits: str
) -> None:
    app = open_office(writing(**{scope: limits}), **scripted())
    result = asyncio.run(app.run("draft a letter and check my calendar", session="s1"))
    assert (result.status, statuses(result)) == ("partial", {"t1": "failed", "t2": "done"})
    assert "Lunch with Cy" in result.reply
    (told,) = asyncio.run(ran_out(app, result))
    assert told.budget.endswith(f" of the {scope}")
    assert (told.limit, told.used, told.needed) == (0, 0, "t1 (writer)")


def test_no_task_beyond_the_budget_is_begun_and_the_items_that_were_are_in_the_reply(
    open_office: Open, tmp_path: Path
) -> None:
    async def run() -> None:
        files = {
            "config/orchestrator.yaml": budget(run="{tasks: 2}"),
            "data/invoices.csv": "name,amount,due\nAnn,10,2026-11-02\nBo,20,2026-11-03\n",
        }
        app = open_office(files, store=MemoryStore())
        result = await app.run(WRITES, approve=lambda _: True)
        assert (result.status, statuses(result)) == ("partial", {"t1": "done", "t2": "failed"})
        children = result.results[T2].items
        assert [(id, child.status) for id, child in children.items()] == [
            ("t2[1]", "done"),
            ("t2[2]", "skipped"),
        ]
        assert await ran_out(app, result) == [BudgetRanOut("tasks of the run", 2, 2, "t2 (reminders)")]
        begun = [e.task for e in await events(app, result.run) if isinstance(e, TaskStarted)]
        assert begun == ["t1", "t2[1]"]
        assert "Ann" in result.reply
        assert (
            "1 of 2 items failed: t2[2]: the budget of tasks of the run is used up (2 of 2)" in result.reply
        )

    asyncio.run(run())
    written = (tmp_path / "office" / "var" / "reminders.ics").read_text(encoding="utf-8")
    assert written.count("BEGIN:VEVENT") + written.count("BEGIN:VTODO") == 1


def test_with_no_task_at_all_nothing_is_begun(open_office: Open) -> None:
    async def run() -> None:
        app = open_office({"config/orchestrator.yaml": budget(run="{tasks: 0}")}, store=MemoryStore())
        result = await app.run("check my calendar")
        assert (result.status, statuses(result)) == ("partial", {"t1": "skipped"})
        *_, told, skipped, end = await events(app, result.run)
        assert (told, skipped) == (
            BudgetRanOut("tasks of the run", 0, 0, "t1 (calendar)"),
            TaskSkipped(T1, "the budget of tasks of the run is used up (0 of 0)"),
        )
        assert isinstance(end, RunEnded)

    asyncio.run(run())


def test_a_run_that_cannot_be_paid_for_in_full_is_not_taken_up_again(open_office: Open) -> None:
    async def run() -> None:
        app = open_office(writing(run="{model_calls: 1}"), **scripted(LETTER))
        result = await app.run(DRAFTS)
        with pytest.raises(UserError, match="has ended \\(partial\\)"):
            await app.runs.resume(result.run)

    asyncio.run(run())


# ── routing and planning ────────────────────────────────────────────────────────────────────────────────

PLANNED = {
    "reply": "TASK: t1 | draft a letter | writer | none\nTASK: t2 | frobnicate it | writer | t1",
    "usage": (30, 10),
}
DRAFT_UNCLEAR = "draft a letter and then frobnicate the widgets"


def planning(policy: str = "", **limits: Any) -> dict[str, str]:
    return {**writing(**limits), "config/planning.yaml": f"model: planner\n{policy}"}


def test_what_planning_has_cost_counts(open_office: Open) -> None:
    async def run() -> None:
        app = open_office(planning(run="{model_calls: 2}"), **scripted(PLANNED, LETTER))
        result = await app.run(DRAFT_UNCLEAR)
        assert (result.status, statuses(result)) == ("partial", {"t1": "done", "t2": "failed"})
        assert result.usage == Usage(2, 50, 15)
        assert await ran_out(app, result) == [BudgetRanOut("model calls of the run", 2, 2, "t2 (writer)")]

    asyncio.run(run())


def test_so_does_a_call_of_the_planner_that_failed(open_office: Open) -> None:
    down = {"error": {"message": "the service is down", "status": 503}}
    app = open_office(planning(run="{model_calls: 1}"), **scripted(down))
    result = asyncio.run(app.run(DRAFT_UNCLEAR))
    assert (result.status, result.usage) == ("partial", Usage(1))
    assert statuses(result) == {"t1": "failed"}
    assert "(1 of 1)" in result.reply


def test_the_repair_of_a_plan_that_cannot_be_paid_for_is_not_asked_for(open_office: Open) -> None:
    app = open_office(planning(run="{model_calls: 1}"), **scripted("no plan at all"))
    result = asyncio.run(app.run(UNCLEAR))
    assert result.plan is not None
    assert "the budget of model calls of the run is used up (1 of 1)" in result.plan.warnings[0]
    assert (result.status, result.usage.model_calls) == ("done", 1)


@pytest.mark.parametrize("scope", ["run", "session"])
def test_without_budget_for_the_planner_the_best_split_is_used_and_says_so(
    open_office: Open, scope: str
) -> None:
    app = open_office(planning(**{scope: "{model_calls: 0}"}), **scripted())
    result = asyncio.run(app.run(f"check my calendar, then {UNCLEAR}", session="s1"))
    assert result.plan is not None
    assert [(t.agent, t.action) for t in result.plan.tasks] == [
        ("calendar", "check my calendar"),
        ("ledger", UNCLEAR),
    ]
    assert result.plan.warnings[0] == (
        "the planner's model gave no plan "
        f"(the budget of model calls of the {scope} is used up (0 of 0)); the split at the cues is used"
    )
    assert (result.status, result.usage) == ("done", Usage())


def test_nothing_is_run_without_budget_for_the_planner_where_the_policy_says_so(open_office: Open) -> None:
    app = open_office(planning("on_invalid_plan: fail", run="{model_calls: 0}"), **scripted())
    with pytest.raises(PlanRefused, match="the budget of model calls of the run is used up"):
        asyncio.run(app.run(UNCLEAR))


def test_what_classifying_has_cost_counts_and_it_is_not_asked_without_budget(open_office: Open) -> None:
    files = {
        **writing(run="{model_calls: 1}"),
        "config/routing.yaml": "classifiers: [keyword, llm]\nmodel: classifier\ndefault_agent: writer",
    }
    app = open_office(files, **scripted({"reply": "draft_text", "usage": (9, 1)}))
    result = asyncio.run(app.run("something about a whale"))
    assert (result.status, result.usage) == ("partial", Usage(1, 9, 1))
    none_left = {**files, "config/orchestrator.yaml": budget(run="{model_calls: 0}")}
    other = Orchestrator.from_workspace(_rewritten(app, none_left), **scripted())
    result = asyncio.run(other.run("something about a whale"))
    assert (result.status, result.usage) == ("partial", Usage())
    assert result.plan is not None
    assert "the model that classifies did not answer: the budget of" in result.plan.warnings[0]


def _rewritten(app: Orchestrator, files: dict[str, str]) -> Path:
    """The workspace of this app with these files in it."""
    for name, text in files.items():
        (app.workspace.root / name).write_text(text, encoding="utf-8")
    return app.workspace.root


def test_a_dry_run_is_not_bound_by_budgets(open_office: Open) -> None:
    app = open_office(planning(run="{model_calls: 0}", session="{model_calls: 0}"), **scripted(PLANNED))
    preview = asyncio.run(app.preview(DRAFT_UNCLEAR, llm=True))
    assert (preview.plan.source, preview.usage.model_calls) == ("model", 1)


# ── a session ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("limits", "budget_told", "used"),
    [
        ("{model_calls: 2}", "model calls of the session", 2),
        ("{tokens: 50}", "tokens of the session", 50),
        ("{tokens: 26}", "tokens of the session", 50),
    ],
)
def test_the_runs_of_a_session_spend_from_one_budget(
    open_office: Open, limits: str, budget_told: str, used: int
) -> None:
    async def run() -> None:
        app = open_office(writing(session=limits), **scripted(LETTER, LETTER, LETTER))
        texts = ["draft a letter"] * 2
        assert [(await app.run(text, session="s1")).status for text in texts] == ["done", "done"]
        third = await app.run("draft a letter", session="s1")
        (told,) = await ran_out(app, third)
        assert (third.status, told.budget, told.used) == ("partial", budget_told, used)
        assert (await app.run("draft a letter", session="s2")).status == "done"

    asyncio.run(run())


def test_a_run_without_a_session_is_bound_as_one_of_its_own(open_office: Open) -> None:
    async def run() -> None:
        app = open_office(writing(session="{model_calls: 1}"), **scripted(LETTER, LETTER))
        assert (await app.run("draft a letter")).status == "done"
        result = await app.run(DRAFTS)
        assert (result.status, statuses(result)) == ("partial", {"t1": "done", "t2": "failed"})

    asyncio.run(run())


def test_money_of_a_session_is_that_of_all_its_runs(open_office: Open) -> None:
    script = json.dumps([{"reply": "Dear Ann", "usage": [20, 5]}] * 3)
    files = {**writing(session="{money: 0.05}"), "config/models.yaml": PRICED, "scripts/silent.yaml": script}

    async def run() -> None:
        app = open_office(files, store=MemoryStore())
        ends = [(await app.run("draft a letter", session="s1")).status for _ in range(3)]
        assert ends == ["done", "done", "partial"]

    asyncio.run(run())


def test_the_tasks_of_a_session_are_those_of_all_its_runs(open_office: Open) -> None:
    async def run() -> None:
        files = {"config/orchestrator.yaml": budget(session="{tasks: 3}")}
        app = open_office(files, store=MemoryStore())
        first = await app.run("find the overdue invoices and check my calendar", session="s1")
        second = await app.run("find the overdue invoices and check my calendar", session="s1")
        assert (first.status, second.status) == ("done", "partial")
        assert sorted(statuses(second).values()) == ["done", "skipped"]
        (told,) = await ran_out(app, second)
        assert (told.budget, told.limit, told.used) == ("tasks of the session", 3, 3)

    asyncio.run(run())


def test_of_a_mapped_task_its_items_count_and_not_itself(open_office: Open) -> None:
    async def run() -> None:
        files = {"config/orchestrator.yaml": budget(session="{tasks: 3}")}
        app = open_office(files, store=MemoryStore())
        assert (await app.run(WRITES, session="s1", approve=lambda _: True)).status == "done"  # t1 and t2[1]
        assert (await app.run("check my calendar", session="s1")).status == "done"
        assert (await app.run("check my calendar", session="s1")).status == "partial"

    asyncio.run(run())


def test_a_model_that_only_reports_what_it_has_cost_is_counted_too(open_office: Open) -> None:
    class Reports:
        async def ask(
            self, messages: Any, *, tools: Any = (), emit: Any = None, purse: Purse = UNLIMITED
        ) -> Reply:
            return Reply(PLANNED["reply"], usage=Usage(2, 30, 10))

    model = Reports()
    app = open_office(planning(run="{model_calls: 6}"), models=lambda _: model, store=MemoryStore())
    assert asyncio.run(app.run(DRAFT_UNCLEAR)).usage == Usage(6, 90, 30)


def test_planning_of_a_later_run_is_paid_by_the_session_too(open_office: Open) -> None:
    async def run() -> None:
        app = open_office(planning(session="{model_calls: 1}"), **scripted(LETTER))
        await app.run("draft a letter", session="s1")
        result = await app.run(UNCLEAR, session="s1")
        assert result.plan is not None
        assert "the budget of model calls of the session is used up (1 of 1)" in result.plan.warnings[0]

    asyncio.run(run())


# ── taken up again ──────────────────────────────────────────────────────────────────────────────────────


def died_after(store: MemoryStore, run: str, kind: type, task: str) -> MemoryStore:
    """The store as it was when a process died right after this event."""
    journal = asyncio.run(store.read(RunId(run)))
    last = next(
        n for n, r in enumerate(journal) if isinstance(r.event, kind) and getattr(r.event, "task", "") == task
    )
    cut = MemoryStore()

    async def copy() -> None:
        await cut.append(RunId(run), 0, journal[: last + 1])
        entry = (await store.runs())[0]
        await cut.keep(entry.workspace, await store.kept(entry.workspace) or b"")

    asyncio.run(copy())
    return cut


@pytest.mark.parametrize("scope", ["run", "session"])
def test_what_was_spent_before_a_crash_counts_after_it(open_office: Open, scope: str, tmp_path: Path) -> None:
    files = writing(**{scope: "{model_calls: 2}"})
    knobs = scripted(LETTER, POLISHED)
    app = open_office(files, **knobs)
    result = asyncio.run(app.run(THREE, session="s1"))
    assert statuses(result) == {"t1": "done", "t2": "done", "t3": "failed"}
    cut = died_after(knobs["store"], result.run, TaskDone, "t1")
    again = Orchestrator.from_workspace(app.workspace.root, **{**scripted(POLISHED), "store": cut})
    state = asyncio.run(again.runs.resume(result.run))
    assert {t: s.status for t, s in state.tasks.items()} == statuses(result)
    assert (state.usage, state.reply) == (result.usage, result.reply)


# ── time ────────────────────────────────────────────────────────────────────────────────────────────────


class SlowModel:
    """A model that takes so many seconds by the clock for each answer."""

    def __init__(self, clock: FakeClock, seconds: float) -> None:
        self.clock, self.seconds, self.calls = clock, seconds, 0

    async def ask(
        self, messages: Any, *, tools: Any = (), emit: Any = None, purse: Purse = UNLIMITED
    ) -> Reply:
        purse.begin_call()
        self.calls += 1
        await self.clock.sleep(self.seconds)
        return Reply(f"answer {self.calls}")


def slow(seconds: float) -> dict[str, Any]:
    """The knobs of an office whose models take so long."""
    clock = FakeClock()
    model = SlowModel(clock, seconds)
    return {"clock": clock, "models": lambda _: model, "store": MemoryStore()}


def test_a_run_that_takes_too_long_is_cut_off_with_what_it_has(open_office: Open) -> None:
    knobs = slow(6)
    app = open_office(writing(run="{wall_time: 10s}"), **knobs)
    result = asyncio.run(app.run(THREE))
    assert (result.status, statuses(result)) == (
        "partial",
        {"t1": "done", "t2": "cancelled", "t3": "skipped"},
    )
    assert asyncio.run(ran_out(app, result)) == [
        BudgetRanOut("seconds of wall time of the run", 10, 10, "t2 (writer), t3 (writer)")
    ]
    assert "answer 1" in result.reply
    assert knobs["models"]("any").calls == 2


def test_time_in_which_a_run_waits_for_a_person_does_not_count(open_office: Open) -> None:
    async def run() -> None:
        knobs = slow(6)
        planned = {"config/planning.yaml": "kinds: {answer: {approval: always}, act: {}, build: {}}"}
        app = open_office({**writing(run="{wall_time: 13s}"), **planned}, **knobs)
        waiting = await app.run(DRAFTS)
        assert waiting.status == "waiting"
        knobs["clock"].advance(timedelta(days=3).total_seconds())
        state = await app.runs.tell(waiting.run, approval_of_plan(await app.runs.state(waiting.run), "ann"))
        assert (state.status, state.driven) == ("done", 12)

    asyncio.run(run())


def test_time_before_a_crash_counts_and_time_in_which_nobody_drove_the_run_does_not(
    open_office: Open,
) -> None:
    knobs = slow(6)
    app = open_office(writing(run="{wall_time: 13s}"), **knobs)
    result = asyncio.run(app.run(THREE))
    assert statuses(result) == {"t1": "done", "t2": "done", "t3": "cancelled"}
    cut = died_after(knobs["store"], result.run, TaskDone, "t1")
    later = slow(6)
    later["clock"].advance(timedelta(days=3).total_seconds())
    again = Orchestrator.from_workspace(app.workspace.root, **{**later, "store": cut})
    state = asyncio.run(again.runs.resume(result.run))
    assert {t: s.status for t, s in state.tasks.items()} == statuses(result)
    assert state.status == "partial"


# ── fallback agents ─────────────────────────────────────────────────────────────────────────────────────

ARCHIVE = """\
name: archive
uses: ledger
intents:
  open_totals: {operation: totals, keywords: [open invoices]}
options: {file: data/archive.csv}
success: not_empty
fallbacks: [ledger]
limits: {retries: 0}
"""


def test_who_stands_in_does_the_same_operation_on_its_own_file(open_office: Open) -> None:
    for archive in (None, "name,amount,due\n"):
        app = open_office({"agents/archive.yaml": ARCHIVE, "data/archive.csv": archive}, store=MemoryStore())
        result = asyncio.run(app.run("open invoices"))
        assert (result.status, result.results[T1].attempts) == ("done", 2)
        assert "30.00" in result.reply
        shutil.rmtree(app.workspace.root)
