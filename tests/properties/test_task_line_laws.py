"""What a planner may write: dressed in any way it is the same plan, and what breaks a law is always found."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from fuzz.task_lines import AGENTS, MOST, check, check_refusal, check_tasks, has_cycle
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.errors import PlanRefused
from orchestrator.ids import TaskId
from orchestrator.planning.lines import TaskLine, parse, render

from support.dressing import BREAKS, CLOTHES, Clothes, dressed
from support.effort import share

MARKS = st.sampled_from(
    [
        "*TASK",
        "`TASK:",
        "**",
        "`",
        "_",
        "*",
        "TASK",
        "\\",
        "|",
        "｜",
        "t1*",
        "none",
        "<think>",
        "</think>",
        "-",
    ]
)
ACTIONS = (
    st.lists(
        MARKS | st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=5),
        min_size=1,
        max_size=5,
    )
    .map(lambda words: " ".join(words).strip())
    .filter(bool)
)


@st.composite
def plans(draw: st.DrawFn, most: int = MOST) -> tuple[TaskLine, ...]:
    """Lawful tasks, in any order, with actions that look like the grammar."""
    count = draw(st.integers(1, most))
    names = [f"t{n}" for n in range(1, count + 1)]
    tasks: list[TaskLine] = []
    for place, name in enumerate(names):
        needs = tuple(
            map(TaskId, draw(st.lists(st.sampled_from(names[:place]), unique=True)) if place else ())
        )
        over = draw(st.sampled_from([None, *needs]))
        tasks.append(TaskLine(TaskId(name), draw(ACTIONS), draw(st.sampled_from(AGENTS)), needs, over))
    return tuple(draw(st.permutations(tasks)))


def read(reply: str) -> tuple[TaskLine, ...]:
    return parse(reply, AGENTS, MOST)


def refused(reply: str) -> list[str]:
    with pytest.raises(PlanRefused) as refusal:
        read(reply)
    check_refusal(refusal.value, reply)
    return [diagnostic.message for diagnostic in refusal.value.diagnostics]


@share(2)
@given(plans())
def test_what_is_written_is_read_whatever_the_actions_say(tasks: tuple[TaskLine, ...]) -> None:
    reply = render(tasks)
    assert read(reply) == tasks
    check_tasks(read(reply), reply)


FRAMES = st.sampled_from(
    [
        "{}",
        "Here is the plan.\n\n{}\n\nLet me know!",
        "<think>\nTASK: t1 | draft | ghost | t9\n</think>\n{}",
        "<reasoning>TASK: t7 | x | y</reasoning>\n```\n{}\n```",
        "TASK: t1 | a thought | ghost\n</thinking>\n{}",
        "TASK: id | action | agent | depends_on\n{}",
        "\ufeff\n{}\n",
    ]
)


@share(2)
@given(
    plans(),
    st.lists(CLOTHES, min_size=MOST, max_size=MOST),
    st.lists(BREAKS, min_size=MOST, max_size=MOST),
    FRAMES,
)
def test_however_a_plan_is_dressed_it_is_the_same_plan(
    tasks: tuple[TaskLine, ...], clothes: list[Clothes], breaks: list[str], frame: str
) -> None:
    tasks = tuple(replace(t, action=f"do {t.id} well") for t in tasks)
    lines = [dressed(line, clothes[n], loose=(0, -2, -1)) for n, line in enumerate(render(tasks).split("\n"))]
    reply = frame.replace("{}", "".join(f"{line}{gap}" for line, gap in zip(lines, breaks, strict=False)))
    assert read(reply) == tasks


@share(2)
@given(plans(), st.data())
def test_one_broken_law_is_always_found(tasks: tuple[TaskLine, ...], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(tasks) - 1))
    broken, said = data.draw(st.sampled_from(breaches(tasks, at)))
    assert any(said in message for message in refused(render(broken))), said


def breaches(tasks: Sequence[TaskLine], at: int) -> list[tuple[list[TaskLine], str]]:
    """The tasks with one law broken at one of them, and what is said of it."""
    task, last = tasks[at], len(tasks)
    more = [replace(task, id=TaskId(f"x{n}")) for n in range(MOST)]
    changes = {
        "unknown agent": replace(task, agent="nobody"),
        "depends on itself": replace(task, depends_on=(*task.depends_on, task.id)),
        "the unknown task": replace(task, depends_on=(*task.depends_on, TaskId("t99"))),
        "is empty": replace(task, action=""),
        "is no id": replace(task, id=TaskId("two words")),
    }
    found = [([*tasks[:at], changed, *tasks[at + 1 :]], said) for said, changed in changes.items()]
    return [
        *found,
        ([*tasks, task], f"id {task.id!r} is taken by line {at + 1}"),
        ([*tasks, *more], f"{last + MOST} tasks are more than {MOST}"),
    ]


@share(2)
@given(st.integers(2, MOST), st.data())
def test_a_cycle_is_refused_exactly_where_there_is_one(count: int, data: st.DataObject) -> None:
    names = [TaskId(f"t{n}") for n in range(count)]
    others = {name: [n for n in names if n != name] for name in names}
    needs = {
        name: tuple(data.draw(st.lists(st.sampled_from(others[name]), unique=True, max_size=2)))
        for name in names
    }
    reply = render([TaskLine(name, "do it", AGENTS[0], needs[name]) for name in names])
    if has_cycle(dict(needs)):
        assert all("form a cycle" in message for message in refused(reply))
    else:
        assert len(read(reply)) == count


@given(
    st.text()
    | st.text("TASK:t1 |*`-\n\\｜<think>/none,inbox\r\u2028")
    | st.binary().map(lambda b: b.decode("latin-1"))
)
def test_any_reply_is_lawful_tasks_or_is_refused_in_place(reply: str) -> None:
    check(reply.encode("utf-8", "surrogatepass"))
