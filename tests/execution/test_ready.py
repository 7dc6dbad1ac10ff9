from hypothesis import given
from hypothesis import strategies as st
from orchestrator.execution.ready import Ready, remaining_hops
from orchestrator.ids import TaskId
from orchestrator.planning.plan import Plan

from support.driving import plan, task

DIAMOND = plan("t1 a", "t2 a: t1", "t3 a: t1", "t4 a: t2 t3")


def done(ready: Ready, task: str) -> list[str]:
    follows = ready.ended(TaskId(task), well=True)
    assert list(follows.skipped) == []
    return list(follows.ready)


def failed(ready: Ready, task: str) -> tuple[list[str], list[tuple[str, str]]]:
    follows = ready.ended(TaskId(task), well=False)
    return list(follows.ready), list(follows.skipped)


def test_what_depends_on_nothing_may_start_at_once() -> None:
    assert Ready(plan("t1 a", "t2 a: t1", "t3 a")).first() == ["t1", "t3"]


def test_a_task_is_ready_the_moment_its_last_dependency_has_ended() -> None:
    ready = Ready(DIAMOND)
    assert done(ready, "t1") == ["t2", "t3"]
    assert done(ready, "t3") == []
    assert done(ready, "t2") == ["t4"]


def test_a_dependency_named_twice_counts_once() -> None:
    twice = task("t2 a: t1 t1")
    ready = Ready(Plan("r", (task("t1 a"), twice), ((TaskId("t1"),), (TaskId("t2"),)), "model"))
    assert done(ready, "t1") == ["t2"]


def test_an_end_told_twice_counts_once() -> None:
    ready = Ready(DIAMOND)
    assert done(ready, "t1") == ["t2", "t3"]
    assert done(ready, "t1") == []
    assert ready.left == 3


def test_a_failure_skips_all_that_stand_on_it_and_names_it() -> None:
    ready = Ready(plan("t1 a", "t2 a: t1", "t3 a: t2", "t4 a"))
    assert failed(ready, "t1") == ([], [("t2", "t1 failed"), ("t3", "t1 failed")])
    assert ready.left == 1


def test_a_task_is_skipped_once_though_two_of_its_dependencies_fail() -> None:
    ready = Ready(plan("t1 a", "t2 a", "t3 a: t1 t2"))
    assert failed(ready, "t1") == ([], [("t3", "t1 failed")])
    assert failed(ready, "t2") == ([], [])


def test_a_skipped_task_is_never_ready_though_its_other_dependency_ends_well() -> None:
    ready = Ready(plan("t1 a", "t2 a", "t3 a: t1 t2"))
    failed(ready, "t1")
    assert done(ready, "t2") == []
    assert ready.left == 0


def test_a_dependent_that_asked_for_it_runs_after_a_failure_and_after_a_skip() -> None:
    ready = Ready(plan("t1 a", "t2 a: t1", task("t3 a: t1 t2", on_upstream_failure="run")))
    assert failed(ready, "t1") == (["t3"], [("t2", "t1 failed")])


def test_a_mapped_task_needs_the_result_it_maps_over_whatever_it_asked_for() -> None:
    ready = Ready(plan("t1 a", task("t2 a: t1*", on_upstream_failure="run")))
    assert failed(ready, "t1") == ([], [("t2", "t1 failed")])


def test_in_waves_a_task_waits_for_the_end_of_every_earlier_wave() -> None:
    ready = Ready(plan("t1 a", "t2 a", "t3 a: t1", "t4 a: t3"), "waves")
    assert ready.first() == ["t1", "t2"]
    assert done(ready, "t1") == []
    assert done(ready, "t2") == ["t3"]
    assert done(ready, "t3") == ["t4"]


def test_in_waves_a_skipped_task_does_not_hold_up_its_wave() -> None:
    ready = Ready(plan("t1 a", "t2 a", "t3 a: t1", "t4 a: t2", "t5 a: t4"), "waves")
    assert failed(ready, "t1") == ([], [("t3", "t1 failed")])
    assert done(ready, "t2") == ["t4"]
    assert done(ready, "t4") == ["t5"]


def test_in_waves_a_wave_skipped_as_a_whole_lets_the_next_one_through() -> None:
    ready = Ready(plan("t1 a", "t2 a: t1", task("t3 a: t2", on_upstream_failure="run")), "waves")
    assert failed(ready, "t1") == (["t3"], [("t2", "t1 failed")])


def test_remaining_hops_count_the_longest_way_to_an_end() -> None:
    assert remaining_hops(plan("t1 a", "t2 a: t1", "t3 a: t2", "t4 a: t1", "t5 a")) == {
        "t1": 3,
        "t2": 2,
        "t3": 1,
        "t4": 1,
        "t5": 1,
    }


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    count = draw(st.integers(1, 9))
    tasks = []
    for n in range(1, count + 1):
        needs = draw(st.sets(st.integers(1, n - 1), max_size=3)) if n > 1 else set()
        how = draw(st.sampled_from(["skip", "skip", "run"]))
        tasks.append(task(f"t{n} a: {' '.join(f't{d}' for d in sorted(needs))}", on_upstream_failure=how))
    return plan(*tasks)


@given(plans(), st.sampled_from(["eager", "waves"]), st.data())
def test_every_task_becomes_ready_or_skipped_exactly_once_and_never_before_what_it_depends_on(
    plan: Plan, schedule: str, data: st.DataObject
) -> None:
    ready = Ready(plan, schedule)
    tasks = {t.id: t for t in plan.tasks}
    open_ones, ended, seen = list(ready.first()), set(), list(ready.first())
    while open_ones:
        now = open_ones.pop(data.draw(st.integers(0, len(open_ones) - 1)))
        follows = ready.ended(now, well=data.draw(st.booleans()))
        ended |= {now, *(id for id, _ in follows.skipped)}
        seen += [*follows.ready, *(id for id, _ in follows.skipped)]
        assert all(set(tasks[id].depends_on) <= ended for id in follows.ready)
        open_ones += follows.ready
    assert sorted(seen) == sorted(tasks)
    assert ready.left == 0
