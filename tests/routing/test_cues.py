"""Which cues stand where in a turn."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.errors import WorkspaceInvalid
from orchestrator.routing.cues import CueSet
from orchestrator.routing.gaps import pieces_of
from orchestrator.routing.phrases import normal
from orchestrator.workspace.models import CueGroups, MultiStepFile

SOURCE_CUES = (
    "and then",
    "after that",
    "first ... then",
    "both",
    "also",
    "as well as",
    "followed by",
    "after this",
    "after which",
    "once that is done",
    "once that's done",
    "for each",
    "for every",
    "one for each",
)


def flat(*cues: str, max_gap: int = 1000) -> CueSet:
    return CueSet.of(MultiStepFile(cues=cues, max_gap=max_gap))


def grouped(**groups: tuple[str, ...]) -> CueSet:
    return CueSet.of(MultiStepFile(cues=CueGroups.model_validate(groups)))


def seen(cues: CueSet, text: str) -> list[tuple[str, str, str]]:
    return [(hit.cue, hit.meaning, text[hit.start : hit.end]) for hit in cues.hits(text)]


def test_without_cues_nothing_is_found() -> None:
    assert CueSet.of(MultiStepFile()).hits("first this and then that, also both") == ()
    assert flat().hits("and then") == ()


@pytest.mark.parametrize("cue", SOURCE_CUES)
def test_each_cue_of_a_flat_list_marks_a_compound_turn(cue: str) -> None:
    assert seen(flat(*SOURCE_CUES), f"Do this {cue.upper()} do that") == [(cue, "compound", cue.upper())]


def test_a_group_gives_its_cues_their_meaning() -> None:
    cues = grouped(
        sequential=("and then",),
        parallel=("as well as",),
        distributive=("for each",),
        weak=("also",),
        joiners=(";",),
    )
    assert [hit.meaning for hit in cues.hits("a and then b as well as c for each d also e; f")] == [
        "sequential",
        "parallel",
        "distributive",
        "weak",
        "joiner",
    ]


def test_a_cue_in_two_groups_has_the_meaning_of_the_first() -> None:
    assert seen(grouped(sequential=("also",), weak=("Also",)), "also") == [("also", "sequential", "also")]


def test_a_gapped_cue_allows_anything_between_across_lines_up_to_a_bound() -> None:
    text = "First summarize\nmy inbox.\nTHEN check it"
    hit = flat("first ... then").hits(text)[0]
    assert (hit.start, hit.end) == (0, 30)
    assert [text[start:end] for start, end in hit.pieces] == ["First", "THEN"]
    assert flat("first ... then", max_gap=3).hits("first 2 then") != ()
    assert flat("first ... then", max_gap=3).hits("first 23 then") == ()
    assert flat("first ... then").hits("then first") == ()


def test_a_strong_cue_wins_over_the_joiners_and_weak_cues_it_overlaps() -> None:
    cues = grouped(sequential=("and then", ", then"), weak=("then also",), joiners=("and", ","))
    assert seen(cues, "a, then b and then also c and d") == [
        (", then", "sequential", ", then"),
        ("and then", "sequential", "and then"),
        ("and", "joiner", "and"),
    ]


def test_of_overlapping_cues_the_longer_wins() -> None:
    assert seen(flat("for each", "one for each", "each of"), "one for each of them") == [
        ("one for each", "compound", "one for each")
    ]


def test_a_piece_grows_over_the_strong_cue_it_overlaps() -> None:
    cues = grouped(sequential=("first ... then", "and then"), joiners=("and",))
    text = "first a and then b and then c"
    hits = cues.hits(text)
    assert [hit.cue for hit in hits] == ["first ... then", "and then"]
    assert [text[start:end] for start, end in hits[0].pieces] == ["first", "and then"]


def test_a_gapped_cue_with_two_pieces_in_one_plain_cue_is_that_plain_cue() -> None:
    cues = grouped(sequential=("and ... then", "and then"))
    assert seen(cues, "a and then b") == [("and then", "sequential", "and then")]
    assert seen(cues, "a and b then c") == [("and ... then", "sequential", "and b then")]
    assert seen(grouped(sequential=("and ... then",)), "a and then b") == [
        ("and ... then", "sequential", "and then")
    ]


def test_the_same_gapped_cue_twice_is_one() -> None:
    assert len(flat("first ... then", "FIRST … THEN").hits("first a then b")) == 1


def test_references_are_whole_words_of_the_file() -> None:
    cues = CueSet.of(MultiStepFile(references=("it", "the results")))
    assert cues.is_reference("send it to Bob")
    assert cues.is_reference("mail THE\u00a0RESULTS")
    assert not cues.is_reference("list items")
    assert not CueSet.of(MultiStepFile()).is_reference("send it")


@pytest.mark.parametrize("cue", [" ", "... then", "first ...", "…"])
def test_a_cue_with_a_blank_piece_is_a_located_fault(cue: str) -> None:
    with pytest.raises(WorkspaceInvalid) as caught:
        grouped(sequential=("and then", cue))
    assert [(fault.file, fault.path) for fault in caught.value.faults] == [
        ("config/multi_step.yaml", "cues.sequential[1]")
    ]


def test_all_faulty_cues_are_told_at_once() -> None:
    with pytest.raises(WorkspaceInvalid) as caught:
        grouped(sequential=(" ",), joiners=("either ... or",))
    assert [fault.path for fault in caught.value.faults] == ["cues.sequential[0]", "cues.joiners[0]"]
    assert "has a gap" in caught.value.faults[1].message


def test_a_blank_reference_is_a_located_fault() -> None:
    with pytest.raises(WorkspaceInvalid, match="references"):
        CueSet.of(MultiStepFile(references=("it", " ")))


WORDS = st.sampled_from(
    ["first", "then", "and", "Straße", "然后", ",", "\u00a0", "\n", "it’s", "x", "cafe\u0301"]
)
CUE = st.sampled_from(
    ["and", "and then", "first ... then", "strasse", "然后", ",", "it's … then", "café", "then"]
)


@given(st.lists(CUE, max_size=5), st.lists(WORDS, max_size=12).map(" ".join))
def test_what_is_cited_folds_to_the_cue_or_its_pieces(cues: list[str], text: str) -> None:
    hits = flat(*cues).hits(text)
    for hit in hits:
        cited = [normal(text[start:end]) for start, end in hit.pieces]
        wanted = [normal(piece) for piece in pieces_of(hit.cue)]
        assert all(piece in whole for piece, whole in zip(wanted, cited, strict=True))
        if len(wanted) == 1:
            assert cited == wanted
    plain = sorted(hit.pieces[0] for hit in hits if len(hit.pieces) == 1)
    assert all(before[1] <= after[0] for before, after in pairwise(plain))
