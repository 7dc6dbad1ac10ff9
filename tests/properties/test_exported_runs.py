"""An exported run that somebody has changed: it is refused with its first fault, or replayed, and no more."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from hashlib import sha256
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.errors import UserError
from orchestrator.replay.again import Replay, replay
from orchestrator.runs.codec import canonical
from orchestrator.runs.export import exported, imported
from orchestrator.runs.result import result_of

from support.effort import share
from support.events import JSON
from support.histories import history
from support.shapes import RUN, check

SEEDS = st.integers(0, 40)
FILES = [
    "config/orchestrator.yaml",
    "agents/a.yaml",
    "prompts/reply.j2",
    "../out",
    "/abs",
    "",
    "a\0b",
    "config",
]
NAMES = [
    "t1",
    "t2",
    "t1[1]",
    "t9",
    "a",
    "b",
    "nobody",
    "",
    "\ud800",
    "approval",
    "done",
    "write",
    "2026-01-01T00:00:00",
]
VALUES = (
    st.sampled_from([*NAMES, 0, 1, -1, 2**70, 1.5, None, True, [], {}, [[]], ["t1"], ["t1", "t1"]]) | JSON
)
STEPS = st.lists(st.integers(0, 40), min_size=1, max_size=8)
EDITS = st.tuples(st.sampled_from(["set", "drop", "twice", "alike", "alike", "swap"]), STEPS, VALUES)


@cache
def text_of(seed: int) -> str:
    return json.dumps(exported(history(seed), None).to_json())


def edited(document: Any, edit: tuple[str, list[int], Any]) -> None:
    """Change the document at the end of a way into it, which ends sooner where there is nothing below.

    Most ways begin at the records.
    """
    how, way, value = edit
    at: Any = document.get("records") if way[0] % 8 else document
    for step in way[1:]:
        inner = at[keys(at)[step % len(at)]] if at and isinstance(at, dict | list) else None
        if not isinstance(inner, dict | list) or not inner:
            break
        at = inner
    if not at or not isinstance(at, dict | list):
        return
    places = keys(at)
    key, other = places[way[-1] % len(at)], places[way[0] % len(at)]
    match how:
        case "set":
            at[key] = deepcopy(value)
        case "drop":
            del at[key]
        case "twice" if isinstance(at, list):
            at.insert(key, deepcopy(at[key]))
        case "alike":
            others = [*alike(document, key)]
            at[key] = deepcopy(others[sum(way) % len(others)])
        case _:
            at[key], at[other] = at[other], at[key]


def alike(value: Any, key: Any) -> Iterator[Any]:
    """Whatever stands under this key anywhere."""
    if isinstance(value, dict | list):
        for step in keys(value):
            if step == key:
                yield value[step]
            yield from alike(value[step], key)


def keys(at: Any) -> list[Any]:
    return sorted(at) if isinstance(at, Mapping) else list(range(len(at)))


def renumbered(document: Any) -> None:
    """Close the gaps that the edits have left, so that the records are looked at."""
    records = document.get("records")
    for place, record in enumerate(records if isinstance(records, list) else (), 1):
        if isinstance(record, dict):
            record["seq"] = place


def outcome(text: str) -> Replay | str:
    """What a replay comes to, or why there is none; anything but a UserError breaks the law."""
    try:
        return asyncio.run(replay(imported(text)))
    except UserError as refused:
        return str(refused)


@share(2)
@given(SEEDS, st.lists(EDITS, min_size=1, max_size=3), st.booleans())
def test_a_changed_run_is_refused_or_replayed(
    seed: int, edits: list[tuple[str, list[int], Any]], closed: bool
) -> None:
    document = json.loads(text_of(seed))
    for edit in edits:
        edited(document, edit)
    if closed and isinstance(document, dict):
        renumbered(document)
    found = outcome(json.dumps(document))
    if isinstance(found, Replay):
        check(result_of(found.state).to_json(), RUN)
    else:
        assert found.strip()


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["drop", "twice", "move", "of another", "alike"]),
        st.integers(0, 60),
        st.integers(0, 60),
    ),
    min_size=1,
    max_size=3,
)


def moved(records: list[Any], others: list[Any], how: str, one: int, other: int) -> None:
    """Change which records there are, each of them as it was written by the program."""
    at = one % len(records)
    match how:
        case "drop" if len(records) > 1:
            del records[at]
        case "twice":
            records.insert(other % len(records), deepcopy(records[at]))
        case "move":
            records.insert(other % len(records), records.pop(at))
        case "of another":
            records.insert(at, deepcopy(others[other % len(others)]))
        case _:
            body = records[at]["body"]
            same = [r["body"] for r in (*records, *others) if r["type"] == records[at]["type"]]
            key = sorted(body)[other % len(body)]
            body[key] = deepcopy(same[one % len(same)][key])


@share(2)
@given(SEEDS, SEEDS, MOVES)
def test_records_of_the_program_in_any_order_are_refused_or_replayed(
    seed: int, another: int, moves: list[tuple[str, int, int]]
) -> None:
    document, others = json.loads(text_of(seed)), json.loads(text_of(another))["records"]
    for move in moves:
        moved(document["records"], others, *move)
    renumbered(document)
    found = outcome(json.dumps(document))
    if isinstance(found, Replay):
        check(result_of(found.state).to_json(), RUN)


@share(2)
@given(
    SEEDS,
    st.lists(
        st.tuples(st.integers(0, 10_000), st.integers(0, 8), st.text(max_size=4)), min_size=1, max_size=3
    ),
)
def test_a_run_whose_text_was_changed_is_refused_or_replayed(
    seed: int, cuts: list[tuple[int, int, str]]
) -> None:
    text = text_of(seed)
    for place, size, new in cuts:
        at = place % len(text)
        text = text[:at] + new + text[at + size :]
    assert outcome(text)


@share(2)
@given(st.dictionaries(st.sampled_from(FILES), st.text(max_size=20), max_size=4))
def test_any_files_of_the_workspace_of_a_run_are_refused_or_replayed(files: dict[str, str]) -> None:
    document = json.loads(text_of(3))
    document["workspace"] = {"fingerprint": sha256(canonical(files).encode()).hexdigest(), "files": files}
    assert outcome(json.dumps(document))
