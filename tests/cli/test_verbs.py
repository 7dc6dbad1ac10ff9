"""The verbs as a person or a program calls them: an exit code and two streams."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.calling import SHIPPED, Done, cuewave

TWO_PARTS = "summarize my inbox and check my calendar"
MAPPED = "find the overdue invoices, then write a reminder for each"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A copy of the shipped workspace that a test may change and write to."""
    folder = tmp_path / "mine"
    for part in ("config", "agents", "prompts", "samples"):
        shutil.copytree(SHIPPED / part, folder / part)
    return folder


def test_the_main_job_runs_two_tasks_of_two_agents_in_one_wave_and_answers_both() -> None:
    call = [sys.executable, "-c", "from orchestrator.cli import main; main()", "run", TWO_PARTS, "--json"]
    process = subprocess.run(call, capture_output=True, text=True, cwd=SHIPPED, check=False)
    done = Done(process.returncode, process.stdout, process.stderr)
    assert done.code == 0
    assert [t["agent"] for t in done.json["plan"]["tasks"]] == ["inbox", "calendar"]
    assert done.json["plan"]["waves"] == [["t1", "t2"]]
    assert {r["status"] for r in done.json["results"].values()} == {"done"}
    assert all(r["output"] in done.json["reply"] for r in done.json["results"].values())
    assert done.json["usage"]["model_calls"] == 0


def test_a_plan_that_writes_waits_where_nobody_can_be_asked_and_says_how_to_go_on(workspace: Path) -> None:
    done = cuewave("run", MAPPED, cwd=workspace)
    assert done.code == 5
    assert "cuewave runs approve" in done.out
    waiting = cuewave("run", MAPPED, "--json", cwd=workspace)
    assert (waiting.code, waiting.json["status"], waiting.json["waits_for"]) == (5, "waiting", ["approval"])
    assert not (workspace / "var").exists()


def test_a_mapped_plan_writes_one_reminder_for_each_overdue_invoice(workspace: Path) -> None:
    done = cuewave("run", MAPPED, "--yes", "--json", cwd=workspace)
    assert done.code == 0
    items = done.json["results"]["t2"]["items"]
    assert len(items) > 1
    assert (workspace / "var" / "reminders.ics").read_text(encoding="utf-8").count("SUMMARY") == len(items)


def test_a_mapped_plan_with_nothing_overdue_succeeds_with_nothing_to_do(workspace: Path) -> None:
    invoices = workspace / "samples" / "invoices.csv"
    invoices.write_text(invoices.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    done = cuewave("run", MAPPED, "--yes", "--json", cwd=workspace)
    assert done.code == 0
    assert done.json["status"] == "done"
    assert "nothing to do" in done.json["results"]["t2"]["output"]
    assert not (workspace / "var").exists()


def test_a_dry_run_shows_the_whole_document_of_the_interface_and_runs_nothing(workspace: Path) -> None:
    document = cuewave("plan", MAPPED, "--json", cwd=workspace).json
    assert [c["meaning"] for c in document["compound"]["cues"]] == ["sequential", "distributive"]
    assert [(t["agent"], t["depends_on"], t["map_over"]) for t in document["plan"]["tasks"]] == [
        ("ledger", [], None),
        ("reminders", ["t1"], "t1"),
    ]
    start, end = document["plan"]["tasks"][0]["source_span"]
    assert MAPPED[start:end] == "find the overdue invoices"
    assert document["approval"]["needed"] is True
    estimate = document["estimate"]
    assert (estimate["model_calls"], estimate["seconds"], estimate["samples"]) == ([0, 0], None, 0)
    assert (estimate["critical_path"], estimate["effects"]) == (
        ["t1", "t2"],
        {"read": ["t1"], "write": ["t2"]},
    )
    assert not (workspace / "var").exists()


def test_emails_from_two_people_stay_one_task() -> None:
    document = cuewave("plan", "emails from Bob and Alice", "--json").json
    assert document["compound"]["is_multi_step"] is False
    assert [t["action"] for t in document["plan"]["tasks"]] == ["emails from Bob and Alice"]


@pytest.mark.parametrize(("flag", "first"), [("--mermaid", "flowchart"), ("--dot", "digraph")])
def test_a_drawing_is_the_whole_output(flag: str, first: str) -> None:
    done = cuewave("plan", TWO_PARTS, flag)
    assert done.code == 0
    assert done.out.startswith(first)


def test_a_picture_is_written_beside_what_the_verb_says(tmp_path: Path) -> None:
    file = tmp_path / "plan.svg"
    done = cuewave("plan", TWO_PARTS, "--json", "--svg", str(file))
    assert (done.code, len(done.json["plan"]["tasks"])) == (0, 2)
    assert file.read_text(encoding="utf-8").startswith("<svg ")
    assert [path.name for path in tmp_path.iterdir()] == ["plan.svg"]
    assert "wave 1" in cuewave("plan", TWO_PARTS, "--svg", str(file)).out


def test_a_picture_on_stdout_is_the_whole_output() -> None:
    done = cuewave("plan", TWO_PARTS, "--svg", "-")
    assert (done.code, done.out[:5], done.out[-6:]) == (0, "<svg ", "</svg>")
    for other in ("--json", "--dot"):
        assert cuewave("plan", TWO_PARTS, "--svg", "-", other).code == 2


def test_a_picture_that_cannot_be_written_is_a_mistake_with_its_place(tmp_path: Path) -> None:
    folder = cuewave("plan", TWO_PARTS, "--svg", str(tmp_path))
    assert (folder.code, folder.err) == (1, f"error: {tmp_path}: it is a folder; name a file in it\n")
    nowhere = cuewave("plan", TWO_PARTS, "--json", "--svg", str(tmp_path / "no" / "plan.svg"))
    assert nowhere.code == 1
    assert "there is no folder" in nowhere.json["error"]["message"]


def test_an_address_goes_to_the_agent_it_names() -> None:
    route = cuewave("route", "@calendar what is on today", "--json").json["route"]
    assert (route["agent"], route["addressed"]) == ("calendar", True)


def test_a_turn_out_of_scope_is_declined_with_the_nearest_intents() -> None:
    done = cuewave("run", "translate this poem into Finnish", "--json")
    assert done.code == 0
    assert done.json["plan"]["tasks"] == []
    assert "@" in done.json["reply"]


def test_a_joint_kind_is_refused_by_name() -> None:
    done = cuewave("run", "what is on my calendar", "--kind", "build")
    assert done.code == 1
    assert "'build'" in done.err


def test_init_copies_a_workspace_that_checks_and_runs(tmp_path: Path) -> None:
    assert cuewave("init", str(tmp_path / "mine")).code == 0
    assert cuewave("check", cwd=tmp_path / "mine").code == 0
    again = cuewave("init", str(tmp_path / "mine"))
    assert again.code == 1
    assert "mine" in again.err


def test_check_shows_every_fault_with_its_place_and_exits_1(workspace: Path) -> None:
    (workspace / "agents" / "odd.yaml").write_text(
        "name: no\nuses: calender\ncolour: red\n", encoding="utf-8"
    )
    done = cuewave("check", cwd=workspace)
    assert done.code == 1
    for place in ("agents/odd.yaml:1:7: name", "agents/odd.yaml:2:7: uses", "agents/odd.yaml:3:1: colour"):
        assert place in done.err
    assert "calendar" in done.err
    faults = cuewave("check", "--json", cwd=workspace).json["faults"]
    assert [f["line"] for f in faults] == [1, 2, 3]


def test_check_counts_warnings_and_shows_them_where_it_is_strict(workspace: Path) -> None:
    assert cuewave("check", "--strict", cwd=workspace).code == 0
    (workspace / "config" / "routing.yaml").write_text("threshold: 0.7\n", encoding="utf-8")
    counted = cuewave("check", cwd=workspace)
    assert (counted.code, counted.out.endswith(": ok, 10 agents\n")) == (0, True)
    assert counted.err == "1 warning; `cuewave check --strict` shows what and where\n"
    shown = cuewave("check", "--strict", cwd=workspace)
    assert (shown.code, shown.out.endswith(": not ok, 10 agents, 1 warning\n")) == (1, True)
    assert shown.err == (
        "warning: config/routing.yaml:1:12: threshold: a turn routed with 0.6 is sure, and below 0.7 it is "
        "declined; set `threshold` to at most `sure` [threshold-above-sure]\n"
        "  threshold: 0.7\n             ^\n"
    )


def test_check_gives_faults_and_warnings_apart_as_json(workspace: Path) -> None:
    (workspace / "config" / "routing.yaml").write_text("threshold: 0.7\n", encoding="utf-8")
    document = cuewave("check", "--json", cwd=workspace).json
    assert (document["ok"], document["faults"]) == (True, [])
    assert [(w["code"], w["file"], w["line"], w["column"], w["path"]) for w in document["warnings"]] == [
        ("threshold-above-sure", "config/routing.yaml", 1, 12, "threshold")
    ]
    strict = cuewave("check", "--strict", "--json", cwd=workspace)
    assert (strict.code, strict.json) == (1, {**document, "ok": False})
    (workspace / "config" / "routing.yaml").write_text("threshold: 7\n", encoding="utf-8")
    faulty = cuewave("check", "--strict", "--json", cwd=workspace).json
    assert ([f["path"] for f in faulty["faults"]], faulty["warnings"]) == (["threshold"], [])


@pytest.mark.parametrize("verb", ["route", "plan", "run"])
def test_no_verb_runs_on_half_a_configuration(workspace: Path, verb: str) -> None:
    (workspace / "config" / "routing.yaml").write_text("sure: 7\n", encoding="utf-8")
    done = cuewave(verb, "what is on my calendar", "--json", cwd=workspace)
    assert done.code == 1
    assert done.json["error"]["faults"][0]["path"] == "sure"


@pytest.mark.parametrize(
    "arguments",
    [
        ("plan",),
        ("plan", " "),
        ("nosuch",),
        ("run", "x", "--schedule", "later"),
        ("plan", "x", "--dot", "--json"),
    ],
)
def test_a_usage_error_exits_2(arguments: tuple[str, ...]) -> None:
    assert cuewave(*arguments).code == 2


def test_a_turn_may_come_from_stdin() -> None:
    document = cuewave("route", "-", "--json", given="what is on my calendar\ntomorrow").json
    assert document["text"] == "what is on my calendar\ntomorrow"


def test_chat_answers_turn_by_turn_and_goes_on_after_a_turn_that_waits(workspace: Path) -> None:
    turns = "what is on my calendar today\n\nremind me to water the plants\nfind the overdue invoices\n"
    done = cuewave("chat", "--json", cwd=workspace, given=turns)
    assert done.code == 0
    assert [turn["status"] for turn in done.json["turns"]] == ["done", "waiting", "done"]
    assert "cuewave runs approve" in done.json["turns"][1]["reply"]


def test_chat_goes_on_after_a_mistake(workspace: Path) -> None:
    (workspace / "prompts").rename(workspace / "elsewhere")
    (workspace / "prompts").mkdir()
    (workspace / "prompts" / "reply.j2").write_text("{{ nothing_of_this_name }}", encoding="utf-8")
    done = cuewave("chat", "--json", cwd=workspace, given="what is on my calendar today\nand tomorrow\n")
    assert done.code == 1
    assert ["nothing_of_this_name" in turn["error"] for turn in done.json["turns"]] == [True, True]


def test_agents_are_listed_with_what_they_may_do() -> None:
    effects = {row["name"]: row["effects"] for row in cuewave("agents", "list", "--json").json}
    readers = dict.fromkeys(("calendar", "inbox", "ledger", "notes"), "read")
    played = dict.fromkeys(("concierge", "guestlist", "railway", "stockroom"), "none")
    assert effects == {**readers, **played, "notebook": "write", "reminders": "write"}
    lines = cuewave("agents", "list").out.splitlines()
    assert lines[0].split() == ["agent", "type", "kind", "effects", "can", "be", "asked", "for"]
    assert "check_calendar: look up what is on the calendar" in lines[1]


@pytest.mark.parametrize("name", ["orchestrator", "adaptation", "planning", "models", "agent", "scenario"])
def test_every_file_has_a_schema(name: str) -> None:
    assert cuewave("schema", name).json["type"] == "object"


def test_all_schemas_are_one_document_or_a_file_each(tmp_path: Path) -> None:
    every = cuewave("schema", "--all").json
    assert every["agent"] == cuewave("schema", "agent").json
    told = cuewave("schema", "--all", "--out", str(tmp_path / "a" / "b"), "--json").json
    assert told["files"] == [f"{name}.json" for name in every]
    for name, schema in every.items():
        written = (tmp_path / "a" / "b" / f"{name}.json").read_text(encoding="utf-8")
        assert written == (SHIPPED / "schemas" / f"{name}.json").read_text(encoding="utf-8")
        assert json.loads(written) == schema


def test_one_schema_may_be_a_file_too(tmp_path: Path) -> None:
    done = cuewave("schema", "agent", "--out", str(tmp_path))
    assert (done.code, done.out) == (0, f"{tmp_path}: 1 file\n")
    (tmp_path / "taken").touch()
    refused = cuewave("schema", "agent", "--out", str(tmp_path / "taken" / "deeper"))
    assert (refused.code, "the folder cannot be made" in refused.err) == (1, True)


@pytest.mark.parametrize("words", [("schema",), ("schema", "agent", "--all")])
def test_one_schema_or_all_of_them_is_asked_for(words: tuple[str, ...]) -> None:
    assert cuewave(*words).code == 2


def test_an_unknown_schema_names_the_known_ones() -> None:
    done = cuewave("schema", "agnet")
    assert done.code == 1
    assert "agent" in done.err


def test_the_path_to_the_workspace_comes_from_the_option_first(workspace: Path, tmp_path: Path) -> None:
    done = cuewave("--workspace", str(workspace), "check", cwd=tmp_path)
    assert str(workspace) in done.out
    missing = cuewave("--workspace", str(tmp_path / "none"), "check", cwd=tmp_path)
    assert missing.code == 1
    assert "none" in missing.err


def test_a_reader_that_goes_away_is_no_fault() -> None:
    shell = f"{sys.executable} -c 'from orchestrator.cli import main; main()' schema agent --json | head -c 1"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_a_run_says_its_warnings_once_whether_or_not_it_asks(workspace: Path) -> None:
    for turn in ("@calender what is on my calendar", "@reminder remind me to call Bob"):
        done = cuewave("run", turn, "--yes", "--json", cwd=workspace)
        assert done.err.count("warning: there is no agent @") == 1


def test_where_nothing_names_a_workspace_it_is_said_that_the_shipped_one_is_taken(tmp_path: Path) -> None:
    done = cuewave("route", "check my calendar", "--json", cwd=tmp_path)
    assert (done.code, done.json["route"]["agent"]) == (0, "calendar")
    assert done.err.startswith(f"note: no workspace from {tmp_path} upwards; taking the shipped one")
    assert "cuewave init DIR" in done.err
    assert cuewave("route", "check my calendar", cwd=SHIPPED).err == ""


def test_a_folder_that_was_taken_away_is_a_mistake_that_is_named(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    code = f"import os; os.mkdir({str(gone)!r}); os.chdir({str(gone)!r}); os.rmdir({str(gone)!r})"
    call = f"import orchestrator.cli; {code}; orchestrator.cli.main()"
    done = subprocess.run([sys.executable, "-c", call, "check"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "error: the current folder is not there any more; change to one that is\n"
