"""A scenario against itself and its workspace: every fault in its place, all of them at once."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from orchestrator.errors import UserError, WorkspaceInvalid
from orchestrator.staging import TONGUE
from orchestrator.workspace.load import load_workspace
from orchestrator.workspace.scenarios import (
    agents_of_scenarios,
    load_scenario,
    scenario_names,
    scenario_rule,
)
from orchestrator.workspace.value import KnownType, Workspace

ROOT = Path(__file__).parents[2]
FILE = "config/scenarios/trip.yaml"

TRIP = """\
description: a trip
facts: {delay: 0, arrival: "14:00", gate: null, rain: 10}
tasks:
  - {id: seat, agent: diary, action: check in}
  - id: hotel
    agent: diary
    action: check in at {{ facts.arrival }}
    depends_on: [seat]
    assumes: [{key: delay, expected: 0}, {key: rain, expected: {lte: 30}}]
  - {id: shuttle, agent: diary, action: go, depends_on: [hotel]}
timeline:
  1:
    - {key: delay, value: 5}
repairs:
  - on: delay
    patch: {hotel: {action: 'move to {{ facts.arrival }}'}, shuttle: {action: go later}}
outcome:
  - {that: results.hotel.time >= facts.arrival, description: fine}
"""


def faults(text: str, agents: frozenset[str] | None = frozenset({"diary"})) -> list[str]:
    found = scenario_rule(TONGUE)(FILE, text.encode(), agents)
    return [str(f).split("\n")[0].removeprefix(f"{FILE}:") for f in found]


def test_a_whole_scenario_has_no_fault() -> None:
    assert faults(TRIP) == []


@pytest.mark.parametrize("file", sorted(ROOT.glob("config/scenarios/*.yaml")), ids=lambda f: f.stem)
def test_the_shipped_scenarios_have_no_fault(file: Path) -> None:
    agents = frozenset(path.stem for path in ROOT.glob("agents/*.yaml"))
    assert [str(f) for f in scenario_rule(TONGUE)(file.name, file.read_bytes(), agents)] == []


@pytest.mark.parametrize(
    ("there", "instead", "told"),
    [
        # names
        (
            "agent: diary, action: go",
            "agent: dairy, action: go",
            "10:26: tasks[2].agent: there is no agent 'dairy'; did you mean 'diary'?",
        ),
        (
            "action: go, depends_on",
            "compensate: {agent: x, action: y}, action: go, depends_on",
            "10:53: tasks[2].compensate.agent: there is no agent 'x'; known are: diary",
        ),
        (
            "[hotel]}\ntime",
            "[hotle]}\ntime",
            "10:58: tasks[2].depends_on[0]: there is no task 'hotle'; did you mean 'hotel'?",
        ),
        (
            "[hotel]}\ntime",
            "[hotel, hotel*]}\ntime",
            "10:65: tasks[2].depends_on[1]: it waits for this already; name it once",
        ),
        (
            "[hotel]}\ntime",
            "[shuttle]}\ntime",
            "10:58: tasks[2].depends_on[0]: a task cannot wait for itself; take it out",
        ),
        (
            "id: shuttle",
            "id: hotel",
            "10:10: tasks[2].id: the task 'hotel' stands already on line 5; give one of them another id",
        ),
        (
            "[seat]",
            "[shuttle]",
            "3:1: tasks: the tasks form a cycle: hotel -> shuttle -> hotel; remove one dependency",
        ),
        (
            "{key: delay, expected",
            "{key: dealy, expected",
            "9:21: tasks[1].assumes[0].key: there is no fact 'dealy' in `facts`; did you mean 'delay'?",
        ),
        ("- {key: delay", "- {key: fog", "13:13: timeline.1[0].key: there is no fact 'fog' in `facts`"),
        ("on: delay", "on: fog", "15:9: repairs[0].on: there is no fact 'fog' in `facts`"),
        ("outcome:", "keys: {fog: {}}\noutcome:", "17:8: keys.fog: there is no fact 'fog' in `facts`"),
        (
            "shuttle: {action: go later}",
            "shutle: {action: go later}",
            "16:61: repairs[0].patch.shutle: there is no task 'shutle'; did you mean 'shuttle'?",
        ),
        (
            "shuttle: {action: go later}",
            "shuttle: {agent: x}",
            "16:78: repairs[0].patch.shuttle.agent: there is no agent 'x'; known are: diary",
        ),
        ("on: delay", "drop: [fog]\n    on: delay", "15:12: repairs[0].drop[0]: there is no task 'fog'"),
        (
            "on: delay",
            "add: [{id: seat, agent: diary, action: x}]\n    on: delay",
            "15:16: repairs[0].add[0].id: the plan has a task 'seat' already; call it otherwise",
        ),
        (
            "on: delay",
            "add: [{id: new, agent: diary, action: x, depends_on: [fog]}]\n    on: delay",
            "15:59: repairs[0].add[0].depends_on[0]: there is no task 'fog'",
        ),
        # grounds
        (
            "{key: delay, expected: 0}",
            '{key: delay, expected: "0"}',
            "9:38: tasks[1].assumes[0].expected: this can never be compared with what is known at first: ",
        ),
        (
            "{key: delay, expected: 0}",
            "{key: arrival, expected: {lte: 3}}",
            "9:40: tasks[1].assumes[0].expected: this can never be compared",
        ),
        (
            "{key: delay, expected: 0}",
            "{key: delay, expected: 1}",
            "9:38: tasks[1].assumes[0].expected: the plan begins with a broken assumption: delay is 0"
            " at first, and this is = 1",
        ),
        (
            "expected: {lte: 30}",
            "expected: {gt: 30}",
            "9:64: tasks[1].assumes[1].expected: the plan begins with a broken assumption: rain is 10"
            " at first, and this is > 30",
        ),
        (
            "value: 5",
            'value: "5"',
            "13:27: timeline.1[0].value: this cannot be compared with what is known and assumed of 'delay'",
        ),
        (
            "key: delay, value: 5",
            "key: rain, value: null",
            "13:26: timeline.1[0].value: this cannot be compared with what is known and assumed of 'rain'",
        ),
        (
            "on: delay",
            'when: "x"\n    on: delay',
            "15:11: repairs[0].when: this can never be compared with what is known at first: ",
        ),
        (
            "shuttle: {action: go later}",
            "seat: {action: x}",
            "16:61: repairs[0].patch.seat: it neither assumes 'delay' nor depends on",
        ),
        (
            "on: delay",
            "drop: [seat]\n    on: delay",
            "15:12: repairs[0].drop[0]: it neither assumes 'delay' nor depends on",
        ),
        # texts
        ("action: check in}", "action: 'check {{ in'}", "4:38: tasks[0].action: template 'check {{ in': "),
        (
            "action: check in}",
            "action: '{{ facts.arival }}'}",
            "4:38: tasks[0].action: there is no fact 'arival' in `facts`; did you mean 'arrival'?",
        ),
        (
            "action: check in}",
            "action: '{{ results.hotel }}'}",
            "4:38: tasks[0].action: the template reads `results.hotel`, and there is only `facts.NAME`",
        ),
        (
            "action: check in}",
            "action: '{{ 1 / facts.delay }}'}",
            "4:38: tasks[0].action: template '{{ 1 / facts.delay }}': division by zero",
        ),
        (
            "action: check in}",
            "action: '{% if facts.delay %}x{% endif %}'}",
            "4:38: tasks[0].action: it comes to an empty text with what is known at first",
        ),
        (
            "action: go later",
            "action: '{{ facts.fog }}'",
            "16:79: repairs[0].patch.shuttle.action: there is no fact 'fog'",
        ),
        (
            "that: results.hotel.time >= facts.arrival",
            "that: results.hotel.time >=",
            "18:12: outcome[0].that: this cannot be read",
        ),
        (
            "that: results.hotel.time >= facts.arrival",
            "that: results.hotle.time >= facts.arival",
            "18:12: outcome[0].that: there is no fact 'arival' in `facts`; did you mean 'arrival'?",
        ),
        (
            "that: results.hotel.time >= facts.arrival",
            "file: f, contains: '{{ results.hotle.time }}'",
            "18:25: outcome[0].contains: there is no task 'hotle'; did you mean 'hotel'?",
        ),
        (
            "that: results.hotel.time >= facts.arrival",
            "agent: x, asks: a, contains: b",
            "18:13: outcome[0].agent: there is no agent 'x'; known are: diary",
        ),
    ],
)
def test_a_fault_is_told_in_its_place(there: str, instead: str, told: str) -> None:
    assert TRIP.count(there) == 1
    found = faults(TRIP.replace(there, instead))
    assert any(fault.startswith(told) for fault in found), found


def test_a_fault_shows_its_line_and_a_caret() -> None:
    (fault,) = scenario_rule(TONGUE)(FILE, TRIP.replace("[seat]", "[saet]").encode(), None)
    assert str(fault).split("\n")[1:] == ["      depends_on: [saet]", "                   ^"]


def test_what_is_wrong_with_one_knob_hides_nothing_of_the_others() -> None:
    text = TRIP.replace("id: seat, agent: diary", "id: seat, agent: diary, colour: red, agnt: x")
    text = text.replace("[hotel]}\ntime", "[hotle]}\ntime").replace("facts: {delay: 0", "facts: {delay: [0]")
    text = text.replace("value: 5", "value: 5, urgent: perhaps").replace("arrival, desc", "arival, desc")
    assert [fault.split(": ")[1] for fault in faults(text)] == [
        "facts.delay",
        "tasks[0].colour",
        "tasks[0].agnt",
        "tasks[2].depends_on[0]",
        "timeline.1[0].urgent",
        "repairs[0].patch.shuttle",
        "outcome[0].that",
    ]


def test_agents_are_not_judged_where_not_all_are_known() -> None:
    assert faults(TRIP.replace("agent: diary, action: go", "agent: x, action: go"), None) == []


@pytest.mark.parametrize("expected", ["B", "{lte: 30}", "{in: [1, 2]}", "null"])
def test_what_is_not_known_yet_fits_anything(expected: str) -> None:
    assert (
        faults(
            TRIP.replace(
                "{key: delay, expected: 0}",
                f"{{key: delay, expected: 0}}, {{key: gate, expected: {expected}}}",
            )
        )
        == []
    )


def test_what_is_unchanged_is_as_the_fact_is_at_first() -> None:
    assert faults(TRIP.replace("{key: delay, expected: 0}", "{key: delay, unchanged: true}")) == []
    (told,) = faults(
        TRIP.replace("{key: delay, expected: 0}", "{key: fog, unchanged: true}, {key: delay, expected: 0}")
    )
    assert "there is no fact 'fog'" in told


def test_a_repair_may_only_leave_a_plan_behind() -> None:
    def repaired(repair: str) -> list[str]:
        return faults(
            TRIP.replace(
                "    patch: {hotel: {action: 'move to {{ facts.arrival }}'}, shuttle: {action: go later}}",
                repair,
            )
        )

    assert repaired("    drop: [hotel, shuttle]") == []
    assert repaired("    drop: [hotel]\n    patch: {shuttle: {depends_on: [seat]}}") == []
    (waits,) = repaired("    drop: [hotel]")
    assert waits.startswith(
        "16:12: repairs[0].drop[0]: shuttle waits for 'hotel'; give it other `depends_on`, or drop it"
    )
    (gone,) = repaired("    drop: [hotel]\n    patch: {shuttle: {depends_on: [hotel]}}")
    assert gone.startswith("17:36: repairs[0].patch.shuttle.depends_on[0]: there is no task 'hotel'")
    new = "add: [{id: new, agent: diary, action: x, depends_on: [shuttle]}]"
    assert repaired(f"    {new}") == []
    (cycle,) = repaired(f"    {new}\n    patch: {{hotel: {{depends_on: [new]}}}}")
    assert cycle.startswith("15:5: repairs[0]: the tasks form a cycle: ")
    assert repaired("    because: it can stay as it is") == []


def test_what_one_repair_adds_another_may_change() -> None:
    added = (
        "add: [{id: new, agent: diary, action: x, depends_on: [hotel], assumes: [{key: rain, expected: 9}]}]"
    )
    more = f"{added}\n    on: delay\n  - {{on: rain, drop: [hotel, shuttle, new]}}\n  - on: delay"
    assert faults(TRIP.replace("on: delay", more)) == []
    waited_for, beyond = faults(
        TRIP.replace("on: delay", more).replace("drop: [hotel, shuttle, new]", "drop: [seat]")
    )
    assert "repairs[1].drop[0]: hotel waits for 'seat'" in waited_for
    assert "repairs[1].drop[0]: it neither assumes 'rain' nor depends on" in beyond
    (unlike,) = faults(
        TRIP.replace("on: delay", f"{added}\n    on: delay").replace("expected: 9", "expected: x")
    )
    assert "repairs[0].add[0].assumes[0].expected: this can never be compared" in unlike


def test_what_is_signalled_must_be_comparable_for_repairs_too() -> None:
    text = TRIP.replace("- {key: delay", "- {key: gate, value: 3}\n    - {key: delay")
    assert faults(text) == []
    (told,) = faults(text.replace("on: delay", "on: gate\n    when: B\n  - on: delay"))
    assert told.startswith(
        "13:26: timeline.1[0].value: this cannot be compared with what is known and assumed of"
    )


def test_a_registered_repair_must_be_there() -> None:
    def using(name: str) -> list[str]:
        text = TRIP.replace(
            "patch: {hotel: {action: 'move to {{ facts.arrival }}'}, shuttle: {action: go later}}",
            f"uses: {name}",
        )
        return faults(text)

    assert using("reread") == []
    (told,) = using("reraed")
    assert told == "16:11: repairs[0].uses: there is no registered repair 'reraed'; did you mean 'reread'?"


def test_an_outcome_may_be_judged_by_what_a_repair_adds() -> None:
    added = TRIP.replace("on: delay", "add: [{id: new, agent: diary, action: x}]\n    on: delay")
    assert faults(added.replace("results.hotel.time", "results.new.time")) == []


def test_a_scenario_is_called_by_a_name() -> None:
    found = scenario_rule(TONGUE)("config/scenarios/1st trip.yaml", TRIP.encode(), None)
    assert [str(f) for f in found] == [
        "config/scenarios/1st trip.yaml: '1st trip' is no name for a scenario: a letter, then letters, "
        "digits, '-' and '_'"
    ]


@pytest.mark.parametrize(
    "text", ["", "- a", "[", "\0", "{facts: [1], tasks: {a: 1}, timeline: [1], repairs: 3, outcome: x}"]
)
def test_whatever_stands_there_the_rules_give_faults_and_nothing_else(text: str) -> None:
    assert faults(text)


# ── in a workspace ──────────────────────────────────────────────────────────────────────────────────────


def test_an_ordinary_load_looks_at_no_scenario_and_one_of_check_at_all(
    write: Callable[..., Path], types: Mapping[str, KnownType]
) -> None:
    root = write({FILE: TRIP.replace("[seat]", "[saet]"), "config/scenarios/b.yaml": "x: 1\n"})
    assert load_workspace(root, types.get, lambda: tuple(types), {}).warnings == ()
    (root / "config/planning.yaml").write_text("mode: none\n")
    with pytest.raises(WorkspaceInvalid) as invalid:
        load_workspace(root, types.get, lambda: tuple(types), {}, scenarios=scenario_rule(TONGUE))
    assert list(dict.fromkeys(f.file for f in invalid.value.faults)) == [
        "config/planning.yaml",
        "config/scenarios/b.yaml",
        FILE,
    ]


def test_a_scenario_that_cannot_be_read_is_a_fault(load: Callable[..., Workspace]) -> None:
    with pytest.raises(WorkspaceInvalid) as invalid:
        load({FILE: "#" * (2 << 20)})
    assert [str(f) for f in invalid.value.faults] == [
        f"{FILE}: 2,097,152 bytes are more than a file may have (1,048,576); split it"
    ]


@pytest.mark.parametrize("file", ["config/scenarios/trip.yml", "config/scenarios/more/trip.yaml"])
def test_a_file_that_is_no_scenario_but_lies_among_them_is_doubted(
    load: Callable[..., Workspace], file: str
) -> None:
    assert [str(doubt) for doubt in load({file: TRIP}).warnings] == [
        f"{file}: nothing reads this file; a scenario is a file config/scenarios/NAME.yaml"
    ]


def test_a_scenario_is_the_one_that_was_there_when_the_workspace_was_loaded(
    load: Callable[..., Workspace],
) -> None:
    workspace = load({FILE: TRIP})
    (workspace.root / FILE).write_text("")
    assert load_scenario(workspace, "trip", TONGUE).description == "a trip"
    assert agents_of_scenarios(workspace) == {"diary"}


def test_a_scenario_with_faults_is_refused_with_all_of_them(load: Callable[..., Workspace]) -> None:
    text = TRIP.replace("[seat]", "[saet]").replace("value: 5", "value: x")
    with pytest.raises(WorkspaceInvalid) as invalid:
        load_scenario(load({FILE: text}), "trip", TONGUE)
    assert [f.path for f in invalid.value.faults] == ["tasks[1].depends_on[0]", "timeline.1[0].value"]


@pytest.mark.parametrize("name", ["tripp", "../orchestrator", "", "trip.yaml"])
def test_a_scenario_that_is_not_there_is_refused_with_those_that_are(
    load: Callable[..., Workspace], name: str
) -> None:
    with pytest.raises(UserError, match=r"there is no scenario '.*'; (did you mean 'trip'|known are: trip)"):
        load_scenario(load({FILE: TRIP}), name, TONGUE)


def test_without_any_scenario_it_is_said_where_one_would_be(load: Callable[..., Workspace]) -> None:
    with pytest.raises(
        UserError, match=r"there is no scenario 'a'; a scenario is a file config/scenarios/NAME\.yaml"
    ):
        load_scenario(load(), "a", TONGUE)


def test_the_names_of_scenarios_are_those_of_their_files(write: Callable[..., Path]) -> None:
    assert scenario_names(write()) == ()
    files = {
        f"config/scenarios/{name}": "" for name in ("b.yaml", "a.yaml", ".c.yaml", "d.yml", "more/e.yaml")
    }
    assert scenario_names(write(files)) == ("a", "b")
