"""The laws of a picture, held on the positions themselves."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from orchestrator.planning.drawing.scene.card import CELL, SIGN
from orchestrator.planning.drawing.scene.geometry import Rect
from orchestrator.planning.drawing.scene.scene import Shown, scene_of
from orchestrator.planning.drawing.width import cells

from support.plans import plan, plans, task

STATES = ["pending", "running", "waiting", "in_doubt", "done", "failed", "skipped", "cancelled"]
PILE = 6
"""How far the pile of a mapped task's cards stands out."""


def scene(of, **shown):
    return scene_of(of.request, of.tasks, of.waves, Shown(**shown))


def overlap(a: Rect, b: Rect) -> bool:
    return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height


def contains(outer: Rect, inner: Rect, slack: float = 0.05) -> bool:
    return (
        inner.x >= outer.x - slack
        and inner.y >= outer.y - slack
        and inner.x + inner.width <= outer.x + outer.width + slack
        and inner.y + inner.height <= outer.y + outer.height + slack
    )


def around(box) -> Rect:
    pile = PILE if box.card.mapped else 0
    return Rect(box.at.x, box.at.y, box.at.width + pile, box.at.height + pile)


def of_words(words, dx: float = 0, dy: float = 0) -> Rect:
    width = cells(words.text) * CELL[words.kind]
    left = words.x - width if words.rtl else words.x
    return Rect(left + dx, words.y - 10 + dy, width, 12)


def sampled(curve, steps: int = 24):
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = curve
    for step in range(steps + 1):
        t = step / steps
        u = 1 - t
        w = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
        yield w[0] * ax + w[1] * bx + w[2] * cx + w[3] * dx, w[0] * ay + w[1] * by + w[2] * cy + w[3] * dy


plans_shown = st.tuples(plans(), st.sampled_from(["down", "right", "auto"]), st.booleans(), st.randoms())


@given(plans_shown)
@settings(max_examples=40)
def test_nothing_overlaps_and_everything_is_in_the_picture(drawn):
    of, direction, with_states, chance = drawn
    states = {t.id: chance.choice(STATES) for t in of.tasks} if with_states else None
    made = scene(of, direction=direction, states=states)
    whole = Rect(0, 0, made.width, made.height)
    boxes = [around(box) for box in made.boxes]
    assert not [pair for pair in combinations(boxes, 2) if overlap(*pair)]
    assert not [pair for pair in combinations([band.at for band in made.bands], 2) if overlap(*pair)]
    for box, task_ in zip(made.boxes, of.tasks, strict=True):
        (band,) = [band for band, wave in zip(made.bands, of.waves, strict=True) if task_.id in wave]
        assert contains(band.at, around(box))
        assert not overlap(of_words(band.label), box.at)
    for band in made.bands:
        assert contains(whole, band.at)
        assert contains(band.at, of_words(band.label))
    for entry in made.legend.entries:
        assert contains(whole, of_words(entry.words, *made.legend_at))


@given(plans_shown)
@settings(max_examples=40)
def test_a_line_touches_no_box_but_its_own_two_and_no_name_of_a_wave(drawn):
    of, direction, _, _ = drawn
    made = scene(of, direction=direction)
    boxes = {t.id: box for t, box in zip(of.tasks, made.boxes, strict=True)}
    edges = {(d, t.id) for t in of.tasks for d in t.depends_on}
    assert len(made.lines) == len(edges)
    for line in made.lines:
        points = [point for curve in line.curves for point in sampled(curve)]
        touched = {
            id
            for id, box in boxes.items()
            for x, y in points
            if box.at.x - 2 <= x <= box.at.x + box.at.width + 2
            and box.at.y - 2 <= y <= box.at.y + box.at.height + 2
        }
        start, end = points[0], points[-1]
        source = next(id for id in touched if _leaves(boxes[id].at, start, made.way))
        target = next(id for id, box in boxes.items() if _arrives(box.at, end, made.way))
        assert (source, target) in edges
        edges.remove((source, target))
        assert touched <= {source, target}
        for band in made.bands:
            label = of_words(band.label)
            assert not any(overlap(label, Rect(x, y, 0.1, 0.1)) for x, y in points)
        assert all(a[3] == b[0] for a, b in pairwise(line.curves))
    assert not edges


def _leaves(box: Rect, point, way: str) -> bool:
    x, y = point
    if way == "down":
        return abs(y - box.y - box.height) < 0.01 and box.x < x < box.x + box.width
    return abs(x - box.x - box.width) < 0.01 and box.y < y < box.y + box.height


def _arrives(box: Rect, point, way: str) -> bool:
    x, y = point
    if way == "down":
        return 0 < box.y - y < 10 and box.x < x < box.x + box.width
    return 0 < box.x - x < 10 and box.y < y < box.y + box.height


@given(plans(6), st.booleans())
def test_all_words_and_signs_lie_in_their_box_and_apart_from_each_other(of, with_states):
    states = {t.id: STATES[n % len(STATES)] for n, t in enumerate(of.tasks)} if with_states else None
    for box in scene(of, states=states).boxes:
        card = box.card
        inside = Rect(8, 4, card.width - 16, card.height - 8)
        pieces = [of_words(words) for words in card.words]
        pieces += [Rect(mark.x, mark.y, SIGN, SIGN) for mark in card.marks]
        assert all(contains(inside, piece) for piece in pieces)
        assert not [pair for pair in combinations(pieces, 2) if overlap(*pair)]


def test_a_text_from_right_to_left_stands_at_the_right_as_a_whole():
    (box,) = scene(plan(task("t1", to="בדוק את היומן שלי למחר ומצא זמן פנוי לפגישה עם Ann בשעה 15:00"))).boxes
    lines = [words for words in box.card.words if words.kind == "action"]
    assert len(lines) > 1
    assert {(words.rtl, words.x) for words in lines} == {(True, box.card.width - 12)}


def test_what_is_cut_is_whole_in_the_title():
    action = "find the overdue invoices of the whole year " * 20
    (box,) = scene(plan(task("t1", to=action))).boxes
    assert box.card.words[-2].text.endswith("…")
    assert action in box.card.title


@pytest.mark.parametrize(("beside", "way"), [(4, "down"), (5, "right")])
def test_a_wide_wave_is_drawn_as_a_column(beside, way):
    assert scene(plan(*(task(f"t{n}") for n in range(beside)))).way == way


def test_a_direction_that_was_asked_for_is_taken():
    wide = plan(*(task(f"t{n}") for n in range(9)))
    assert scene(wide, direction="down").way == "down"


def test_the_legend_tells_what_occurs_and_nothing_else():
    of = plan(task("t1", does="read"), task("t2", "t1", over="t1", does="write"), task("t3"))
    told = [entry.words.text for entry in scene(of).legend.entries]
    assert told == ["no effects", "reads", "writes", "once per item", "longest path"]
    made = scene(plan(task("t1")), states={"t1": "in_doubt"})
    assert [entry.words.text for entry in made.legend.entries] == ["no effects", "in doubt"]


def test_the_longest_path_is_marked_on_boxes_and_lines_and_lies_above_the_others():
    of = plan(task("t1"), task("t2", "t1"), task("t3", "t1"), task("t4", "t3"))
    made = scene(of)
    assert [box.longest for box in made.boxes] == [True, False, True, True]
    assert [line.longest for line in made.lines] == [False, True, True]
    by_time = scene(of, seconds={"t2": 60})
    assert [box.longest for box in by_time.boxes] == [True, True, False, False]


def test_a_mapped_edge_is_marked_on_its_line_and_on_its_task():
    made = scene(plan(task("t1"), task("t2"), task("t3", "t1", "t2", over="t2")))
    assert {(line.longest, line.mapped) for line in made.lines} == {(True, False), (False, True)}
    assert [box.card.mapped for box in made.boxes] == [False, False, True]
    assert "once per item of t2" in [words.text for words in made.boxes[2].card.words]


def test_a_task_whose_state_is_not_known_is_pending():
    made = scene(plan(task("t1"), task("t2")), states={"t1": "done"})
    assert [box.card.state for box in made.boxes] == ["done", "pending"]


def test_the_description_tells_the_plan_to_whoever_cannot_see_it():
    of = plan(task("t1", does="read"), task("t2", "t1", over="t1", does="write"), task("t3"))
    assert scene(of, states={"t1": "done"}).description.splitlines() == [
        "3 tasks in 2 waves.",
        "t1 (a, reads, done): do it.",
        "t2 (a, writes, pending): do it, after each item of t1.",
        "t3 (a, no effects, pending): do it.",
        "Longest path: t1, t2.",
    ]


def test_the_description_of_a_great_plan_has_an_end():
    told = scene(plan(*(task(f"t{n}") for n in range(50)))).description
    assert told.splitlines()[-1] == "And 10 more."
