from orchestrator.planning.parts import parts_of
from orchestrator.planning.turn import Routed

from support.turns import Hit, hits, route_part, turn


def read(text, joints=None, ignored=()):
    """(words, stage, maps) of each part."""
    found = parts_of(turn(text, joints, ignored), route_part)
    return [(text[p.start : p.end], p.stage, p.maps) for p in found.parts]


def test_stages_grow_with_cues_that_order():
    assert read("check my inbox and my calendar, then my inbox") == [
        ("check my inbox", 0, False),
        ("my calendar", 0, False),
        ("my inbox", 1, False),
    ]


def test_words_after_an_ordering_cue_keep_their_stage_where_the_first_of_them_are_no_part():
    text = "check my inbox, then hum, check my calendar"
    assert read(text) == [("check my inbox, then hum", 0, False), ("check my calendar", 1, False)]


def test_a_joiner_that_joins_nothing_leaves_all_complete():
    text = "emails from Bob and Alice in my inbox, then check my calendar"
    found = parts_of(turn(text), route_part)
    assert [text[p.start : p.end] for p in found.parts] == [
        "emails from Bob and Alice in my inbox",
        "check my calendar",
    ]
    assert found.complete


def test_a_strong_cue_that_separates_nothing_does_not():
    for text in ("check my inbox and then hum", "hum and then check my inbox", "hum and then hum"):
        assert not parts_of(turn(text), route_part).complete


def test_a_cue_with_words_on_one_side_only_has_nothing_to_separate():
    for text in ("check my inbox after that", "after that check my inbox"):
        assert parts_of(turn(text), route_part).complete


def test_a_merged_part_goes_where_all_its_words_go():
    def picky(text):
        name = "calendar" if "calendar" in text else "inbox"
        return None if text == "zap my calendar" else Routed(name, None)

    found = parts_of(turn("read my inbox, then zap my calendar, then read my inbox"), picky)
    assert [p.route.agent for p in found.parts] == ["calendar", "inbox"]


def test_a_merged_part_stays_where_it_was_if_all_its_words_are_not_sure():
    def strict(text):
        return route_part(text) if "hum" not in text else None

    (part,) = parts_of(turn("check my calendar and then hum"), strict).parts
    assert part.route.agent == "calendar"


def test_a_long_chain_of_cues_is_read_once():
    calls = []

    def counting(text):
        calls.append(len(text))
        return route_part(text)

    text = ";".join(["hum", "hum", "inbox", *["hum"] * 5000])
    places = [n for n, character in enumerate(text) if character == ";"]
    joints = tuple(Hit(";", "sequential", n, n + 1, ((n, n + 1),)) for n in places)
    (part,) = parts_of(turn(text, joints), counting).parts
    assert (part.start, part.end) == (0, len(text))
    assert sum(calls) < 3 * len(text)


def test_a_part_of_the_same_intent_as_the_words_after_for_each_is_what_is_mapped_over():
    assert read("find what is overdue, then write a reminder for each overdue invoice") == [
        ("find what is overdue", 0, False),
        ("write a reminder for each overdue invoice", 1, True),
    ]


def test_a_collection_of_its_own_comes_before_what_is_mapped_over_it():
    text = "check my calendar and write a reminder for each overdue invoice, then check my inbox"
    assert read(text) == [
        ("check my calendar", 0, False),
        ("overdue invoice", 0, False),
        ("write a reminder", 0, True),
        ("check my inbox", 1, False),
    ]


def test_words_that_only_point_back_are_left_out_where_a_joiner_parts_them_off():
    text = "find what is overdue, then for each of them, write a reminder"
    joiner = Hit(",", "joiner", 43, 44, ((43, 44),))
    joints = tuple(h for h in hits(text) if h.meaning != "joiner")
    assert read(text, joints, (joiner,)) == [
        ("find what is overdue", 0, False),
        ("write a reminder", 1, True),
    ]


def test_the_same_intent_on_both_sides_of_for_each_is_one_part():
    text = "list overdue invoices for each overdue customer"
    assert read(text) == [(text, 0, False)]
    assert not parts_of(turn(text), route_part).complete
