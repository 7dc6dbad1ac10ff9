"""What a person can do to runs, each time in a process that knows of them from the store alone."""

import asyncio
import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from orchestrator.ids import MessageId, RunId, TaskId
from orchestrator.runs.events import DriverStarted, Event, Record, ReviewFlagged, TaskInDoubt, TaskStarted
from orchestrator.runs.messages import PlanApproved
from orchestrator.runs.sql.opening import open_store

from support.calling import Done, cuewave

READS = "find the overdue invoices"
WRITES = "find the overdue invoices, then write a reminder for each"
REMINDERS = Path("var", "reminders.ics")
T1 = TaskId("t1")


def runs(*verb: str, given: str = "") -> Done:
    return cuewave("runs", *verb, cwd=Path.cwd(), given=given)


def begun(turn: str = WRITES) -> str:
    """The id of a run of this turn."""
    done = cuewave("run", turn, "--json", cwd=Path.cwd())
    assert done.code in (0, 5), done.err
    return done.json["run"]


def standing(run: str) -> dict[str, Any]:
    done = cuewave("status", run, "--json", cwd=Path.cwd())
    assert done.code == 0, done.err
    return done.json


def written(run: str, *events: Event) -> None:
    """What a driver that then died has written of the run."""

    async def write() -> None:
        store = open_store(os.environ["CUEWAVE_STORE"])
        records = await store.read(RunId(run))
        new = [Record(RunId(run), len(records) + n, records[-1].at, e) for n, e in enumerate(events, 1)]
        await store.append(RunId(run), len(records), new)
        await store.close()

    asyncio.run(write())


# ── list, show, status ──────────────────────────────────────────────────────────────────────────────


def test_a_list_has_the_youngest_first_and_only_what_is_wanted(desk: Path) -> None:
    older, younger = begun(READS), begun()
    found = runs("list", "--json").json
    assert [(entry["run"], entry["status"]) for entry in found] == [(younger, "waiting"), (older, "done")]
    assert set(found[0]) == {"run", "status", "session", "text", "started", "ended", "needs_human_review"}
    assert [entry["run"] for entry in runs("list", "--json", "--status", "done").json] == [older]
    assert [entry["run"] for entry in runs("list", "--json", "--limit", "1").json] == [younger]
    assert len(runs("list", "--json", "--limit", "1", "--all").json) == 2
    assert len(runs("list", "--json", "--since", "1h").json) == 2
    assert runs("list", "--json", "--since", "2100-01-01").json == []
    assert runs("list", "--json", "--session", "s9").json == []
    assert runs("list", "--json", "--needs-review").json == []


def test_a_list_for_people_shows_the_ends_of_the_ids(desk: Path) -> None:
    run = begun(READS)
    out = runs("list").out
    assert run[-8:] in out
    assert READS in out


def test_a_time_that_is_none_is_a_usage_error(desk: Path) -> None:
    done = runs("list", "--since", "yesterday")
    assert done.code == 2
    assert "2d" in done.err


def test_a_run_is_shown_with_its_plan_and_every_event(desk: Path) -> None:
    run = begun(READS)
    shown = runs("show", run).out
    for told in (READS, "ledger", "1  turn", "▶ started", "✓ done", "ended: done", "Ann"):
        assert told in shown
    document = runs("show", run, "--json").json
    assert (document["run"], document["status"]) == (run, "done")
    assert [event["seq"] for event in document["events"]] == list(range(1, len(document["events"]) + 1))
    assert set(document["events"][0]) == {"seq", "at", "type", "version", "body"}


def test_a_run_is_drawn_with_the_states_of_its_tasks(desk: Path) -> None:
    ended, waiting = begun(READS), begun()
    assert '<g class="done" ' in runs("show", ended, "--svg", "-").out
    assert runs("show", waiting, "--svg", "run.svg", "--json").json["status"] == "waiting"
    assert (desk / "run.svg").read_text(encoding="utf-8").count('<g class="pending" ') == 2
    assert runs("show", ended, "--svg", "-", "--follow").code == 2


def test_following_a_run_that_has_ended_tells_all_of_it_and_leaves_with_its_code(desk: Path) -> None:
    ended, waiting = begun(READS), begun()
    done = runs("show", ended, "--follow")
    assert done.code == 0
    assert "ended: done" in done.out
    assert runs("show", waiting, "--follow").code == 5
    followed = runs("show", waiting, "--follow", "--json")
    assert (followed.code, followed.json["status"]) == (5, "waiting")


def test_the_status_of_a_run_has_the_whole_document_of_the_interface(desk: Path) -> None:
    run = begun()
    document = standing(run)
    assert document["planning_depth"] == {
        "flow": "direct",
        "clarity": None,
        "requirements_skipped": None,
        "size": None,
        "signals": [],
        "review_limit": 0,
        "challenges": 0,
        "approved_at": None,
        "final_stage": None,
        "restarts": 0,
    }
    assert [d["type"] for d in document["decisions"]] == ["TurnRouted", "PlanMade", "ApprovalAsked"]
    assert (document["waits_for"], document["todos"], document["facts"]) == (["approval"], [], {})
    assert (document["text"], document["ended"], document["budget"]) == (WRITES, None, None)
    assert document["approval"]["plan_hash"] == document["plan_hash"]
    assert len(document["workspace"]) == 64
    runs("approve", run)
    approved = standing(run)
    assert approved["planning_depth"]["approved_at"] == approved["decisions"][-1]["at"]
    assert (approved["approval"]["said"], approved["status"]) == ("approved", "done")


def test_the_status_for_people_says_what_was_decided_and_how_to_go_on(desk: Path) -> None:
    run = begun()
    out = cuewave("status", run, cwd=Path.cwd()).out
    for told in (
        "waiting, for approval",
        "t2",
        "reminders",
        "needs a person's word",
        f"cuewave runs approve {run}",
    ):
        assert told in out


# ── ids ─────────────────────────────────────────────────────────────────────────────────────────────


def test_the_beginning_or_the_end_of_an_id_is_enough_where_it_is_of_one_run(desk: Path) -> None:
    run = begun(READS)
    assert standing(run[-6:])["run"] == standing(run[:20])["run"] == run


@pytest.mark.parametrize("verb", ["show", "approve", "cancel", "export", "resume"])
def test_an_id_that_is_too_short_unknown_or_of_several_runs_is_refused(desk: Path, verb: str) -> None:
    one, other = begun(READS), begun(READS)
    assert "too short" in runs(verb, one[-5:]).err
    assert "there is no run 'ffffff" in runs(verb, "ffffffffff").err
    same = next(n for n in range(32) if one[n] != other[n])
    several = runs(verb, one[:same])
    assert several.code == 1
    assert one in several.err
    assert other in several.err


# ── a person's word ─────────────────────────────────────────────────────────────────────────────────


def test_an_approved_run_goes_on_here_and_its_reply_is_printed(desk: Path) -> None:
    run = begun()
    done = runs("approve", run[-8:])
    assert done.code == 0
    assert "Ann" in done.out
    assert "t2 (reminders, per item of t1) writes" in done.err
    assert standing(run)["plan_hash"] in done.err
    assert "SUMMARY:Ann" in REMINDERS.read_text(encoding="utf-8")


def test_with_json_an_approval_is_one_document(desk: Path) -> None:
    done = runs("approve", begun(), "--json")
    assert (done.code, done.json["status"]) == (0, "done")


def test_only_the_plan_that_was_seen_is_approved(desk: Path) -> None:
    run = begun()
    hash = standing(run)["plan_hash"]
    other = runs("approve", run, "--plan", "0123456789")
    assert (other.code, hash[:12] in other.err) == (1, True)
    assert runs("approve", run, "--plan", hash[:7]).code == 2
    assert not REMINDERS.exists()
    assert runs("approve", run, "--plan", hash[:8]).code == 0
    assert runs("approve", run).code == 1


def test_a_rejected_plan_is_never_run_and_that_is_what_was_asked_for(desk: Path) -> None:
    run = begun()
    done = runs("reject", run, "--reason", "too many", "--json")
    assert (done.code, done.json["status"]) == (0, "cancelled")
    assert "too many" in done.json["reply"]
    assert runs("resume", run).code == 1
    assert not REMINDERS.exists()


def test_feedback_makes_the_plan_anew_and_it_asks_again(desk: Path) -> None:
    run = begun()
    before = standing(run)["plan_hash"]
    done = runs("feedback", run, "and", "check", "my", "calendar")
    assert done.code == 5
    assert "calendar" in done.out
    now = standing(run)
    assert now["plan_hash"] != before
    assert now["plan"]["revisions"] == ["feedback: and check my calendar"]
    assert runs("approve", run, "--plan", before[:12]).code == 1
    assert runs("feedback", run, "-", given=" ").code == 2


def test_a_resumed_run_is_approved_with_yes_and_waits_without(desk: Path) -> None:
    run = begun()
    waits = runs("resume", run)
    assert (waits.code, f"cuewave runs approve {run}" in waits.out) == (5, True)
    assert runs("resume", run, "--yes").code == 0
    assert REMINDERS.exists()


def test_what_cannot_be_said_is_refused_and_says_why(desk: Path) -> None:
    run = begun(READS)
    for words in (["approve", run], ["reject", run], ["feedback", run, "x"], ["cancel", run]):
        refused = runs(*words, "--json")
        assert refused.code == 1
        assert refused.json["error"]["type"] == "MessageObjected"
        assert run in refused.json["error"]["message"]


def test_a_cancelled_run_did_what_was_asked_and_can_be_resumed(desk: Path) -> None:
    run = begun()
    done = runs("cancel", run, "--reason", "not today")
    assert done.code == 0
    assert standing(run)["status"] == "cancelled"
    assert runs("resume", run, "--yes").code == 0
    assert standing(run)["status"] == "done"


def test_a_signal_is_a_fact_of_the_run(desk: Path) -> None:
    run = begun()
    told = runs("signal", run, "delay", "-5", "--source", "airline")
    assert (told.code, told.err) == (5, "signal: delay = -5, says airline\n")
    assert runs("signal", run, "gate", "B12").code == 5
    assert runs("signal", run, "limit", "NaN").code == 5
    assert standing(run)["facts"] == {"delay": -5, "gate": "B12", "limit": "NaN"}


def in_doubt() -> str:
    """A run whose driver died while its reminder was being written."""
    run = begun("remind me to call Cy")
    approved = PlanApproved("ann", standing(run)["plan_hash"], 100, MessageId("m1"))
    doubt = TaskInDoubt(T1, "it was cut off; whether it took effect is not known")
    written(run, DriverStarted("d"), approved, TaskStarted(T1, 1, f"{run}/t1/1"), doubt)
    return run


def test_a_task_in_doubt_waits_for_an_answer(desk: Path) -> None:
    run = in_doubt()
    waits = runs("resume", run)
    assert (waits.code, f"cuewave runs answer {run} t1 --done" in waits.out) == (5, True)
    assert runs("answer", run, "t1").code == 2
    assert runs("answer", run, "t1", "--redo", "--output", "x").code == 2
    assert "in doubt are: t1" in runs("answer", run, "t7", "--done").err
    done = runs("answer", run, "t1", "--done", "--output", "written by hand")
    assert (done.code, done.out.strip()) == (0, "written by hand")


def test_what_did_not_happen_is_done_again(desk: Path) -> None:
    run = in_doubt()
    assert runs("resume", run).code == 5
    assert runs("answer", run, "t1", "--redo").code == 0
    assert REMINDERS.read_text(encoding="utf-8").count("call Cy") >= 1


def test_a_run_that_is_held_goes_on_when_somebody_has_looked(desk: Path) -> None:
    run = begun()
    written(run, DriverStarted("d"), ReviewFlagged("drivers keep dying of it", holds=True))
    assert runs("resume", run).code == 5
    assert [entry["run"] for entry in runs("list", "--needs-review", "--json").json] == [run]
    cleared = runs("clear-review", run)
    assert (cleared.code, standing(run)["waits_for"]) == (5, ["approval"])


def test_a_run_that_goes_on_elsewhere_says_how_to_go_on_should_its_process_have_died(desk: Path) -> None:
    run = begun()
    written(run, DriverStarted("somewhere else"))
    for told in (cuewave("status", run).out, runs("show", run).out):
        assert "status    running" in told
        assert told.endswith(f"where the process that drives it has died: cuewave runs resume {run}\n")


def test_what_is_said_to_a_run_that_another_process_drives_is_only_posted(desk: Path) -> None:
    run = begun()
    written(run, DriverStarted("somewhere else"))
    done = runs("signal", run, "delay", "5")
    assert done.code == 0
    assert f"cuewave runs resume {run}" in done.err
    assert standing(run)["facts"] == {}
    assert runs("resume", run).code == 5
    assert standing(run)["facts"] == {"delay": 5}


# ── its own workspace ───────────────────────────────────────────────────────────────────────────────


def test_a_run_goes_on_with_its_own_workspace_where_the_present_one_has_changed(desk: Path) -> None:
    run = begun()
    (desk / "agents" / "reminders.yaml").unlink()
    assert runs("approve", run).code == 0
    assert REMINDERS.exists()


# ── export and replay ───────────────────────────────────────────────────────────────────────────────


def test_an_exported_run_is_replayed_without_store_and_workspace(
    desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begun()
    runs("approve", run)
    file = tmp_path / "run.json"
    assert runs("export", run, "--out", str(file)).code == 0
    assert json.loads(file.read_text(encoding="utf-8")) == runs("export", run).json
    assert runs("export", run).out == runs("export", run).out
    monkeypatch.setenv("CUEWAVE_STORE", "sqlite:////nowhere/at/all.db")
    monkeypatch.chdir(tmp_path)
    done = runs("replay", str(file), "--json")
    assert (done.code, done.json["deterministic"], done.json["differences"]) == (0, True, [])
    assert (done.json["run"], done.json["status"], done.json["notes"]) == (run, "done", [])
    assert "deterministic: true" in runs("replay", str(file)).out


def test_a_replay_that_decides_otherwise_says_what_and_exits_4(desk: Path, tmp_path: Path) -> None:
    document = runs("export", begun(READS)).json
    document["records"][-1]["body"]["reply"] = "nothing is overdue"
    file = tmp_path / "run.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    done = runs("replay", str(file))
    assert done.code == 4
    assert "deterministic: false" in done.out
    assert 'reply of the run: recorded "nothing is overdue"' in done.out


def test_a_damaged_file_is_refused_with_its_name_and_the_record(desk: Path, tmp_path: Path) -> None:
    document = runs("export", begun(READS)).json
    del document["records"][2]
    file = tmp_path / "run.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    done = runs("replay", str(file))
    assert done.code == 1
    assert f"{file}: record 3: its seq is 4 where 3 is due" in done.err
    file.write_bytes(b"\xff")
    assert "byte 1 is not UTF-8" in runs("replay", str(file)).err
    assert runs("replay", str(tmp_path / "none.json")).code == 1


# ── forgetting ──────────────────────────────────────────────────────────────────────────────────────


def test_only_what_ended_long_ago_is_pruned_and_only_with_a_yes(desk: Path) -> None:
    ended, waiting = begun(READS), begun()
    assert runs("prune", "--older-than", "1d", "--yes", "--json").json == {"runs": [], "deleted": True}
    later = "2100-01-01"
    assert runs("prune", "--older-than", later, "--dry-run", "--json").json == {
        "runs": [ended],
        "deleted": False,
    }
    refused = runs("prune", "--older-than", later)
    assert (refused.code, "--yes" in refused.err) == (1, True)
    assert runs("prune", "--older-than", later, "--yes", "--json").json == {"runs": [ended], "deleted": True}
    assert [entry["run"] for entry in runs("list", "--json").json] == [waiting]


def test_one_run_is_forgotten_with_a_yes_and_not_while_it_is_at_work(desk: Path) -> None:
    run, at_work = begun(READS), begun()
    written(at_work, DriverStarted("somewhere else"))
    assert runs("delete", run).code == 1
    assert runs("delete", run, "--yes", "--json").json == {"run": run, "deleted": True}
    assert "cancel it first" in runs("delete", at_work, "--yes").err
    assert runs("show", run).code == 1


def test_a_run_whose_journal_is_damaged_can_still_be_forgotten(desk: Path) -> None:
    run = begun(READS)
    file = os.environ["CUEWAVE_STORE"].removeprefix("sqlite:///")
    with sqlite3.connect(file) as database:
        database.execute("UPDATE cuewave_events SET body = '{}' WHERE seq = 3")
    database.close()
    refused = runs("show", run)
    assert refused.code == 1
    assert "record 3" in refused.err
    assert runs("delete", run, "--yes").code == 0
    assert runs("list", "--json").json == []


# ── a store that fails ──────────────────────────────────────────────────────────────────────────────


def test_a_store_that_cannot_be_had_is_no_fault_of_ours(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUEWAVE_STORE", f"sqlite:///{desk}")
    for words in (["runs", "list"], ["run", READS]):
        done = cuewave(*words, "--json", cwd=desk)
        assert (done.code, done.json["error"]["type"]) == (1, "StoreError")
    monkeypatch.setenv("CUEWAVE_STORE", "mysql://there")
    assert runs("list").code == 1
