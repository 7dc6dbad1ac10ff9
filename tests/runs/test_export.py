"""A run as one document: what is read back is what was written, and what is not is refused with its place."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.errors import UserError
from orchestrator.runs.export import exported, folded, imported
from orchestrator.runs.fold import fold
from orchestrator.workspace.snapshot import snapshot_of

from support.histories import history

SNAPSHOT = snapshot_of({"config/orchestrator.yaml": b"version: 1 # \xff"}, {"reply.j2": "{{ parts }}"}, ())


def document() -> dict[str, Any]:
    """A run of some length, as JSON."""
    records = next(found for seed in range(100) if len(found := history(seed)) > 12)
    return json.loads(json.dumps(exported(records, None).to_json()))


@given(st.integers(0, 2**32))
def test_a_run_is_the_same_before_it_was_exported_and_after(seed: int) -> None:
    records = history(seed)
    text = json.dumps(exported(records, SNAPSHOT.body).to_json() | {"workspace": _workspace()})
    run = imported(text)
    assert run.records == tuple(records)
    assert run.snapshot == SNAPSHOT.body
    assert run.to_json() == json.loads(text)
    assert folded(run.records) == fold(records)


def _workspace() -> dict[str, Any]:
    return {"fingerprint": SNAPSHOT.fingerprint, "files": json.loads(SNAPSHOT.body)}


def test_the_document_has_the_form_that_programs_read() -> None:
    made = document()
    assert (made["format"], made["version"]) == ("cuewave-run", 1)
    assert set(made) == {"format", "version", "run", "workspace", "records"}
    assert set(made["records"][0]) == {"seq", "at", "type", "version", "body"}
    assert made["records"][0]["body"]["text"] == "do all of it"


def _without(key: str) -> Callable[[dict[str, Any]], Any]:
    return lambda made: made["records"][3].pop(key)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda d: d.update(format="other"), 'it is no exported run; one has "format": "cuewave-run"'),
        (
            lambda d: d.update(version=2),
            "its format has version 2, and this cuewave knows 1; upgrade this one",
        ),
        (lambda d: d.pop("version"), "the document: 'version' must be a number, and it is missing"),
        (lambda d: d.update(run=7), "the document: 'run' must be a text, and it is 7"),
        (lambda d: d.update(records=[]), "it has no records, and a run has at least one"),
        (
            lambda d: d["records"].pop(4),
            "record 5: its seq is 6 where 5 is due: records are missing before it",
        ),
        (
            lambda d: d["records"].insert(4, d["records"][2]),
            "record 5: its seq is 3 where 5 is due: it is there",
        ),
        (lambda d: d["records"].insert(4, None), "record 5: it is no JSON object"),
        (_without("body"), "record 4: 'body' must be an object, and it is missing"),
        (_without("at"), "record 4: 'at' must be a text, and it is missing"),
        (lambda d: d["records"][3].update(at="noon"), "record 4: its time 'noon' is none"),
        (
            lambda d: d["records"][3].update(at="2026-01-01T12:00:00"),
            "record 4: its time .* has no time zone",
        ),
        (
            lambda d: d["records"][3].update(type="TaskFlown"),
            "record 4: an event of the unknown type 'TaskFlown'",
        ),
        (
            lambda d: d["records"][3].update(version=99),
            "record 4: a .* of version 99, and this cuewave knows",
        ),
        (lambda d: d["records"][0]["body"].update(text=7), "record 1: a damaged TurnReceived: text: "),
        (lambda d: d["records"][0]["body"].pop("text"), "record 1: a damaged TurnReceived: text: "),
        (
            lambda d: d["workspace"].update(files=[]),
            "the workspace: its files must be an object of texts, or null",
        ),
        (lambda d: d["workspace"].update(files={"a": "b"}), "the workspace: its files have the fingerprint"),
    ],
)
def test_what_was_damaged_is_refused_with_its_place(damage: Callable[[Any], Any], said: str) -> None:
    made = document()
    damage(made)
    with pytest.raises(UserError, match=f"^{said}"):
        imported(json.dumps(made))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is no JSON: "),
        ('{"format": "cuewave-run"', "it is no JSON: .*line 1 column 25"),
        ("[]", "it is no exported run"),
        ("[" * 100_000, "it is nested without end|it is no JSON"),
        ('{"format": "cuewave-run", "version": NaN}', "the document: 'version' must be a number"),
    ],
)
def test_what_is_no_document_is_refused(text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        imported(text)
