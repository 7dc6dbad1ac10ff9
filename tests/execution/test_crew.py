import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from orchestrator.errors import TaskError
from orchestrator.execution.clock import Alarm
from orchestrator.execution.crew import Crew, Hand
from orchestrator.execution.retry import TimedOut
from orchestrator.testing import FakeClock

Work = Callable[[], Awaitable[str]]


async def forever() -> str:
    await asyncio.Event().wait()
    raise AssertionError


def crew_with(*works: tuple[Work, float]) -> tuple[Crew, FakeClock, list[object]]:
    """A crew of one hand per work; each hand notes what its work came to."""
    clock, ends = FakeClock(), list[object]()
    crew = Crew(clock)

    async def note(work: Work, seconds: float, hand: Hand) -> None:
        try:
            with hand.cuttable(seconds):
                ends.append(await work())
        except TaskError as error:
            ends.append(str(error))

    for work, seconds in works:
        crew.spawn(partial(note, work, seconds))
    return crew, clock, ends


async def turns(count: int = 3) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def test_waiting_ends_when_all_have_left() -> None:
    async def run() -> None:
        async def quick() -> str:
            return "done"

        crew, _, ends = crew_with((quick, 5), (quick, 5))
        assert not crew.gone
        await crew.wait(None)
        assert (ends, crew.gone) == (["done", "done"], True)

    asyncio.run(run())


def test_each_is_cut_off_at_its_own_deadline_by_one_alarm() -> None:
    async def run() -> None:
        crew, clock, ends = crew_with((forever, 20), (forever, 5), (forever, 10))
        await turns()
        for seconds, expected in (
            (4, []),
            (1, ["timed out after 5 s"]),
            (6, ["timed out after 5 s", "timed out after 10 s"]),
            (9, ["timed out after 5 s", "timed out after 10 s", "timed out after 20 s"]),
        ):
            clock.advance(seconds)
            await turns()
            assert ends == expected
        await crew.wait(None)

    asyncio.run(run())


def test_a_deadline_that_was_kept_cuts_nothing_off_later() -> None:
    async def run() -> None:
        clock, gate, done = FakeClock(), asyncio.Event(), list[str]()
        crew = Crew(clock)

        async def in_time() -> str:
            return "in time"

        async def two(hand: Hand) -> None:
            with hand.cuttable(5):
                done.append(await in_time())
            await gate.wait()
            done.append("to its end")

        crew.spawn(two)
        await turns()
        clock.advance(6)
        await turns()
        gate.set()
        await crew.wait(None)
        assert done == ["in time", "to its end"]

    asyncio.run(run())


def test_a_hand_is_sound_after_it_was_late() -> None:
    async def run() -> None:
        clock, ends = FakeClock(), list[object]()
        crew = Crew(clock)

        async def again() -> str:
            await asyncio.sleep(0)
            return "again"

        async def twice(hand: Hand) -> None:
            with pytest.raises(TimedOut), hand.cuttable(5):
                await forever()
            assert hand.task.cancelling() == 0
            with hand.cuttable(5):
                ends.append(await again())

        crew.spawn(twice)
        await turns()
        clock.advance(5)
        await crew.wait(None)
        assert ends == ["again"]

    asyncio.run(run())


def test_an_error_made_of_a_cut_at_the_deadline_is_the_deadline() -> None:
    async def run() -> None:
        async def disguises() -> str:
            try:
                return await forever()
            except asyncio.CancelledError:
                raise RuntimeError("connection closed") from None

        crew, clock, ends = crew_with((disguises, 5))
        await turns()
        clock.advance(5)
        await crew.wait(None)
        assert ends == ["timed out after 5 s"]

    asyncio.run(run())


def test_the_fault_of_one_stops_all_and_is_raised() -> None:
    async def run() -> None:
        crew, _, ends = crew_with((forever, 5))

        async def fault(hand: Hand) -> None:
            await turns()
            raise ValueError("broken")

        crew.spawn(fault)
        with pytest.raises(ValueError, match="broken"):
            await crew.wait(None)
        assert (ends, crew.gone) == ([], True)

    asyncio.run(run())


def test_what_may_not_be_cut_off_is_let_end() -> None:
    async def run() -> None:
        crew, gate, ends = Crew(FakeClock()), asyncio.Event(), list[str]()

        async def append(hand: Hand) -> None:
            await gate.wait()
            ends.append("appended")

        crew.spawn(append)
        await turns()
        crew.stop()
        waiting = asyncio.create_task(crew.wait(None))
        await turns()
        assert not waiting.done()
        gate.set()
        await waiting
        assert ends == ["appended"]

    asyncio.run(run())


def test_nothing_that_may_be_cut_off_begins_once_all_are_stopping() -> None:
    async def run() -> None:
        crew, _, ends = crew_with((forever, 5))
        crew.stop()
        await crew.wait(None)
        assert ends == []

    asyncio.run(run())


def test_no_alarm_is_left_when_all_have_left() -> None:
    class Bell(FakeClock):
        rung = 0

        def call_later(self, seconds: float, call: Callable[[], object]) -> Alarm:
            def ring() -> None:
                self.rung += 1
                call()

            return super().call_later(seconds, ring)

    async def run() -> None:
        async def quick() -> str:
            return "done"

        async def work(hand: Hand) -> None:
            with hand.cuttable(5):
                await quick()

        clock = Bell()
        crew = Crew(clock)
        crew.spawn(work)
        await crew.wait(None)
        clock.advance(60)
        assert clock.rung == 0

    asyncio.run(run())
