from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.planning.graph import find_cycles, generations
from orchestrator.planning.task import Task


def task(name, *depends_on):
    return Task(id=name, agent="a", action="x", request="x", depends_on=depends_on)


def test_generations_are_in_plan_order():
    tasks = [task("c"), task("z", "c"), task("a"), task("b", "a", "c"), task("d", "b", "z")]
    assert generations(tasks) == (("c", "a"), ("z", "b"), ("d",))


def test_a_cycle_has_no_generations_and_is_shown_as_a_closed_path():
    tasks = [task("t1", "t3"), task("t2", "t1"), task("t3", "t2"), task("t4", "t3")]
    assert generations(tasks) is None
    assert find_cycles(tasks) == (("t1", "t2", "t3", "t1"),)


def test_each_knot_is_shown_once_by_a_shortest_path_through_its_first_task():
    tasks = [
        task("a", "b", "c"),
        task("b", "a"),
        task("c", "b"),
        task("x", "y"),
        task("y", "x"),
        task("self", "self"),
    ]
    assert find_cycles(tasks) == (("a", "b", "a"), ("x", "y", "x"), ("self", "self"))


def test_dependencies_on_unknown_tasks_are_no_edges():
    assert generations([task("t1", "ghost"), task("t2", "t1")]) == (("t1",), ("t2",))
    assert find_cycles([task("t1", "ghost")]) == ()


@given(st.data())
def test_a_graph_has_generations_exactly_where_it_has_no_cycles(data):
    names = [f"t{n}" for n in range(data.draw(st.integers(1, 7)))]
    tasks = [task(name, *data.draw(st.lists(st.sampled_from(names), unique=True))) for name in names]
    cycles = find_cycles(tasks)
    assert (generations(tasks) is None) == bool(cycles)
    needs = {t.id: t.depends_on for t in tasks}
    for cycle in cycles:
        assert cycle[0] == cycle[-1]
        assert all(before in needs[after] for before, after in pairwise(cycle))
