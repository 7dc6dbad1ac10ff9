"""A plan changes while it runs where a signal contradicts what is to come, and only there."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.contract import Agent, Call, Item, Output
from orchestrator.control import approval_of_plan
from orchestrator.errors import MessageObjected
from orchestrator.ids import RunId, TaskId
from orchestrator.planning.plan import Plan
from orchestrator.planning.repair import Patch, Repair
from orchestrator.planning.task import Compensation
from orchestrator.runs.changes import PlanRevised, ScenarioBegun, Scripted, SignalJudged, TaskRecalled
from orchestrator.runs.containing import Rules
from orchestrator.runs.events import ApprovalAsked, Record, TaskStarted
from orchestrator.runs.fold import apply, fold
from orchestrator.runs.messages import ReviewCleared, SignalReceived
from orchestrator.runs.state import RunState

from support.changing import Judging, grounded, judge, repaired, says
from support.driving import Does, plan, settings_with, task
from support.engine import Desk

AT_ONCE = Rules(cooldown=None)


def desk_of(agents: dict[str, Agent], rules: Rules = AT_ONCE, **more: Any) -> Desk:
    return Desk(agents, adaptation=Judging(judge(rules)), **more)


def echo() -> Does:
    return Does(lambda call: call.action)


class Telling:
    """An agent that tells its own run of something, and ends once that has been judged."""

    def __init__(self, *signals: tuple[str, Any]) -> None:
        self.signals, self.desk, self.calls = signals, Desk({}), list[Call]()

    async def run(self, call: Call) -> Output:
        self.calls.append(call)
        run = call.key.split("/")[0]
        for key, value in self.signals if len(self.calls) == 1 else ():
            await self.desk.control.tell(run, SignalReceived(key, value, "test"))
            await judged(self.desk, run)
        return Output(call.action)


async def judged(desk: Desk, run: str) -> None:
    while await desk.store.inbox(RunId(run)):  # noqa: ASYNC110 - it is the run's own driver that empties it
        await asyncio.sleep(0)
    for _ in range(5):
        await asyncio.sleep(0)


def driven(desk: Desk, made: Plan, *, ask: bool = False) -> RunState:
    for agent in desk.agents.values():
        if isinstance(agent, Telling):
            agent.desk = desk
    return asyncio.run(desk.begun(made, ask=ask))


def of(desk: Desk, kind: type) -> list[Any]:
    return [record.event for record in desk.heard if isinstance(record.event, kind)]


def outputs(state: RunState) -> dict[str, str | None]:
    return {id: None if t.output is None else t.output.text for id, t in state.tasks.items()}


# ── what is to come ─────────────────────────────────────────────────────────────────────────────────────


def test_only_the_tasks_that_assumed_it_change_and_all_others_are_the_very_same() -> None:
    made = repaired(
        plan("t1 a", grounded(task("t2 b: t1"), "delay"), "t3 b: t1", grounded(task("t4 b: t2"), "gate")),
        says("delay", t2="check in $delay hours later"),
    )
    desk = desk_of({"a": Telling(("delay", 5)), "b": echo()})
    state = driven(desk, made)
    assert state.status == "done"
    assert outputs(state)["t2"] == "check in 5 hours later"
    assert state.plan is not None
    assert [t is old for t, old in zip(state.plan.tasks, made.tasks, strict=True)] == [
        True,
        False,
        True,
        True,
    ]
    assert [j.decision for j in of(desk, SignalJudged)] == ["revised"]
    assert "I changed my mind because delay is 5" in of(desk, PlanRevised)[0].reason


def test_what_contradicts_nothing_is_ignored_and_becomes_known() -> None:
    made = plan("t1 a", grounded(task("t2 b: t1"), "delay", expected={"lte": 30}))
    desk = desk_of({"a": Telling(("delay", 30), ("weather", "sun")), "b": echo()})
    state = driven(desk, made)
    assert (state.status, state.ignored, state.decisions) == ("done", 2, [])
    assert state.facts == {"delay": 30, "weather": "sun"}
    assert of(desk, PlanRevised) == []


def test_there_and_back_again_is_two_revisions_without_a_cooldown_and_one_with_it() -> None:
    made = repaired(plan("t1 a", grounded(task("t2 b: t1"), "delay")), says("delay", t2="by $delay"))
    desk = desk_of({"a": Telling(("delay", 5), ("delay", 0)), "b": echo()})
    assert outputs(driven(desk, made))["t2"] == "by 0"
    desk = desk_of({"a": Telling(("delay", 5), ("delay", 0)), "b": echo()}, Rules(cooldown=60))
    state = driven(desk, made)
    assert (outputs(state)["t2"], state.facts["delay"]) == ("by 5", 0)
    assert [d.decision for d in state.decisions] == ["revised", "suppressed"]
    assert state.review is not None
    assert "the cooldown is 60" in state.review


def test_a_text_where_a_number_is_assumed_is_refused_and_not_a_contradiction() -> None:
    async def run() -> None:
        desk = desk_of({"a": echo()})
        state = await desk.begun(plan(grounded(task("t1 a"), "delay")), ask=True)
        with pytest.raises(MessageObjected, match="t1 assumes delay = 0, and this cannot be compared"):
            await desk.control.tell(state.run, SignalReceived("delay", "five", "test"))

    asyncio.run(run())


# ── what is at work, and what is over ───────────────────────────────────────────────────────────────────


def test_a_reading_that_is_at_work_is_called_off_and_done_again_as_it_is_now() -> None:
    began = asyncio.Event()

    async def slow(call: Call) -> Output:
        if call.action != "read by 5":
            began.set()
            await asyncio.Event().wait()
        return Output(call.action)

    async def tell(call: Call) -> Output:
        await began.wait()
        return await telling.run(call)

    telling = Telling(("delay", 5))
    made = repaired(
        plan("t1 a", grounded(task("t2 b", effects="read"), "delay"), "t3 c: t2"),
        says("delay", t2="read by $delay"),
    )
    desk = desk_of({"a": Does(tell), "b": Does(slow), "c": echo()}, settings=settings_with(concurrency=2))
    telling.desk = desk
    state = driven(desk, made)
    assert (state.status, outputs(state)["t2"]) == ("done", "read by 5")
    assert [e.task for e in of(desk, TaskRecalled)] == ["t2"]
    assert [e.attempt for e in of(desk, TaskStarted) if e.task == "t2"] == [1, 2]


def test_a_write_that_is_at_work_is_not_touched_and_a_person_is_told() -> None:
    async def writes(call: Call) -> Output:
        began.set()
        await told.wait()
        return Output(call.action)

    async def tell(call: Call) -> Output:
        await began.wait()
        output = await telling.run(call)
        told.set()
        return output

    began, told, telling = asyncio.Event(), asyncio.Event(), Telling(("delay", 5))
    made = repaired(
        plan("t1 a", grounded(task("t2 b", effects="write"), "delay")), says("delay", t2="write by $delay")
    )
    desk = desk_of({"a": Does(tell), "b": Does(writes)})
    telling.desk = desk
    state = driven(desk, made)
    assert (state.status, outputs(state)["t2"]) == ("done", "step t2")
    assert [d.decision for d in state.decisions] == ["review"]
    assert "t2 is at work, writes" in (state.review or "")


def test_a_finished_write_whose_ground_has_gone_gets_its_compensation_and_is_not_done_again() -> None:
    booked = replace(
        grounded(task("t1 b", effects="write"), "delay"),
        compensate=Compensation("b", "take it back since it is $delay"),  # type: ignore[arg-type]
    )
    desk = desk_of({"a": Telling(("delay", 5), ("delay", 0)), "b": echo()})
    state = driven(desk, plan(booked, "t2 a: t1"))
    assert state.status == "done"
    assert outputs(state)["t1.undo"] == "take it back since it is 5"
    assert [e.task for e in of(desk, TaskStarted)] == ["t1", "t2", "t1.undo"]
    assert [d.decision for d in state.decisions] == ["revised"]


def test_what_was_read_is_read_again_by_the_repair_of_that_name() -> None:
    made = repaired(
        plan(
            grounded(task("t1 b", effects="read"), "calendar"),
            "t2 a",
            grounded(task("t3 c: t1 t2"), "calendar"),
        ),
        Repair("calendar", uses="reread"),
    )
    desk = desk_of({"a": Telling(("calendar", 1), ("calendar", 2)), "b": echo(), "c": echo()})
    state = driven(desk, made)
    assert state.status == "done"
    assert state.plan is not None
    assert {t.id: t.depends_on for t in state.plan.tasks}["t3"] in (("t1.2", "t2"), ("t1.3", "t2"))


def test_a_mapped_task_at_work_is_called_off_with_all_its_children() -> None:
    items = tuple(Item(f"i{n}") for n in range(4))
    began = asyncio.Event()

    async def slow(call: Call) -> Output:
        if call.action == "step t2":
            began.set()
            await asyncio.Event().wait()
        return Output(call.action)

    async def tell(call: Call) -> Output:
        await began.wait()
        return await telling.run(call)

    telling = Telling(("delay", 5))
    made = repaired(
        plan("t1 a", grounded(task("t2 b: t1*", effects="read"), "delay"), "t3 c"),
        says("delay", t2="by $delay"),
    )
    desk = desk_of(
        {"a": Does(lambda _: Output("4", items)), "b": Does(slow), "c": Does(tell)},
        settings=settings_with(concurrency=3),
    )
    telling.desk = desk
    state = driven(desk, made)
    assert state.status == "done"
    assert [outputs(state)[child] for child in state.children(TaskId("t2"))] == ["by 5"] * 4


# ── where a person is asked ─────────────────────────────────────────────────────────────────────────────


def test_without_a_repair_the_run_is_held_until_a_person_has_looked() -> None:
    async def run() -> None:
        telling = Telling(("delay", 5))
        desk = desk_of({"a": telling, "b": echo()})
        telling.desk = desk
        state = await desk.begun(plan("t1 a", grounded(task("t2 b: t1"), "delay"), "t3 b: t1"))
        assert (state.status, state.waits_for) == ("waiting", ("review",))
        assert [e.task for e in of(desk, TaskStarted)] == ["t1"]
        assert "nothing is declared to be done where delay changes" in (state.review or "")
        state = await desk.control.tell(state.run, ReviewCleared("ann"))
        assert (state.status, state.review) == ("done", None)
        assert state.plan is not None
        assert str(state.plan.tasks[1].assumes[0].expected) == "= 5"

    asyncio.run(run())


def test_clearing_looks_again_at_what_was_suppressed_and_keeping_lets_it_stand() -> None:
    async def run(*, keep: bool) -> dict[str, str | None]:
        made = repaired(
            plan("t1 a", grounded(task("t2 b: t1"), "delay"), grounded(task("t3 b: t1"), "gate")),
            says("delay", t2="by $delay"),
        )
        telling = Telling(("delay", 5), ("delay", 0), ("gate", 1))
        desk = desk_of({"a": telling, "b": echo()}, Rules(cooldown=60))
        telling.desk = desk
        state = await desk.begun(made)
        assert state.waits_for == ("review",)
        state = await desk.control.tell(state.run, ReviewCleared("ann", keep=keep))
        assert state.status == "done"
        return outputs(state)

    assert asyncio.run(run(keep=False))["t2"] == "by 0"
    assert asyncio.run(run(keep=True))["t2"] == "by 5"


def test_a_change_that_nobody_was_shown_and_that_writes_asks_first() -> None:
    async def run() -> None:
        made = repaired(
            plan("t1 a", grounded(task("t2 b: t1"), "delay")),
            Repair("delay", add=(task("t9 c", effects="write", action="write to $delay"),)),
        )
        telling = Telling(("delay", 5))
        desk = desk_of({"a": telling, "b": echo(), "c": echo()})
        telling.desk = desk
        state = await desk.begun(made)
        assert (state.status, state.waits_for) == ("waiting", ("approval",))
        assert "t9 (c, write) is new" in of(desk, ApprovalAsked)[0].reason
        assert [e.task for e in of(desk, TaskStarted)] == ["t1"]
        state = await desk.control.tell(state.run, approval_of_plan(state, "ann"))
        assert (state.status, outputs(state)["t9"]) == ("done", "write to 5")

    asyncio.run(run())


def test_a_declared_repair_of_a_plan_that_was_approved_goes_on_unasked() -> None:
    async def run() -> None:
        made = repaired(
            plan("t1 a", grounded(task("t2 b: t1", effects="write"), "delay")), says("delay", t2="by $delay")
        )
        telling = Telling(("delay", 5))
        desk = desk_of({"a": telling, "b": echo()})
        telling.desk = desk
        state = await desk.begun(made, ask=True)
        state = await desk.control.tell(state.run, approval_of_plan(state, "ann"))
        assert (state.status, outputs(state)["t2"]) == ("done", "by 5")

    asyncio.run(run())


def test_a_repair_that_would_break_the_plan_is_none() -> None:
    made = repaired(
        plan("t1 a", grounded(task("t2 b: t1"), "delay"), "t3 b: t2"),
        Repair("delay", drop=(TaskId("t2"),)),
    )
    desk = desk_of({"a": Telling(("delay", 5)), "b": echo()})
    state = driven(desk, made)
    assert state.waits_for == ("review",)
    assert "'t3' depends on the unknown task 't2'" in (state.review or "")


# ── a scenario ──────────────────────────────────────────────────────────────────────────────────────────


def script(*signals: tuple[int, str, Any]) -> tuple[Scripted, ...]:
    return tuple(Scripted(tick, f"s/{n}", key, value, "test") for n, (tick, key, value) in enumerate(signals))


def staged(made: Plan, *signals: tuple[int, str, Any], baseline: bool = False) -> tuple[Desk, RunState]:
    desk = desk_of({"a": echo(), "b": echo()})
    begun = ScenarioBegun("s", baseline, script(*signals), {"": Rules(2)})
    return desk, asyncio.run(desk.begun(made, begun))


STOCK = repaired(
    plan(*(grounded(task(f"t{n} a"), "stock") for n in range(1, 7))),
    Repair("stock", patches=tuple(Patch(TaskId(f"t{n}"), "from $stock") for n in range(1, 7))),
)


def test_a_recount_a_tick_later_is_suppressed_and_the_decision_stands() -> None:
    _, state = staged(STOCK, (1, "stock", 7), (2, "stock", 0))
    assert [(d.decision, d.at) for d in state.decisions] == [("revised", 1.0), ("suppressed", 2.0)]
    assert list(outputs(state).values()) == ["step t1", *["from 7"] * 5]
    assert state.review is not None


def test_two_ticks_suppress_at_the_next_two_and_not_at_the_third() -> None:
    _, state = staged(STOCK, (1, "stock", 7), (2, "stock", 0), (3, "stock", 0), (4, "stock", 0))
    assert [d.decision for d in state.decisions] == ["revised", "suppressed", "suppressed", "revised"]


def test_the_baseline_is_told_the_same_and_does_as_it_was_told_first() -> None:
    _, state = staged(STOCK, (1, "stock", 7), baseline=True)
    assert list(outputs(state).values()) == [f"step t{n}" for n in range(1, 7)]
    assert (state.facts, state.ignored, state.decisions) == ({"stock": 7}, 1, [])


# ── whatever the plan, whatever is said ─────────────────────────────────────────────────────────────────

KEYS = ("x", "y")


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    tasks = list[Any]()
    for n in range(1, draw(st.integers(2, 7))):
        needs = draw(st.sets(st.integers(1, n - 1), max_size=2)) if n > 1 else set[int]()
        keys = draw(st.sets(st.sampled_from(KEYS)))
        effects = draw(st.sampled_from(["none", "read", "write"]))
        made = task(f"t{n} a: {' '.join(f't{m}' for m in sorted(needs))}", effects=effects)
        tasks.append(grounded(made, *sorted(keys)))
    repairs = [
        Repair(key, patches=tuple(Patch(t.id, f"{t.id} by ${key}") for t in tasks))
        for key in draw(st.sets(st.sampled_from(KEYS)))
    ]
    return repaired(plan(*tasks), *repairs)


@given(plans(), st.lists(st.tuples(st.integers(0, 5), st.sampled_from(KEYS), st.integers(0, 2)), max_size=6))
def test_a_revision_never_touches_what_has_begun_or_did_not_assume_it(
    made: Plan, signals: list[tuple[int, str, int]]
) -> None:
    said = list(signals)

    async def work(call: Call) -> Output:
        run = call.key.split("/")[0]
        for _ in range(len(call.action) % 3):
            await asyncio.sleep(0)
        while said and said[0][0] <= len(agent.calls):
            _, key, value = said.pop(0)
            await desk.control.tell(run, SignalReceived(key, value, "test"))
        return Output(call.action)

    agent = Does(work)
    desk = desk_of({"a": agent}, Rules(cooldown=None), settings=settings_with(concurrency=2))
    state = asyncio.run(desk.begun(made))
    check_revisions([record for record in desk.heard])
    assert fold(desk.heard) == state


def check_revisions(records: list[Record]) -> None:
    state = RunState(RunId(""))
    for record in records:
        event, before = record.event, state.plan
        statuses = {id: found.status for id, found in state.tasks.items()}
        judged = next((d for d in reversed(state.decisions)), None)
        apply(state, [record])
        if isinstance(event, PlanRevised):
            assert before is not None
            assert state.plan is not None
            assert judged is not None
            old = {t.id: t for t in before.tasks}
            for changed in event.changed:
                if changed.id in old and changed.action != old[changed.id].action:
                    assert statuses[changed.id] == "pending"
            reach = {t.id for t in before.tasks if any(a.key == judged.key for a in t.assumes)}
            for wave in before.waves:
                reach |= {t.id for t in before.tasks if t.id in wave and not reach.isdisjoint(t.depends_on)}
            for t in state.plan.tasks:
                assert t.id in reach or t is old[t.id]
