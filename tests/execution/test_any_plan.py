"""Laws of the scheduler over random plans, failures, schedules and limits."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.contract import Call, Item, Output
from orchestrator.errors import TaskError
from orchestrator.execution.settings import Settings
from orchestrator.ids import AgentName
from orchestrator.planning.plan import Plan
from orchestrator.runs.events import Record, TaskDone, TaskExpanded, TaskFailed, TaskSkipped, TaskStarted
from orchestrator.runs.fold import fold

from support.driving import RUN, Driven, go, limits_with, plan, planned, settings_with, task

ENDS = (TaskDone, TaskFailed, TaskSkipped)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    tasks = []
    for n in range(1, draw(st.integers(1, 8)) + 1):
        needs = sorted(draw(st.sets(st.integers(1, n - 1), max_size=3))) if n > 1 else []
        mapped = draw(st.sampled_from([*needs, 0, 0])) if needs else 0
        how = draw(st.sampled_from(["skip", "skip", "run"]))
        named = " ".join(f"t{d}{'*' if d == mapped else ''}" for d in needs)
        tasks.append(task(f"t{n} {draw(st.sampled_from('ab'))}: {named}", on_upstream_failure=how))
    return plan(*tasks)


@st.composite
def settings(draw: st.DrawFn) -> Settings:
    few = limits_with(concurrency=draw(st.integers(1, 3)))
    return settings_with(
        schedule=draw(st.sampled_from(["eager", "waves"])),
        concurrency=draw(st.sampled_from([1, 2, 16])),
        agents={AgentName("a"): few},
    )


class Moody:
    """Fails at what it is told to, in passing or for good; else finds as many items as it is told to."""

    def __init__(self, moods: dict[str, str]) -> None:
        self.moods = moods
        self.keys: list[str] = []

    async def run(self, call: Call) -> Output:
        self.keys.append(call.key)
        unit, attempt = call.key.split("/")[1:]
        mood = self.moods.get(unit.split("[")[0], "fine")
        if mood in ("slow", "busy"):
            await asyncio.sleep(0)
        if mood == "busy" and attempt == "1":
            raise TaskError("busy", passing=True)
        if mood == "bad":
            raise TaskError("bad")
        seen = ",".join(sorted(f"{u.task}={u.output.text or u.error}" for u in call.inputs))
        items = {"none": (), "two": (Item(f"{unit}-1"), Item(f"{unit}-2"))}.get(mood)
        return Output(f"{unit}({seen})", items)


MOODS = st.dictionaries(
    st.sampled_from([f"t{n}" for n in range(1, 9)]),
    st.sampled_from(["bad", "bad", "busy", "slow", "two", "none"]),
    max_size=8,
)


def run(made: Plan, moods: dict[str, str], how: Settings) -> tuple[Driven, Moody]:
    async def drive() -> tuple[Driven, Moody]:
        driven, agent = await planned(made), Moody(moods)
        await go(driven, {"a": agent, "b": agent}, how)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return driven, agent

    return asyncio.run(drive())


@given(plans(), MOODS, settings())
def test_everything_ends_and_ends_once(made: Plan, moods: dict[str, str], how: Settings) -> None:
    driven, _ = run(made, moods, how)
    ended = [e.task for e in driven.events if isinstance(e, ENDS)]
    assert sorted(ended) == sorted(driven.state.tasks)
    assert driven.state.status in ("done", "partial", "failed")


@given(plans(), MOODS, settings())
def test_each_attempt_runs_once_and_is_journaled_before_it_runs(
    made: Plan, moods: dict[str, str], how: Settings
) -> None:
    driven, agent = run(made, moods, how)
    assert len(set(agent.keys)) == len(agent.keys)
    assert sorted(agent.keys) == sorted(e.key for e in driven.of(TaskStarted))


@given(plans(), MOODS, settings())
def test_nothing_starts_before_what_it_depends_on_has_ended(
    made: Plan, moods: dict[str, str], how: Settings
) -> None:
    driven, _ = run(made, moods, how)
    needs = {t.id: set(t.depends_on) for t in made.tasks}
    ended: set[str] = set()
    for event in driven.events:
        if isinstance(event, (TaskStarted, TaskExpanded)):
            assert needs[event.task.split("[")[0]] <= ended
        elif isinstance(event, ENDS):
            ended.add(event.task)


@given(plans(), MOODS, settings())
def test_what_stands_on_a_failure_is_skipped_unless_it_asked_to_run(
    made: Plan, moods: dict[str, str], how: Settings
) -> None:
    driven, _ = run(made, moods, how)
    status = driven.statuses()
    for t in made.tasks:
        lost = [d for d in t.depends_on if status[d] != "done"]
        needed = lost if t.on_upstream_failure == "skip" else [d for d in lost if d == t.map_over]
        assert (status[t.id] == "skipped") == bool(needed)
        if needed:
            assert driven.of(TaskSkipped, t.id)[0].reason.removesuffix(" failed") in status


@given(plans(), MOODS, settings())
def test_schedules_and_limits_change_when_things_run_and_never_what_they_come_to(
    made: Plan, moods: dict[str, str], how: Settings
) -> None:
    one, other = run(made, moods, how)[0].state, run(made, moods, settings_with())[0].state
    assert (one.status, one.reply, one.usage) == (other.status, other.reply, other.usage)
    assert {t: (s.status, s.output) for t, s in one.tasks.items()} == {
        t: (s.status, s.output) for t, s in other.tasks.items()
    }


@given(plans(), MOODS, settings(), st.data())
def test_the_state_is_the_fold_of_the_journal_however_it_is_cut(
    made: Plan, moods: dict[str, str], how: Settings, data: st.DataObject
) -> None:
    driven, _ = run(made, moods, how)
    records = [h for h in driven.heard if isinstance(h, Record)]
    cut = data.draw(st.integers(0, len(records)))
    assert fold(records[cut:], fold(records[:cut])) == fold(records) == driven.state
    assert [r.seq for r in records] == list(range(1, len(records) + 1))
    assert {r.run for r in records} == {RUN}
