"""The shipped scenarios, played to the end: what changes, what does not, and what is real then."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from orchestrator.app import Orchestrator
from orchestrator.errors import UserError
from orchestrator.evaluation.execution.comparing import compared
from orchestrator.evaluation.execution.page import to_html
from orchestrator.ids import RunId
from orchestrator.runs.changes import PlanRevised, SignalJudged
from orchestrator.runs.fold import fold
from orchestrator.runs.messages import ReviewCleared
from orchestrator.runs.state import RunState
from orchestrator.testing import FakeClock, MemoryStore

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.stem for path in (ROOT / "config" / "scenarios").glob("*.yaml"))


def opened(**world: Any) -> Orchestrator:
    return Orchestrator.from_workspace(ROOT, **{"store": MemoryStore(), "clock": FakeClock(), **world})


def played(name: str, *, baseline: bool = False) -> RunState:
    async def play() -> RunState:
        app = opened()
        result = await app.run_scenario(name, baseline=baseline)
        return await app.runs.state(RunId(result.run))

    return asyncio.run(play())


@pytest.mark.parametrize("name", NAMES)
def test_adapting_it_ends_well(name: str) -> None:
    state = played(name)
    assert state.status == "done"
    assert state.outcome is not None
    assert all(found.well for found in state.outcome.found)
    assert any(judged.decision == "revised" for judged in state.decisions)
    assert state.usage.model_calls == 0


@pytest.mark.parametrize("name", [n for n in NAMES if n != "contradicting_recounts"])
def test_the_baseline_does_every_step_and_ends_with_the_wrong_result(name: str) -> None:
    state = played(name, baseline=True)
    assert {task.status for task in state.tasks.values()} == {"done"}
    assert state.status == "outcome_failed"
    assert state.decisions == []


def test_of_two_recounts_that_contradict_one_another_the_second_is_suppressed_and_a_person_is_called() -> (
    None
):
    async def play() -> tuple[RunState, RunState, RunState]:
        store = MemoryStore()
        run = RunId((await opened(store=store).run_scenario("contradicting_recounts")).run)
        state = await opened(store=store).runs.state(run)
        again = await opened(store=store).runs.state(run)  # another process: the flag is in the journal
        cleared = await opened(store=store).runs.tell(run, ReviewCleared("ann"))
        return state, again, cleared

    state, again, cleared = asyncio.run(play())
    assert [(d.decision, d.at) for d in state.decisions] == [("revised", 1.0), ("suppressed", 2.0)]
    assert state.plan is not None
    assert len(state.plan.revisions) == 1
    assert state.review is not None
    assert again.review == state.review
    assert (cleared.review, cleared.status) == (None, "done")


@pytest.mark.parametrize("name", NAMES)
def test_the_journal_always_folds_to_the_same_state_however_it_is_cut(name: str) -> None:
    async def play() -> None:
        store = MemoryStore()
        run = RunId((await opened(store=store).run_scenario(name)).run)
        records = await store.read(run)
        whole = fold(records)
        for cut in range(len(records)):
            assert fold(records[cut:], fold(records[:cut])) == whole

    asyncio.run(play())


def test_a_revision_leaves_all_that_it_does_not_name_the_very_same() -> None:
    async def play() -> None:
        store = MemoryStore()
        run = RunId((await opened(store=store).run_scenario("group_outing")).run)
        state = RunState(run)
        for record in await store.read(run):
            before = state.plan
            state = fold([record], state)
            if isinstance(record.event, PlanRevised):
                named = {task.id for task in record.event.changed}
                assert before is not None
                assert state.plan is not None
                pairs = zip(before.tasks, state.plan.tasks, strict=True)
                assert all((new is old) is (new.id not in named) for old, new in pairs)

    asyncio.run(play())


def test_two_keys_revise_at_one_tick() -> None:
    revised = [d for d in played("group_outing").decisions if d.decision == "revised"]
    assert len({d.key for d in revised}) == 2
    assert len({d.at for d in revised}) == 1


# ── side by side ────────────────────────────────────────────────────────────────────────────────────────


def test_both_sides_begin_alike_hear_the_same_and_are_told_step_by_step() -> None:
    found = asyncio.run(compared(opened().workspace, "flight_delay"))
    document: Any = found.to_json()
    for side in ("adaptive", "baseline"):
        assert {
            "status",
            "revisions",
            "suppressed",
            "ignored",
            "needs_human_review",
            "steps",
            "outcome",
        } <= set(document[side])
    heard = [
        [(s["key"], s["value"]) for step in document[side]["steps"] for s in step["signals"]]
        for side in ("adaptive", "baseline")
    ]
    assert heard[0] == heard[1] != []
    assert (document["adaptive"]["status"], document["baseline"]["status"]) == ("done", "outcome_failed")
    assert (document["adaptive"]["revisions"], document["baseline"]["revisions"]) == (1, 0)
    assert document["baseline"]["done"] == document["baseline"]["tasks"]


def test_the_page_is_whole_and_escapes_what_is_said() -> None:
    found = asyncio.run(compared(opened().workspace, "phantom_stock"))
    found.adaptive.steps[1].output = "<script>alert(1)</script>"
    page = to_html(found)
    assert page.count("<svg") == page.count("</svg>") == 2
    assert "<script" not in page
    assert "I changed my mind because" in page


# ── what the engine knows ───────────────────────────────────────────────────────────────────────────────


def test_no_word_of_a_scenario_is_in_the_engine() -> None:
    words: set[str] = set()
    for name in NAMES:
        raw = yaml.safe_load((ROOT / "config" / "scenarios" / f"{name}.yaml").read_text(encoding="utf-8"))
        texts = [*raw["facts"], *(t["id"] for t in raw["tasks"]), *(t["agent"] for t in raw["tasks"]), name]
        words |= {word for text in texts for word in re.split(r"[_\W]+", text) if len(word) > 3}
    words -= {"order", "seats", "days", "from", "runs", "lights"}  # English before they were tasks
    words -= {"delay", "group"}  # the pause before a retry, and a group of entry points
    engine = [p for room in ("adaptation", "execution") for p in (ROOT / "orchestrator" / room).rglob("*.py")]
    found = {
        (word, path.name)
        for path in engine
        for word in words
        if re.search(rf"\b{word}\b", path.read_text(encoding="utf-8"), re.IGNORECASE)
    }
    assert len(engine) > 20
    assert found == set()


def test_an_unknown_scenario_is_told_with_the_nearest() -> None:
    with pytest.raises(UserError, match="flight_delay"):
        asyncio.run(opened().run_scenario("flight_dealy"))


def test_the_judgements_of_a_run_are_all_there() -> None:
    async def play() -> list[str]:
        store = MemoryStore()
        run = RunId((await opened(store=store).run_scenario("flight_delay")).run)
        return [r.event.decision for r in await store.read(run) if isinstance(r.event, SignalJudged)]

    assert asyncio.run(play()) == ["ignored", "revised"]
