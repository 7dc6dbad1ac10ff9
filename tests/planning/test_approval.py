import pytest
from orchestrator.errors import KindRefused
from orchestrator.planning.approval import approval_of, policy_of, strictest_kind, task_kinds
from orchestrator.planning.plan import plan_of
from orchestrator.planning.task import Task
from orchestrator.workspace.models import PlanningFile

from support.turns import agent

SHIPPED = PlanningFile()


def plan(*effects, mapped=False):
    tasks = [
        Task(id=f"t{n}", agent="a", action="x", request="x", effects=effect)
        for n, effect in enumerate(effects, 1)
    ]
    if mapped:
        tasks.append(
            Task(
                id="m", agent="b", action="x", request="x", depends_on=("t1",), map_over="t1", effects="write"
            )
        )
    return plan_of("x", tasks, "split", {"a", "b"})


def decided(kind, made, planning=SHIPPED):
    found = approval_of(kind, made, planning)
    return found.kind, found.needed, found.reason


def test_an_answer_that_writes_nothing_needs_no_word():
    assert decided("answer", plan("none", "read")) == ("answer", False, "nothing in the plan writes")


def test_effects_raise_the_kind_and_a_write_is_asked_for():
    assert decided("answer", plan("read", "write")) == ("act", True, "t2 (a) writes")


def test_an_act_asks_only_when_a_task_writes():
    assert decided("act", plan("read")) == ("act", False, "nothing in the plan writes")
    assert decided("act", plan("write", mapped=True)) == ("act", True, "t1 (a), m (b, per item of t1) write")


def test_a_kind_may_always_ask_and_effects_lower_nothing():
    planning = PlanningFile.model_validate({"kinds": {"careful": {"approval": "always"}}})
    assert decided("careful", plan("none"), planning) == (
        "careful",
        True,
        "every plan of kind 'careful' is shown first",
    )


def test_an_operator_may_let_writes_pass():
    planning = PlanningFile.model_validate({"kinds": {"free": {}}, "writes_raise_to": "free"})
    assert decided("free", plan("write"), planning) == (
        "free",
        False,
        "t1 (a) writes, but kind 'free' never asks",
    )


def test_a_joint_kind_is_refused_by_name_with_what_to_do():
    with pytest.raises(
        KindRefused, match=r"kind 'build' asks for joint planning.*kinds.build.planning: ordinary"
    ):
        approval_of("build", plan("read"), SHIPPED)
    with pytest.raises(KindRefused, match="kind 'build'"):
        approval_of("answer", plan("write"), PlanningFile(writes_raise_to="build"))


def test_an_unknown_kind_is_refused_with_the_known_ones():
    with pytest.raises(
        KindRefused, match=r"unknown kind 'biuld'; config/planning.yaml has: act, answer, build"
    ):
        policy_of("biuld", SHIPPED)


def test_the_strictest_kind_of_a_turn_and_its_parts_decides():
    assert strictest_kind(("answer", "act"), SHIPPED) == "act"
    assert strictest_kind(("answer",), SHIPPED) == "answer"
    with pytest.raises(KindRefused, match="kind 'build'"):
        strictest_kind(("answer", "build"), SHIPPED)


def test_the_kind_of_a_task_is_its_intents_else_its_agents():
    agents = {
        "a": agent("a", kind="answer", intents={"make": {"kind": "build"}, "see": {}}),
        "b": agent("b", kind="act"),
    }
    tasks = [
        Task(id=name, agent=serves, action="x", request="x", intent=intent)
        for name, serves, intent in (
            ("1", "a", "see"),
            ("2", "a", "make"),
            ("3", "b", None),
            ("4", "a", None),
        )
    ]
    assert task_kinds(plan_of("x", tasks, "split", agents), agents) == ("answer", "build", "act")
