"""A run goes on with the workspace that it was begun with, whatever became of that, and keeps no secret."""

import asyncio
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from orchestrator import Orchestrator, WorkspaceInvalid
from orchestrator.agents.contract import UNLIMITED, Purse, Reply
from orchestrator.control import approval_of_plan
from orchestrator.errors import ModelError, StoreError, UserError, WorkspaceChanged
from orchestrator.ids import RunId, TaskId
from orchestrator.runs.messages import CancelAsked, FeedbackGiven, PlanRejected, Said, SignalReceived
from orchestrator.runs.state import RunState
from orchestrator.testing import FakeClock, MemoryStore, ScriptedModel

from support.office import LEDGER, WRITER, office
from support.openai_server import serving

KEY = "correct-horse-9c41-battery"
LATER = FakeClock(datetime(2026, 11, 30, 11, tzinfo=UTC))
ASKS_ALWAYS = "kinds: {answer: {approval: always}, act: {approval: always}, build: {}}"


@dataclass
class Bench:
    """An office in which a run waits for a person, and what has become of it later."""

    root: Path
    store: MemoryStore
    run: str

    def edited(self, files: Mapping[str, str | None] = {}, **world: Any) -> Orchestrator:
        """Another process, after these files were written, or with None removed."""
        for name, text in files.items():
            if text is None:
                (self.root / name).unlink()
            else:
                (self.root / name).write_text(text, encoding="utf-8")
        return Orchestrator.from_workspace(self.root, **{"clock": FakeClock(), "store": self.store, **world})

    def without_snapshot(self) -> "Bench":
        """The same, where the store has lost what the run was begun with."""
        self.store._snapshots.clear()
        return self


def begun(root: Path, text: str, files: Mapping[str, str | None] = {}, **world: Any) -> Bench:
    """A run of this office that waits for a person's word."""
    store = MemoryStore()
    made = {"config/planning.yaml": ASKS_ALWAYS, **files}
    app = Orchestrator.from_workspace(
        office(root / "office", made), **{"clock": FakeClock(), "store": store, **world}
    )
    waiting = asyncio.run(app.run(text))
    assert waiting.waits_for == ("approval",)
    return Bench(root / "office", store, waiting.run)


def approved(app: Orchestrator, run: str) -> RunState:
    async def say() -> RunState:
        return await app.runs.tell(run, approval_of_plan(await app.runs.state(run), "ann"))

    return asyncio.run(say())


# ── its own workspace ───────────────────────────────────────────────────────────────────────────────────


def test_an_edited_prompt_is_not_seen(tmp_path: Path) -> None:
    files = {"prompts/mine.j2": "Be kind.", "agents/writer.yaml": WRITER + "prompt: mine.j2\n"}
    with ScriptedModel("Dear Ann") as model:
        models = {"models": lambda _: model}
        bench = begun(tmp_path, "draft a letter", files, **models)
        state = approved(bench.edited({"prompts/mine.j2": "Be rude."}, **models), bench.run)
        assert (state.status, state.reply) == ("done", "Dear Ann")
        assert model.asked[0].messages[0].content == "Be kind."


def test_an_edited_agent_and_its_limits_are_not_seen_and_data_files_are_the_present_ones(
    tmp_path: Path,
) -> None:
    bench = begun(tmp_path, "find the overdue invoices")
    edited = {
        "agents/ledger.yaml": LEDGER.replace("data/invoices.csv", "data/nothing.csv"),
        "config/orchestrator.yaml": "budgets: {run: {tasks: 0}}",
        "data/invoices.csv": "name,amount,due\nCy,30,2026-01-01\n",
    }
    state = approved(bench.edited(edited, clock=LATER), bench.run)
    assert state.status == "done"
    assert "Cy: 30.00" in state.reply


def test_an_agent_that_is_gone_is_there_for_the_run(tmp_path: Path) -> None:
    bench = begun(tmp_path, "find the overdue invoices")
    assert approved(bench.edited({"agents/ledger.yaml": None}), bench.run).status == "done"


def test_an_edited_cue_is_not_seen_when_the_plan_is_made_anew(tmp_path: Path) -> None:
    bench = begun(tmp_path, "check my calendar")
    app = bench.edited({"config/multi_step.yaml": "cues: []"})
    assert len(asyncio.run(app.plan("check my calendar and find the overdue invoices")).tasks) == 1
    said = FeedbackGiven("ann", "and find the overdue invoices", revises_plan=True)
    state = asyncio.run(app.runs.tell(bench.run, said))
    assert state.plan is not None
    assert [task.agent for task in state.plan.tasks] == ["calendar", "ledger"]


def test_a_new_run_has_the_present_workspace_and_both_snapshots_are_kept(tmp_path: Path) -> None:
    bench = begun(tmp_path, "check my calendar")
    app = bench.edited({"config/orchestrator.yaml": "runs: {crash_limit: 7}"})
    other = asyncio.run(app.run("check my calendar"))
    states = [asyncio.run(app.runs.state(run)) for run in (bench.run, other.run)]
    assert states[0].workspace != states[1].workspace
    assert states[0].prompts == states[1].prompts
    for state in states:
        assert asyncio.run(bench.store.kept(state.workspace)) is not None
        assert approved(app, state.run).status == "done"


def test_it_is_driven_from_another_process_by_its_own_budgets(tmp_path: Path) -> None:
    bench = begun(tmp_path, "check my calendar", {"config/orchestrator.yaml": "budgets: {run: {tasks: 0}}"})
    assert approved(bench.edited({"config/orchestrator.yaml": ""}), bench.run).status == "partial"


# ── the snapshot is gone ────────────────────────────────────────────────────────────────────────────────


def changed(bench: Bench, policy: str, **world: Any) -> Orchestrator:
    """Another process with another workspace; the run's own is gone."""
    files = {"config/orchestrator.yaml": f"runs: {{on_changed_workspace: {policy}}}"}
    return bench.without_snapshot().edited(files, **world)


def resumed(app: Orchestrator, run: str, **how: Any) -> RunState:
    return asyncio.run(app.runs.resume(run, **how))


@pytest.mark.parametrize("how", [{}, {"changed": True}])
def test_where_it_is_gone_a_run_is_refused_whatever_is_said(tmp_path: Path, how: dict[str, Any]) -> None:
    bench = begun(tmp_path, "check my calendar")
    app = changed(bench, "refuse")
    before = asyncio.run(bench.store.read(RunId(bench.run)))
    with pytest.raises(WorkspaceChanged, match=r"set runs\.on_changed_workspace to ask or allow") as refused:
        resumed(app, bench.run, **how)
    assert not refused.value.may_ask
    assert asyncio.run(bench.store.read(RunId(bench.run))) == before


@pytest.mark.parametrize("said", [CancelAsked("ann"), PlanRejected("ann", "")], ids=["cancel", "reject"])
def test_what_begins_nothing_needs_no_workspace(tmp_path: Path, said: Said) -> None:
    bench = begun(tmp_path, "check my calendar")
    state = asyncio.run(changed(bench, "refuse").runs.tell(bench.run, said))
    assert state.status == "cancelled"


def test_refusing_is_what_happens_where_nothing_is_set(tmp_path: Path) -> None:
    bench = begun(tmp_path, "check my calendar").without_snapshot()
    with pytest.raises(WorkspaceChanged):
        resumed(bench.edited({"config/multi_step.yaml": "cues: []"}), bench.run)


def test_it_may_be_asked_and_goes_on_where_a_person_wants_that(tmp_path: Path) -> None:
    bench = begun(tmp_path, "check my calendar")
    app = changed(bench, "ask")
    with pytest.raises(WorkspaceChanged, match="say --changed to go on with the present one") as refused:
        resumed(app, bench.run)
    assert refused.value.may_ask
    assert resumed(app, bench.run, changed=True, yes="ann").status == "done"


def test_it_goes_on_unasked_where_that_is_allowed(tmp_path: Path) -> None:
    bench = begun(tmp_path, "check my calendar")
    assert approved(changed(bench, "allow"), bench.run).status == "done"


def test_an_unchanged_workspace_needs_no_snapshot(tmp_path: Path) -> None:
    bench = begun(tmp_path, "check my calendar").without_snapshot()
    assert approved(bench.edited(), bench.run).status == "done"


def test_an_agent_that_the_present_workspace_does_not_have_is_named(tmp_path: Path) -> None:
    bench = begun(tmp_path, "find the overdue invoices and check my calendar")
    bench.edited({"agents/ledger.yaml": None})
    with pytest.raises(UserError, match="needs agents that this workspace does not have: ledger; add them"):
        resumed(changed(bench, "allow"), bench.run)


def test_a_damaged_snapshot_is_never_taken_for_a_workspace(tmp_path: Path) -> None:
    bench = begun(tmp_path, "check my calendar")
    (name,) = bench.store._snapshots
    bench.store._snapshots[name] = bench.store._snapshots[name].replace(b"calendar", b"colander", 1)
    app = bench.edited({"config/orchestrator.yaml": "runs: {on_changed_workspace: allow}"})
    with pytest.raises(StoreError, match=f"the snapshot {name[:12]} of a workspace is damaged"):
        resumed(app, bench.run)


def test_a_snapshot_that_this_version_cannot_read_says_whose_file_is_meant(tmp_path: Path) -> None:
    """As one of another version would be, whose knobs are not those of this one."""
    bench = begun(tmp_path, "check my calendar")
    found = json.loads(bench.store._snapshots.popitem()[1])
    body = json.dumps({**found, "config/orchestrator.yaml": "of_tomorrow: 1"}).encode()
    journal = bench.store._journals[RunId(bench.run)]
    name = hashlib.sha256(body).hexdigest()
    first = journal[0]._replace(event=replace(journal[0].event, workspace=name))
    journal[0] = first
    bench.store._snapshots[name] = body
    with pytest.raises(
        WorkspaceInvalid, match=r"^the run's own config/orchestrator\.yaml:1:1: of_tomorrow: "
    ):
        resumed(bench.edited(), bench.run)


# ── secrets ─────────────────────────────────────────────────────────────────────────────────────────────


class Prattles:
    """A model whose answers, or errors, repeat a key; not one of ours, that would hide it."""

    def __init__(self, key: str, *answers: str | Exception) -> None:
        self.key, self.answers = key, list(answers)

    async def ask(
        self, messages: Any, *, tools: Any = (), emit: Any = None, purse: Purse = UNLIMITED
    ) -> Reply:
        purse.begin_call()
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer.replace("KEY", self.key))


MODELS = "models: {default: {provider: openai, model: m, base_url: 'http://127.0.0.1:9/v1', api_key: %s}}"
LITERAL = {"config/models.yaml": MODELS % KEY, "agents/writer.yaml": WRITER}
REFERRED = {"config/models.yaml": MODELS % '"${OFFICE_KEY}"', "agents/writer.yaml": WRITER}


def everything(store: MemoryStore) -> str:
    """All that a store holds."""
    return repr(vars(store))


@pytest.mark.parametrize("files", [LITERAL, REFERRED], ids=["literal", "from the environment"])
def test_no_secret_is_in_the_store_whatever_repeats_it(
    tmp_path: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OFFICE_KEY", KEY)
    model = Prattles(
        KEY, '[{"note": "KEY", "deep": ["KEY"]}, "KEY"]', ModelError(f"HTTP 400: {KEY}"), "my key is KEY"
    )
    planning = {"config/planning.yaml": f"{ASKS_ALWAYS}\nmode: split\n"}
    text = f"draft a letter about {KEY} as well as polish a text as well as draft a note"
    bench = begun(tmp_path, text, {**files, **planning}, models=lambda _: model)
    app = bench.edited(models=lambda _: model)

    async def go() -> None:
        await app.runs.tell(bench.run, SignalReceived("delay", {"why": KEY}, "airline"))
        await app.runs.tell(bench.run, FeedbackGiven("ann", f"mind {KEY}", revises_plan=False))

    asyncio.run(go())
    assert KEY not in everything(bench.store)
    state = approved(app, bench.run)
    assert not model.answers
    assert "***" in state.reply
    assert KEY not in everything(bench.store)
    assert everything(bench.store).count("***") >= 8


def test_a_message_is_clean_before_a_driver_has_taken_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OFFICE_KEY", KEY)
    bench = begun(tmp_path, "check my calendar", REFERRED)
    app = bench.without_snapshot().edited({"config/multi_step.yaml": "cues: []"})
    with pytest.raises(WorkspaceChanged):
        asyncio.run(app.runs.tell(bench.run, FeedbackGiven("ann", f"mind {KEY}", revises_plan=False)))
    (message,) = asyncio.run(bench.store.inbox(RunId(bench.run)))
    assert message.said.text == "mind ***"
    assert KEY not in everything(bench.store)


def test_a_run_that_is_taken_up_hides_the_keys_of_its_own_workspace_and_of_the_present_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OFFICE_KEY", KEY)
    monkeypatch.setenv("NEW_KEY", "another-key-4711")
    bench = begun(tmp_path, "draft a letter", REFERRED, models=lambda _: Prattles(KEY))
    model = Prattles(KEY, "KEY and another-key-4711")
    app = bench.edited({"config/models.yaml": MODELS % '"${NEW_KEY}"'}, models=lambda _: model)
    assert approved(app, bench.run).reply == "*** and ***"
    assert KEY not in everything(bench.store)


def test_fields_that_either_workspace_names_are_not_stored(tmp_path: Path) -> None:
    named = "runs: {redact: [%s]}"
    files = {"agents/writer.yaml": WRITER, "config/orchestrator.yaml": named % "iban"}
    model = Prattles("", '[{"name": "Ann", "iban": "DE02120300", "bic": "BYLADEM1001"}]')
    models = {"models": lambda _: model}
    bench = begun(tmp_path, "draft a letter", files, **models)
    app = bench.edited({"config/orchestrator.yaml": named % "bic"}, **models)
    state = approved(app, bench.run)
    output = state.tasks[TaskId("t1")].output
    assert output is not None
    assert output.items is not None
    assert output.items[0].data == {"name": "Ann", "iban": "***", "bic": "***"}
    assert "DE02120300" not in everything(bench.store)
    assert "BYLADEM1001" not in everything(bench.store)


def test_a_run_with_a_literal_key_is_taken_up_with_the_same_workspace(tmp_path: Path) -> None:
    model = Prattles(KEY, "Dear Ann")
    bench = begun(tmp_path, "draft a letter", LITERAL, models=lambda _: model)
    assert approved(bench.edited(models=lambda _: model), bench.run).reply == "Dear Ann"


def test_with_another_one_the_missing_key_is_named_by_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Prattles(KEY, "Dear Ann")
    bench = begun(tmp_path, "draft a letter", LITERAL, models=lambda _: model)
    app = bench.edited({"config/multi_step.yaml": "cues: []"}, models=lambda _: model)
    named = (
        r"^the run's own config/models\.yaml:1:\d+: models\.default\.api_key: "
        "the environment variable CUEWAVE_REDACTED is not set"
    )
    with pytest.raises(WorkspaceInvalid, match=named) as refused:
        resumed(app, bench.run)
    assert KEY not in str(refused.value)
    monkeypatch.setenv("CUEWAVE_REDACTED", KEY)
    assert resumed(app, bench.run, yes="ann").reply == "Dear Ann"


def test_a_key_that_is_no_longer_set_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OFFICE_KEY", KEY)
    bench = begun(tmp_path, "draft a letter", REFERRED)
    monkeypatch.delenv("OFFICE_KEY")
    app = bench.edited({"config/models.yaml": "models: {default: {provider: ollama, model: m}}"})
    with pytest.raises(WorkspaceInvalid, match=r"the run's own config/models\.yaml:.* OFFICE_KEY is not set"):
        resumed(app, bench.run)


def test_a_key_that_was_changed_since_is_the_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OFFICE_KEY", KEY)
    with serving("Dear Ann") as server:
        models = REFERRED["config/models.yaml"].replace("http://127.0.0.1:9/v1", server.base_url)
        bench = begun(tmp_path, "draft a letter", {**REFERRED, "config/models.yaml": models})
        monkeypatch.setenv("OFFICE_KEY", "a-new-key-4711")
        state = approved(bench.edited({"config/multi_step.yaml": "cues: []"}), bench.run)
        assert state.reply == "Dear Ann"
        assert server.headers[0]["authorization"] == "Bearer a-new-key-4711"
