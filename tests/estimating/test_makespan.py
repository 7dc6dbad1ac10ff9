"""The imagined schedule beside the real one: the executor itself, on a clock that does not wait."""

import asyncio
from heapq import heappop, heappush

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.contract import Call, Item, Output
from orchestrator.estimating.makespan import Timetable, Work
from orchestrator.execution.settings import Settings
from orchestrator.ids import AgentName, TaskId
from orchestrator.planning.plan import Plan

from support.driving import go, limits_with, plan, planned, settings_with, task


class Sleeper:
    """Agents that are at work for so long, on a time that passes when nobody has anything else to do."""

    def __init__(self, seconds: dict[str, float], items: dict[str, int]) -> None:
        self.seconds, self.items = seconds, items
        self.now = 0.0
        self.asleep: list[tuple[float, int, asyncio.Future[None]]] = []

    async def run(self, call: Call) -> Output:
        unit = call.key.split("/")[1]
        name = unit.split("[")[0]
        woken = asyncio.get_running_loop().create_future()
        heappush(self.asleep, (self.now + self.seconds[name], len(self.asleep) + 1000 * len(unit), woken))
        await woken
        return Output(unit, tuple(Item(str(n)) for n in range(self.items.get(name, 1))))

    async def pass_time(self) -> None:
        while True:
            for _ in range(30):
                await asyncio.sleep(0)
            if self.asleep:
                self.now, _, woken = heappop(self.asleep)
                woken.set_result(None)


def real(made: Plan, seconds: dict[str, float], items: dict[str, int], how: Settings) -> float:
    async def run() -> float:
        sleeper = Sleeper(seconds, items)
        time = asyncio.create_task(sleeper.pass_time())
        await go(await planned(made), {"a": sleeper, "b": sleeper}, how)
        time.cancel()
        return sleeper.now

    return asyncio.run(run())


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    tasks = []
    for n in range(1, draw(st.integers(1, 6)) + 1):
        needs = sorted(draw(st.sets(st.integers(1, n - 1), max_size=2))) if n > 1 else []
        mapped = draw(st.sampled_from([*needs, 0])) if needs else 0
        named = " ".join(f"t{d}{'*' if d == mapped else ''}" for d in needs)
        tasks.append(task(f"t{n} {draw(st.sampled_from('ab'))}: {named}"))
    return plan(*tasks)


@given(
    plans(),
    st.lists(st.sampled_from([1.0, 2.0, 3.5, 7.25]), min_size=6, max_size=6),
    st.lists(st.integers(0, 3), min_size=6, max_size=6),
    st.sampled_from(["eager", "waves"]),
    st.sampled_from([1, 2, 16]),
    st.sampled_from([1, 2, 8]),
)
def test_an_imagined_run_takes_as_long_as_a_real_one(
    made: Plan, seconds: list[float], found: list[int], schedule: str, at_once: int, each: int
) -> None:
    how = settings_with(
        schedule=schedule,
        concurrency=at_once,
        agents={AgentName(name): limits_with(concurrency=each) for name in "ab"},
    )
    ids = [t.id for t in made.tasks]
    takes = {id: s for id, s in zip(ids, seconds, strict=False)}
    items = {id: n for id, n in zip(ids, found, strict=False)}
    counts: dict[str, int] = {}
    for t in made.tasks:  # a mapped task that another is mapped over has the items of all its children
        units = 1 if t.map_over is None else counts[t.map_over]
        counts[t.id] = units * items[t.id]
    works = {t.id: Work(1 if t.map_over is None else counts[t.map_over], takes[t.id]) for t in made.tasks}
    assert Timetable(made, how).makespan(works) == pytest.approx(real(made, takes, items, how))


def test_many_items_are_taken_together_and_it_is_about_the_same() -> None:
    made, how = plan("t1 a", "t2 b: t1*"), settings_with(agents={AgentName("b"): limits_with(concurrency=4)})
    works = {TaskId("t1"): Work(1, 1.0), TaskId("t2"): Work(1000, 0.5)}
    assert Timetable(made, how).makespan(works) == pytest.approx(1 + 1000 * 0.5 / 4, rel=0.05)


def test_a_task_alone_takes_as_many_rounds_as_there_are_places_for() -> None:
    assert Work(5, 2.0).alone(2) == 6.0
    assert Work(0, 2.0).alone(2) == 0.0
