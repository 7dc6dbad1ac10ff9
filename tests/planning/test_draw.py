import re

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.planning.plan import plan_of
from orchestrator.planning.task import Task

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


def alone(action, name="t1"):
    return plan_of("r", (Task(id=name, agent="a", action=action, request="r"),), "model", {"a"})


def test_a_plan_as_text():
    assert PLAN.to_text() == (
        "wave 1\n"
        "  t1  ledger     reads       find the overdue invoices\n"
        "  t2  inbox      no effects  read\n"
        "wave 2\n"
        "  t3  reminders  writes      write a reminder for each  after each item of t1, t2"
    )


def test_a_plan_without_tasks_says_so():
    assert plan_of("r", (), "direct", ()).to_text() == "no tasks"


def test_a_long_action_is_cut_to_the_width_of_a_terminal():
    (_, line) = alone("word " * 100).to_text().splitlines()
    assert len(line) <= 100
    assert line.endswith("…")


def test_a_plan_as_a_mermaid_flowchart():
    assert PLAN.to_mermaid() == (
        "flowchart LR\n"
        '  subgraph wave1["wave 1"]\n'
        '    t1["t1 · ledger · reads<br/>find the overdue invoices"]\n'
        '    t2["t2 · inbox · no effects<br/>read"]\n'
        "  end\n"
        '  subgraph wave2["wave 2"]\n'
        '    t3["t3 · reminders · writes<br/>write a reminder for each"]\n'
        "  end\n"
        '  t1 -- "*" --> t3\n'
        "  t2 --> t3"
    )


def test_a_plan_in_dot():
    assert PLAN.to_dot() == (
        "digraph plan {\n"
        "  rankdir=LR;\n"
        "  node [shape=box];\n"
        "  subgraph cluster_1 {\n"
        '    label="wave 1";\n'
        '    "t1" [label="t1 · ledger · reads\\nfind the overdue invoices"];\n'
        '    "t2" [label="t2 · inbox · no effects\\nread"];\n'
        "  }\n"
        "  subgraph cluster_2 {\n"
        '    label="wave 2";\n'
        '    "t3" [label="t3 · reminders · writes\\nwrite a reminder for each"];\n'
        "  }\n"
        '  "t1" -> "t3" [label="*"];\n'
        '  "t2" -> "t3";\n'
        "}"
    )


def test_marks_that_mean_something_to_mermaid_are_written_by_number():
    drawn = alone('say "hi" to `x` [y] {z} | #1; <b>&').to_mermaid()
    assert "say #34;hi#34; to #96;x#96; #91;y#93; #123;z#125; #124; #35;1#59; #60;b#62;#38;" in drawn


def test_an_id_that_is_a_word_of_mermaid_is_not_a_node_name():
    assert '    n0["end · a · no effects<br/>x"]' in alone("x", name="end").to_mermaid()


def test_quotes_and_backslashes_are_escaped_in_dot():
    assert r'say \"hi\" in C:\\new\\"];' in alone('say "hi" in C:\\new\\').to_dot()


@given(st.text(max_size=80))
def test_whatever_stands_in_an_action_a_drawing_keeps_its_lines_and_can_be_printed(action):
    plan = alone(action)
    assert len(plan.to_text().splitlines()) == 2
    mermaid, dot = plan.to_mermaid().splitlines(), plan.to_dot().splitlines()
    assert (len(mermaid), len(dot)) == (4, 8)
    assert re.fullmatch(r'    t1\["[^"\[\]{}|`\\]*"\]', mermaid[2])
    assert re.fullmatch(r'    "t1" \[label="(?:[^"\\]|\\.)*"\];', dot[5])
    (plan.to_text() + plan.to_mermaid() + plan.to_dot()).encode()
