from hypothesis import given
from orchestrator.planning.drawing.critical import critical_path, emphasised

from support.plans import plan, plans, task

DIAMOND = plan(task("t1"), task("t2", "t1"), task("t3", "t1"), task("t4", "t2", "t3"), task("t5"))


def path(of, seconds=None):
    return critical_path(of.tasks, of.waves, seconds)


def test_without_seconds_the_path_with_most_tasks_is_the_longest_and_of_equals_the_first():
    assert path(DIAMOND) == ("t1", "t2", "t4")


def test_with_seconds_the_slowest_path_is_the_longest():
    assert path(DIAMOND, {"t1": 1, "t2": 1, "t3": 2.5, "t4": 1}) == ("t1", "t3", "t4")
    assert path(DIAMOND, {"t5": 9}) == ("t5",)


def test_a_plan_without_tasks_has_no_path():
    assert path(plan()) == ()


def test_only_a_path_with_something_beside_it_is_emphasised():
    chain = plan(task("t1"), task("t2", "t1"))
    assert emphasised(path(chain), chain.tasks) == ()
    beside = plan(task("t1"), task("t2"))
    assert emphasised(path(beside), beside.tasks) == ()
    assert emphasised(path(DIAMOND), DIAMOND.tasks) == ("t1", "t2", "t4")


@given(plans(12))
def test_the_path_has_one_task_of_each_wave(of):
    wave_of = {id: n for n, wave in enumerate(of.waves) for id in wave}
    assert [wave_of[id] for id in path(of)] == list(range(len(of.waves)))
