import re

from hypothesis import given
from hypothesis import strategies as st

from support.plans import plan, task


def test_a_plan_in_dot():
    drawn = plan(
        task("t1", does="read", to="find the overdue invoices"),
        task("t2", to="read"),
        task("t3", "t1", "t2", over="t1", does="write", to="write a reminder for each"),
    ).to_dot()
    assert drawn == (
        "digraph plan {\n"
        "  rankdir=LR;\n"
        "  node [shape=box];\n"
        "  subgraph cluster_1 {\n"
        '    label="wave 1";\n'
        '    "t1" [label="t1 · a · reads\\nfind the overdue invoices", style=rounded];\n'
        '    "t2" [label="t2 · a · no effects\\nread"];\n'
        "  }\n"
        "  subgraph cluster_2 {\n"
        '    label="wave 2";\n'
        '    "t3" [label="t3 · a · writes\\nwrite a reminder for each", peripheries=2];\n'
        "  }\n"
        '  "t1" -> "t3" [label="once per item", penwidth=3];\n'
        '  "t2" -> "t3";\n'
        "}"
    )


def test_quotes_and_backslashes_are_escaped_in_dot():
    assert r'say \"hi\" in C:\\new\\"];' in plan(task("t1", to='say "hi" in C:\\new\\')).to_dot()


@given(st.text(max_size=80))
def test_whatever_stands_in_an_action_is_one_string(action):
    lines = plan(task("t1", to=action)).to_dot().splitlines()
    assert len(lines) == 8
    assert re.fullmatch(r'    "t1" \[label="(?:[^"\\]|\\.)*"\];', lines[5])
    lines[5].encode()
