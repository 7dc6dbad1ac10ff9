import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.comparison import comparison_of
from orchestrator.planning.collapse import collapse
from orchestrator.planning.grounds.assumption import Assumption
from orchestrator.planning.plan import plan_of
from orchestrator.planning.task import Task, assigned

from support.turns import agent

REQUEST = "find dues, write them up, and tell Bob"
AGENTS = {
    "loop": agent("loop", "write", "many"),
    "other": agent("other", "read", "many"),
    "single": agent("single", "read", "one"),
}


def task(name, serves, *depends_on, **more):
    return assigned(
        Task(id=name, agent=serves, action=f"do {name}", request=REQUEST, depends_on=depends_on, **more),
        AGENTS,
    )


WHOLE = (0, len(REQUEST))


def collapsed(*tasks, mode="whole", asked=WHOLE, source="model"):
    return collapse(plan_of(REQUEST, tasks, source, AGENTS, warnings=("w",)), mode, AGENTS, asked)


def test_a_chain_of_one_agent_of_many_steps_becomes_the_direct_plan_with_the_whole_request():
    plan = collapsed(task("a", "loop"), task("b", "loop", "a"), task("c", "loop", "b"))
    (only,) = plan.tasks
    assert (plan.source, plan.collapsed, plan.waves, plan.warnings) == ("direct", True, (("t1",),), ("w",))
    assert (only.id, only.action, only.depends_on, only.source_span) == ("t1", REQUEST, (), (0, len(REQUEST)))
    assert plan.collapse_reason == (
        "all 3 tasks are one chain of 'loop', which carries several steps through by itself"
    )


def test_the_action_is_what_is_asked_without_an_address():
    assert collapsed(task("a", "loop"), asked=(5, len(REQUEST))).tasks[0].action == REQUEST[5:]


def test_a_mapped_link_collapses_with_its_chain_and_says_so():
    plan = collapsed(task("a", "loop"), task("b", "loop", "a", map_over="a"))
    assert plan.tasks[0].map_over is None
    assert plan.collapse_reason.endswith("by itself, also once per item")


def test_a_plan_of_one_task_takes_the_whole_request_in_every_mode():
    for mode in ("whole", "segments", "off"):
        plan = collapsed(task("t7", "single"), mode=mode)
        assert [(t.id, t.action) for t in plan.tasks] == [("t1", REQUEST)]
        assert (plan.source, plan.collapsed) == ("direct", True)


def test_what_the_links_of_a_chain_take_for_granted_its_one_task_does_each_thing_once():
    late, gate = Assumption("delay", comparison_of({"lte": 1})), Assumption("gate", comparison_of("B4"))
    tasks = (
        task("a", "loop", assumes=(late,)),
        task("b", "loop", "a", assumes=(gate, late)),
        task("c", "other", "b", assumes=(gate,)),
    )
    assert collapsed(*tasks[:2]).tasks[0].assumes == (late, gate)
    assert [t.assumes for t in collapsed(*tasks, mode="segments").tasks] == [(late, gate), (gate,)]


def test_an_agent_of_one_step_keeps_its_chain():
    plan = collapsed(task("a", "single"), task("b", "single", "a"))
    assert (len(plan.tasks), plan.collapsed) == (2, False)
    assert plan.collapse_reason == "agent 'single' does one step at a time (steps: one)"


def test_tasks_of_one_agent_that_can_run_at_once_keep_their_shape():
    plan = collapsed(task("a", "loop"), task("b", "loop"))
    assert (len(plan.tasks), plan.collapse_reason) == (2, "2 tasks of wave 1 can run at once")


def test_a_plan_across_agents_keeps_its_shape():
    plan = collapsed(task("a", "loop"), task("b", "other", "a"))
    assert (len(plan.tasks), plan.collapse_reason) == (2, "its tasks go to 2 agents: loop, other")


def test_off_collapses_no_chain_and_says_so():
    plan = collapsed(task("a", "loop"), task("b", "loop", "a"), mode="off")
    assert (len(plan.tasks), plan.collapse_reason) == (2, "collapse is off")


def test_a_joint_plan_keeps_its_milestones():
    plan = collapsed(task("a", "loop"), task("b", "loop", "a"), source="joint")
    assert (len(plan.tasks), plan.collapsed) == (2, False)


@pytest.mark.parametrize("source", ["direct", "model"])
def test_an_empty_or_direct_plan_is_left_as_it_is(source):
    tasks = (task("t1", "loop"),) if source == "direct" else ()
    plan = collapsed(*tasks, source=source)
    assert (plan.tasks, plan.collapsed, plan.collapse_reason) == (tasks, False, None)


def test_segments_merge_links_whose_middle_nobody_else_reads():
    plan = collapsed(
        task("t1", "loop", source_span=(0, 9)),
        task("t2", "loop", "t1", source_span=(11, 24)),
        task("t3", "other", "t2", source_span=(30, 38)),
        mode="segments",
    )
    assert [(t.id, t.action, t.depends_on, t.source_span) for t in plan.tasks] == [
        ("t2", "find dues, write them up", (), (0, 24)),
        ("t3", "do t3", ("t2",), (30, 38)),
    ]
    assert (plan.source, plan.collapsed, plan.collapse_reason) == (
        "model",
        True,
        "t1, t2 of 'loop' became t2",
    )


def test_segments_keep_a_middle_that_others_read():
    tasks = (task("t1", "loop"), task("t2", "loop", "t1"), task("t3", "other", "t1", "t2"))
    plan = collapsed(*tasks, mode="segments")
    assert (plan.tasks, plan.collapsed) == (tasks, False)
    assert plan.collapse_reason == (
        "its tasks go to 2 agents: loop, other; no two links of one agent stand alone"
    )


def test_segments_do_not_carry_a_mapped_head_over_to_what_reads_all_its_items():
    tasks = (task("t1", "other"), task("t2", "loop", "t1", map_over="t1"), task("t3", "loop", "t2"))
    assert collapsed(*tasks, mode="segments").tasks == tasks


def test_segments_whose_words_lie_apart_are_written_one_below_the_other():
    plan = collapsed(
        task("t1", "loop", source_span=(0, 9)),
        task("t2", "loop", "t1", source_span=(30, 38)),
        task("t3", "other", source_span=(11, 24)),
        mode="segments",
    )
    assert [(t.action, t.source_span) for t in plan.tasks] == [("do t1\ndo t2", None), ("do t3", (11, 24))]


@st.composite
def plans(draw):
    tasks = []
    for place in range(draw(st.integers(1, 7))):
        earlier = [t.id for t in tasks]
        needs = draw(st.lists(st.sampled_from(earlier), unique=True, max_size=2)) if earlier else []
        mapped = draw(st.sampled_from([None, *needs]))
        tasks.append(task(f"t{place + 1}", draw(st.sampled_from(sorted(AGENTS))), *needs, map_over=mapped))
    return plan_of(REQUEST, tasks, "model", AGENTS)


def reach(plan):
    """The tasks that each task waits for, near and far."""
    found = {}
    for name in (name for wave in plan.waves for name in wave):
        needs = next(t.depends_on for t in plan.tasks if t.id == name)
        found[name] = set(needs).union(*(found[d] for d in needs))
    return found


@given(plans(), st.sampled_from(["whole", "segments", "off"]))
def test_collapse_keeps_agents_effects_and_the_order_of_what_survives(plan, mode):
    after = collapse(plan, mode, AGENTS, (0, len(REQUEST)))
    assert after.effects == plan.effects
    assert {t.agent for t in after.tasks} == {t.agent for t in plan.tasks}
    assert len(after.tasks) <= len(plan.tasks)
    assert after.collapse_reason
    if after.source != "direct":
        before, now = reach(plan), reach(after)
        agents = {t.id: t.agent for t in plan.tasks}
        assert all(t.agent == agents[t.id] for t in after.tasks)
        assert all(now[name] == before[name] & set(now) for name in now)
