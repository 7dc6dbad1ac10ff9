import asyncio
from collections.abc import Collection, Sequence

import pytest
from orchestrator.agents.contract import Call, Item, Output
from orchestrator.errors import TaskError
from orchestrator.ids import MessageId, RunId
from orchestrator.runs.events import (
    DriverStarted,
    Record,
    RunEnded,
    TaskCancelled,
    TaskDone,
    TaskExpanded,
    TaskFailed,
    TaskRetrying,
    TaskStarted,
)
from orchestrator.runs.journal import Journal
from orchestrator.runs.samples import Past
from orchestrator.testing import MemoryStore

from support.driving import Does, Driven, go, plan, planned, says, task

DIAMOND = plan("t1 quick", "t2 slow", "t3 quick: t1", "t4 quick: t2 t3")


class Slow:
    """Works until it is cut off. `began` is set when it has begun, `cut` counts how often it was cut off."""

    def __init__(self) -> None:
        self.began, self.cut, self.keys = asyncio.Event(), 0, list[str]()

    async def run(self, call: Call) -> Output:
        self.keys.append(call.key)
        self.began.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.cut += 1
        raise AssertionError


def nobody_is_left() -> bool:
    return asyncio.all_tasks() == {asyncio.current_task()}


async def stopped(slow: Slow, run: Driven, *, by: str) -> None:
    """Drive until the slow agent has begun, then stop."""
    cancel = asyncio.Event()
    driving = asyncio.create_task(go(run, {"quick": says("quick"), "slow": slow}, cancel=cancel))
    await slow.began.wait()
    if by == "event":
        cancel.set()
        await driving
    else:
        driving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await driving


@pytest.mark.parametrize("by", ["event", "caller"])
def test_cancelling_cuts_off_what_runs_journals_it_and_leaves_nobody(by: str) -> None:
    async def run() -> None:
        slow, made = Slow(), await planned(DIAMOND)
        await stopped(slow, made, by=by)
        assert slow.cut == 1
        assert nobody_is_left()
        assert made.statuses() == {"t1": "done", "t2": "cancelled", "t3": "done", "t4": "cancelled"}
        assert made.events[-3:-1] == [TaskCancelled("t2"), TaskCancelled("t4")]
        assert made.state.status == "cancelled"
        assert "step t3 (done)\nquick" in made.state.reply
        assert "step t2 (cancelled)" in made.state.reply

    asyncio.run(run())


@pytest.mark.parametrize("by", ["event", "caller"])
def test_a_cancelled_run_goes_on_where_it_was_cut_off_under_the_same_key(by: str) -> None:
    async def run() -> None:
        slow, made = Slow(), await planned(DIAMOND)
        await stopped(slow, made, by=by)
        again = Driven(
            made.store,
            await Journal.open(made.store, made.journal.run, now=made.clock.now),
            made.heard,
            made.clock,
        )
        quick, second = says("quick"), Does(lambda _: "slow but done")
        await go(again, {"quick": quick, "slow": second})
        assert [call.key for call in second.calls] == slow.keys == ["r1/t2/1"]
        assert [call.key for call in quick.calls] == ["r1/t4/1"]
        assert (again.state.status, again.state.reply) == ("done", "quick")

    asyncio.run(run())


def test_a_run_cancelled_before_it_began_starts_nothing() -> None:
    async def run() -> None:
        cancel, agent = asyncio.Event(), says("never")
        cancel.set()
        made = await planned(DIAMOND)
        await go(made, {"quick": agent, "slow": agent}, cancel=cancel)
        assert (agent.calls, made.of(TaskStarted)) == ([], [])
        assert made.state.status == "cancelled"
        assert len(made.of(TaskCancelled)) == 4

    asyncio.run(run())


def test_a_run_that_nobody_cancels_leaves_nobody_either() -> None:
    async def run() -> None:
        made = await planned(plan("t1 a"))
        await go(made, {"a": says("x")}, cancel=asyncio.Event())
        assert made.state.status == "done"
        assert nobody_is_left()

    asyncio.run(run())


def test_a_run_that_has_ended_is_not_cancelled_any_more() -> None:
    async def run() -> None:
        cancel, made = asyncio.Event(), await planned(plan("t1 a"))

        def last(_: Call) -> str:
            cancel.set()
            return "done"

        await go(made, {"a": Does(last)}, cancel=cancel)
        assert made.state.status in ("done", "cancelled")
        assert [type(e) for e in made.events].count(RunEnded) == 1
        assert nobody_is_left()

    asyncio.run(run())


def test_an_error_while_being_cut_off_is_no_failure_and_no_second_attempt() -> None:
    async def run() -> None:
        began = asyncio.Event()

        async def sulks(_: Call) -> Output:
            began.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                raise TaskError("connection lost", passing=True) from None
            raise AssertionError

        cancel, made = asyncio.Event(), await planned(plan("t1 a"))
        driving = asyncio.create_task(go(made, {"a": Does(sulks)}, cancel=cancel))
        await began.wait()
        cancel.set()
        await driving
        assert (made.of(TaskFailed), made.of(TaskRetrying)) == ([], [])
        assert made.statuses() == {"t1": "cancelled"}

    asyncio.run(run())


def test_what_an_agent_still_finished_while_being_cut_off_is_kept_and_nothing_new_begins() -> None:
    async def run() -> None:
        began = asyncio.Event()

        async def finishes(_: Call) -> Output:
            began.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                return Output("just done")
            raise AssertionError

        cancel, made, after = asyncio.Event(), await planned(plan("t1 a", "t2 b: t1")), says("never")
        driving = asyncio.create_task(go(made, {"a": Does(finishes), "b": after}, cancel=cancel))
        await began.wait()
        cancel.set()
        await driving
        assert made.statuses() == {"t1": "done", "t2": "cancelled"}
        assert after.calls == []

    asyncio.run(run())


def test_cancelling_ends_a_pause_between_attempts() -> None:
    async def run() -> None:
        cancel, made = asyncio.Event(), await planned(plan("t1 a"))

        async def wait_for_ever(_: float) -> None:
            cancel.set()
            await asyncio.Event().wait()

        made.clock.sleep = wait_for_ever
        await go(made, {"a": Does(busy)}, cancel=cancel)
        assert len(made.of(TaskRetrying)) == 1
        assert made.statuses() == {"t1": "cancelled"}

    def busy(_: Call) -> str:
        raise TaskError("busy", passing=True)

    asyncio.run(run())


def test_a_mapped_task_is_cut_off_with_its_children_and_taken_up_with_the_open_ones() -> None:
    async def run() -> None:
        made = await planned(plan("t1 find", "t2 write: t1*"))
        cancel, seen = asyncio.Event(), list[str]()

        async def write(call: Call) -> Output:
            seen.append(call.key)
            if call.item.text == "Bob" and not cancel.is_set():
                cancel.set()
                await asyncio.Event().wait()
            return Output(f"wrote to {call.item.text}")

        agents = {"find": Does(lambda _: Output("", (Item("Ada"), Item("Bob")))), "write": Does(write)}
        await go(made, agents, cancel=cancel)
        assert made.statuses() == {"t1": "done", "t2": "cancelled", "t2[1]": "done", "t2[2]": "cancelled"}
        await go(made, agents)
        assert seen == ["r1/t2[1]/1", "r1/t2[2]/1", "r1/t2[2]/1"]
        assert made.text("t2") == "wrote to Ada\nwrote to Bob"
        assert len(made.of(TaskExpanded)) == 1
        assert made.state.status == "done"

    asyncio.run(run())


def test_a_second_cancellation_leaves_at_once() -> None:
    async def run() -> None:
        began, release = asyncio.Event(), asyncio.Event()

        async def deaf(_: Call) -> Output:
            began.set()
            while not release.is_set():
                try:
                    await release.wait()
                except asyncio.CancelledError:
                    continue
            return Output("at last")

        made = await planned(plan("t1 a"))
        driving = asyncio.create_task(go(made, {"a": Does(deaf)}))
        await began.wait()
        driving.cancel()
        for _ in range(5):
            await asyncio.sleep(0)
        assert not driving.done()
        driving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await driving
        assert made.of(RunEnded) == []
        release.set()
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()}, return_exceptions=True)

    asyncio.run(run())


def test_an_append_is_never_cut_off_half_way() -> None:
    class SlowStore(MemoryStore):
        writing, let = asyncio.Event(), asyncio.Event()
        slow = False

        async def append(
            self,
            run: RunId,
            expected_seq: int,
            records: Sequence[Record],
            *,
            taken: Collection[MessageId] = (),
            past: Past | None = None,
        ) -> None:
            if any(isinstance(r.event, TaskDone) for r in records):
                self.writing.set()
                await self.let.wait()
            await super().append(run, expected_seq, records)

    async def run() -> None:
        store = SlowStore()
        made = await planned(plan("t1 a", "t2 a: t1"), store)
        cancel, agent = asyncio.Event(), says("x")
        driving = asyncio.create_task(go(made, {"a": agent}, cancel=cancel))
        await store.writing.wait()
        cancel.set()
        for _ in range(5):
            await asyncio.sleep(0)
        store.let.set()
        await driving
        assert made.statuses() == {"t1": "done", "t2": "cancelled"}
        assert len(agent.calls) == 1
        assert made.state.status == "cancelled"

    asyncio.run(run())


CHAIN_OF_MAPS = plan(
    "t1 find", "t2 write: t1*", task("t3 write: t1", on_upstream_failure="run"), "t4 write: t2 t3"
)


def test_a_run_cut_short_at_any_append_ends_as_if_never_interrupted() -> None:
    def write(call: Call) -> str:
        return f"wrote {call.item.text if call.item else call.action}"

    agents = {"find": Does(lambda _: Output("", (Item("Ada"), Item("Bob")))), "write": Does(write)}

    async def whole() -> tuple[int, Driven]:
        made = await planned(CHAIN_OF_MAPS)
        await go(made, agents)
        return len(await made.store.read(made.journal.run)), made

    async def cut_at(seq: int, records: Sequence[Record]) -> Driven:
        store = MemoryStore()
        await store.append(RunId("r1"), 0, records[:seq])
        made = await planned(CHAIN_OF_MAPS, store)
        await go(made, agents)
        return made

    async def run() -> None:
        count, expected = await whole()
        records = await expected.store.read(expected.journal.run)
        for seq in range(2, count + 1):
            made = await cut_at(seq, records)
            assert made.statuses() == expected.statuses(), seq
            assert made.state.reply == expected.state.reply, seq
            assert {t: s.output for t, s in made.state.tasks.items()} == {
                t: s.output for t, s in expected.state.tasks.items()
            }, seq
            ended = [e.task for r in records[:seq] if isinstance(e := r.event, TaskDone)]
            assert not {e.task for e in made.of(TaskStarted)} & set(ended), seq
            assert seq == count or isinstance(made.events[0], DriverStarted), seq

    asyncio.run(run())
