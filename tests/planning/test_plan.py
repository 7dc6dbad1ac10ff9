import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.errors import PlanRefused
from orchestrator.planning.plan import plan_of
from orchestrator.planning.task import Task


def task(name, *depends_on, agent="a", **more):
    return Task(id=name, agent=agent, action=name, request="r", depends_on=depends_on, **more)


def refused(*tasks):
    with pytest.raises(PlanRefused) as refusal:
        plan_of("r", tasks, "model", {"a"})
    return [str(d) for d in refusal.value.diagnostics]


def test_tasks_without_dependencies_are_one_wave():
    assert plan_of("r", (task("t1"), task("t2")), "split", {"a"}).waves == (("t1", "t2"),)


def test_a_plan_may_have_no_tasks():
    plan = plan_of("r", (), "direct", {"a"})
    assert (plan.waves, plan.effects) == ((), "none")


def test_a_diamond_has_three_waves():
    plan = plan_of(
        "r", (task("t1"), task("t2", "t1"), task("t3", "t1"), task("t4", "t2", "t3")), "model", {"a"}
    )
    assert plan.waves == (("t1",), ("t2", "t3"), ("t4",))


def test_every_broken_law_is_reported_at_once():
    assert refused(
        task("t1"),
        task("t1", agent="ghost"),
        task("t2", "t2"),
        task("t3", "t9"),
        task("t4", "t1", "t1"),
        task("t5", map_over="t1"),
    ) == [
        "two tasks are called 't1'; give each its own id",
        "task 't1' names the unknown agent 'ghost'; known are: a",
        "task 't2' depends on itself; remove the dependency",
        "task 't3' depends on the unknown task 't9'",
        "task 't4' names a dependency twice; name it once",
        "task 't5' maps over 't1' without depending on it",
    ]


def test_a_cycle_is_refused_and_never_becomes_a_wave():
    assert refused(task("t0"), task("t1", "t2"), task("t2", "t1")) == [
        "the tasks form a cycle: t1 -> t2 -> t1; remove one dependency"
    ]


def test_the_effects_of_a_plan_are_the_strongest_of_its_tasks():
    tasks = (task("t1", effects="none"), task("t2", effects="read"))
    assert plan_of("r", tasks, "split", {"a"}).effects == "read"
    assert plan_of("r", (*tasks, task("t3", effects="write")), "split", {"a"}).effects == "write"


def test_ten_thousand_tasks_are_planned():
    tasks = [task(f"t{n}", *([f"t{n - 100}"] if n >= 100 else [])) for n in range(10_000)]
    assert [len(wave) for wave in plan_of("r", tasks, "model", {"a"}).waves] == [100] * 100


def test_networkx_is_loaded_for_dependencies_only():
    program = """
import sys
from orchestrator.planning.plan import plan_of
from orchestrator.planning.task import Task
a = Task(id="t1", agent="a", action="x", request="x")
b = Task(id="t2", agent="a", action="x", request="x")
plan_of("r", (a, b), "split", {"a"})
assert "networkx" not in sys.modules and "pydantic" not in sys.modules
plan_of("r", (a, Task(id="t2", agent="a", action="x", request="x", depends_on=("t1",))), "split", {"a"})
assert "networkx" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@given(st.data())
def test_the_waves_partition_the_plan_and_come_after_what_they_need(data):
    names = [f"t{n}" for n in range(data.draw(st.integers(0, 12)))]
    tasks = [
        task(
            name, *data.draw(st.lists(st.sampled_from(names[:place]), unique=True) if place else st.just([]))
        )
        for place, name in enumerate(names)
    ]
    plan = plan_of("r", data.draw(st.permutations(tasks)), "model", {"a"})
    wave_of = {name: number for number, wave in enumerate(plan.waves) for name in wave}
    assert sorted(name for wave in plan.waves for name in wave) == sorted(names)
    for t in tasks:
        assert wave_of[t.id] == max((wave_of[d] + 1 for d in t.depends_on), default=0)
