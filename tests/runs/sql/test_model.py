"""Whatever is asked, in whatever order: a store in SQL answers as the one in memory does."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.errors import CuewaveError
from orchestrator.ids import AgentName, MessageId, RunId, SessionId
from orchestrator.runs.entry import Wanted
from orchestrator.runs.events import (
    DriverStarted,
    Event,
    Record,
    ReviewFlagged,
    RunEnded,
    RunParked,
    TurnReceived,
)
from orchestrator.runs.memory import MemoryStore
from orchestrator.runs.messages import CancelAsked, Message
from orchestrator.runs.samples import Past, Sample
from orchestrator.runs.sql.opening import open_store
from orchestrator.runs.store import Store

from support.databases import AT

A = AgentName("a")
RUNS = st.sampled_from([RunId("r1"), RunId("r2"), RunId("r3")])
NAMES = st.sampled_from(["m1", "m2"])
SEQS = st.integers(0, 4)
EVENTS: st.SearchStrategy[Event] = st.sampled_from(
    [
        TurnReceived("hello", SessionId("s"), "w1"),
        TurnReceived("hello", None, "w2"),
        DriverStarted("a"),
        RunParked(("review",), ""),
        RunEnded("done", ""),
        RunEnded("failed", ""),
        ReviewFlagged("odd", holds=True),
    ]
)
WANTED = st.builds(
    Wanted,
    status=st.sampled_from([None, "done", "running"]),
    session=st.sampled_from([None, SessionId("s")]),
    ended_before=st.sampled_from([None, AT + timedelta(hours=2)]),
    needs_human_review=st.sampled_from([None, True, False]),
    limit=st.sampled_from([None, 1]),
)
STEP = st.one_of(
    st.tuples(st.sampled_from(["append", "park"]), RUNS, SEQS, st.lists(EVENTS, min_size=1, max_size=3)),
    st.tuples(st.just("grow"), RUNS, st.lists(EVENTS, min_size=1, max_size=3), st.booleans()),
    st.tuples(st.just("post"), RUNS, NAMES),
    st.tuples(st.just("keep"), st.sampled_from(["w1", "w2"]), st.binary(max_size=3)),
    st.tuples(st.just("delete"), st.lists(RUNS, max_size=2)),
    st.tuples(st.just("runs"), WANTED),
)


def placed(run: RunId, after: int, events: Sequence[Event]) -> list[Record]:
    hours = timedelta(hours=after)
    return [Record(run, seq, AT + hours, event) for seq, event in enumerate(events, after + 1)]


async def grow(store: Store, run: RunId, events: Sequence[Event], parks: bool) -> object:
    """What a driver does: it knows where the run is, and takes a message where there is one."""
    seq = len(await store.read(run))
    if parks:
        return await store.park(run, seq, placed(run, seq, events))
    taken = [message.id for message in await store.inbox(run)][:1]
    ends = any(isinstance(event, RunEnded) for event in events)
    past = Past({A: (Sample(None, 1, float(seq)),)}, {"seconds": True}, None) if ends else None
    return await store.append(run, seq, placed(run, seq, events), taken=taken, past=past)


ASKED: Mapping[str, Callable[..., Awaitable[object]]] = {
    "append": lambda store, run, seq, events: store.append(run, seq, placed(run, seq, events)),
    "park": lambda store, run, seq, events: store.park(run, seq, placed(run, seq, events)),
    "grow": grow,
    "post": lambda store, run, name: store.post(Message(run, AT, CancelAsked("me", message=MessageId(name)))),
    "keep": lambda store, name, body: store.keep(name, body),
    "delete": lambda store, runs: store.delete(runs),
    "runs": lambda store, wanted: store.runs(wanted),
}


async def done(store: Store, step: Sequence[Any]) -> object:
    """What the store answers, or complains of."""
    name, *arguments = step
    try:
        return await ASKED[name](store, *arguments)
    except CuewaveError as error:
        return str(error)


async def seen(store: Store) -> object:
    """All that the store shows."""
    runs = [RunId("r1"), RunId("r2"), RunId("r3")]
    return (
        [list(await store.read(run)) for run in runs],
        [list(await store.read(run, 2)) for run in runs],
        [list(await store.inbox(run)) for run in runs],
        list(await store.runs()),
        sorted(await store.called()),
        [await store.kept(name) for name in ("w1", "w2")],
        await store.history([A]),
    )


@given(st.lists(STEP, max_size=25))
def test_a_store_in_sql_answers_as_the_one_in_memory(steps: list[Sequence[Any]]) -> None:
    async def run(folder: str) -> None:
        ours, model = open_store(f"sqlite:///{Path(folder) / 'runs.db'}"), MemoryStore()
        for step in steps:
            assert await done(ours, step) == await done(model, step), step
        assert await seen(ours) == await seen(model)
        await ours.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(folder))
