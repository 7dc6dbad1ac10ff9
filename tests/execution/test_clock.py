import asyncio
from datetime import UTC

from orchestrator.execution.clock import SystemClock


def test_the_clock_tells_utc_and_never_goes_back() -> None:
    clock = SystemClock()
    assert clock.now().tzinfo is UTC
    assert clock.monotonic() <= clock.monotonic()


def test_a_call_comes_later_unless_its_alarm_is_cancelled() -> None:
    async def run() -> list[str]:
        clock, called, over = SystemClock(), list[str](), asyncio.Event()
        clock.call_later(0, lambda: called.append("cancelled")).cancel()
        clock.call_later(0, over.set)
        await over.wait()
        await clock.sleep(0)
        return called

    assert asyncio.run(run()) == []
