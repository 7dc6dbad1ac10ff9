from hypothesis import given
from orchestrator.planning.drawing.lanes import rails

from support.plans import plan, plans, task


def drawn(of):
    return [rail.at.rstrip() for rail in rails(of.tasks, of.waves).values()]


def test_a_chain_is_one_lane():
    assert drawn(plan(task("t1"), task("t2", "t1"), task("t3", "t2"))) == ["●", "●", "●"]


def test_a_diamond_parts_and_joins():
    diamond = plan(task("t1"), task("t2", "t1"), task("t3", "t1"), task("t4", "t2", "t3"))
    assert drawn(diamond) == ["●", "├─●", "● │", "●─╯"]


def test_a_line_that_leads_across_another_lane_leaves_it_whole():
    crossed = plan(task("t1"), task("t2"), task("t3", "t1"), task("t4", "t2", "t3"), task("t5", "t1"))
    assert drawn(crossed) == ["●", "│ ●", "├─│─●", "● │ │", "  ●─╯"]


def test_between_a_task_and_the_next_there_is_a_line_or_nothing():
    beside = plan(task("t1"), task("t2"), task("t3", "t1"))
    below = [rail.below for rail in rails(beside.tasks, beside.waves).values()]
    assert below == ["│  ", "│  ", "   "]


@given(plans(15))
def test_every_edge_can_be_followed_from_task_to_task_and_there_are_no_others(of):
    found, lanes = set(), {}
    for id, rail in rails(of.tasks, of.waves).items():
        own = rail.at.index("●")
        joined = {n for n, c in enumerate(rail.at) if c in "├┤┼╰╯┴"} | ({own} & set(lanes))
        ends = sorted({own, *joined})
        assert " " not in rail.at[ends[0] : ends[-1] + 1]
        found |= {(lanes[n], id) for n in joined}
        lanes = {n: id if n == own else lanes[n] for n, c in enumerate(rail.below) if c == "│"}
    assert found == {(dependency, t.id) for t in of.tasks for dependency in t.depends_on}
