"""Ids that sort by their time, and the hash that says whether two plans do the same."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from typing import Any
from uuid import RFC_4122, UUID

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from orchestrator.ids import AgentName, TaskId
from orchestrator.planning.plan import Plan, plan_of
from orchestrator.planning.task import Task
from orchestrator.runs.identity import RANDOM_BYTES, plan_hash, run_id

from support.driving import plan, task
from support.events import instances

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TIMES = st.datetimes(datetime(1970, 1, 1), datetime(2600, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
CHANCE = st.binary(min_size=RANDOM_BYTES, max_size=RANDOM_BYTES)


@given(TIMES, CHANCE)
def test_a_run_is_known_by_a_uuid_of_version_7(now: datetime, chance: bytes) -> None:
    id = run_id(now, chance)
    uuid = UUID(id)
    assert (uuid.version, uuid.variant, uuid.hex) == (7, RFC_4122, id)


@given(TIMES, CHANCE)
def test_its_first_48_bits_are_the_milliseconds_since_1970(now: datetime, chance: bytes) -> None:
    milliseconds = UUID(run_id(now, chance)).int >> 80
    assert EPOCH + timedelta(milliseconds=milliseconds) == now.replace(
        microsecond=now.microsecond // 1000 * 1000
    )


@given(CHANCE, CHANCE)
def test_its_other_74_bits_are_chance(one: bytes, other: bytes) -> None:
    def free(chance: bytes) -> int:
        number = int.from_bytes(chance, "big")
        return number & ~(0xF << 76) & ~(0b11 << 62)

    same_id = run_id(EPOCH, one) == run_id(EPOCH, other)
    assert same_id == (free(one) == free(other))
    assert UUID(run_id(EPOCH, one)).int & free(b"\xff" * 10) == free(one)


def test_the_example_of_the_standard() -> None:
    """RFC 9562, appendix A.6: 22 February 2022, 14:22:22 in the east of America, with its random bits."""
    now = datetime(2022, 2, 22, 14, 22, 22, tzinfo=timezone(timedelta(hours=-5)))
    chance = bytes.fromhex("0cc3" + "18c4dc0c0c07398f")
    assert run_id(now, chance) == "017f22e279b07cc398c4dc0c0c07398f"


@given(st.lists(st.tuples(TIMES, CHANCE), min_size=2, max_size=8))
def test_ids_sort_by_their_time(made: list[tuple[datetime, bytes]]) -> None:
    made.sort(key=lambda one: one[0])
    for (early, one), (late, other) in pairwise(made):
        if late - early >= timedelta(milliseconds=1):
            assert run_id(early, one) < run_id(late, other)


def test_ids_of_one_moment_differ_by_chance() -> None:
    ids = {run_id(EPOCH, number.to_bytes(RANDOM_BYTES, "big")) for number in range(1000)}
    assert len(ids) == 1000


# ── what a plan is known by ─────────────────────────────────────────────────────────────────────────────

PLAN = plan(task("t1 a", effects="read"), task("t2 b: t1*"), "t3 c: t2")


def test_plans_that_do_the_same_have_the_same_hash() -> None:
    same = plan(task("t1 a", effects="read"), task("t2 b: t1*"), "t3 c: t2")
    assert plan_hash(PLAN) == plan_hash(same)
    assert len(plan_hash(PLAN)) == 64


@pytest.mark.parametrize(
    "words",
    [
        {"warnings": ("look out",)},
        {"collapse_reason": "one agent"},
        {"revisions": ("feedback: shorter",)},
        {"source": "joint"},
    ],
)
def test_how_a_plan_was_found_and_what_is_said_of_it_does_not_change_its_hash(words: dict[str, Any]) -> None:
    assert plan_hash(replace(PLAN, **words)) == plan_hash(PLAN)


@pytest.mark.parametrize("field", [field.name for field in fields(Task)])
@given(data=st.data())
def test_whatever_changes_in_a_task_changes_the_hash(field: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(PLAN.tasks) - 1))
    changed = replace(PLAN.tasks[place], **{field: getattr(data.draw(instances(Task)), field)})
    assume(changed != PLAN.tasks[place])
    tasks = tuple(changed if n == place else kept for n, kept in enumerate(PLAN.tasks))
    assert plan_hash(replace(PLAN, tasks=tasks)) != plan_hash(PLAN)


@pytest.mark.parametrize("tasks", [PLAN.tasks[:2], PLAN.tasks[::-1], (*PLAN.tasks, PLAN.tasks[0]), ()])
def test_a_task_more_or_less_or_in_another_place_changes_the_hash(tasks: tuple[Task, ...]) -> None:
    assert plan_hash(replace(PLAN, tasks=tasks)) != plan_hash(PLAN)


def test_the_hash_is_the_same_on_every_machine_and_day() -> None:
    only = Task(TaskId("t1"), AgentName("a"), "say hello", "say hello")
    made: Plan = plan_of("say hello", [only], "direct", ["a"])
    assert plan_hash(made) == "cd17073af38a8f0698322710ad2732851f015404beed5d4af7d931c8f6570dd2"
