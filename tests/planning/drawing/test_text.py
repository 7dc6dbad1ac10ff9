from hypothesis import given
from hypothesis import strategies as st
from orchestrator.planning.drawing.width import cells
from orchestrator.planning.plan import plan_of
from orchestrator.planning.task import Task

from support.plans import plan, plans, task

TASKS = (
    Task(id="t1", agent="ledger", action="find the overdue invoices", request="r", effects="read"),
    Task(id="t2", agent="inbox", action="read", request="r"),
    Task(
        id="t3",
        agent="reminders",
        action="write a reminder for each",
        request="r",
        depends_on=("t1", "t2"),
        map_over="t1",
        effects="write",
    ),
)
PLAN = plan_of("r", TASKS, "split", {"ledger", "inbox", "reminders"})


def test_a_plan_as_text():
    assert PLAN.to_text() == (
        "     wave 1\n"
        "●      t1  ledger     reads       find the overdue invoices\n"
        "│ ●    t2  inbox      no effects  read\n"
        "│ │  wave 2\n"
        "●─╯    t3  reminders  writes      write a reminder for each  after each item of t1, t2"
    )


def test_a_narrow_terminal_gives_a_task_several_lines():
    assert PLAN.to_text(44) == (
        "     wave 1\n"
        "●      t1 ledger, reads\n"
        "│        find the overdue invoices\n"
        "│ ●    t2 inbox, no effects\n"
        "│ │      read\n"
        "│ │  wave 2\n"
        "●─╯    t3 reminders, writes\n"
        "         write a reminder for each\n"
        "         after each item of t1, t2"
    )


def test_without_edges_there_are_no_lines_beside():
    assert plan(task("t1"), task("t2", to="rest")).to_text() == (
        "wave 1\n  t1  a  no effects  do it\n  t2  a  no effects  rest"
    )


def test_more_lanes_than_there_is_room_for_are_left_to_the_words():
    many = [task(f"t{n}") for n in range(30)]
    text = plan(*many, task("last", *(t.id for t in many))).to_text(60)
    assert "●" not in text
    assert "after t0, t1, t2" in text
    assert "t29" in text.splitlines()[-1]


def test_a_plan_without_tasks_says_so():
    assert plan().to_text() == "no tasks"


def test_a_long_action_is_cut_to_the_width_of_a_terminal():
    (_, line) = plan(task("t1", to="word " * 100)).to_text().splitlines()
    assert len(line) <= 100
    assert line.endswith("…")


@given(plans(12), st.integers(40, 130))
def test_no_line_is_wider_than_the_terminal_and_each_edge_is_told(of, width):
    text = of.to_text(width)
    assert max(map(cells, text.splitlines())) <= width
    words = " ".join("".join(c for c in text if c not in "●│─├┤┼╰╯┴").split())
    for t in of.tasks:
        told = ", ".join(f"each item of {d}" if d == t.map_over else d for d in t.depends_on)
        assert f"after {told}" in words or not told
    text.encode()
