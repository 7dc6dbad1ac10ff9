from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.planning.segments import segments, trimmed

from support.turns import Hit, turn


def texts(t):
    return [t.text[s.start : s.end] for s in segments(t)]


def hit(text, cue, meaning="sequential"):
    start = text.index(cue)
    return Hit(cue, meaning, start, start + len(cue), ((start, start + len(cue)),))


def gapped(text, *words):
    pieces = tuple((text.index(w), text.index(w) + len(w)) for w in words)
    return Hit(" ... ".join(words), "sequential", pieces[0][0], pieces[-1][1], pieces)


def test_segments_are_what_stands_between_the_cues():
    assert texts(turn("read my inbox and then check my calendar.")) == ["read my inbox", "check my calendar"]


def test_cues_with_no_word_between_them_are_one_boundary_with_the_strength_of_all():
    text = "read my inbox, and then check my calendar"
    joints = (hit(text, ",", "joiner"), hit(text, "and then"))
    assert texts(turn(text, joints)) == ["read my inbox", "check my calendar"]
    assert [(s.ordered, s.strong) for s in segments(turn(text, joints))] == [(False, False), (True, True)]
    turned = "read my inbox and then, check my calendar"
    joints = (hit(turned, "and then"), hit(turned, ",", "joiner"))
    assert [(s.ordered, s.strong) for s in segments(turn(turned, joints))] == [(False, False), (True, True)]


def test_empty_parts_vanish():
    text = "and then read my inbox after that ?!"
    assert texts(turn(text)) == ["read my inbox"]


def test_the_first_piece_of_a_gapped_cue_is_trimmed_off_where_it_opens_a_part():
    text = "First, read my inbox, then check my calendar"
    assert texts(turn(text, (gapped(text, "First", "then"),))) == ["read my inbox", "check my calendar"]


def test_the_first_piece_of_a_gapped_cue_stays_inside_a_part():
    text = "please first read my inbox then check my calendar"
    assert texts(turn(text, (gapped(text, "first", "then"),))) == [
        "please first read my inbox",
        "check my calendar",
    ]


def test_a_gapped_cue_of_three_pieces_separates_three_parts():
    text = "first read, next write, finally sleep"
    assert texts(turn(text, (gapped(text, "first", "next", "finally"),))) == ["read", "write", "sleep"]


def test_only_what_is_asked_is_cut():
    text = "@calendar what is on today and then tomorrow"
    t = turn(text)
    asked = type(t)(text, (10, len(text)), t.agent, t.intent, joints=t.joints)
    assert texts(asked) == ["what is on today", "tomorrow"]


def test_punctuation_that_belongs_to_a_word_is_kept():
    text = "  … (list the “.net” repos)?; "
    assert text[slice(*trimmed(text, 0, len(text)))] == "(list the “.net” repos)?"
    assert ".net now"[slice(*trimmed(".net now", 0, 8))] == ".net now"
    assert ". net now ."[slice(*trimmed(". net now .", 0, 11))] == "net now"


def test_scripts_without_spaces_are_cut_and_trimmed_as_well():
    text = "总结我的收件箱，然后查看我的日历。"
    assert texts(turn(text, (hit(text, "然后"),))) == ["总结我的收件箱", "查看我的日历"]


@st.composite
def texts_with_joints(draw):
    text = draw(st.text("ab \t\n,.;日é\u00a0\ud800-", max_size=40))
    place = st.integers(-2, len(text) + 2)
    span = st.tuples(place, place)
    joint = st.builds(
        Hit,
        cue=st.just("cue"),
        meaning=st.sampled_from(["sequential", "parallel", "distributive", "weak", "joiner", "compound"]),
        start=place,
        end=place,
        pieces=st.lists(span, max_size=3).map(tuple),
    )
    return turn(text, tuple(draw(st.lists(joint, max_size=6))))


@given(texts_with_joints())
def test_segments_of_any_text_and_joints_are_in_order_and_begin_and_end_with_a_word(t):
    found = segments(t)
    assert all(a.end <= b.start for a, b in pairwise(found))
    for segment in found:
        assert 0 <= segment.start < segment.end <= len(t.text)
        assert any(map(str.isalnum, t.text[segment.start : segment.end]))
        assert (segment.start, segment.end) == trimmed(t.text, segment.start, segment.end)
        assert segment.each is None or segment.start <= segment.each[0] < segment.each[1] <= segment.end


def test_a_joiner_that_does_not_count_is_no_word_of_a_part_beside_a_cue_that_does():
    text = "read my inbox and after this check bread and butter"
    first = hit(text, "and", "joiner")
    second = Hit("and", "joiner", text.rindex("and"), text.rindex("and") + 3, ((0, 0),))
    joined = replace(turn(text, (hit(text, "after this"),)), ignored=(first, second))
    assert texts(joined) == ["read my inbox", "check bread and butter"]
