from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.planning.plan import plan_of
from orchestrator.planning.split import split, unrouted_text
from orchestrator.planning.turn import Routed

from support.turns import AGENTS, CUES, Hit, agent, hits, is_reference, route_part, turn


def split_of(t, agents=AGENTS, max_tasks=20):
    return split(t, agents, max_tasks, route_part=route_part, is_reference=is_reference)


def shape(text, joints=None, ignored=()):
    """(agent, action, depends_on, map_over) of each task."""
    found = split_of(turn(text, joints, ignored))
    return [(t.agent, t.action, t.depends_on, t.map_over) for t in found.tasks]


def test_two_independent_parts_are_two_tasks_of_one_wave():
    found = split_of(turn("summarize my inbox and check my calendar"))
    assert found.complete
    assert [(t.agent, t.action, t.source_span, t.effects, t.intent) for t in found.tasks] == [
        ("inbox", "summarize my inbox", (0, 18), "read", "summarize_inbox"),
        ("calendar", "check my calendar", (23, 40), "read", "check_calendar"),
    ]
    assert plan_of("", found.tasks, "split", AGENTS).waves == (("t1", "t2"),)


@pytest.mark.parametrize(
    ("text", "collection", "reminder"),
    [
        (
            "find the overdue invoices, then write a reminder for each",
            "find the overdue invoices",
            "write a reminder for each",
        ),
        ("for each overdue invoice, write a reminder", "overdue invoice", "write a reminder"),
        ("write a reminder for each overdue invoice", "overdue invoice", "write a reminder"),
        (
            "find the overdue invoices and for each write a reminder",
            "find the overdue invoices",
            "write a reminder",
        ),
        (
            "find the overdue invoices and then write a reminder for each of them",
            "find the overdue invoices",
            "write a reminder for each of them",
        ),
        (
            "find what is overdue, then write a reminder for each overdue invoice",
            "find what is overdue",
            "write a reminder for each overdue invoice",
        ),
        (
            "find the overdue invoices and then write reminders, one for each",
            "find the overdue invoices",
            "write reminders, one for each",
        ),
    ],
)
def test_a_distributive_cue_maps_the_second_task_over_the_first(text, collection, reminder):
    joints = tuple(h for h in hits(text) if not text[h.start :].startswith(", one"))
    assert shape(text, joints) == [
        ("ledger", collection, (), None),
        ("reminders", reminder, ("t1",), "t1"),
    ]
    assert split_of(turn(text, joints)).complete


def test_an_ignored_joiner_or_punctuation_before_the_distributive_cue_ends_the_first_part():
    for text in (
        "find the overdue invoices and for each write a reminder",
        "find the overdue invoices; for each write a reminder",
        "find the overdue invoices. For each of them, write a reminder.",
    ):
        joints = tuple(h for h in hits(text) if h.meaning == "distributive")
        ignored = tuple(h for h in hits(text) if h.meaning == "joiner")
        assert shape(text, joints, ignored) == [
            ("ledger", "find the overdue invoices", (), None),
            ("reminders", "write a reminder", ("t1",), "t1"),
        ]


def test_a_distributive_cue_that_cannot_be_told_leaves_one_part_and_is_not_complete():
    for text in ("write a reminder for each customer", "for each customer, write a reminder"):
        joints = tuple(h for h in hits(text) if h.meaning == "distributive")
        found = split_of(turn(text, joints))
        assert [t.action for t in found.tasks] == [text]
        assert not found.complete


def test_a_part_of_the_next_stage_waits_for_the_whole_stage_before():
    assert shape("summarize my inbox and check my calendar, and then write a reminder") == [
        ("inbox", "summarize my inbox", (), None),
        ("calendar", "check my calendar", (), None),
        ("reminders", "write a reminder", ("t1", "t2"), None),
    ]


def test_stages_wait_for_the_stage_right_before_them_only():
    text = "check my calendar, then summarize my inbox, then write a reminder and email them"
    assert [(t.id, t.depends_on) for t in split_of(turn(text)).tasks] == [
        ("t1", ()),
        ("t2", ("t1",)),
        ("t3", ("t2",)),
        ("t4", ("t2", "t3")),
    ]


def test_a_part_that_points_back_waits_for_the_part_before_it():
    assert shape("find the overdue invoices and email them to Bob") == [
        ("ledger", "find the overdue invoices", (), None),
        ("mailer", "email them to Bob", ("t1",), None),
    ]


def test_parallel_and_weak_cues_join_independent_parts():
    assert [t.depends_on for t in split_of(turn("check my calendar as well as my inbox")).tasks] == [(), ()]
    assert [t.depends_on for t in split_of(turn("check my calendar also my inbox")).tasks] == [(), ()]


def test_a_cue_of_a_flat_list_keeps_the_order_of_the_words():
    text = "check my calendar as well as my inbox"
    flat = hits(text, (("as well as", "compound"),))
    assert [t.depends_on for t in split_of(turn(text, flat)).tasks] == [(), ("t1",)]


def test_a_part_that_does_not_route_stays_with_the_words_before_it():
    text = "summarize my inbox and then frobnicate the widgets, then check my calendar"
    found = split_of(turn(text))
    assert [t.action for t in found.tasks] == [
        "summarize my inbox and then frobnicate the widgets",
        "check my calendar",
    ]
    assert not found.complete
    assert unrouted_text(turn(text), found) == "“frobnicate the widgets”"
    assert [text[a:b] for a, b in found.detected] == [
        "summarize my inbox",
        "frobnicate the widgets",
        "check my calendar",
    ]


def test_first_words_that_do_not_route_stay_with_the_words_after_them():
    found = split_of(turn("warm up and then stretch and then check my calendar, then summarize my inbox"))
    assert [t.action for t in found.tasks] == [
        "warm up and then stretch and then check my calendar",
        "summarize my inbox",
    ]
    assert not found.complete


def test_where_nothing_routes_there_are_no_tasks():
    found = split_of(turn("frobnicate and then defenestrate"))
    assert (found.tasks, found.complete) == ((), False)


def test_more_parts_than_a_plan_may_have_are_counted_and_not_made():
    found = split_of(turn("check my calendar, then my inbox, then my calendar"), max_tasks=2)
    assert (found.tasks, found.parts, found.complete) == ((), 3, False)


def test_tasks_take_their_effects_from_their_agents():
    agents = {**AGENTS, "inbox": agent("inbox", "write")}
    found = split_of(turn("check my calendar and my inbox"), agents)
    assert [t.effects for t in found.tasks] == ["read", "write"]


WORDS = st.sampled_from(
    [
        "inbox",
        "calendar",
        "overdue",
        "reminder",
        "email them",
        "hum",
        "each",
        "\n",
        "é",
        "?",
        *(c for c, _ in CUES),
    ]
)


@given(st.lists(WORDS, max_size=14).map(" ".join))
def test_every_action_is_the_text_its_span_cites_and_waits_for_earlier_ones_only(text):
    found = split_of(turn(text))
    plan_of(text, found.tasks, "split", AGENTS)
    for place, task in enumerate(found.tasks):
        assert task.source_span is not None
        assert text[slice(*task.source_span)] == task.action
        assert task.id == f"t{place + 1}"
        assert all(int(d[1:]) <= place for d in task.depends_on)
    spans = sorted(t.source_span for t in found.tasks)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))


@given(st.data())
def test_any_text_and_any_joints_make_a_lawful_split(data):
    text = data.draw(st.text("inbox calendar overdue,.\n\ud800日", max_size=50))
    place = st.integers(-1, len(text) + 1)
    joints = st.builds(
        Hit,
        cue=st.just("c"),
        meaning=st.sampled_from(["sequential", "parallel", "distributive", "weak", "joiner", "compound"]),
        start=place,
        end=place,
        pieces=st.lists(st.tuples(place, place), max_size=2).map(tuple),
    )
    t = turn(text, tuple(data.draw(st.lists(joints, max_size=6))))
    t = replace(t, ignored=tuple(data.draw(st.lists(joints, max_size=2))))
    routes = data.draw(st.lists(st.sampled_from([None, *AGENTS]), min_size=1))

    def any_route(part):
        name = routes[len(part) % len(routes)]
        return None if name is None else Routed(name, None)

    found = split(t, AGENTS, 50, route_part=any_route, is_reference=lambda part: len(part) % 2 == 0)
    plan_of(text, found.tasks, "split", AGENTS)
    assert all(t.text[slice(*task.source_span)] == task.action for task in found.tasks)
