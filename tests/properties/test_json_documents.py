"""Whatever a person writes, what programs are given is one JSON document of a shape that is promised."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator import Orchestrator
from orchestrator.cli.standing import status_of
from orchestrator.runs.export import exported
from orchestrator.runs.fold import fold
from orchestrator.runs.result import result_of
from orchestrator.testing import FakeClock, MemoryStore

from support.calling import cuewave
from support.effort import share
from support.histories import history
from support.office import office
from support.shapes import ENTRY, ERROR, FAULT, PREVIEW, RUN, SIGHTING, STATUS, WARNING, check, check_plain

PHRASES = st.sampled_from(
    [
        *(
            "find the overdue invoices",
            "check my calendar",
            "remind me to call Bob",
            "write a reminder for each",
        ),
        *(
            "and then",
            ", then",
            "as well as",
            "for each",
            "and",
            ",",
            "it",
            "@ledger",
            "@nobody",
            "\n",
            "\u2028",
            "\u0000",
        ),
        *(
            "\x1b[31m",
            "\udcff",
            "{{ 7*7 }}",
            '"}]',
            "👩‍👧",
            "İ",
            "\ufeff",
            "e\u0301",
            "a|b",
            "[x](y)",
            "-->",
            "NaN",
        ),
    ]
)
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("\udc80\udcff"), max_size=20)
TURNS = st.lists(PHRASES | ANY_TEXT, min_size=1, max_size=6).map(" ".join).filter(lambda t: bool(t.strip()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return office(tmp_path_factory.mktemp("json") / "office")


@pytest.fixture(scope="module")
def app(folder: Path) -> Orchestrator:
    return Orchestrator.from_workspace(folder, store=MemoryStore(), clock=FakeClock(), rng=lambda: 0.0)


@given(TURNS)
def test_a_dry_run_is_the_document_that_is_promised(app: Orchestrator, turn: str) -> None:
    preview = asyncio.run(app.preview(turn))
    document = preview.to_json()
    check(document, PREVIEW)
    check(preview.sighting.to_json(), SIGHTING)
    for start, end in spans(document):
        assert 0 <= start <= end <= len(turn)


def spans(document: Any) -> Iterator[tuple[int, int]]:
    """Every place in the turn that a document cites."""
    for cue in (
        *document["compound"]["cues"],
        *document["compound"]["ignored"],
        *document["route"]["evidence"],
    ):
        yield cue["start"], cue["end"]
    for task in document["plan"]["tasks"]:
        if task["source_span"] is not None:
            yield tuple(task["source_span"])


@share(3)
@given(TURNS, st.booleans())
def test_a_run_is_the_document_that_is_promised(app: Orchestrator, turn: str, yes: bool) -> None:
    result = asyncio.run(app.run(turn, session="s\udcff", approve=lambda _: yes or None))
    check(result.to_json(), RUN)
    state = asyncio.run(app.runs.state(result.run))
    records = asyncio.run(app.runs.store.read(state.run))
    check(status_of(state, records), STATUS)
    (entry,) = (e for e in asyncio.run(app.runs.entries()) if e.run == result.run)
    check(entry.to_json(), ENTRY)


@share(4)
@given(st.integers(0, 2**32))
def test_a_run_that_anything_befell_is_the_document_that_is_promised(seed: int) -> None:
    records = history(seed)
    for size in range(1, len(records) + 1, 5):
        state = fold(records[:size])
        check(result_of(state).to_json(), RUN)
        check(status_of(state, records[:size]), STATUS)
    check_plain(json.loads(json.dumps(exported(records, None).to_json(), allow_nan=False)))


VERBS = {"route": SIGHTING, "plan": PREVIEW, "run": RUN}


@share(5)
@given(st.sampled_from(sorted(VERBS)), TURNS)
def test_a_verb_writes_one_document_and_nothing_else(folder: Path, verb: str, turn: str) -> None:
    done = cuewave(verb, "-", "--json", cwd=folder, given=turn)
    document = json.loads(done.out.encode())
    assert done.out.count("\n") == 1
    if done.code in (1, 2, 3):
        assert done.code != 3
        check(document, ERROR)
    else:
        check(document, VERBS[verb])
        if verb != "run":
            assert document["text"] == turn.strip("\n")


def test_the_verbs_of_a_run_write_one_document_each(desk: Path) -> None:
    run = cuewave(
        "run", "remind me to call Bob and find the overdue invoices \udcff", "--json", cwd=desk
    ).json
    check(run, RUN)
    shapes = {
        ("status", run["run"]): STATUS,
        ("runs", "show", run["run"]): {**RUN, "events": list},
        ("runs", "list"): [ENTRY],
        ("runs", "approve", run["run"]): RUN,
        ("runs", "export", run["run"]): {
            "format": str,
            "version": int,
            "run": str,
            "workspace": dict,
            "records": list,
        },
        ("agents", "list"): [{"name": str, "description": str, "effects": str, "kind": str, "intents": dict}],
        ("check",): {"ok": bool, "faults": [FAULT], "warnings": [WARNING]},
        ("schema", "agent"): {"type": str, "properties": dict},
        ("status", "nosuch"): ERROR,
        ("runs", "nosuch"): ERROR,
        ("runs", "delete", run["run"], "--yes"): dict,
    }
    for words, shape in shapes.items():
        done = cuewave(*words, "--json", cwd=desk)
        assert done.out.count("\n") == 1, words
        check(json.loads(done.out.encode()), shape)
