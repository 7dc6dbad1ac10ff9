import re

from hypothesis import given
from hypothesis import strategies as st

from support.plans import plan, task


def test_a_plan_as_a_mermaid_flowchart():
    drawn = plan(
        task("t1", does="read", to="find the overdue invoices"),
        task("t2", to="read"),
        task("t3", "t1", "t2", over="t1", does="write", to="write a reminder for each"),
    ).to_mermaid()
    assert drawn == (
        "flowchart LR\n"
        '  subgraph wave1["wave 1"]\n'
        '    t1["t1 · a · reads<br/>find the overdue invoices"]\n'
        '    t2["t2 · a · no effects<br/>read"]\n'
        "  end\n"
        '  subgraph wave2["wave 2"]\n'
        '    t3["t3 · a · writes<br/>write a reminder for each"]\n'
        "  end\n"
        '  t1 == "once per item" ==> t3\n'
        "  t2 --> t3"
    )


def test_marks_that_mean_something_to_mermaid_are_written_by_number():
    drawn = plan(task("t1", to='say "hi" to `x` [y] {z} | #1; <b>&')).to_mermaid()
    assert "say #34;hi#34; to #96;x#96; #91;y#93; #123;z#125; #124; #35;1#59; #60;b#62;#38;" in drawn


def test_an_id_that_is_a_word_of_mermaid_is_not_a_node_name():
    assert '    n0["end · a · no effects<br/>x"]' in plan(task("end", to="x")).to_mermaid()


@given(st.text(max_size=80))
def test_whatever_stands_in_an_action_is_one_label(action):
    lines = plan(task("t1", to=action)).to_mermaid().splitlines()
    assert len(lines) == 4
    assert re.fullmatch(r'    t1\["[^"\[\]{}|`\\]*"\]', lines[2])
    lines[2].encode()
