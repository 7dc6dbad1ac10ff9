"""A scenario as it begins: its lawful plan, what is known, and what will be signalled."""

from collections.abc import Callable
from pathlib import Path

import pytest
from orchestrator.agents.registry import agent_type, type_names
from orchestrator.comparison import Comparison
from orchestrator.errors import UserError, WorkspaceInvalid
from orchestrator.planning.grounds.assumption import Assumption
from orchestrator.planning.grounds.outcome import OutcomeCheck
from orchestrator.planning.repair import Patch
from orchestrator.planning.task import Compensation, Task
from orchestrator.runs.changes import Scripted
from orchestrator.staging import Staged, staged
from orchestrator.workspace.load import load_workspace

ROOT = Path(__file__).parents[1]
DESK = "name: desk\nuses: form\n"
SHOP = "name: shop\nuses: form\neffects: write\nsuccess: not_empty\non_upstream_failure: run\n"
LEAST = "description: d\ntasks: [{id: t1, agent: desk, action: x}]\n"

Stage = Callable[[str], Staged]


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """A scenario `play` of this text, in a workspace with the agents `desk` and `shop`, which writes."""

    def staging(text: str) -> Staged:
        files = {"config/orchestrator.yaml": "", "agents/desk.yaml": DESK, "agents/shop.yaml": SHOP}
        for name, content in {**files, "config/scenarios/play.yaml": text}.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(content, encoding="utf-8")
        return staged(load_workspace(tmp_path, agent_type, type_names, {}), "play")

    return staging


def test_the_plan_is_of_its_own_source_and_its_request_is_the_description(stage: Stage) -> None:
    found = stage(LEAST)
    assert (found.plan.source, found.plan.request, found.plan.waves) == ("scenario", "d", (("t1",),))
    assert found.plan.tasks == (Task("t1", "desk", "x", "d"),)
    assert (found.facts, found.timeline, found.containment) == ({}, (), {})
    assert (found.plan.repairs, found.plan.outcome, found.plan.revisions) == ((), (), ())


def test_an_action_is_made_with_what_is_known_at_first(stage: Stage) -> None:
    action = "'land at {{ facts.at }}, {{ facts.hours }} hours late'"
    found = stage(f"facts: {{at: '14:00', hours: 0}}\n{LEAST.replace('action: x', f'action: {action}')}")
    assert [task.action for task in found.plan.tasks] == ["land at 14:00, 0 hours late"]
    assert found.facts == {"at": "14:00", "hours": 0}


def test_a_value_of_a_fact_is_never_a_template(stage: Stage) -> None:
    text = LEAST.replace("action: x", "action: '{{ facts.at }}'")
    assert [t.action for t in stage(f"facts: {{at: '{{{{ 7 * 7 }}}}'}}\n{text}").plan.tasks] == [
        "{{ 7 * 7 }}"
    ]


def test_tasks_have_what_their_agents_say_unless_they_say_otherwise(stage: Stage) -> None:
    said = "success: any, on_upstream_failure: skip"
    tasks = f"[{{id: t1, agent: shop, action: x}}, {{id: t2, agent: shop, action: x, {said}}}]"
    one, two = stage(f"description: d\ntasks: {tasks}\n").plan.tasks
    assert (one.effects, one.success, one.on_upstream_failure) == ("write", "not_empty", "run")
    assert (two.effects, two.success, two.on_upstream_failure) == ("write", "any", "skip")


def test_a_star_behind_a_dependency_is_a_task_for_each_item(stage: Stage) -> None:
    more = "{id: t2, agent: desk, action: y}, {id: t3, agent: desk, action: z, depends_on: [t1, 't2*']}]"
    plan = stage(LEAST.replace("}]", "}, ") + more).plan
    assert (plan.tasks[2].depends_on, plan.tasks[2].map_over) == (("t1", "t2"), "t2")
    assert plan.waves == (("t1", "t2"), ("t3",))


def test_what_is_assumed_is_a_comparison_and_unchanged_is_what_is_so_at_first(stage: Stage) -> None:
    assumes = (
        "[{key: a, expected: {lte: 30}, description: dry}, {key: b, unchanged: true}, {key: b, expected: x}]"
    )
    found = stage(f"facts: {{a: 10, b: x}}\n{LEAST.replace('action: x', f'action: x, assumes: {assumes}')}")
    same = Comparison("eq", ("x",))
    assert found.plan.tasks[0].assumes == (
        Assumption("a", Comparison("lte", (30,)), "dry"),
        Assumption("b", same),
        Assumption("b", same),
    )


def test_a_compensation_has_the_effects_of_its_agent_and_stays_a_template(stage: Stage) -> None:
    compensate = "compensate: {agent: AGENT, action: 'undo {{ facts.a }}'}"
    for agent, effects in (("desk", "none"), ("shop", "write")):
        text = LEAST.replace("action: x", f"action: x, {compensate.replace('AGENT', agent)}")
        task = stage(f"facts: {{a: 1}}\n{text}").plan.tasks[0]
        assert task.compensate == Compensation(agent, "undo {{ facts.a }}", effects)


REPAIRS = """\
facts: {a: 1}
repairs:
  - on: a
    when: {gt: 2}
    patch: {t1: {action: "now {{ facts.a }}", agent: shop, depends_on: ["new*"]}}
    add: [{id: new, agent: shop, action: "new {{ facts.a }}"}]
    because: it is more
  - {on: a, patch: {t1: {action: y}}, drop: []}
  - {on: a, uses: reread}
"""


def test_repairs_are_declared_in_the_plan_with_their_templates_as_they_are(stage: Stage) -> None:
    text = LEAST.replace("action: x", "action: x, assumes: [{key: a, expected: 1}]")
    first, second, third = stage(REPAIRS + text).plan.repairs
    assert (first.on, first.when, first.because) == ("a", Comparison("gt", (2,)), "it is more")
    assert first.patches == (Patch("t1", "now {{ facts.a }}", "shop", ("new",), "new"),)
    assert [(t.id, t.action, t.effects, t.request) for t in first.add] == [
        ("new", "new {{ facts.a }}", "write", "d")
    ]
    assert second.patches == (Patch("t1", "y"),)
    assert (third.uses, third.patches, third.when) == ("reread", (), None)


def test_a_dropped_task_is_named(stage: Stage) -> None:
    text = LEAST.replace("}]", ", assumes: [{key: a, expected: 1}]}]")
    (repair,) = stage(f"facts: {{a: 1}}\nrepairs: [{{on: a, drop: [t1]}}]\n{text}").plan.repairs
    assert repair.drop == ("t1",)


def test_signals_come_in_the_order_of_their_ticks_each_with_an_id(stage: Stage) -> None:
    found = stage(
        "facts: {a: 1, b: null}\n"
        "timeline:\n"
        "  10: [{key: a, value: 4}]\n"
        "  2:\n"
        "    - {key: a, value: 2, source: s, urgent: true, time: '2026-11-30T09:00:00+01:00'}\n"
        "    - {key: b, value: now, id: own}\n" + LEAST
    )
    assert found.timeline == (
        Scripted(2, "play/2/1", "a", 2, "s", "2026-11-30T09:00:00+01:00", True),
        Scripted(2, "own", "b", "now", ""),
        Scripted(10, "play/10/1", "a", 4, ""),
    )


def test_a_signal_that_comes_again_with_its_id_comes_once(stage: Stage) -> None:
    signals = "{1: [{key: a, value: 2, id: x}], 2: [{key: a, value: 3, id: x}]}"
    assert [s.value for s in stage(f"facts: {{a: 1}}\ntimeline: {signals}\n{LEAST}").timeline] == [2]


def test_the_outcome_is_tested_in_one_of_three_ways(stage: Stage) -> None:
    outcome = (
        "outcome:\n"
        "  - {that: results.t1.status == 'done', description: one}\n"
        "  - {file: notes/a.md, contains: '{{ facts.a }}', description: two}\n"
        "  - {agent: desk, asks: 'say {{ results.t1.text }}', contains: x, description: three}\n"
    )
    assert stage(f"facts: {{a: 1}}\n{outcome}{LEAST}").plan.outcome == (
        OutcomeCheck("one", that="results.t1.status == 'done'"),
        OutcomeCheck("two", file="notes/a.md", contains="{{ facts.a }}"),
        OutcomeCheck("three", agent="desk", asks="say {{ results.t1.text }}", contains="x"),
    )


def test_containment_of_its_own_is_under_the_keys_and_that_of_all_others_under_none(stage: Stage) -> None:
    text = "facts: {a: 1}\ncontainment: {cooldown: null}\nkeys: {a: {cooldown: {ticks: 5}}}\n"
    found = stage(text + LEAST).containment
    assert set(found) == {"", "a"}
    assert found[""].cooldown is None
    assert found["a"].cooldown is not None
    assert found["a"].cooldown.ticks == 5


def test_one_with_faults_is_refused_with_all_of_them_and_one_that_is_not_there_too(stage: Stage) -> None:
    with pytest.raises(
        WorkspaceInvalid, match=r"config/scenarios/play\.yaml:2:25: tasks\[0\]\.agent: there is"
    ):
        stage(LEAST.replace("desk", "dusk"))
    workspace = load_workspace(ROOT, agent_type, type_names, {})
    with pytest.raises(UserError, match="there is no scenario 'flight'; did you mean 'flight_delay'"):
        staged(workspace, "flight")


@pytest.mark.parametrize("file", sorted(ROOT.glob("config/scenarios/*.yaml")), ids=lambda f: f.stem)
def test_the_shipped_scenarios_ask_no_model_and_write_nothing(file: Path) -> None:
    workspace = load_workspace(ROOT, agent_type, type_names, {})
    plan = staged(workspace, file.stem).plan
    assert {workspace.agents[task.agent].uses for task in plan.tasks} == {"form"}
    assert plan.effects == "none"
    assert plan.outcome


def test_the_fifth_one_has_a_task_for_each_item_branches_and_two_facts_that_change_at_once() -> None:
    found = staged(load_workspace(ROOT, agent_type, type_names, {}), "group_outing")
    assert [t.id for t in found.plan.tasks if t.map_over] == ["seats"]
    assert max(map(len, found.plan.waves)) > 1
    on = {repair.on for repair in found.plan.repairs}
    assert len(on) == 2
    assert len({signal.tick for signal in found.timeline if signal.key in on}) == 1
