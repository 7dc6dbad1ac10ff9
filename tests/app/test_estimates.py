"""From the history of runs to an estimate, and from a run that has ended to its error."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from orchestrator import Orchestrator
from orchestrator.runs.events import PlanMade
from orchestrator.runs.past import past_of
from orchestrator.testing import FakeClock, MemoryStore, ScriptedModel

from support.office import WRITER

Open = Callable[..., Orchestrator]

ASKS = "check my calendar"
EACH = "find the overdue invoices, then write a reminder for each"
OFFICE = {"agents/writer.yaml": WRITER}


def letters(*tokens: int) -> ScriptedModel:
    return ScriptedModel(*({"reply": "Dear Ann", "usage": (count, 0)} for count in tokens))


def writes(open_office: Open, store: object, *tokens: int) -> Orchestrator:
    return open_office(OFFICE, models=lambda _: letters(*tokens), store=store)


async def after(app: Orchestrator, runs: int, text: str = ASKS) -> Any:
    for _ in range(runs):
        assert (await app.run(text)).status == "done"
    return (await app.preview(text)).to_json()["estimate"]


def test_before_any_run_nothing_is_made_up(open_office: Open) -> None:
    estimate = asyncio.run(after(open_office(store=MemoryStore()), 0))
    assert (estimate["seconds"], estimate["samples"], estimate["record"]) == (None, 0, {})
    assert (estimate["model_calls"], estimate["tokens"], estimate["money"]) == ([0, 0], [0, 0], [0, 0])


def test_after_two_runs_the_time_is_known_and_after_three_whether_it_held(open_office: Open) -> None:
    app = open_office(store=MemoryStore())
    assert asyncio.run(after(app, 2))["seconds"] == [0, 0]  # on a clock that stands still
    assert asyncio.run(after(app, 1))["samples"] == 3


def test_a_prompted_agent_makes_as_many_calls_as_it_must_and_its_tokens_come_with_the_runs(
    open_office: Open,
) -> None:
    app = writes(open_office, MemoryStore(), 100, 300)
    new = asyncio.run(after(app, 0, "draft a letter"))
    assert (new["model_calls"], new["tokens"], new["money"]) == ([1, 1], None, None)
    known = asyncio.run(after(app, 2, "draft a letter"))
    assert (known["model_calls"], known["tokens"], known["money"]) == ([1, 1], [100, 300], [0, 0])


def test_a_run_says_how_far_off_its_estimate_was(open_office: Open) -> None:
    app = writes(open_office, MemoryStore(), 100, 300, 450)
    asyncio.run(after(app, 2, "draft a letter"))
    document: Any = asyncio.run(app.run("draft a letter")).to_json()["estimate"]
    assert document["tokens"] == {"expected": [100, 300], "actual": 450, "error": 150, "held": False}
    assert document["model_calls"] == {"expected": [1, 1], "actual": 1, "error": 0, "held": True}
    record = asyncio.run(app.preview("draft a letter")).record
    assert record == {"model_calls": (3, 3), "tokens": (0, 1)}


def test_the_estimate_is_in_the_journal_with_the_plan_and_stays_what_it_was(open_office: Open) -> None:
    store = MemoryStore()
    app = open_office(store=store)

    async def run() -> tuple[Any, Any]:
        shown = await after(app, 2)
        first = await app.run(ASKS)
        for _ in range(3):
            await app.run(ASKS)
        [made] = [r.event for r in await store.read(first.run) if isinstance(r.event, PlanMade)]
        return shown, made.estimate.to_json()

    shown, journaled = asyncio.run(run())
    assert {name: shown[name] for name in journaled} == journaled


def test_a_plan_that_waits_shows_its_estimate_to_who_is_asked_and_counts_when_it_ends(
    open_office: Open,
) -> None:
    store, seen = MemoryStore(), []
    app = open_office(store=store)

    async def run() -> Any:
        waiting = await app.run(EACH, approve=lambda preview: seen.append(preview.estimate))
        assert waiting.to_json()["estimate"]["seconds"] == {
            "expected": None, "actual": None, "error": None, "held": None,
        }  # fmt: skip
        return await app.runs.approve(waiting.run, by="ann")

    state = asyncio.run(run())
    assert (seen[0].critical_path, seen[0]) == (("t1", "t2"), state.estimate)
    assert past_of(state).samples["reminders"][0].units == past_of(state).samples["ledger"][0].found


def test_a_plan_made_anew_has_an_estimate_of_its_own(open_office: Open) -> None:
    from orchestrator.runs.messages import FeedbackGiven

    app = open_office(store=MemoryStore())

    async def run() -> Any:
        waiting = await app.run(EACH)
        state = await app.runs.tell(waiting.run, FeedbackGiven("ann", "only mine", revises_plan=True))
        return state.estimate

    assert asyncio.run(run()).critical_path == ("t1", "t2")


def test_a_store_that_cannot_be_read_is_a_warning_and_the_dry_run_goes_on(
    open_office: Open, tmp_path: Path
) -> None:
    (tmp_path / "runs.db").write_text("no database at all, and long enough for one" * 40)
    app = open_office(store=f"sqlite:///{tmp_path}/runs.db")
    preview = asyncio.run(app.preview(ASKS))
    assert preview.plan.tasks
    assert preview.estimate.seconds is None
    [warning] = [w for w in preview.warnings if "earlier runs" in w]
    assert "not a SQLite database" in warning


def test_a_dry_run_makes_no_store(open_office: Open, tmp_path: Path) -> None:
    app = open_office(store=f"sqlite:///{tmp_path}/var/runs.db")
    asyncio.run(app.preview(ASKS))
    assert not (tmp_path / "var").exists()


@pytest.mark.parametrize("given", ["url", "store"])
def test_a_dry_run_sees_what_the_runs_before_it_took(open_office: Open, tmp_path: Path, given: str) -> None:
    url = f"sqlite:///{tmp_path}/runs.db"

    async def run() -> Any:
        first = open_office(store=url)
        await after(first, 2)
        await first.aclose()
        from orchestrator.runs.sql.opening import open_store

        store = open_store(url)
        second = open_office(store=url if given == "url" else store)
        samples = (await second.preview(ASKS)).estimate.samples
        await store.close()
        return samples

    assert asyncio.run(run()) == 2


def test_what_waits_for_time_is_longer_by_the_clock_that_all_go_by(open_office: Open) -> None:
    clock = FakeClock()

    class Slow:
        async def ask(self, *_: object, **__: object) -> Any:
            from orchestrator.agents.contract import Reply

            clock.advance(2)
            return Reply("Dear Ann")

    app = open_office(OFFICE, models=lambda _: Slow(), store=MemoryStore(), clock=clock)
    assert asyncio.run(after(app, 3, "draft a letter"))["seconds"] == [2, 2]
