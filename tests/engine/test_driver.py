import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from orchestrator.agents.contract import Call, Output, Verdict
from orchestrator.control import approval_of_plan
from orchestrator.errors import Fenced, MessageObjected, RunUnknown, TaskError, UserError
from orchestrator.execution.settings import Budgets, Spending
from orchestrator.ids import MessageId, RunId, TaskId
from orchestrator.runs.events import (
    ApprovalAsked,
    BudgetRanOut,
    DriverStarted,
    Event,
    PlanMade,
    Record,
    ReviewFlagged,
    TaskStarted,
)
from orchestrator.runs.identity import plan_hash
from orchestrator.runs.journal import Journal
from orchestrator.runs.messages import (
    CancelAsked,
    DoubtAnswered,
    FeedbackGiven,
    Message,
    PlanApproved,
    PlanRejected,
    ReviewCleared,
    SignalReceived,
)
from orchestrator.runs.state import RunState
from orchestrator.testing import MemoryStore, ScriptedAgent

from support.driving import Does, Hangs, plan, says, settings_with, task
from support.engine import MOST, Desk, opening

T1 = TaskId("t1")
WRITE = plan(task("t1 a", effects="write"), task("t2 b: t1"))


def kinds(events: Sequence[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


# ── approval ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_plan_that_needs_a_word_waits_for_it_and_nothing_is_begun() -> None:
    async def run() -> None:
        desk = Desk({"a": ScriptedAgent(), "b": ScriptedAgent()})
        state = await desk.begun(WRITE, ask=True)
        assert (state.status, state.waits_for) == ("waiting", ("approval",))
        assert not any(isinstance(e, TaskStarted) for e in await desk.events(state.run))
        assert f"cuewave runs approve {state.run}" in state.reply

    asyncio.run(run())


def test_approved_it_is_run_to_its_end() -> None:
    async def run() -> None:
        desk = Desk({"a": ScriptedAgent("written"), "b": ScriptedAgent("read")})
        waiting = await desk.begun(WRITE, ask=True)
        state = await desk.control.approve(waiting.run, "ann")
        assert (state.status, state.reply) == ("done", "read")
        assert state.approved is not None
        assert (state.approved.by, state.approved.most_items) == ("ann", MOST)

    asyncio.run(run())


def test_an_approval_of_another_plan_is_refused_at_the_door_and_by_the_driver() -> None:
    async def run() -> None:
        desk = Desk({})
        waiting = await desk.begun(WRITE, ask=True)
        other = PlanApproved("ann", plan_hash(plan("t1 a")), MOST, MessageId("m1"))
        with pytest.raises(MessageObjected, match="the plan has changed since"):
            await desk.control.tell(waiting.run, other)
        await desk.store.post(Message(waiting.run, desk.clock.now(), other))
        state = await desk.control.resume(waiting.run)
        assert state.status == "waiting"
        assert "m1" in state.refused
        assert not await desk.store.inbox(waiting.run)

    asyncio.run(run())


def test_a_rejected_plan_is_never_run_not_even_resumed() -> None:
    async def run() -> None:
        desk = Desk({})
        waiting = await desk.begun(WRITE, ask=True)
        state = await desk.control.tell(waiting.run, PlanRejected("ann", "too much"))
        assert state.status == "cancelled"
        assert "too much" in state.reply
        assert {t.status for t in state.tasks.values()} == {"skipped"}
        with pytest.raises(UserError, match="nothing to resume"):
            await desk.control.resume(waiting.run, yes="ann")

    asyncio.run(run())


def test_no_more_items_than_were_agreed_to_are_run() -> None:
    async def run() -> None:
        many = Does(lambda _: Output("", tuple(map(_item, range(MOST + 1)))))
        desk = Desk({"a": many, "b": ScriptedAgent()}, settings=settings_with(max_items=MOST * 2))
        waiting = await desk.begun(plan("t1 a", task("t2 b: t1*", effects="write")), ask=True)
        state = await desk.control.tell(waiting.run, approval_of_plan(waiting, "ann"))
        assert state.tasks[TaskId("t2")].status == "failed"

    from orchestrator.agents.contract import Item

    def _item(n: int) -> Item:
        return Item(str(n))

    asyncio.run(run())


def test_feedback_makes_the_plan_anew_which_asks_again() -> None:
    other = plan("t1 b")

    async def revise(state: RunState) -> list[Event]:
        assert state.to_revise is not None
        assert state.to_revise.text == "without writing"
        return [
            PlanMade(other, "answer", plan_hash=plan_hash(other)),
            ApprovalAsked(plan_hash(other), "it was revised", MOST),
        ]

    async def run() -> None:
        desk = Desk({"b": ScriptedAgent("read")}, revise=revise)
        waiting = await desk.begun(WRITE, ask=True)
        state = await desk.control.tell(waiting.run, FeedbackGiven("ann", "without writing", True))
        assert (state.status, state.waits_for, state.plan) == ("waiting", ("approval",), other)
        with pytest.raises(MessageObjected, match="the plan has changed since"):
            await desk.control.tell(waiting.run, approval_of_plan(waiting, "ann"))
        assert (await desk.control.tell(waiting.run, approval_of_plan(state, "ann"))).reply == "read"

    asyncio.run(run())


def test_feedback_that_makes_no_plan_is_refused_and_the_plan_waits_as_it_was() -> None:
    async def revise(_: RunState) -> list[Event]:
        raise UserError("nobody can do that")

    async def run() -> None:
        desk = Desk({}, revise=revise)
        waiting = await desk.begun(WRITE, ask=True)
        state = await desk.control.tell(waiting.run, FeedbackGiven("ann", "fly", True))
        assert (state.status, state.plan) == ("waiting", WRITE)
        assert list(state.refused.values()) == ["nobody can do that"]

    asyncio.run(run())


# ── doubt ───────────────────────────────────────────────────────────────────────────────────────────────


async def cut_off(desk: Desk, made=WRITE) -> RunId:
    """A run whose process died while t1 was at work."""
    journal = await desk.control.begin(opening(made))
    await journal.append(DriverStarted("gone"), TaskStarted(T1, 1, f"{journal.run}/t1/1"))
    return journal.run


def test_a_write_that_was_cut_off_is_in_doubt_and_is_not_done_again() -> None:
    async def run() -> None:
        desk = Desk({"a": ScriptedAgent(), "b": ScriptedAgent()})
        state = await desk.control.resume(await cut_off(desk))
        assert (state.status, state.waits_for) == ("waiting", ("answer t1",))
        assert state.doubts == (T1,)
        assert "runs answer" in state.reply

    asyncio.run(run())


@pytest.mark.parametrize("happened", [True, False])
def test_a_person_settles_it(happened: bool) -> None:
    async def run() -> None:
        writer = ScriptedAgent(*[] if happened else ["written now"])
        desk = Desk({"a": writer, "b": Does(lambda call: f"after {call.inputs[0].output.text}")})
        id = await cut_off(desk)
        await desk.control.resume(id)
        state = await desk.control.tell(id, DoubtAnswered("ann", T1, happened, "as ann saw"))
        writer.check()
        assert state.status == "done"
        assert state.reply == f"after {'as ann saw' if happened else 'written now'}"
        assert [c.key for c in writer.calls] == ([] if happened else [f"{id}/t1/1"])

    asyncio.run(run())


class Verifies:
    """A writer that can tell what became of its effects."""

    def __init__(self, verdict: Verdict | Exception) -> None:
        self.verdict, self.ran, self.asked = verdict, 0, []

    async def run(self, call: Call) -> Output:
        self.ran += 1
        return Output("written")

    async def verify(self, key: str) -> Verdict:
        self.asked.append(key)
        if isinstance(self.verdict, Exception):
            raise self.verdict
        return self.verdict


@pytest.mark.parametrize(
    ("verdict", "ran", "status"),
    [
        (Verdict(True, Output("was written")), 0, "done"),
        (Verdict(False), 1, "done"),
        (Verdict(None), 0, "in_doubt"),
        (TaskError("the mailbox cannot be read"), 0, "in_doubt"),
    ],
    ids=["happened", "did not", "cannot tell", "cannot look"],
)
def test_an_agent_that_can_tell_settles_it_by_the_key(verdict, ran: int, status: str) -> None:
    async def run() -> None:
        writer = Verifies(verdict)
        desk = Desk({"a": writer, "b": says("end")})
        id = await cut_off(desk)
        state = await desk.control.resume(id)
        assert writer.asked == [f"{id}/t1/1"]
        assert (writer.ran, state.tasks[T1].status) == (ran, status)

    asyncio.run(run())


def test_an_idempotent_writer_does_it_again_under_the_same_key() -> None:
    async def run() -> None:
        writer = ScriptedAgent("written")
        limits = settings_with().agents["a"]
        settings = settings_with(agents={"a": replace(limits, idempotent=True)})
        desk = Desk({"a": writer, "b": says("end")}, settings=settings)
        id = await cut_off(desk)
        assert (await desk.control.resume(id)).status == "done"
        assert [c.key for c in writer.calls] == [f"{id}/t1/1"]

    asyncio.run(run())


def test_a_read_that_was_cut_off_is_done_again() -> None:
    async def run() -> None:
        desk = Desk({"a": ScriptedAgent("again"), "b": says("end")})
        state = await desk.control.resume(await cut_off(desk, plan("t1 a", "t2 b: t1")))
        assert state.status == "done"

    asyncio.run(run())


def test_what_does_not_depend_on_a_doubt_goes_on() -> None:
    async def run() -> None:
        made = plan(task("t1 a", effects="write"), "t2 b", "t3 b: t1")
        desk = Desk({"a": ScriptedAgent(), "b": ScriptedAgent("t2 is done")})
        state = await desk.control.resume(await cut_off(desk, made))
        assert {t: s.status for t, s in state.tasks.items()} == {
            "t1": "in_doubt",
            "t2": "done",
            "t3": "pending",
        }

    asyncio.run(run())


def test_a_cancelled_write_is_in_doubt_when_the_run_is_taken_up_again() -> None:
    async def run() -> None:
        hangs = Hangs()
        desk = Desk({"a": hangs, "b": ScriptedAgent()})
        driving = asyncio.create_task(desk.begun(WRITE))
        await hangs.began.wait()
        driving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await driving
        id = desk.heard[0].run
        assert (await desk.control.state(id)).status == "cancelled"
        assert (await desk.control.resume(id)).waits_for == ("answer t1",)

    asyncio.run(run())


# ── messages while tasks are at work ─────────────────────────────────────────────────────────────────────


def test_a_run_at_work_can_be_cancelled_from_elsewhere() -> None:
    async def run() -> None:
        hangs = Hangs()
        desk = Desk({"a": hangs})
        driving = asyncio.create_task(desk.begun(plan("t1 a")))
        await hangs.began.wait()
        id = desk.heard[0].run
        assert (await desk.control.tell(id, CancelAsked("ann"))).status == "running"
        state = await driving
        assert state.status == "cancelled"
        assert state.cancel is not None
        assert state.cancel.by == "ann"

    asyncio.run(run())


def test_another_process_is_heard_at_the_next_look_at_the_store() -> None:
    async def run() -> None:
        hangs = Hangs()
        desk = Desk({"a": hangs})
        driving = asyncio.create_task(desk.begun(plan("t1 a")))
        await hangs.began.wait()
        id = desk.heard[0].run
        await desk.store.post(Message(id, desk.clock.now(), CancelAsked("ann", message=MessageId("m1"))))
        desk.clock.advance(1.0)
        assert (await driving).status == "cancelled"

    asyncio.run(run())


def test_a_signal_changes_the_facts_once_however_often_it_is_sent() -> None:
    async def run() -> None:
        go_on, began = asyncio.Event(), asyncio.Event()

        async def waits(_: Call) -> Output:
            began.set()
            await go_on.wait()
            return Output("done")

        desk = Desk({"a": Does(waits)})
        driving = asyncio.create_task(desk.begun(plan("t1 a")))
        await began.wait()
        id = desk.heard[0].run
        signal = SignalReceived("delay", 5, "airline", MessageId("m1"))
        posted = [await desk.store.post(Message(id, desk.clock.now(), signal)) for _ in range(3)]
        desk.bells.ring(id)
        for _ in range(20):
            await asyncio.sleep(0)
        go_on.set()
        state = await driving
        assert posted == [True, False, False]
        assert state.facts == {"delay": 5}
        assert kinds(await desk.events(id)).count("SignalReceived") == 1

    asyncio.run(run())


# ── drivers ─────────────────────────────────────────────────────────────────────────────────────────────


def test_an_older_driver_is_fenced_and_touches_nothing_more() -> None:
    async def run() -> None:
        go_on, began = asyncio.Event(), asyncio.Event()

        async def waits(_: Call) -> Output:
            began.set()
            await go_on.wait()
            return Output("by the older")

        older = Desk({"a": Does(waits), "b": ScriptedAgent()})
        driving = asyncio.create_task(older.begun(plan("t1 a", "t2 b: t1")))
        await began.wait()
        newer = Desk({"a": says("by the newer"), "b": says("end")}, store=older.store)
        state = await newer.control.resume(older.heard[0].run)
        go_on.set()
        with pytest.raises(Fenced):
            await driving
        assert state.status == "done"
        output = (await newer.control.state(state.run)).tasks[T1].output
        assert output is not None
        assert output.text == "by the newer"

    asyncio.run(run())


def test_a_run_that_its_drivers_die_of_is_held_for_a_person() -> None:
    async def run() -> None:
        desk = Desk({"a": ScriptedAgent("at last"), "b": says("end")}, crash_limit=3)
        id = await cut_off(desk, plan("t1 a"))
        for name in ("gone 2", "gone 3"):
            journal = await Journal.open(desk.store, id, now=desk.clock.now)
            await journal.append(DriverStarted(name))
        state = await desk.control.resume(id)
        assert (state.status, state.waits_for) == ("waiting", ("review",))
        assert any(isinstance(e, ReviewFlagged) for e in await desk.events(id))
        assert (await desk.control.resume(id)).waits_for == ("review",)
        assert (await desk.control.tell(id, ReviewCleared("ann"))).status == "done"

    asyncio.run(run())


def test_a_run_that_was_held_and_cancelled_can_still_be_cleared() -> None:
    async def run() -> None:
        desk = Desk({"a": ScriptedAgent()}, crash_limit=1)
        id = await cut_off(desk, plan("t1 a"))
        assert (await desk.control.resume(id)).waits_for == ("review",)
        assert (await desk.control.tell(id, CancelAsked("ann"))).status == "cancelled"
        cleared = await desk.control.tell(id, ReviewCleared("ann"))
        assert (cleared.status, cleared.review) == ("cancelled", None)

    asyncio.run(run())


def test_a_parked_run_refuses_to_park_where_something_has_just_come_in() -> None:
    class Late(MemoryStore):
        """Somebody approves at the very moment in which the run is to be parked."""

        approved = False

        async def park(self, run: RunId, expected_seq: int, records: Sequence[Record]) -> bool:
            if not self.approved:
                self.approved = True
                said = PlanApproved("ann", plan_hash(WRITE), MOST, MessageId("m1"))
                await self.post(Message(run, records[0].at, said))
            return await super().park(run, expected_seq, records)

    async def run() -> None:
        desk = Desk({"a": says("written"), "b": says("end")}, store=Late())
        state = await desk.begun(WRITE, ask=True)
        assert state.status == "done"
        assert "RunParked" not in kinds(await desk.events(state.run))

    asyncio.run(run())


def test_what_is_said_to_a_run_that_does_not_exist_is_refused() -> None:
    async def run() -> None:
        with pytest.raises(RunUnknown):
            await Desk({}).control.tell("nobody", CancelAsked("ann"))

    asyncio.run(run())


# ── budgets ─────────────────────────────────────────────────────────────────────────────────────────────


def test_no_more_tasks_than_the_budget_has_are_begun_and_the_run_is_partial() -> None:
    async def run() -> None:
        settings = settings_with(budgets=Budgets(Spending(tasks=2)))
        desk = Desk({"a": ScriptedAgent("one", "two")}, settings=settings)
        state = await desk.begun(plan("t1 a", "t2 a: t1", "t3 a: t2"))
        assert state.status == "partial"
        assert {t: s.status for t, s in state.tasks.items()} == {"t1": "done", "t2": "done", "t3": "skipped"}
        assert state.budget is not None
        assert (state.budget.budget, state.budget.limit, state.budget.needed) == (
            "tasks of the run",
            2,
            "t3 (a)",
        )

    asyncio.run(run())


def test_a_run_that_takes_too_long_is_cut_off_with_what_it_has() -> None:
    async def run() -> None:
        hangs = Hangs()
        settings = settings_with(budgets=Budgets(Spending(wall_time=60.0)), task_timeout=600.0)
        desk = Desk({"a": says("one"), "b": hangs}, settings=settings)
        driving = asyncio.create_task(desk.begun(plan("t1 a", "t2 b: t1", "t3 a: t2")))
        await hangs.began.wait()
        desk.clock.advance(60.0)
        state = await driving
        assert state.status == "partial"
        assert {t: s.status for t, s in state.tasks.items()} == {
            "t1": "done",
            "t2": "cancelled",
            "t3": "skipped",
        }

    asyncio.run(run())


def test_a_model_that_cannot_be_paid_for_is_not_called_and_other_branches_go_on() -> None:
    async def run() -> None:
        async def asks(call: Call) -> Output:
            call.purse.begin_call()
            return Output("asked")

        settings = settings_with(budgets=Budgets(Spending(model_calls=1)))
        desk = Desk({"llm": Does(asks), "a": says("read")}, settings=settings)
        state = await desk.begun(plan("t1 llm", "t2 llm: t1", "t3 a: t1", "t4 a: t2"))
        assert {t: s.status for t, s in state.tasks.items()} == {
            "t1": "done",
            "t2": "failed",
            "t3": "done",
            "t4": "skipped",
        }
        assert state.status == "partial"
        assert isinstance((await desk.events(state.run))[-2], BudgetRanOut)

    asyncio.run(run())
