"""What is counted of a run, and what it costs."""

from dataclasses import asdict

import pytest
from orchestrator.evaluation.simulating.measures import PARTS, Costs, Counts, counts_of
from orchestrator.evaluation.simulating.trial import Lived

NOTHING = Counts(0, 0, 0, 0, 0, 0, 0.0)


def wrong(ticks: str) -> list[bool]:
    """Of each tick: x where the plan was wrong."""
    return [tick == "x" for tick in ticks]


def test_flips_are_the_changes_to_what_was_not_so() -> None:
    counts = counts_of(Lived(wrong("..x.."), [(1, True), (2, False), (3, True)]))
    assert (counts.revisions, counts.flips) == (3, 1)


def test_a_wrong_end_is_silent_where_nobody_is_called_to_look() -> None:
    ended = [counts_of(Lived(wrong("..xx"), flagged=flagged)) for flagged in (True, False)]
    assert [(c.wrong, c.silent) for c in ended] == [(1, 0), (1, 1)]
    assert counts_of(Lived(wrong("xxx."))) == Counts(0, 0, 0, 0, 0, 0, 0.75)


@pytest.mark.parametrize(
    ("ticks", "denied", "changed", "missed"),
    [
        ("..xxx", [3], [], 1),
        ("..xxx", [], [], 0),
        ("..xx.", [3], [], 1),
        ("..xx.", [3], [4], 0),
        ("..xx.", [2, 3], [], 1),
        (".x.x.", [1, 3], [2], 1),
        (".x.x.", [1, 3], [], 2),
        (".....", [2], [], 0),
    ],
)
def test_a_correction_is_missed_where_it_was_held_back_and_no_change_made_the_plan_right(
    ticks: str, denied: list[int], changed: list[int], missed: int
) -> None:
    assert counts_of(Lived(wrong(ticks), [(t, True) for t in changed], denied)).missed == missed


def test_the_share_of_time_astray_and_the_calls_are_those_of_the_run() -> None:
    counts = counts_of(Lived(wrong(".x.."), calls=3))
    assert (counts.astray, counts.flags) == (0.25, 3)


def test_a_run_costs_the_sum_of_its_mistakes() -> None:
    counts = Counts(revisions=9, flips=2, wrong=1, silent=1, missed=3, flags=4, astray=0.5)
    costs = Costs(flip=1, wrong=10, missed=5, flag=0.5, silent=7)
    assert dict(zip(PARTS, costs.parts(counts), strict=True)) == {
        "flips": 2,
        "wrong": 17,
        "missed": 15,
        "flags": 2,
    }
    assert costs.of(counts) == 36
    assert costs.of(NOTHING) == 0


def test_where_a_wrong_end_costs_more_so_does_what_is_missed_and_nothing_else() -> None:
    dearer = Costs(flip=2, wrong=10, missed=5, flag=1, silent=1).where_wrong_costs(30)
    assert asdict(dearer) == {"flip": 2, "wrong": 60, "missed": 30, "flag": 1, "silent": 6}


def test_where_nothing_else_has_a_price_a_wrong_end_still_has_one() -> None:
    assert Costs(0, 0, 5, 0).where_wrong_costs(3) == Costs(0, 3, 0, 0)
