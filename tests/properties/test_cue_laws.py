"""What the cues of any operator find in the turn of any person, and what must not change it."""

import json
import tempfile
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from fuzz.cues import check_hits, check_turn
from fuzz.faults import check_fault
from hypothesis import assume, given
from hypothesis import strategies as st
from orchestrator import Orchestrator
from orchestrator.errors import WorkspaceInvalid
from orchestrator.routing.cues import CueSet
from orchestrator.routing.phrases import normal
from orchestrator.workspace.models import MultiStepFile

from support.effort import share
from support.office import LEDGER

WORD = st.sampled_from(
    [
        "and",
        "then",
        "first",
        "it's",
        "café",
        "straße",
        "İzmir",
        "ısı",
        "然后",
        "각각",
        "ΣΑΣ",
        ",",
        "…",
        "a",
        "for each",
        "ﬁn",
    ]
) | st.text(max_size=4)
CUE = st.lists(WORD, min_size=1, max_size=3).map(" ".join).filter(bool)
TURN = st.lists(WORD, max_size=8).map(" ".join)
SPACES = ("\n", "\t", "\r\n", "\u00a0", "\u3000", " \u2028 ", "   ")
APOSTROPHES = "'\u2018\u2019\u201b\u02bc\uff07"


def flat(cues: Sequence[str], max_gap: int = 1000) -> CueSet:
    """The cues; the example is none where one of them cannot be looked for."""
    try:
        return CueSet.of(MultiStepFile(cues=tuple(cues), max_gap=max_gap))
    except WorkspaceInvalid:
        assume(False)
        raise


def found(cues: CueSet, turn: str) -> list[tuple[str, list[str]]]:
    """The cues of the turn, each with its pieces as they read."""
    return [(hit.cue, [normal(turn[start:end]) for start, end in hit.pieces]) for hit in cues.hits(turn)]


@share(2)
@given(
    st.lists(CUE | st.text(min_size=1), max_size=8).map(lambda cues: [c for c in cues if c]), TURN | st.text()
)
def test_any_cues_are_refused_by_name_or_found_where_they_stand(cues: list[str], turn: str) -> None:
    check_turn(cues, turn)


@share(2)
@given(
    st.lists(CUE, min_size=1, max_size=5),
    TURN,
    st.sampled_from(SPACES),
    st.sampled_from(APOSTROPHES),
    st.data(),
)
def test_case_form_space_and_apostrophe_of_a_turn_change_nothing(
    cues: list[str], turn: str, space: str, apostrophe: str, data: st.DataObject
) -> None:
    compiled = flat(cues)
    form = data.draw(st.sampled_from(["NFC", "NFD"]))
    other = unicodedata.normalize(form, turn)
    other = other.replace(" ", space).replace("'", apostrophe)
    assert found(compiled, other) == found(compiled, turn)
    louder = "".join(c.upper() if c.upper().lower() == c.lower() == c and c.isascii() else c for c in other)
    assert found(compiled, louder) == found(compiled, turn)


@share(2)
@given(st.lists(CUE, min_size=1, max_size=5), TURN, st.sampled_from(SPACES), st.sampled_from(APOSTROPHES))
def test_case_form_space_and_apostrophe_of_a_cue_change_nothing(
    cues: list[str], turn: str, space: str, apostrophe: str
) -> None:
    spelled = [unicodedata.normalize("NFD", c).replace(" ", space).replace("'", apostrophe) for c in cues]
    assert [(h.start, h.pieces) for h in flat(spelled).hits(turn)] == [
        (h.start, h.pieces) for h in flat(cues).hits(turn)
    ]


@share(2)
@given(st.lists(CUE, min_size=1, max_size=5), TURN, TURN, st.integers(1001, 1100))
def test_what_stands_far_away_takes_no_cue_away(cues: list[str], turn: str, more: str, far: int) -> None:
    compiled = flat(cues)
    before, after = f"{more}{' . ' * far}", f"{' . ' * far}{more}"
    assume(not any(normal(".") in normal(cue) for cue in cues))
    own = {(hit.cue, hit.start, hit.pieces) for hit in compiled.hits(turn)}
    assert own <= {(hit.cue, hit.start, hit.pieces) for hit in compiled.hits(turn + after)}
    moved = {
        (hit.cue, hit.start - len(before), tuple((a - len(before), b - len(before)) for a, b in hit.pieces))
        for hit in compiled.hits(before + turn)
    }
    assert own <= moved


@given(st.integers(1, 30), st.integers(0, 60), st.text(st.sampled_from("ab \n,"), max_size=10))
def test_first_then_is_found_exactly_where_no_more_than_the_gap_lies_between(
    max_gap: int, size: int, around: str
) -> None:
    turn = f"{around} first {'x' * size} then {around}"
    hits = flat(["first ... then"], max_gap).hits(turn)
    assert bool(hits) == (size + 2 <= max_gap)
    check_hits(hits, turn)


@given(
    st.lists(st.sampled_from(["first", "then", "last", "x", ","]), max_size=12).map(" ".join),
    st.integers(1, 20),
)
def test_gaps_never_cross_and_never_grow_past_their_bound(turn: str, max_gap: int) -> None:
    hits = flat(["first ... then ... last", "first … then"], max_gap).hits(turn)
    check_hits(hits, turn)
    for cue in {hit.cue for hit in hits}:
        spans = [(hit.start, hit.end) for hit in hits if hit.cue == cue]
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    for hit in hits:
        gaps = [start - end for (_, end), (start, _) in pairwise(hit.pieces)]
        assert all(gap <= max_gap for gap in gaps)


@share(3)
@given(
    st.lists(CUE | st.sampled_from([" ", "...", "x ...", "y" * 300, "\u200b"]), min_size=1, max_size=5),
    st.booleans(),
)
def test_a_cue_that_cannot_be_looked_for_is_a_fault_at_its_own_line(cues: list[str], grouped: bool) -> None:
    lines = "".join(f"  - {json.dumps(cue, ensure_ascii=False)}\n" for cue in cues)
    text = f"cues:\n  weak:\n{lines}" if grouped else f"cues:\n{lines}"
    files = {
        "config/orchestrator.yaml": b"",
        "config/multi_step.yaml": text.encode(),
        "agents/ledger.yaml": LEDGER.encode(),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, raw in files.items():
            Path(folder, name).parent.mkdir(exist_ok=True)
            Path(folder, name).write_bytes(raw)
        try:
            Orchestrator.from_workspace(folder)
        except WorkspaceInvalid as invalid:
            faults = invalid.faults
        else:
            return
    for fault in faults:
        check_fault(fault, files)
        assert fault.line > 1
        assert fault.path.startswith("cues") or "YAML" in fault.message


@pytest.mark.parametrize("cue", [" ", "x ...", "y" * 201])
def test_such_a_cue_is_refused(cue: str) -> None:
    with pytest.raises(WorkspaceInvalid):
        CueSet.of(MultiStepFile(cues=("and then", cue)))
