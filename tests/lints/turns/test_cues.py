from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator import Orchestrator
from orchestrator.lints.subject import Subject
from orchestrator.lints.turns.cues import cue_doubts
from orchestrator.prompts import Prompts
from orchestrator.routing.cascade import Router
from orchestrator.routing.cues import cues_of
from orchestrator.workspace.models import MultiStepFile

SHIPPED = Orchestrator.from_workspace(Path(__file__).parents[3])
CUES = "config/multi_step.yaml"
ONE_INTENT = {"agents/memo.yaml": None, CUES: "cues: {weak: [also], joiners: []}\n"}


@pytest.mark.parametrize(
    ("code", "cues", "place"),
    [
        ("cue-twice", "cues: [and then, after that, And  Then]", "1:30"),
        ("cue-twice", "cues: {weak: [once that's done, once that’s done]}", "1:33"),
        ("cue-in-two-groups", "cues:\n  sequential: [and then]\n  joiners: [and then]", "3:13"),
        ("cue-never-matches", "cues: {sequential: [and then], joiners: [and then also]}", "1:42"),
        ("cue-gap-of-joiners", "cues:\n  parallel: [both ... and]\n  joiners: [both, and]", "2:14"),
    ],
)
def test_a_cue_that_does_nothing_or_other_than_it_says_is_doubted(
    places: Callable[..., list[str]], code: str, cues: str, place: str
) -> None:
    assert places({CUES: f"{cues}\n"}) == [f"{code} {CUES}:{place}"]


@pytest.mark.parametrize(
    "cues",
    [
        "cues: [and then, and, then]",
        "cues: {sequential: [after that, and after that, after], weak: [that]}",
        "cues: [first ... then, then ... first, firstly]",
        "cues: [first … then, first and then]",
        'cues: {sequential: [", then"], joiners: [","]}',
        "cues: {parallel: [first ... and], joiners: [and]}",
        "cues: {sequential: [and then], joiners: [and, plus]}",
        "cues: []",
    ],
)
def test_a_cue_that_is_found_somewhere_is_not(places: Callable[..., list[str]], cues: str) -> None:
    assert places({CUES: f"{cues}\n"}) == []


def test_what_counts_between_two_intents_needs_two(places: Callable[..., list[str]]) -> None:
    assert places(ONE_INTENT) == [f"cue-never-counts {CUES}:1:8"]
    assert places({**ONE_INTENT, "agents/memo.yaml": None, CUES: "cues: [also]\n"}) == []


def test_the_taker_of_a_cue_is_named(findings: Callable[..., tuple[object, ...]]) -> None:
    (finding,) = findings({CUES: "cues: {sequential: [and then], joiners: [and then also]}\n"})
    assert str(finding) == (
        "config/multi_step.yaml:1:42: cues.joiners[0]: wherever 'and then also' stands, 'and then' is found "
        "in its place; take one of them out [cue-never-matches]\n"
        "  cues: {sequential: [and then], joiners: [and then also]}\n"
        "                                           ^"
    )


PIECES = st.lists(
    st.sampled_from(["so", "then", "so then", "and", "also", "x", "and then"]), min_size=1, max_size=2
)
GROUPS = st.fixed_dictionaries(
    {
        group: st.lists(PIECES if group == "sequential" else PIECES.map(lambda p: p[:1]), max_size=4)
        for group in ("sequential", "parallel", "weak", "joiners")
    }
)


@given(GROUPS, st.lists(st.sampled_from(["so", "then", "and", "also", "x", "y", ","]), max_size=12))
def test_what_is_said_never_to_match_matches_nowhere(
    groups: dict[str, list[list[str]]], words: list[str]
) -> None:
    cues = MultiStepFile.model_validate(
        {"cues": {g: [" ... ".join(c) for c in of] for g, of in groups.items()}}
    )
    workspace = replace(SHIPPED.workspace, multi_step=cues)
    router = Router(workspace.agents, workspace.routing, cues)
    found = {hit.cue for hit in router.cues.hits(" ".join(words))}
    subject = Subject(workspace, router, Prompts(workspace.root / "prompts"))
    never = {cue.path: cue.text for cue in cues_of(cues)}
    doubted = {never[d.spot.path] for d in cue_doubts(subject) if d.code == "cue-never-matches"}
    assert not doubted & found
