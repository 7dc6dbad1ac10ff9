"""A folder becomes one frozen workspace, or all its faults at once."""

import os
import shutil
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest
from orchestrator.errors import Fault, UserError, WorkspaceInvalid, WorkspaceNotFound
from orchestrator.workspace.load import load_workspace

DIARY = "name: diary\nuses: diary\noptions: {file: d.txt}\n"


SECRETS = {"KEY": "sk-456"}


def test_the_least_workspace_is_an_empty_file_and_an_agent(load):
    workspace = load()
    assert workspace.multi_step.cues == ()
    assert workspace.planning.mode == "split_then_model"
    assert set(workspace.agents) == {"diary"}
    assert workspace.options["diary"].file == "d.txt"
    assert workspace.packaged is False
    assert workspace.warnings == ()


def test_a_workspace_never_changes(load):
    workspace = load()
    with pytest.raises(FrozenInstanceError):
        workspace.root = Path()


def test_an_agent_that_declares_no_effects_has_those_that_its_type_presumes(write, types):
    known = {"diary": replace(types["diary"], effects="none", presumed="write")}
    for text, effects in ((DIARY, "write"), (f"{DIARY}effects: none\n", "none")):
        root = write({"agents/diary.yaml": text})
        assert load_workspace(root, known.get, lambda: tuple(known), {}).agents["diary"].effects == effects


def test_an_agent_gets_effects_and_steps_from_its_type_where_it_is_silent(load):
    agent = load().agents["diary"]
    assert (agent.effects, agent.steps) == ("read", "one")
    agent = load({"agents/diary.yaml": f"{DIARY}effects: write\nsteps: many\n"}).agents["diary"]
    assert (agent.effects, agent.steps) == ("write", "many")


@pytest.mark.parametrize("text", [None, "", "cues: []\n", "# nothing yet\n"])
def test_no_cues_means_that_nothing_is_compound(load, text):
    assert load({"config/multi_step.yaml": text}).multi_step.cues == ()


def test_agents_are_read_from_yaml_and_yml_in_order(load):
    agents = {
        f"agents/{f}": f"name: {n}\nuses: diary\noptions: {{file: x}}\n"
        for f, n in [("c.yml", "c"), ("b.yaml", "b")]
    }
    workspace = load(agents)
    assert list(workspace.agents) == ["b", "c", "diary"]
    assert workspace.sources["c"] == "agents/c.yml"


def test_all_faults_of_all_files_come_at_once_and_in_order(write, types):
    root = write(
        {
            "config/orchestrator.yaml": "execution: {schedul: eager}\n",
            "config/planning.yaml": "mode: [\n",
            "config/multi_step.yaml": "cues: [no, 12:30]\nmax_gap: 0\n",
            "agents/diary.yaml": f"{DIARY}model: nope\n\nbogus: 1\n",
            "agents/a.yaml": "name: x\n",
        }
    )
    with pytest.raises(WorkspaceInvalid) as invalid:
        load_workspace(
            root, types.get, lambda: ["diary"], {}, [lambda _: [Fault("prompts/p.j2", 3, 1, "", "bad")]]
        )
    assert [(f.file, f.line, f.column) for f in invalid.value.faults] == [
        ("config/orchestrator.yaml", 1, 13),
        ("config/multi_step.yaml", 1, 8),
        ("config/multi_step.yaml", 1, 12),
        ("config/multi_step.yaml", 2, 10),
        ("config/planning.yaml", 2, 1),
        ("agents/a.yaml", 1, 1),
        ("agents/diary.yaml", 4, 8),
        ("agents/diary.yaml", 6, 1),
        ("prompts/p.j2", 3, 1),
    ]


def test_a_fault_shows_its_line_and_a_caret(write, types):
    with pytest.raises(WorkspaceInvalid) as invalid:
        load_workspace(
            write({"config/routing.yaml": "sure: 2  # too sure\n"}), types.get, lambda: ["diary"], {}
        )
    assert str(invalid.value) == (
        "config/routing.yaml:1:7: sure: this must be at most 1; found the number 2\n"
        "  sure: 2  # too sure\n"
        "        ^"
    )


def test_secrets_do_not_show_in_faults_or_their_traceback(write, types):
    import traceback

    models = (
        "models:\n  a: {provider: openai, api_key: sk-123, bogus: 1}\n"
        '  b: {provider: openai, api_key: "${KEY}", x: 1}\n'
    )
    with pytest.raises(WorkspaceInvalid) as invalid:
        load_workspace(write({"config/models.yaml": models}), types.get, lambda: ["diary"], SECRETS)
    shown = "".join(traceback.format_exception(invalid.value))
    assert "bogus" in shown
    assert "sk-123" not in shown
    assert "sk-456" not in shown


@pytest.mark.parametrize("text", ["!x {name: diary}", "!x [a]", "- a", "~", "text", "a: &a {b: *a}"])
def test_a_file_that_is_no_mapping_of_its_kind_is_a_located_fault(write, types, text):
    for file in ("agents/diary.yaml", "config/planning.yaml"):
        with pytest.raises(WorkspaceInvalid) as invalid:
            load_workspace(write({file: text}), types.get, lambda: ["diary"], {})
        assert {(f.file, f.line) for f in invalid.value.faults} >= {(file, 1)}


def test_a_file_over_a_mebibyte_is_refused_unread(faults):
    assert faults({"config/multi_step.yaml": "#" * (2 << 20)}) == [
        "config/multi_step.yaml: 2,097,152 bytes are more than a file may have (1,048,576); split it"
    ]


def test_a_missing_folder_is_a_fault(write, types):
    root = write()
    shutil.rmtree(root / "config")
    shutil.rmtree(root / "agents")
    with pytest.raises(WorkspaceInvalid) as invalid:
        load_workspace(root, types.get, lambda: ["diary"], {})
    assert [str(f) for f in invalid.value.faults] == [
        "config: the folder is missing; `cuewave init` makes a whole workspace",
        "agents: the folder is missing: no agent could serve a turn",
    ]


def test_a_missing_orchestrator_file_and_an_empty_agents_folder_are_faults(write, types):
    root = write({"config/routing.yaml": ""})
    (root / "config/orchestrator.yaml").unlink()
    (root / "agents/diary.yaml").unlink()
    with pytest.raises(WorkspaceInvalid) as invalid:
        load_workspace(root, types.get, lambda: ["diary"], {})
    assert [str(f) for f in invalid.value.faults] == [
        "config/orchestrator.yaml: the file is missing; an empty one is enough",
        "agents: there is no YAML file in it: no agent could serve a turn",
    ]


def test_a_root_that_is_a_file_or_nothing_is_no_workspace(tmp_path, types):
    (tmp_path / "file").touch()
    with pytest.raises(WorkspaceNotFound, match="file: this is a file; a workspace is a folder"):
        load_workspace(tmp_path / "file", types.get, lambda: ["diary"], {})
    with pytest.raises(WorkspaceNotFound, match="none: there is no such folder"):
        load_workspace(tmp_path / "none", types.get, lambda: ["diary"], {})


def test_a_folder_in_place_of_a_file_and_a_file_in_place_of_a_folder_are_faults(write, types):
    root = write({"prompts": "not a folder"})
    (root / "config/models.yaml").mkdir()
    (root / "config/planning.yaml").symlink_to("nowhere")
    with pytest.raises(WorkspaceInvalid) as invalid:
        load_workspace(root, types.get, lambda: ["diary"], {})
    assert [str(f) for f in invalid.value.faults] == [
        "config/planning.yaml: this cannot be read: No such file or directory",
        "config/models.yaml: this is to be a file",
        "prompts: this is to be a folder",
    ]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions bind only ordinary users")
def test_a_file_that_may_not_be_read_is_a_fault(write, types):
    root = write({"config/models.yaml": ""})
    (root / "config/models.yaml").chmod(0)
    with pytest.raises(WorkspaceInvalid, match=r"config/models.yaml: this cannot be read"):
        load_workspace(root, types.get, lambda: ["diary"], {})


def test_a_yaml_file_that_nothing_reads_is_a_warning(load):
    files = {"config/multi-step.yaml": "a: 1\n", "config/planing.yml": "", "config/zzz.yaml": ""}
    assert list(map(str, load(files).warnings)) == [
        "config/multi-step.yaml: nothing reads this file; did you mean config/multi_step.yaml?",
        "config/planing.yml: nothing reads this file; did you mean config/planning.yaml?",
        "config/zzz.yaml: nothing reads this file; take it out, or rename it",
    ]


def test_a_type_that_cannot_be_loaded_is_a_fault_of_the_agent_that_uses_it(write):
    def broken(name: str):
        raise UserError(f"the package of {name} is broken")

    with pytest.raises(WorkspaceInvalid) as invalid:
        load_workspace(write(), broken, lambda: ["diary"], {})
    assert [str(f).split("\n")[0] for f in invalid.value.faults] == [
        "agents/diary.yaml:2:7: uses: the package of diary is broken"
    ]


def test_the_fingerprint_is_of_names_and_contents_of_config_agents_and_prompts(load, write):
    first = load({"prompts/a.j2": "hi"}).fingerprint
    (write() / "samples").mkdir()
    (write() / "samples/x").touch()
    (write() / "config/.swp").touch()
    assert load().fingerprint == first
    assert load({"prompts/a.j2": "ho"}).fingerprint != first
    assert load({"prompts/a.j2": "hi", "config/routing.yaml": "# x\n"}).fingerprint not in (first, None)


def test_the_fingerprint_does_not_depend_on_the_order_of_writing(tmp_path, types):
    files = {
        "config/orchestrator.yaml": "",
        "agents/diary.yaml": DIARY,
        "prompts/a.j2": "a",
        "prompts/b.j2": "b",
    }
    prints = set()
    for at, names in enumerate([list(files), list(reversed(files))]):
        for name in names:
            path = tmp_path / str(at) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[name])
        prints.add(load_workspace(tmp_path / str(at), types.get, lambda: ["diary"], {}).fingerprint)
    assert len(prints) == 1


def test_the_day_of_a_measurement_is_a_day(load, faults):
    card = "capability: {small: {canonical: 41, source: a page, date: %s}}\n"
    assert load({"config/models.yaml": card % "2026-11-01"}).models.capability["small"].date.year == 2026
    (fault,) = faults({"config/models.yaml": card % "last year"})
    assert fault.startswith("config/models.yaml:1:59: capability.small.date: this should be a valid date")


MODELS = """\
models:
  paid: {provider: openai, model: m, price: {input: 0.25, output: 2}}
  local: {provider: ollama, model: m, price: {input: 0, output: 0}}
  unknown: {provider: ollama, model: m}
  script: {provider: scripted, file: s.yaml}
"""


@pytest.mark.parametrize("scope", ["run", "session"])
def test_a_model_without_a_price_is_a_warning_where_money_is_limited(load, scope):
    files = {"config/models.yaml": MODELS, "config/orchestrator.yaml": f"budgets: {{{scope}: {{money: 5}}}}"}
    assert list(map(str, load(files).warnings)) == [
        "config/models.yaml: models.unknown: it has no price, so that no budget of money counts it; "
        "set `price`, {input: 0, output: 0} where it costs nothing",
    ]


def test_without_a_limit_of_money_no_price_is_needed(load):
    files = {"config/models.yaml": MODELS, "config/orchestrator.yaml": "budgets: {run: {tokens: 5}}"}
    assert load(files).warnings == ()


@pytest.mark.parametrize(
    ("knob", "told"),
    [
        ("run: {model_calls: -1}", "budgets.run.model_calls: "),
        ("run: {tokens: 1.5}", "budgets.run.tokens: "),
        ("run: {money: -0.01}", "budgets.run.money: "),
        ("run: {money: .nan}", "budgets.run.money: "),
        ("run: {money: five}", "budgets.run.money: "),
        ("run: {wall_time: 60}", "budgets.run.wall_time: a duration needs a number and a unit"),
        ("run: {wall_time: 0s}", "budgets.run.wall_time: "),
        ("session: {wall_time: 60s}", "budgets.session.wall_time: unknown key"),
        ("session: {calls: 3}", "budgets.session.calls: unknown key"),
    ],
)
def test_a_limit_that_is_none_is_refused_at_its_place(faults, knob, told):
    (fault,) = faults({"config/orchestrator.yaml": f"budgets:\n  {knob}\n"})
    assert fault.startswith("config/orchestrator.yaml:2:")
    assert told in fault


def test_limits_and_prices_are_numbers(load):
    limits = "budgets: {run: {model_calls: 0, tokens: 9, money: 1, tasks: 3, wall_time: 1.5m}}"
    found = load({"config/models.yaml": MODELS, "config/orchestrator.yaml": limits})
    run = found.orchestrator.budgets.run
    assert (run.model_calls, run.tokens, run.money, run.tasks, run.wall_time) == (0, 9, 1.0, 3, 90.0)
    price = found.models.models["paid"].price
    assert (price.input, price.output) == (0.25, 2.0)


@pytest.mark.parametrize("price", ["{input: 1}", "{input: -1, output: 1}", "{input: 1, output: cheap}", "3"])
def test_a_price_has_two_numbers(faults, price):
    (fault,) = faults({"config/models.yaml": f"models:\n  m: {{provider: ollama, price: {price}}}\n"})
    assert "config/models.yaml:2:" in fault
    assert "models.m.price" in fault


@pytest.mark.parametrize(
    ("runs", "told"),
    [
        ("{on_changed_workspace: maybe}", "runs.on_changed_workspace: "),
        ("{redact: iban}", "runs.redact: a list is due"),
        ("{crash_limit: 0}", "runs.crash_limit: "),
    ],
)
def test_how_runs_are_kept_is_one_of_what_there_is(faults, runs, told):
    (fault,) = faults({"config/orchestrator.yaml": f"runs: {runs}\n"})
    assert told in fault
