"""Standing assumptions of agents come into every plan with their tasks."""

from typing import Any

from orchestrator.comparison import Comparison
from orchestrator.ids import AgentName
from orchestrator.planning.grounding import grounded, keys_of
from orchestrator.planning.task import Compensation
from orchestrator.workspace.adaptation_file import StandingRepair
from orchestrator.workspace.agent_file import AgentFile

from support.changing import grounded as assuming
from support.driving import plan, task


def agents(**files: Any) -> Any:
    return {
        AgentName(n): AgentFile(name=n, uses="x", **{"effects": "read", **more}) for n, more in files.items()
    }


DESK = agents(
    a={"assumes": [{"key": "delay", "expected": 0}, {"key": "b.level", "unchanged": True}]},
    b={},
    w={"effects": "write", "compensate": {"agent": "b", "action": "undo"}},
)


def test_a_plan_of_agents_that_assume_nothing_stays_the_very_same() -> None:
    made = plan("t1 b", "t2 b: t1")
    assert grounded(made, DESK, {"delay": 0}, [StandingRepair(on="delay", uses="reread")]) is made


def test_what_is_to_stay_as_it_is_is_an_equality_with_what_is_known() -> None:
    made = grounded(plan("t1 a"), DESK, {"delay": 0, "b.level": 7})
    assert [(a.key, a.expected) for a in made.tasks[0].assumes] == [
        ("delay", Comparison("eq", (0,))),
        ("b.level", Comparison("eq", (7,))),
    ]
    unknown = grounded(plan("t1 a"), DESK, {"delay": 0})
    assert [a.key for a in unknown.tasks[0].assumes] == ["delay"]


def test_the_own_word_of_a_task_on_a_fact_goes_before_its_agents() -> None:
    made = grounded(plan(assuming(task("t1 a"), "delay", expected={"lte": 9})), DESK, {})
    assert [str(a.expected) for a in made.tasks[0].assumes] == ["≤ 9"]


def test_only_a_write_gets_its_compensation_and_only_repairs_that_matter_are_declared() -> None:
    repairs = [StandingRepair(on="delay", uses="reread"), StandingRepair(on="gate", uses="reread")]
    made = grounded(plan("t1 a", task("t2 w", effects="write")), DESK, {}, repairs)
    assert [t.compensate for t in made.tasks] == [None, Compensation(AgentName("b"), "undo", "read")]
    assert [r.on for r in made.repairs] == ["delay"]
    assert keys_of(made, DESK) == {"delay", "b.level"}
