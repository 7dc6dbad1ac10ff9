"""What was decided is decided again; a record that was tampered with is found."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator import Orchestrator
from orchestrator.agents.contract import Output
from orchestrator.control import approval_of_plan
from orchestrator.errors import UserError
from orchestrator.ids import RunId
from orchestrator.replay.again import Replay, replay
from orchestrator.runs.codec import canonical
from orchestrator.runs.events import (
    Event,
    PlanMade,
    Record,
    RunEnded,
    TaskDone,
    TaskFailed,
    TaskRetrying,
    TaskSkipped,
    TaskStarted,
)
from orchestrator.runs.export import exported, imported
from orchestrator.testing import MemoryStore

from app.conftest import open_office
from support.driving import Does, plan, task
from support.engine import Desk
from support.histories import history

__all__ = ["open_office"]

WRITES = "find the overdue invoices, then write a reminder for each"


def again(records: Sequence[Record], snapshot: bytes | None = None) -> Replay:
    """Replayed from the text of its export."""
    text = json.dumps(exported(records, snapshot).to_json())
    return asyncio.run(replay(imported(text)))


def simple() -> Sequence[Record]:
    """A run of two tasks, with the second made to stand on the first."""

    async def run() -> Sequence[Record]:
        desk = Desk({"a": Does(lambda _: Output("found")), "b": Does(lambda _: Output("written"))})
        state = await desk.begun(plan("t1 a", "t2 b: t1"))
        return await desk.store.read(state.run)

    return asyncio.run(run())


def changed(records: Sequence[Record], kind: type, change: Callable[[Any], Any]) -> list[Record]:
    """The records with the first event of a type changed."""
    at = next(n for n, record in enumerate(records) if isinstance(record.event, kind))
    new = list(records)
    new[at] = records[at]._replace(event=change(records[at].event))
    return new


@given(st.integers(0, 2**32))
def test_whatever_befell_a_run_it_is_decided_again_as_it_was(seed: int) -> None:
    assert again(history(seed)).differences == ()


@given(st.integers(0, 2**32), st.data())
def test_a_decision_that_was_tampered_with_is_found(seed: int, data: st.DataObject) -> None:
    records = history(seed)
    tampered = [
        [*records[: record.seq - 1], record._replace(event=event), *records[record.seq :]]
        for record in records
        for event in _tampered(record.event, records[-1].event)
    ]
    if tampered:
        assert not again(data.draw(st.sampled_from(tampered))).deterministic


def _tampered(event: Event, last: Event) -> Sequence[Event]:
    """The event as another decision; only the program can tell which is right."""
    match event:
        case TaskSkipped(reason=reason) if reason.endswith(" failed"):
            return [replace(event, reason="it was too hard")]
        case TaskDone(task=task) if isinstance(last, RunEnded) and last.status == "done":
            return [TaskFailed(task, "bad")]
        case RunEnded(status="done" | "partial" | "failed") if event is last:
            return [replace(event, status="outcome_failed")]
        case _:
            return []


@pytest.mark.parametrize(
    ("kind", "change", "what"),
    [
        (TaskDone, lambda e: TaskFailed(e.task, "bad"), "status of t2"),
        (TaskStarted, lambda e: replace(e, attempt=2), "attempts of t1"),
        (RunEnded, lambda e: replace(e, reply="something else"), "reply of the run"),
        (RunEnded, lambda e: replace(e, status="partial"), "status of the run"),
    ],
)
def test_each_tampering_is_told_by_what_it_changes(
    kind: type, change: Callable[[Any], Any], what: str
) -> None:
    found = again(changed(simple(), kind, change))
    assert what in [difference.what for difference in found.differences]


def test_a_run_of_a_workspace_is_held_against_its_own_limits_and_templates(
    open_office: Callable[..., Orchestrator],
) -> None:
    store = MemoryStore()

    async def run() -> tuple[Sequence[Record], bytes | None]:
        app = open_office(store=store)
        waiting = await app.run(WRITES)
        said = approval_of_plan(await app.runs.state(waiting.run), "ann")
        state = await app.runs.tell(waiting.run, said)
        return await store.read(waiting.run), await store.kept(state.workspace)

    records, snapshot = asyncio.run(run())
    found = again(records, snapshot)
    assert (found.deterministic, found.notes) == (True, ())


def test_a_run_needs_none_of_the_keys_of_its_workspace_to_be_replayed(
    open_office: Callable[..., Orchestrator], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore()
    monkeypatch.setenv("FAR_KEY", "not-a-key")
    models = 'models: {far: {provider: openai, model: m, api_key: "${FAR_KEY}"}}'

    async def run() -> tuple[Sequence[Record], bytes | None]:
        app = open_office({"config/models.yaml": models, "config/planning.yaml": ""}, store=store)
        result = await app.run("find the overdue invoices and check my calendar")
        records = await store.read(RunId(result.run))
        return records, await store.kept((await app.runs.state(result.run)).workspace)

    records, snapshot = asyncio.run(run())
    monkeypatch.delenv("FAR_KEY")
    found = again(records, snapshot)
    assert (found.deterministic, found.notes) == (True, ())
    lost = [
        r._replace(event=replace(r.event, reply="")) if isinstance(r.event, RunEnded) else r for r in records
    ]
    assert [d.what for d in again(lost, snapshot).differences] == ["reply of the run"]
    without = again(lost)
    assert without.deterministic
    assert any("the reply is not compared" in note for note in without.notes)


def test_more_retries_than_its_workspace_allows_are_found(open_office: Callable[..., Orchestrator]) -> None:
    store = MemoryStore()

    async def run() -> tuple[Sequence[Record], bytes | None]:
        app = open_office(store=store)
        result = await app.run("find the overdue invoices")
        state = await app.runs.state(result.run)
        return await store.read(state.run), await store.kept(state.workspace)

    records, snapshot = asyncio.run(run())
    place = next(n for n, r in enumerate(records) if isinstance(r.event, TaskStarted))
    started = records[place].event
    assert isinstance(started, TaskStarted)
    retried = [
        TaskRetrying(started.task, 1, "busy", 0.1, 2),
        replace(started, attempt=2, key=started.key.replace("/1", "/2")),
    ]
    events = [r.event for r in records]
    events[place + 1 : place + 1] = retried
    longer = [Record(records[0].run, n, records[0].at, event) for n, event in enumerate(events, 1)]
    found = again(longer, snapshot)
    assert "status of t1" in [difference.what for difference in found.differences]


def test_records_that_cannot_follow_one_another_are_refused_with_their_place() -> None:
    records = changed(simple(), TaskStarted, lambda e: replace(e, task="t9"))
    with pytest.raises(UserError, match=r"^record 4: this TaskStarted is of task 't9', which there is not"):
        again(records)


def test_a_plan_that_breaks_a_law_is_refused_and_not_run() -> None:
    def cycle(event: PlanMade) -> PlanMade:
        tasks = (task("t1 a: t2"), task("t2 b: t1"))
        return replace(event, plan=replace(event.plan, tasks=tasks))

    with pytest.raises(UserError, match=r"^record 2: its plan breaks a law: .*t1"):
        again(changed(simple(), PlanMade, cycle))


@pytest.mark.parametrize("name", ["../out", "/out", "", "config"])
def test_files_that_cannot_be_written_into_a_folder_are_refused(name: str) -> None:
    files = canonical({name: "x", "config/orchestrator.yaml": ""})
    document = exported(simple(), None).to_json()
    document["workspace"] = {"fingerprint": sha256(files.encode()).hexdigest(), "files": json.loads(files)}
    with pytest.raises(UserError, match=r"^the workspace: .* cannot be unpacked: "):
        asyncio.run(replay(imported(json.dumps(document))))


def test_a_replay_touches_no_clock_and_no_folder_of_its_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    one, other = again(simple()), again(simple())
    assert (one.differences, other.differences) == ((), ())
    assert list(tmp_path.iterdir()) == []
