"""The time in which a run is driven: what is at work when it is up is cut off, and nothing more is begun."""

import asyncio

import pytest
from orchestrator.agents.contract import Call, Item, Output
from orchestrator.errors import TaskError
from orchestrator.execution.settings import Budgets, Settings, Spending
from orchestrator.ids import TaskId
from orchestrator.runs.events import BudgetRanOut, DriverStarted, RunEnded, TaskDone, TaskStarted
from orchestrator.runs.messages import CancelAsked
from orchestrator.runs.state import RunState
from orchestrator.testing import ScriptedAgent

from support.driving import Does, plan, says, settings_with, task
from support.engine import Desk, opening

T1 = TaskId("t1")


def lasting(seconds: float) -> Settings:
    return settings_with(budgets=Budgets(Spending(wall_time=seconds)), task_timeout=600.0)


def statuses(state: RunState) -> dict[str, str]:
    return {str(id): found.status for id, found in state.tasks.items()}


def test_where_it_was_up_before_a_crash_nothing_more_is_begun() -> None:
    async def run() -> None:
        desk = Desk({"a": ScriptedAgent()}, settings=lasting(10.0))
        journal = await desk.control.begin(opening(plan("t1 a", "t2 a: t1")))
        await journal.append(DriverStarted("gone"), TaskStarted(T1, 1, "r/t1/1"))
        desk.clock.advance(11.0)
        await journal.append(TaskDone(T1, Output("one")))
        desk.clock.advance(1000.0)
        state = await desk.control.resume(journal.run)
        assert (state.status, statuses(state)) == ("partial", {"t1": "done", "t2": "skipped"})
        assert state.budget == BudgetRanOut("seconds of wall time of the run", 10.0, 10.0, "t2 (a)")

    asyncio.run(run())


def test_time_since_the_last_thing_that_happened_before_a_crash_does_not_count() -> None:
    async def run() -> None:
        desk = Desk({"a": says("x")}, settings=lasting(10.0))
        journal = await desk.control.begin(opening(plan("t1 a", "t2 a: t1")))
        await journal.append(DriverStarted("gone"), TaskStarted(T1, 1, "r/t1/1"))
        desk.clock.advance(1000.0)
        assert (await desk.control.resume(journal.run)).status == "done"

    asyncio.run(run())


def hanging(began: asyncio.Event) -> Does:
    async def hangs(_: Call) -> Output:
        began.set()
        await asyncio.Event().wait()
        raise AssertionError

    return Does(hangs)


@pytest.mark.parametrize(("effects", "ends"), [("read", "cancelled"), ("write", "in_doubt")])
def test_what_a_mapped_task_has_done_by_then_is_kept(effects: str, ends: str) -> None:
    async def run() -> None:
        began = asyncio.Event()
        hangs = hanging(began)

        def each(call: Call) -> Output | object:
            return Output("first") if call.item and call.item.text == "1" else hangs.function(call)

        items = Does(lambda _: Output("", (Item("1"), Item("2"))))
        desk = Desk({"x": items, "a": Does(each), "b": ScriptedAgent()}, settings=lasting(60.0))
        made = plan("t1 x", task("t2 a: t1*", effects=effects), "t3 b: t2")
        driving = asyncio.create_task(desk.begun(made))
        await began.wait()
        desk.clock.advance(60.0)
        state = await driving
        kept = {"t1": "done", "t2": "failed", "t2[1]": "done", "t2[2]": ends, "t3": "skipped"}
        assert (state.status, statuses(state)) == ("partial", kept)
        assert state.tasks[TaskId("t2")].output == Output("first", (Item("first"),))
        assert "first" in state.reply
        assert "1 of 2 items failed: t2[2]: the budget of seconds of wall time" in state.reply

    asyncio.run(run())


def test_a_run_that_a_person_cancels_is_cancelled_whatever_had_run_out() -> None:
    def asks(call: Call) -> str:
        call.purse.begin_call()
        return "asked"

    async def run() -> None:
        began = asyncio.Event()
        settings = settings_with(budgets=Budgets(Spending(model_calls=0)))
        desk = Desk({"llm": Does(asks), "b": hanging(began)}, settings=settings)
        driving = asyncio.create_task(desk.begun(plan("t1 llm", "t2 b")))
        await began.wait()
        (entry,) = await desk.control.entries()
        await desk.control.tell(entry.run, CancelAsked("ann"))
        state = await driving
        assert (state.status, statuses(state)) == ("cancelled", {"t1": "failed", "t2": "cancelled"})
        desk.agents = {"b": says("now")}
        state = await desk.control.resume(entry.run)
        assert (state.status, statuses(state)) == ("partial", {"t1": "failed", "t2": "done"})

    asyncio.run(run())


def test_a_failure_of_another_kind_is_no_matter_of_budgets() -> None:
    async def run() -> None:
        desk = Desk({"a": ScriptedAgent(TaskError("no"))}, settings=lasting(60.0))
        state = await desk.begun(plan("t1 a"))
        assert (state.status, state.budget) == ("failed", None)
        assert isinstance((await desk.events(state.run))[-1], RunEnded)

    asyncio.run(run())
