"""What stands in a scenario, knob by knob, with the place of what cannot stand there."""

import pytest
from orchestrator.workspace.judging.judgement import judge
from orchestrator.workspace.scenario_file import ScenarioFile
from orchestrator.workspace.scenarios import document_of

LEAST = "description: d\ntasks: [{id: t1, agent: a, action: x}]\n"


def judged(text: str) -> ScenarioFile:
    found = judge(document_of("f", text.encode()), ScenarioFile, {})
    assert (found.document.faults, found.faults) == ((), ())
    assert found.value is not None
    return found.value


def faults(text: str) -> list[str]:
    found = judge(document_of("f", text.encode()), ScenarioFile, {})
    return [str(f).split("\n")[0] for f in (*found.document.faults, *found.faults)]


def test_the_least_scenario_is_a_description_and_a_task() -> None:
    scenario = judged(LEAST)
    assert (scenario.facts, scenario.timeline, scenario.repairs, scenario.outcome) == ({}, {}, (), ())
    assert (scenario.containment, scenario.keys) == (None, {})
    (task,) = scenario.tasks
    assert (task.depends_on, task.assumes, task.compensate) == ((), (), None)
    assert (task.on_upstream_failure, task.success) == (None, None)


def test_facts_are_plain_values_and_null_is_not_known_yet() -> None:
    facts = 'facts: {a: 1, b: 2.5, c: true, d: "14:00", e: null}\n'
    assert judged(facts + LEAST).facts == {"a": 1, "b": 2.5, "c": True, "d": "14:00", "e": None}


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("[1]", "found a list"),
        ("{b: 1}", "found a mapping"),
        ("2026-11-30", 'found the date 2026-11-30; quote it: "2026-11-30"'),
    ],
)
def test_a_fact_that_cannot_be_compared_is_refused(value: str, found: str) -> None:
    (fault,) = faults(f"facts: {{a: {value}}}\n{LEAST}")
    assert fault.startswith("f:1:12: facts.a: ")
    assert found in fault


@pytest.mark.parametrize("value", [".nan", ".inf"])
def test_a_number_that_json_does_not_have_is_no_fact(value: str) -> None:
    (fault,) = faults(f"facts: {{a: {value}}}\n{LEAST}")
    assert fault.startswith("f:1:12: facts.a: this should be a finite number")


def test_ticks_are_numbers_with_or_without_quotes() -> None:
    line = 'timeline: {0: [{key: a, value: 1}], "12": [{key: a, value: 2, urgent: true}]}\n'
    timeline = judged(line + LEAST).timeline
    assert list(timeline) == ["0", "12"]
    assert [(s.value, s.source, s.id, s.time, s.urgent) for s in timeline["12"]] == [
        (2, "", None, None, True)
    ]


@pytest.mark.parametrize("tick", ["soon", "-1", "1.5", "01", "1_0", "0x1", "1234567"])
def test_a_tick_is_a_number_of_tasks(tick: str) -> None:
    told = faults(f"timeline: {{{tick}: []}}\n{LEAST}")
    assert told
    assert all(fault.startswith(f"f:1:12: timeline.{tick}: ") for fault in told)


def test_numbers_are_keys_nowhere_else() -> None:
    (fault,) = faults(f"facts: {{1: 1}}\n{LEAST}")
    assert fault.startswith("f:1:9: facts.1: a key is a text")


def test_on_is_a_key_as_it_stands() -> None:
    repairs = "facts: {a: 1}\nrepairs: [{on: a, when: {lt: 3}, drop: [t1]}, {on: a, uses: r}]\n"
    first, second = judged(repairs + LEAST).repairs
    assert (first.on, str(first.comparison), first.drop) == ("a", "< 3", ("t1",))
    assert (second.comparison, second.uses) == (None, "r")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("tasks: []\ndescription: d\n", "f:1:8: tasks: a plan has one task at least"),
        ("description: d\n", "f:1:1: tasks: the key 'tasks' is missing"),
        (
            "description: d\ntasks: [{id: t1, agent: a, action: x, depends_on: ['a b']}]\n",
            "f:2:52: tasks[0].depends_on[0]: this is to be the id of a task, with a '*' behind it",
        ),
        (
            "description: d\ntasks: [{id: t1, agent: a, action: x, depends_on: [a*, b*]}]\n",
            "f:2:51: tasks[0].depends_on: a task runs for each item of one result only; found a* and b*",
        ),
        (
            "description: d\ntasks: [{id: t1, agent: a, action: x, dependson: [a]}]\n",
            "f:2:39: tasks[0].dependson: unknown key; did you mean 'depends_on'?",
        ),
        (
            f"timeline: {{1: [{{key: a, value: 1, time: '2026-11-30 09:00'}}]}}\n{LEAST}",
            "f:1:41: timeline.1[0].time: a moment is written as 2026-11-30T09:30:00Z, with its time zone",
        ),
        (
            f"repairs: [{{on: a, when: {{lte: 1, gte: 0}}}}]\n{LEAST}",
            "f:1:25: repairs[0].when: one comparison",
        ),
        (
            f"repairs: [{{on: a, patch: {{t1: {{}}}}}}]\n{LEAST}",
            "f:1:31: repairs[0].patch.t1: say what is to be",
        ),
        (
            f"repairs: [{{on: a, uses: r, drop: [t1]}}]\n{LEAST}",
            "f:1:11: repairs[0]: a registered repair works",
        ),
        (
            f"outcome: [{{description: d}}]\n{LEAST}",
            "f:1:11: outcome[0]: say one of `that`, `file` and `agent`",
        ),
        (
            f"outcome: [{{description: d, that: a, file: b}}]\n{LEAST}",
            "f:1:11: outcome[0]: say one of `that`",
        ),
        (
            f"outcome: [{{description: d, that: a, contains: b}}]\n{LEAST}",
            "f:1:11: outcome[0]: `contains` is about",
        ),
        (
            f"outcome: [{{description: d, agent: a, contains: b}}]\n{LEAST}",
            "f:1:11: outcome[0]: `agent` and `asks`",
        ),
        (
            f"outcome: [{{description: d, agent: a, asks: b}}]\n{LEAST}",
            "f:1:11: outcome[0]: say what the answer",
        ),
        (
            f"outcome: [{{description: d, file: ../x}}]\n{LEAST}",
            "f:1:34: outcome[0].file: the file is one of the",
        ),
        (
            f"outcome: [{{that: a}}]\n{LEAST}",
            "f:1:11: outcome[0].description: the key 'description' is missing",
        ),
        (
            f"containment: {{cooldown: {{tick: 1}}}}\n{LEAST}",
            "f:1:26: containment.cooldown.tick: unknown key; did you mean 'ticks'?",
        ),
    ],
)
def test_what_cannot_be_meant_is_told_in_its_place(text: str, fault: str) -> None:
    (told,) = faults(text)
    assert told.startswith(fault)
