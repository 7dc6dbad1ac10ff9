from collections.abc import Sequence

import pytest
from orchestrator.agents.contract import Usage
from orchestrator.estimating.whole import Planning, outlook
from orchestrator.ids import AgentName, IntentName, TaskId
from orchestrator.planning.estimate import Estimate
from orchestrator.planning.plan import Plan
from orchestrator.runs.samples import History, Sample

from support.driving import limits_with, plan, settings_with, task

A, B, T1, T2, T3 = AgentName("a"), AgentName("b"), TaskId("t1"), TaskId("t2"), TaskId("t3")
CHAIN = plan("t1 a", "t2 b: t1")


def took(*seconds: float, calls: int = 0, found: int | None = None) -> list[Sample]:
    usage = Usage(calls, 100 * calls, 10 * calls, 0.5 * calls)
    return [Sample(None, 1, s, usage, found) for s in seconds]


def estimated(made: Plan, history: dict[AgentName, Sequence[Sample]], **more: object) -> Estimate:
    calls = {A: None, B: None, **more.pop("calls", {})}  # type: ignore[dict-item]
    rests = more.pop("rests", ())
    return outlook(made, History(history, (), rests), settings_with(), calls=calls, **more).estimate  # type: ignore[arg-type]


def test_without_history_nothing_is_known_and_the_path_is_the_one_with_most_tasks() -> None:
    made = plan("t1 a", "t2 b: t1", "t3 b")
    assert estimated(made, {}) == Estimate(None, None, None, None, 0, (T1, T2))


def test_one_earlier_task_gives_no_range() -> None:
    assert estimated(plan("t1 a"), {A: took(2.0)}) == Estimate(samples=1, critical_path=(T1,))


def test_the_range_of_one_task_is_that_of_its_earlier_ones() -> None:
    found = estimated(plan("t1 a"), {A: took(*range(1, 51), calls=2)})
    assert (found.seconds, found.model_calls, found.tokens, found.money) == (
        (5, 46),
        (2, 2),
        (220, 220),
        (1, 1),
    )
    assert (found.samples, found.coverage) == (50, 0.8)


def test_what_runs_take_beside_their_tasks_is_added() -> None:
    assert estimated(plan("t1 a"), {A: took(2, 2)}, rests=(0.5, 0.5, 0.5)).seconds == (2.5, 2.5)


def test_a_chain_takes_the_sum_and_what_runs_beside_it_the_longer() -> None:
    history = {A: took(1, 1, 1), B: took(3, 3, 3)}
    assert estimated(CHAIN, history).seconds == (4, 4)
    assert estimated(plan("t1 a", "t2 b"), history).seconds == (3, 3)


def test_a_sum_of_many_is_narrower_than_the_sum_of_the_ranges() -> None:
    history = {A: took(*range(1, 30))}
    low, high = estimated(
        plan(*(f"t{n} a: {f't{n - 1}' if n > 1 else ''}" for n in range(1, 9))), history
    ).seconds or (0, 0)
    one, many = estimated(plan("t1 a"), history).seconds or (0, 0)
    assert 8 * one < low < 8 * 15 < high < 8 * many


def test_one_task_without_history_leaves_the_time_open_and_the_path_to_the_hops() -> None:
    found = estimated(plan("t1 a", "t2 b", "t3 b: t2"), {A: took(100, 100)})
    assert (found.seconds, found.tokens, found.samples) == (None, None, 0)
    assert found.critical_path == (T2, T3)


def test_with_history_the_path_is_the_one_that_takes_longest() -> None:
    found = estimated(plan("t1 a", "t2 b", "t3 b: t2"), {A: took(9, 9), B: took(1, 1)})
    assert found.critical_path == (T1,)


def test_a_type_that_calls_no_model_costs_nothing_whatever_there_is_of_history() -> None:
    found = estimated(plan("t1 a"), {}, calls={A: (0, 0)})
    assert (found.model_calls, found.tokens, found.money, found.seconds) == ((0, 0), (0, 0), (0, 0), None)


def test_what_a_type_declares_stands_in_until_there_is_a_history() -> None:
    declared = {A: (1, 9)}
    assert estimated(plan("t1 a", "t2 a"), {}, calls=declared).model_calls == (2, 18)
    found = estimated(plan("t1 a"), {A: took(1, 1, calls=3)}, calls=declared)
    assert found.model_calls == (3, 3)
    assert estimated(plan("t1 a"), {}, calls=declared).tokens is None


def test_samples_of_the_same_intent_are_preferred_where_there_are_enough() -> None:
    quick = [Sample(IntentName("quick"), 1, 1.0)] * 5
    slow = [Sample(IntentName("slow"), 1, 9.0)] * 4
    one = plan(task("t1 a", intent=IntentName("quick")))
    assert estimated(one, {A: [*quick, *slow]}).seconds == (1, 1)
    assert estimated(one, {A: [*quick[:4], *slow]}).seconds == (1, 9)


def test_a_mapped_task_is_as_wide_as_its_source_found_before_and_each_item_as_long() -> None:
    mapped = plan("t1 a", "t2 b: t1*")
    per_item = [Sample(None, 4, 8.0, Usage(4, 40, 0, 2.0)), *took(2, calls=1)]
    found = estimated(mapped, {A: took(1, 1, 1, found=20), B: per_item})
    assert found.seconds == (1 + 3 * 2, 1 + 3 * 2)  # 20 items, 8 at a time
    assert found.model_calls == (20, 20)


def test_a_mapped_task_of_unknown_width_leaves_all_but_no_calls_open() -> None:
    mapped, history = plan("t1 a", "t2 b: t1*"), {A: took(1, 1), B: took(2, 2, calls=1)}
    assert estimated(mapped, history, calls={A: (0, 0)}).model_calls is None
    assert estimated(mapped, history).seconds is None
    assert estimated(mapped, history, calls={A: (0, 0), B: (0, 0)}).model_calls == (0, 0)


def test_no_more_items_are_expected_than_a_mapped_task_may_have() -> None:
    history = History({A: took(1, 1, found=500), B: took(1, 1, calls=1)})
    found = outlook(plan("t1 a", "t2 b: t1*"), history, settings_with(max_items=10), calls={A: (0, 0)})
    assert found.estimate.model_calls == (10, 10)


def test_an_item_less_mapped_task_before_says_nothing_of_an_item() -> None:
    empty = [Sample(None, 0, 0.0)] * 3
    assert estimated(plan("t1 a"), {A: empty}).seconds is None


def test_what_planning_costs_is_added_and_what_it_may_cost_is_open() -> None:
    history = {A: took(1, 1, calls=1)}
    paid = estimated(plan("t1 a"), history, planning=Planning((2, 2), (300, 300), (0.1, 0.1)))
    assert (paid.model_calls, paid.tokens, paid.money) == ((3, 3), (410, 410), (0.6, 0.6))
    asked = estimated(plan("t1 a"), history, planning=Planning((1, 2), None, None))
    assert (asked.model_calls, asked.tokens) == ((2, 3), None)


def test_the_usual_seconds_of_each_task_are_there_for_drawings() -> None:
    history = History({A: took(1, 2, 9, found=3), B: took(4, 4)})
    found = outlook(plan("t1 a", "t2 b: t1*"), history, settings_with(concurrency=2), calls={})
    assert found.seconds == {T1: 2, T2: 8}


@pytest.mark.parametrize(("at_once", "seconds"), [(1, 6.0), (2, 4.0), (3, 2.0)])
def test_limits_of_an_agent_make_it_longer(at_once: int, seconds: float) -> None:
    how = settings_with(agents={A: limits_with(concurrency=at_once)})
    found = outlook(plan("t1 a", "t2 a", "t3 a"), History({A: took(2, 2)}), how, calls={})
    assert found.estimate.seconds == (seconds, seconds)
