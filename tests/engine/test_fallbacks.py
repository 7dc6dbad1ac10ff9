"""What an agent cannot do is handed to the next of its fallbacks, as another attempt, wherever the run is."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from orchestrator.agents.contract import Agent, Call, Item, Output, Usage, Verdict
from orchestrator.errors import TaskError
from orchestrator.execution.retry import TimedOut
from orchestrator.execution.settings import Budgets, Settings, Spending
from orchestrator.ids import AgentName, TaskId
from orchestrator.planning.plan import Plan
from orchestrator.runs.events import (
    BudgetRanOut,
    DriverStarted,
    Event,
    TaskFailed,
    TaskHandedOver,
    TaskInDoubt,
    TaskRetrying,
    TaskStarted,
)
from orchestrator.runs.messages import DoubtAnswered
from orchestrator.runs.state import RunState
from orchestrator.testing import MemoryStore, ScriptedAgent

from support.driving import Does, limits_with, plan, says, settings_with, task
from support.engine import Desk, opening

T1 = TaskId("t1")
BUSY, CANNOT = TaskError("busy", passing=True), TaskError("cannot")


def handing(*chain: str, run: Spending | None = None, **limits: Any) -> Settings:
    """Settings in which the first agent hands over to the others in turn; `limits` are those of all."""
    first, *others = map(AgentName, chain)
    known = {name: limits_with(**limits) for name in others}
    known[first] = limits_with(fallbacks=tuple(others), **limits)
    return settings_with(known, budgets=Budgets(run or Spending()))


def ran(made: Plan, agents: Mapping[str, Agent], settings: Settings) -> tuple[RunState, list[Event]]:
    async def run() -> tuple[RunState, list[Event]]:
        desk = Desk(agents, settings=settings)
        state = await desk.begun(made)
        return state, await desk.events(state.run)

    return asyncio.run(run())


def of(events: list[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def statuses(state: RunState) -> dict[str, str]:
    return {str(id): found.status for id, found in state.tasks.items()}


def keys(events: list[Event]) -> list[tuple[str, int]]:
    """The task and attempt of every start, as its key says."""
    named = [event.key.split("/")[1:] for event in of(events, TaskStarted)]
    assert [int(number) for _, number in named] == [event.attempt for event in of(events, TaskStarted)]
    return [(id, int(number)) for id, number in named]


# ── the chain ───────────────────────────────────────────────────────────────────────────────────────────


def test_an_agent_that_fails_hands_over_and_what_follows_sees_the_result() -> None:
    reader = Does(lambda call: f"read {call.inputs[0].output.text}")
    agents = {"a": ScriptedAgent(CANNOT), "b": ScriptedAgent("by b"), "c": reader}
    state, events = ran(plan("t1 a", "t2 c: t1"), agents, handing("a", "b"))
    assert (state.status, state.reply) == ("done", "read by b")
    assert of(events, TaskHandedOver) == [TaskHandedOver(T1, 1, "cannot", AgentName("b"))]
    assert keys(events) == [("t1", 1), ("t1", 2), ("t2", 1)]
    assert state.tasks[T1].error is None


def test_each_is_retried_by_its_own_limits_and_the_attempts_count_on() -> None:
    agents = {
        "a": ScriptedAgent(BUSY, BUSY),
        "b": ScriptedAgent(BUSY, BUSY, BUSY, BUSY),
        "c": ScriptedAgent("by c"),
    }
    limits = {
        AgentName("a"): limits_with(retries=1, fallbacks=(AgentName("b"), AgentName("c"))),
        AgentName("b"): limits_with(retries=3),
    }
    state, events = ran(plan("t1 a"), agents, settings_with(limits))
    assert state.reply == "by c"
    assert [(e.attempt, e.to) for e in of(events, TaskHandedOver)] == [(2, "b"), (6, "c")]
    assert keys(events) == [("t1", n) for n in range(1, 8)]
    for agent in agents.values():
        agent.check()


def test_where_all_fail_the_last_says_why() -> None:
    agents = {"a": ScriptedAgent(CANNOT), "b": ScriptedAgent(TaskError("nor can b"))}
    state, events = ran(plan("t1 a"), agents, handing("a", "b"))
    assert (state.status, state.tasks[T1].error) == ("failed", "nor can b")
    assert len(of(events, TaskHandedOver)) == 1


def test_the_fallbacks_of_a_fallback_are_not_asked() -> None:
    limits = {
        AgentName("a"): limits_with(fallbacks=(AgentName("b"),)),
        AgentName("b"): limits_with(fallbacks=(AgentName("c"),)),
    }
    agents = {"a": ScriptedAgent(CANNOT), "b": ScriptedAgent(CANNOT), "c": ScriptedAgent()}
    state, _ = ran(plan("t1 a"), agents, settings_with(limits))
    assert state.status == "failed"


def test_an_empty_result_that_is_a_failure_is_handed_over_with_its_cost() -> None:
    empty = Output(" ", usage=Usage(1, 9, 1))
    made = plan(task("t1 a", success="not_empty"))
    agents = {"a": ScriptedAgent(empty), "b": ScriptedAgent("found it")}
    state, events = ran(made, agents, handing("a", "b"))
    assert (state.reply, state.usage) == ("found it", Usage(1, 9, 1))
    assert "is empty" in of(events, TaskHandedOver)[0].error


def test_an_empty_result_of_the_last_is_the_failure() -> None:
    made = plan(task("t1 a", success="not_empty"))
    state, events = ran(made, {"a": ScriptedAgent(CANNOT), "b": ScriptedAgent("")}, handing("a", "b"))
    assert state.status == "failed"
    assert of(events, TaskFailed)[0].output == Output("")


def test_it_is_asked_what_the_first_was_and_as_it_wants_to_be_asked() -> None:
    class Bare:
        reads_query = False

        def __init__(self) -> None:
            self.calls: list[Call] = []

        async def run(self, call: Call) -> Output:
            self.calls.append(call)
            return Output("by b")

    first, second = ScriptedAgent(CANNOT), Bare()
    agents = {"x": says("a result"), "a": first, "b": second}
    ran(plan("t1 x", task("t2 a: t1", intent="look")), agents, handing("a", "b"))
    (asked,), (again,) = first.calls, second.calls
    assert "a result" in asked.query
    assert again.query == again.action == "step t2"
    assert (again.inputs, again.intent, again.request) == (asked.inputs, asked.intent, asked.request)


def test_each_has_its_own_time() -> None:
    async def run() -> None:
        began = asyncio.Event()

        async def hangs(_: Call) -> Output:
            began.set()
            await asyncio.Event().wait()
            raise AssertionError

        limits = {
            AgentName("a"): limits_with(fallbacks=(AgentName("b"),)),
            AgentName("b"): limits_with(timeout=5.0, retries=0),
        }
        desk = Desk({"a": ScriptedAgent(CANNOT), "b": Does(hangs)}, settings=settings_with(limits))
        driving = asyncio.create_task(desk.begun(plan("t1 a")))
        await began.wait()
        desk.clock.advance(5.0)
        state = await driving
        assert state.tasks[T1].error == "timed out after 5 s"

    asyncio.run(run())


# ── places ──────────────────────────────────────────────────────────────────────────────────────────────


class Counted:
    """An agent that lets others go first; `most` is how many of its calls were ever at work together."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error, self.now, self.most = error, 0, 0

    async def run(self, call: Call) -> Output:
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(3):
            await asyncio.sleep(0)
        self.now -= 1
        if self.error is not None:
            raise self.error
        return Output(call.action)


def test_a_handed_over_task_waits_for_a_place_of_its_new_agent_and_gives_back_the_old_one() -> None:
    first, second = Counted(CANNOT), Counted()
    limits = {
        AgentName("a"): limits_with(concurrency=3, fallbacks=(AgentName("b"),)),
        AgentName("b"): limits_with(concurrency=2),
    }
    made = plan(*(f"t{n} a" for n in range(1, 8)), "t8 b", "t9 b")
    state, _ = ran(made, {"a": first, "b": second}, settings_with(limits, concurrency=4))
    assert state.status == "done"
    assert (first.most, second.most) == (3, 2)


@pytest.mark.parametrize("failing", ["a", "b"])
def test_children_are_handed_over_one_by_one_and_gathered_in_order(failing: str) -> None:
    def first(call: Call) -> str:
        if call.item is not None and call.item.text == failing:
            raise CANNOT
        return f"a:{call.action}"

    items = Does(lambda _: Output("", (Item("a"), Item("b"))))
    second = Does(lambda call: f"b:{call.item.text}" if call.item else "")
    agents = {"x": items, "a": Does(first), "b": second}
    state, events = ran(plan("t1 x", "t2 a: t1*"), agents, handing("a", "b"))
    assert state.status == "done"
    assert state.reply.splitlines() == [f"b:{i}" if i == failing else "a:step t2" for i in "ab"]
    child = "t2[1]" if failing == "a" else "t2[2]"
    assert [(e.task, e.to) for e in of(events, TaskHandedOver)] == [(child, "b")]
    assert (child, 2) in keys(events)


# ── what is never handed over ───────────────────────────────────────────────────────────────────────────


def test_a_write_in_doubt_is_never_done_by_another() -> None:
    made = plan(task("t1 a", effects="write"))
    agents = {"a": ScriptedAgent(TimedOut(5)), "b": ScriptedAgent()}
    state, events = ran(made, agents, handing("a", "b"))
    assert (state.status, state.waits_for) == ("waiting", ("answer t1",))
    assert of(events, TaskHandedOver) == []


def test_not_even_where_its_agent_may_repeat_it_and_has_done_so() -> None:
    made = plan(task("t1 a", effects="write"))
    agents = {"a": ScriptedAgent(TimedOut(5), TimedOut(5)), "b": ScriptedAgent()}
    state, events = ran(made, agents, handing("a", "b", idempotent=True, retries=1))
    assert state.doubts == (T1,)
    assert [e.key.rpartition("/")[2] for e in of(events, TaskStarted)] == ["1", "1"]


class Verifies:
    """A writer whose answer gets lost, and that can tell afterwards that it did nothing."""

    async def run(self, call: Call) -> Output:
        raise ConnectionRefusedError("no way")

    async def verify(self, key: str) -> Verdict:
        return Verdict(False)


def test_a_write_that_is_known_not_to_have_happened_is_handed_over() -> None:
    made = plan(task("t1 a", effects="write"))
    second = ScriptedAgent("written")
    state, events = ran(made, {"a": Verifies(), "b": second}, handing("a", "b", retries=0))
    assert (state.status, state.reply) == ("done", "written")
    assert [c.key.split("/")[1:] for c in second.calls] == [["t1", "2"]]
    assert of(events, TaskInDoubt) == []


def test_a_budget_that_is_used_up_is_not_handed_over() -> None:
    def asks(call: Call) -> str:
        call.purse.begin_call()
        return "asked"

    agents = {"a": Does(asks), "b": ScriptedAgent()}
    state, events = ran(plan("t1 a"), agents, handing("a", "b", run=Spending(model_calls=0)))
    assert state.status == "partial"
    assert of(events, TaskHandedOver) == []
    assert len(of(events, BudgetRanOut)) == 1


# ── budgets of tasks ────────────────────────────────────────────────────────────────────────────────────


def test_a_task_that_is_handed_over_is_one_task() -> None:
    agents = {"a": ScriptedAgent(CANNOT, CANNOT), "b": ScriptedAgent("one", "two")}
    state, events = ran(plan("t1 a", "t2 a: t1"), agents, handing("a", "b", run=Spending(tasks=2)))
    assert (state.status, state.reply) == ("done", "two")
    assert state.units_begun == 2
    assert of(events, BudgetRanOut) == []


def test_and_no_other_takes_its_turn_meanwhile() -> None:
    agents = {"a": ScriptedAgent(CANNOT), "b": ScriptedAgent("one"), "c": ScriptedAgent()}
    state, _ = ran(plan("t1 a", "t2 c"), agents, handing("a", "b", run=Spending(tasks=1)))
    assert statuses(state) == {"t1": "done", "t2": "skipped"}


def test_tasks_that_were_begun_before_a_crash_are_begun_again_and_no_others() -> None:
    async def run() -> None:
        settings = settings_with(budgets=Budgets(Spending(tasks=2)))
        desk = Desk({"a": says("x")}, settings=settings)
        began = [TaskStarted(TaskId(t), 1, f"r/{t}/1") for t in ("t2", "t3")]
        state = await desk.control.resume(await died(desk, plan("t1 a", "t2 a", "t3 a", "t4 a: t1"), *began))
        assert statuses(state) == {"t1": "skipped", "t2": "done", "t3": "done", "t4": "skipped"}
        assert state.budget == BudgetRanOut("tasks of the run", 2, 2, "t1 (a), t4 (a)")

    asyncio.run(run())


def test_a_doubt_is_for_a_person_though_no_more_tasks_may_begin() -> None:
    async def run() -> None:
        settings = settings_with(budgets=Budgets(Spending(tasks=1)))
        writer = ScriptedAgent("written")
        desk = Desk({"a": writer}, settings=settings)
        made = plan(task("t1 a", effects="write"), "t2 a: t1")
        id = await died(desk, made, STARTED)
        assert (await desk.control.resume(id)).waits_for == ("answer t1",)
        state = await desk.control.tell(id, DoubtAnswered("ann", T1, happened=False))
        writer.check()
        assert (state.status, statuses(state)) == ("partial", {"t1": "done", "t2": "skipped"})

    asyncio.run(run())


# ── taken up again ──────────────────────────────────────────────────────────────────────────────────────


async def died(desk: Desk, made: Plan, *events: Event) -> str:
    """A run whose process died after these events."""
    journal = await desk.control.begin(opening(made))
    await journal.append(DriverStarted("gone"), *events)
    return journal.run


STARTED = TaskStarted(T1, 1, "r/t1/1")
HANDED = TaskHandedOver(T1, 1, "cannot", AgentName("b"))


@pytest.mark.parametrize(
    ("before", "number"),
    [
        ((STARTED, HANDED), 2),
        ((STARTED, HANDED, TaskStarted(T1, 2, "r/t1/2")), 2),
        ((STARTED, HANDED, TaskStarted(T1, 2, "r/t1/2"), TaskRetrying(T1, 2, "busy", 0.1, 3)), 3),
    ],
    ids=["handed over", "begun", "pausing"],
)
def test_a_run_that_was_cut_off_after_a_hand_over_goes_on_with_the_new_agent(
    before: tuple[Event, ...], number: int
) -> None:
    async def run() -> None:
        second = ScriptedAgent("by b")
        desk = Desk({"a": ScriptedAgent(), "b": second}, settings=handing("a", "b"))
        id = await died(desk, plan("t1 a"), *before)
        state = await desk.control.resume(id)
        assert (state.status, state.reply) == ("done", "by b")
        assert [call.key for call in second.calls] == [f"{id}/t1/{number}"]

    asyncio.run(run())


def test_failures_before_the_crash_count_for_the_new_agents_retries() -> None:
    async def run() -> None:
        second = ScriptedAgent(BUSY)
        desk = Desk({"b": second, "c": ScriptedAgent("by c")}, settings=handing("a", "b", "c", retries=1))
        again = (TaskStarted(T1, 2, "r/t1/2"), TaskRetrying(T1, 2, "busy", 0.1, 3))
        state = await desk.control.resume(await died(desk, plan("t1 a"), STARTED, HANDED, *again))
        second.check()
        assert state.reply == "by c"

    asyncio.run(run())


def test_a_write_of_the_new_agent_that_was_cut_off_is_in_doubt_by_its_own_limits() -> None:
    async def run(*, idempotent: bool) -> RunState:
        limits = {
            AgentName("a"): limits_with(fallbacks=(AgentName("b"),), idempotent=not idempotent),
            AgentName("b"): limits_with(idempotent=idempotent),
        }
        agents = {"b": says("again")}
        desk = Desk(agents, store=MemoryStore(), settings=settings_with(limits))
        made = plan(task("t1 a", effects="write"))
        again = TaskStarted(T1, 2, "r/t1/2")
        return await desk.control.resume(await died(desk, made, STARTED, HANDED, again))

    assert asyncio.run(run(idempotent=False)).doubts == (T1,)
    assert asyncio.run(run(idempotent=True)).reply == "again"


def test_a_new_agent_that_cannot_either_hands_on_to_the_one_after_it_and_not_back() -> None:
    async def run() -> None:
        agents = {"a": ScriptedAgent(), "b": ScriptedAgent(CANNOT), "c": ScriptedAgent("by c")}
        desk = Desk(agents, settings=handing("a", "b", "c"))
        id = await died(desk, plan("t1 a"), STARTED, HANDED)
        state = await desk.control.resume(id)
        assert state.reply == "by c"
        assert [e.to for e in of(await desk.events(id), TaskHandedOver)] == ["b", "c"]

    asyncio.run(run())


def test_after_a_crash_it_waits_for_the_places_of_its_new_agent() -> None:
    async def run() -> None:
        second = Counted()
        limits = {
            AgentName("a"): limits_with(fallbacks=(AgentName("b"),), concurrency=9),
            AgentName("b"): limits_with(concurrency=1),
        }
        desk = Desk({"b": second}, settings=settings_with(limits))
        ids = [TaskId(f"t{n}") for n in (1, 2, 3)]
        began = [TaskStarted(t, 1, f"r/{t}/1") for t in ids]
        handed = [TaskHandedOver(t, 1, "cannot", AgentName("b")) for t in ids]
        state = await desk.control.resume(await died(desk, plan(*(f"{t} a" for t in ids)), *began, *handed))
        assert (state.status, second.most) == ("done", 1)

    asyncio.run(run())
