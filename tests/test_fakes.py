import asyncio
from datetime import UTC, datetime

import pytest
from orchestrator.agents.contract import Call, Output
from orchestrator.errors import TaskError
from orchestrator.testing import FakeClock, ScriptedAgent

CALL = Call("q", "look", "look")


def test_a_fake_clock_stands_still_until_it_is_moved() -> None:
    clock = FakeClock(datetime(2026, 5, 1, tzinfo=UTC))
    assert clock.now() == clock.now() == datetime(2026, 5, 1, tzinfo=UTC)
    clock.advance(90)
    assert (clock.now(), clock.monotonic()) == (datetime(2026, 5, 1, 0, 1, 30, tzinfo=UTC), 90)


def test_a_fake_clock_rings_in_the_order_of_time_and_tells_the_time_of_each() -> None:
    clock, rung = FakeClock(), list[float]()
    for seconds in (30, 10, 20):
        clock.call_later(seconds, lambda: rung.append(clock.monotonic()))
    clock.call_later(15, lambda: rung.append(-1)).cancel()
    clock.advance(25)
    assert rung == [10, 20]
    clock.advance(25)
    assert rung == [10, 20, 30]


def test_sleeping_moves_a_fake_clock_and_is_kept() -> None:
    clock = FakeClock()
    asyncio.run(clock.sleep(7))
    assert (clock.monotonic(), clock.slept) == (7, [7])


def test_a_scripted_agent_does_what_it_is_told_call_by_call() -> None:
    async def third(call: Call) -> Output:
        return Output(call.action)

    async def run() -> None:
        agent = ScriptedAgent("one", TaskError("two"), third)
        assert await agent.run(CALL) == Output("one")
        with pytest.raises(TaskError, match="two"):
            await agent.run(CALL)
        assert await agent.run(CALL) == Output("look")
        agent.check()

    asyncio.run(run())


def test_a_scripted_agent_fails_on_a_call_too_many_also_when_nobody_saw_the_error() -> None:
    async def run() -> None:
        agent = ScriptedAgent()
        with pytest.raises(AssertionError, match="0 calls were expected, and 1 came: look"):
            await agent.run(CALL)
        with pytest.raises(AssertionError):
            agent.check()

    asyncio.run(run())


def test_a_scripted_agent_fails_on_a_reply_nobody_asked_for() -> None:
    with pytest.raises(AssertionError, match="1 calls were expected, and 0 came: none"):
        ScriptedAgent("left over").check()
