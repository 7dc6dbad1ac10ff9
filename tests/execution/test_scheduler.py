import asyncio
import logging
from collections.abc import Collection, Sequence

import pytest
from orchestrator.agents.contract import Call, Item, Output, Usage
from orchestrator.errors import Fenced, InternalFault, ModelError, TaskError
from orchestrator.execution.settings import Budget, Settings
from orchestrator.ids import AgentName, MessageId, RunId
from orchestrator.runs.events import (
    DriverStarted,
    OutputChunk,
    Record,
    RunEnded,
    TaskDone,
    TaskExpanded,
    TaskFailed,
    TaskInDoubt,
    TaskRetrying,
    TaskSkipped,
    TaskStarted,
)
from orchestrator.runs.journal import Journal
from orchestrator.runs.samples import Past
from orchestrator.testing import MemoryStore, ScriptedAgent

from support.driving import REQUEST, Does, driven, go, limits_with, plan, planned, says, settings_with, task

A = AgentName("a")


def raises(error: Exception) -> Does:
    def fail(_: Call) -> str:
        raise error

    return Does(fail)


class Barrier:
    """Answers once so many of its calls are in flight together; `most` is how many ever were."""

    def __init__(self, count: int) -> None:
        self._count, self._all = count, asyncio.Event()
        self.now = self.most = 0

    async def run(self, call: Call) -> Output:
        self.now += 1
        self.most = max(self.most, self.now)
        if self.now == self._count:
            self._all.set()
        await self._all.wait()
        self.now -= 1
        return Output(call.action)


class Crowd:
    """Lets others go first as often as it can; `most` is how many calls were ever in flight together."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self.order: list[str] = []

    async def run(self, call: Call) -> Output:
        self.now += 1
        self.most = max(self.most, self.now)
        self.order.append(call.key.split("/")[1])
        for _ in range(3):
            await asyncio.sleep(0)
        self.now -= 1
        return Output(call.action)


def starts(run) -> list[str]:
    return [e.task for e in run.of(TaskStarted)]


# ── the way of a plan ───────────────────────────────────────────────────────────────────────────────────


def test_a_plan_of_one_task_runs_it_with_its_query_unchanged_and_its_output_is_the_reply() -> None:
    agent = ScriptedAgent("five letters")
    run = driven(plan(task("t1 a", action="count {{ my }} letters")), {"a": agent})
    agent.check()
    assert agent.calls[0].query == "count {{ my }} letters"
    assert (run.state.status, run.state.reply) == ("done", "five letters")
    assert run.events[2:] == [
        DriverStarted("local"),
        TaskStarted("t1", 1, "r1/t1/1"),
        TaskDone("t1", Output("five letters")),
        RunEnded("done", "five letters"),
    ]


def test_a_dependent_reads_the_request_its_step_and_the_results_it_stands_on() -> None:
    agent = Does(lambda call: f"<{call.action}>")
    driven(plan("t1 a", "t2 a", "t3 a: t1 t2"), {"a": agent})
    query = agent.calls[2].query
    assert REQUEST in query
    assert "step t3" in query
    assert "Result of t1 (agent a, done):\n```data\n<step t1>\n```" in query
    assert "Result of t2 (agent a, done):\n```data\n<step t2>\n```" in query


def test_results_are_kept_by_task_and_not_by_agent() -> None:
    run = driven(plan("t1 a", "t2 a", "t3 a"), {"a": Does(lambda call: f"<{call.action}>")})
    assert [run.text(t) for t in ("t1", "t2", "t3")] == ["<step t1>", "<step t2>", "<step t3>"]


def test_injected_results_keep_the_budget() -> None:
    agent = says("x" * 500)
    driven(plan("t1 a", "t2 a: t1"), {"a": agent}, settings_with(budget=Budget(100, 100)))
    assert "x" * 100 in agent.calls[1].query
    assert "x" * 101 not in agent.calls[1].query
    assert "400 of 500 characters left out; the whole is the result of t1" in agent.calls[1].query


def test_the_end_of_a_task_and_the_starts_it_brings_are_one_append() -> None:
    appends: list[list[str]] = []

    class Watched(MemoryStore):
        async def append(
            self,
            run: RunId,
            expected_seq: int,
            records: Sequence[Record],
            *,
            taken: Collection[MessageId] = (),
            past: Past | None = None,
        ) -> None:
            appends.append([type(r.event).__name__ for r in records])
            await super().append(run, expected_seq, records)

    async def run() -> None:
        await go(await planned(plan("t1 a", "t2 a: t1", "t3 a: t1"), Watched()), {"a": says("x")})

    asyncio.run(run())
    assert appends[2:4] == [
        ["TaskStarted"],
        ["TaskDone", "TaskStarted", "TaskStarted"],
    ]


# ── concurrency ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("schedule", ["eager", "waves"])
def test_all_of_wave_0_is_in_flight_together(schedule: str) -> None:
    agent = Barrier(3)
    run = driven(plan("t1 a", "t2 a", "t3 a"), {"a": agent}, settings_with(schedule=schedule))
    assert (agent.most, run.state.status) == (3, "done")


def test_eagerly_a_task_starts_though_others_of_the_earlier_wave_still_run() -> None:
    async def run() -> None:
        third_began = asyncio.Event()

        async def slow(_: Call) -> Output:
            await third_began.wait()
            return Output("slow")

        def third(_: Call) -> str:
            third_began.set()
            return "third"

        made = await planned(plan("t1 quick", "t2 slow", "t3 third: t1"))
        await go(made, {"quick": says("quick"), "slow": Does(slow), "third": Does(third)})
        assert made.state.status == "done"

    asyncio.run(run())


def test_in_waves_a_task_starts_only_when_the_whole_earlier_wave_has_ended() -> None:
    run = driven(
        plan("t1 a", "t2 b", "t3 a: t1"), {"a": says("x"), "b": Crowd()}, settings_with(schedule="waves")
    )
    third = run.events.index(TaskStarted("t3", 1, "r1/t3/1"))
    assert any(isinstance(e, TaskDone) and e.task == "t2" for e in run.events[:third])


def test_no_more_tasks_are_in_flight_than_the_run_allows() -> None:
    agent = Crowd()
    driven(plan(*(f"t{n} a" for n in range(1, 8))), {"a": agent}, settings_with(concurrency=3))
    assert agent.most == 3


def test_no_more_tasks_of_an_agent_are_in_flight_than_it_allows_and_others_go_on() -> None:
    few, many = Crowd(), Crowd()
    settings = settings_with(agents={A: limits_with(concurrency=1)})
    tasks = [f"t{n} a" for n in range(1, 4)] + [f"t{n} b" for n in range(4, 8)]
    driven(plan(*tasks), {"a": few, "b": many}, settings)
    assert (few.most, many.most) == (1, 4)


def test_with_scarce_slots_the_longest_way_goes_first_and_then_plan_order() -> None:
    agent = Crowd()
    driven(plan("t1 a", "t2 a", "t3 a", "t4 a: t3", "t5 a: t4"), {"a": agent}, settings_with(concurrency=1))
    assert agent.order == ["t3", "t4", "t1", "t2", "t5"]


def test_the_order_is_the_same_every_time() -> None:
    made = plan("t1 a", "t2 b", "t3 a: t1 t2", "t4 b: t1", "t5 a: t3 t4", "t6 b")
    runs = [driven(made, {"a": Crowd(), "b": Crowd()}, settings_with(concurrency=2)) for _ in range(3)]
    assert runs[0].events == runs[1].events == runs[2].events


def test_a_worker_that_never_suspends_lets_others_run_all_the_same() -> None:
    async def run() -> None:
        length = 200
        chain = [task("t1 a")] + [task(f"t{n} a: t{n - 1}") for n in range(2, length + 1)]
        made = await planned(plan(*chain))
        ticks = 0

        async def other() -> None:
            nonlocal ticks
            while made.state.status == "running":
                ticks += 1
                await asyncio.sleep(0)

        await asyncio.gather(go(made, {"a": says("x")}), other())
        assert ticks >= 5

    asyncio.run(run())


# ── failure ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_failure_skips_what_stands_on_it_and_independent_branches_go_on() -> None:
    run = driven(
        plan("t1 bad", "t2 a: t1", "t3 a: t2", "t4 a", "t5 a: t4"),
        {"a": says("fine"), "bad": raises(TaskError("no such file"))},
    )
    assert run.statuses() == {"t1": "failed", "t2": "skipped", "t3": "skipped", "t4": "done", "t5": "done"}
    assert run.of(TaskSkipped) == [TaskSkipped("t2", "t1 failed"), TaskSkipped("t3", "t1 failed")]
    assert run.state.status == "partial"
    assert "step t1 (failed: no such file)" in run.state.reply
    assert "step t3 (skipped: t1 failed)" in run.state.reply
    assert "step t5 (done)\nfine" in run.state.reply


def test_a_run_in_which_nothing_was_done_has_failed() -> None:
    run = driven(plan("t1 bad", "t2 a: t1"), {"a": says("x"), "bad": raises(TaskError("no"))})
    assert run.state.status == "failed"


def test_a_dependent_that_asked_for_it_sees_the_failure_marked_as_such() -> None:
    agent = says("made do")
    run = driven(
        plan("t1 bad", task("t2 a: t1", on_upstream_failure="run")),
        {"a": agent, "bad": raises(TaskError("no such file"))},
    )
    assert agent.calls[0].inputs[0].error == "failed: no such file"
    assert "(agent bad, failed)" in agent.calls[0].query
    assert "no such file" in agent.calls[0].query
    assert (run.statuses(), run.state.status) == ({"t1": "failed", "t2": "done"}, "partial")


def test_any_error_of_an_agent_fails_its_task_with_its_type_and_is_logged_with_its_trace(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        run = driven(plan("t1 a", "t2 b"), {"a": raises(KeyError("sum")), "b": says("x")})
    assert run.of(TaskFailed) == [TaskFailed("t1", "KeyError: 'sum'")]
    assert run.statuses()["t2"] == "done"
    assert caplog.records[0].exc_info is not None
    assert "t1" in caplog.text


def test_an_agent_that_is_not_there_fails_its_task() -> None:
    run = driven(plan("t1 a", "t2 b"), {"b": says("x")})
    assert run.statuses() == {"t1": "failed", "t2": "done"}


def test_an_agent_whose_own_work_was_cancelled_fails_its_task_and_not_the_run() -> None:
    async def lost(_: Call) -> Output:
        raise asyncio.CancelledError

    run = driven(plan("t1 a", "t2 b"), {"a": Does(lost), "b": says("x")})
    assert run.of(TaskFailed) == [TaskFailed("t1", "the agent's own work was cancelled from within")]
    assert run.state.status == "partial"


def test_an_empty_result_is_data_and_never_injected_as_nothing() -> None:
    agent = Does(lambda call: "" if call.action == "step t1" else "seen")
    run = driven(plan("t1 a", "t2 a: t1"), {"a": agent})
    assert run.state.status == "done"
    assert "(empty result)" in agent.calls[1].query


def test_a_task_may_ask_for_a_result_that_is_not_empty() -> None:
    run = driven(plan(task("t1 a", success="not_empty"), "t2 a: t1"), {"a": says(" ")})
    assert run.statuses() == {"t1": "failed", "t2": "skipped"}


# ── time and second attempts ────────────────────────────────────────────────────────────────────────────


def test_an_error_that_can_pass_is_tried_again_after_a_jittered_pause() -> None:
    agent = ScriptedAgent(TaskError("busy", passing=True), ConnectionResetError("reset"), "at last")
    run = driven(plan("t1 a"), {"a": agent})
    agent.check()
    assert run.of(TaskRetrying) == [
        TaskRetrying("t1", 1, "busy", 0.25, 2),
        TaskRetrying("t1", 2, "ConnectionResetError: reset", 0.5, 3),
    ]
    assert run.clock.slept == [0.25, 0.5]
    assert [call.key for call in agent.calls] == ["r1/t1/1", "r1/t1/2", "r1/t1/3"]
    assert [e.attempt for e in run.of(TaskStarted)] == [1, 2, 3]
    assert run.state.reply == "at last"


def test_the_last_attempt_ends_the_task() -> None:
    agent = ScriptedAgent(*[TaskError("busy", passing=True)] * 2)
    run = driven(plan("t1 a"), {"a": agent}, settings_with(agents={A: limits_with(retries=1)}))
    agent.check()
    assert run.of(TaskFailed) == [TaskFailed("t1", "busy")]


def test_a_provider_that_asks_for_a_pause_gets_it() -> None:
    agent = ScriptedAgent(ModelError("slow down", passing=True, retry_after=9.0), "ok")
    assert driven(plan("t1 a"), {"a": agent}).clock.slept == [9.0]


@pytest.mark.parametrize(
    ("settings", "seconds"),
    [
        (settings_with(task_timeout=30), 30),
        (settings_with(task_timeout=30, agents={A: limits_with(timeout=5)}), 5),
    ],
)
def test_an_attempt_that_takes_too_long_is_cut_off_and_tried_again(settings: Settings, seconds: int) -> None:
    cut: list[str] = []

    async def run() -> None:
        began = asyncio.Event()

        async def hangs(_: Call) -> Output:
            began.set()
            try:
                await asyncio.Event().wait()
            finally:
                cut.append("cut")
            raise AssertionError

        made = await planned(plan("t1 a"))
        agent = ScriptedAgent(hangs, "in time")
        driving = asyncio.create_task(go(made, {"a": agent}, settings))
        await began.wait()
        made.clock.advance(seconds - 1)
        await asyncio.sleep(0)
        assert cut == []
        made.clock.advance(1)
        await driving
        assert cut == ["cut"]
        assert [e.error for e in made.of(TaskRetrying)] == [f"timed out after {seconds} s"]
        assert made.state.reply == "in time"

    asyncio.run(run())


def test_a_pause_that_lasts_longer_than_it_should_is_no_fault() -> None:
    async def run() -> None:
        made = await planned(plan("t1 a"))

        async def oversleep(seconds: float) -> None:
            made.clock.advance(1_000 + seconds)
            await asyncio.sleep(0)

        made.clock.sleep = oversleep
        await go(
            made, {"a": ScriptedAgent(TaskError("busy", passing=True), "ok")}, settings_with(task_timeout=1)
        )
        assert made.state.reply == "ok"

    asyncio.run(run())


def test_each_attempt_has_its_own_deadline() -> None:
    async def run() -> None:
        begun = {action: asyncio.Event() for action in ("step t1", "step t2")}
        gate, failed = asyncio.Event(), asyncio.Event()

        async def waits(call: Call) -> Output:
            begun[call.action].set()
            await gate.wait()
            return Output("ok")

        def last(_: Call) -> str:
            failed.set()
            return "last"

        made = await planned(plan("t1 a", "t2 b", task("t3 c: t1", on_upstream_failure="run")))
        settings = settings_with(
            agents={A: limits_with(timeout=10, retries=0), AgentName("b"): limits_with(timeout=25)}
        )
        driving = asyncio.create_task(
            go(made, {"a": Does(waits), "b": Does(waits), "c": Does(last)}, settings)
        )
        await asyncio.gather(*(began.wait() for began in begun.values()))
        made.clock.advance(20)
        await failed.wait()
        gate.set()
        await driving
        assert made.statuses() == {"t1": "failed", "t2": "done", "t3": "done"}

    asyncio.run(run())


def test_a_write_that_timed_out_is_not_tried_again_and_says_that_it_is_in_doubt() -> None:
    async def run() -> None:
        began = asyncio.Event()

        async def hangs(_: Call) -> Output:
            began.set()
            await asyncio.Event().wait()
            raise AssertionError

        made = await planned(plan(task("t1 a", effects="write")))
        driving = asyncio.create_task(go(made, {"a": Does(hangs)}, settings_with(task_timeout=30)))
        await began.wait()
        made.clock.advance(30)
        await driving
        (doubt,) = made.of(TaskInDoubt)
        assert doubt.reason == "timed out after 30 s; whether it took effect is not known"
        assert made.statuses() == {"t1": "in_doubt"}
        assert made.state.ended is None

    asyncio.run(run())


def test_an_agent_that_answers_while_it_is_cut_off_has_answered() -> None:
    async def run() -> None:
        began = asyncio.Event()

        async def stubborn(_: Call) -> Output:
            began.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                return Output("just done")
            raise AssertionError

        made = await planned(plan("t1 a", "t2 b: t1"))
        driving = asyncio.create_task(go(made, {"a": Does(stubborn), "b": says("and on")}))
        await began.wait()
        made.clock.advance(120)
        await driving
        assert (made.state.status, made.text("t1"), made.state.reply) == ("done", "just done", "and on")

    asyncio.run(run())


# ── mapped tasks ────────────────────────────────────────────────────────────────────────────────────────


def found(*texts: str) -> Does:
    return Does(lambda _: Output("found", tuple(Item(text) for text in texts)))


def test_a_mapped_task_runs_once_per_item_and_gathers_in_order() -> None:
    agent = Does(lambda call: Output(f"wrote to {call.item.text}", usage=Usage(1, 1, 1)))
    run = driven(
        plan("t1 a", "t2 b: t1*", "t3 c: t2"), {"a": found("Ada", "Bob"), "b": agent, "c": says("ok")}
    )
    assert run.of(TaskExpanded) == [TaskExpanded("t2", (Item("Ada"), Item("Bob")))]
    assert sorted(call.key for call in agent.calls) == ["r1/t2[1]/1", "r1/t2[2]/1"]
    assert run.text("t2") == "wrote to Ada\nwrote to Bob"
    assert run.state.tasks["t2"].output.items == (Item("wrote to Ada"), Item("wrote to Bob"))
    assert (run.state.usage, run.state.reply) == (Usage(2, 2, 2), "ok")


def test_results_are_gathered_in_the_order_of_the_items_whatever_the_order_of_their_ends() -> None:
    async def run() -> None:
        second_done = asyncio.Event()

        async def write(call: Call) -> Output:
            if call.item.text == "Ada":
                await second_done.wait()
            else:
                second_done.set()
            return Output(call.item.text)

        made = await planned(plan("t1 a", "t2 b: t1*"))
        await go(made, {"a": found("Ada", "Bob"), "b": Does(write)})
        assert [e.task for e in made.of(TaskDone)] == ["t1", "t2[2]", "t2[1]", "t2"]
        assert made.text("t2") == "Ada\nBob"

    asyncio.run(run())


def test_children_run_together_within_the_limits() -> None:
    together, few = Barrier(4), Crowd()
    items = found(*"abcd")
    driven(plan("t1 a", "t2 b: t1*"), {"a": items, "b": together})
    driven(
        plan("t1 x", "t2 a: t1*"),
        {"x": items, "a": few},
        settings_with(agents={A: limits_with(concurrency=2)}),
    )
    assert (together.most, few.most) == (4, 2)


def test_an_empty_list_is_a_success_with_nothing_to_do() -> None:
    agent = says("never")
    run = driven(plan("t1 a", "t2 b: t1*", "t3 c: t2"), {"a": found(), "b": agent, "c": says("done")})
    assert agent.calls == []
    assert run.text("t2") == "nothing to do: t1 found no items"
    assert run.state.status == "done"


def test_a_map_over_a_map_that_found_nothing_has_nothing_to_do_either() -> None:
    run = driven(plan("t1 a", "t2 b: t1*", "t3 b: t2*"), {"a": found(), "b": says("never")})
    assert (run.text("t3"), run.state.status) == ("nothing to do: t2 found no items", "done")


def test_some_children_failing_fails_the_task_and_keeps_the_rest() -> None:
    def write(call: Call) -> str:
        if call.item.text == "Bob":
            raise TaskError("no such person")
        return f"wrote to {call.item.text}"

    run = driven(plan("t1 a", "t2 b: t1*", "t3 b: t2"), {"a": found("Ada", "Bob", "Cy"), "b": Does(write)})
    failed = run.of(TaskFailed, "t2")[0]
    assert failed.error == "1 of 3 items failed: t2[2]: no such person"
    assert failed.output.text == "wrote to Ada\nwrote to Cy"
    assert run.statuses() == {
        "t1": "done", "t2": "failed", "t3": "skipped", "t2[1]": "done", "t2[2]": "failed", "t2[3]": "done",
    }  # fmt: skip
    assert "wrote to Ada\nwrote to Cy" in run.state.reply


def test_a_child_is_tried_again_alone() -> None:
    agent = ScriptedAgent(TaskError("busy", passing=True), "b", "a")
    run = driven(
        plan("t1 x", "t2 a: t1*"),
        {"x": found("a", "b"), "a": agent},
        settings_with(agents={A: limits_with(concurrency=1)}),
    )
    assert [call.key for call in agent.calls] == ["r1/t2[1]/1", "r1/t2[1]/2", "r1/t2[2]/1"]
    assert run.state.status == "done"


def test_more_items_than_allowed_are_a_failure_that_names_the_knob() -> None:
    agent = says("never")
    run = driven(plan("t1 a", "t2 b: t1*"), {"a": found(*"abc"), "b": agent}, settings_with(max_items=2))
    assert agent.calls == []
    assert "execution.max_items" in run.of(TaskFailed)[0].error


def test_the_listed_lines_of_a_text_are_its_items() -> None:
    agent = Does(lambda call: call.item.text.upper())
    run = driven(plan("t1 a", "t2 b: t1*"), {"a": says("Two:\n- x\n- y"), "b": agent})
    assert run.text("t2") == "X\nY"


def test_in_waves_a_mapped_task_ends_with_its_last_child() -> None:
    run = driven(
        plan("t1 a", "t2 b: t1*", "t3 c: t1", "t4 c: t3"),
        {"a": found("x", "y"), "b": Crowd(), "c": says("ok")},
        settings_with(schedule="waves"),
    )
    fourth = run.events.index(TaskStarted("t4", 1, "r1/t4/1"))
    assert any(isinstance(e, TaskDone) and e.task == "t2" for e in run.events[:fourth])
    assert run.state.status == "done"


# ── streaming, journal, taking up ───────────────────────────────────────────────────────────────────────


def test_output_streams_to_the_listeners_as_it_arrives() -> None:
    def speak(call: Call) -> str:
        call.emit("hel")
        call.emit("lo")
        return "hello"

    run = driven(plan("t1 a"), {"a": Does(speak)})
    started, *pieces, done = run.heard[3:7]
    assert pieces == [OutputChunk("r1", "t1", "hel"), OutputChunk("r1", "t1", "lo")]
    assert (type(started.event), type(done.event)) == (TaskStarted, TaskDone)


def test_a_run_that_has_ended_is_not_driven_again() -> None:
    async def run() -> None:
        made = await planned(plan("t1 a"))
        agent = ScriptedAgent("once")
        await go(made, {"a": agent})
        events = list(made.events)
        await go(made, {"a": agent})
        agent.check()
        assert made.events == events

    asyncio.run(run())


def test_a_run_without_a_plan_is_our_fault() -> None:
    async def run() -> None:
        made = await planned(plan("t1 a"))
        made.journal = await Journal.open(MemoryStore(), made.journal.run, now=made.clock.now)
        with pytest.raises(InternalFault, match="no plan"):
            await go(made, {})

    asyncio.run(run())


def test_a_fenced_driver_stops_its_tasks_and_touches_nothing_more() -> None:
    async def run() -> None:
        stopped, began = list[str](), asyncio.Event()
        made = await planned(plan("t1 a", "t2 b"))

        async def other_driver(_: Call) -> Output:
            await began.wait()
            other = await Journal.open(made.store, made.journal.run, now=made.clock.now)
            await other.append(DriverStarted("other"))
            return Output("too late")

        async def hangs(_: Call) -> Output:
            began.set()
            try:
                await asyncio.Event().wait()
            finally:
                stopped.append("b")
            raise AssertionError

        with pytest.raises(Fenced):
            await go(made, {"a": Does(other_driver), "b": Does(hangs)})
        assert stopped == ["b"]
        assert [r.event for r in await made.store.read(made.journal.run)][-1] == DriverStarted("other")
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())


def test_a_reader_that_went_away_stops_the_run_and_is_no_failure_of_an_agent() -> None:
    async def run() -> None:
        made = await planned(plan("t1 a"))

        def gone(_: object) -> None:
            raise BrokenPipeError

        def speak(call: Call) -> str:
            call.emit("hel")
            return "hello"

        made.journal = await Journal.open(made.store, made.journal.run, now=made.clock.now, listeners=[gone])
        agent = Does(speak)
        with pytest.raises(BrokenPipeError):
            await go(made, {"a": agent})
        assert len(agent.calls) <= 1

    asyncio.run(run())
