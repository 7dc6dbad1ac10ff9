from orchestrator.planning.coverage import spans, uncovered
from orchestrator.planning.task import Task

TEXT = "Summarize my inbox, check  my calendar and write to Bob"
PARTS = ((0, 18), (20, 38), (43, 55))


def cited(*actions, text=TEXT, parts=PARTS, asked=None):
    found = spans(actions, text, asked or (0, len(text)), parts)
    return [None if s is None else text[slice(*s)] for s in found]


def task(name, span):
    return Task(id=name, agent="a", action=f"do {name}", request=TEXT, source_span=span)


def test_the_own_words_of_an_action_are_found_in_any_case_and_spacing():
    assert cited("check my calendar", "summarize My Inbox") == ["check  my calendar", "Summarize my inbox"]


def test_an_action_that_is_there_twice_takes_the_next_free_place():
    text = "ring Bob, then ring Bob, then rest"
    assert spans(["ring bob", "ring Bob", "ring Bob"], text, (0, len(text)), ()) == ((0, 8), (15, 23), (0, 8))


def test_an_action_is_not_found_inside_a_word():
    assert cited("art", text="start the cart", parts=()) == [None]


def test_scripts_without_spaces_are_found_inside_a_run():
    assert cited("查看日历", text="总结收件箱然后查看日历", parts=()) == ["查看日历"]


def test_other_words_serve_the_part_that_shares_most_with_them():
    assert cited("list calendar events", "compose a message for Bob") == [
        "check  my calendar",
        "write to Bob",
    ]


def test_a_word_that_every_part_has_speaks_for_none():
    text = "read the mail and then read the news and read the map"
    parts = ((0, 13), (23, 36), (41, 53))
    assert cited("open the", text=text, parts=parts) == [None]


def test_one_part_is_served_by_half_of_its_words_only():
    assert cited("water all plants", "water the plants", text="plants need water", parts=()) == [
        "plants need water",
        "plants need water",
    ]
    assert cited("sell the old car", text="plants need the water", parts=()) == [None]


def test_only_what_is_asked_is_cited():
    text = "@calendar calendar for today"
    assert spans(["calendar"], text, (10, 28), ()) == ((10, 18),)


def test_each_part_without_a_task_and_each_task_without_a_part_is_named():
    assert uncovered([task("t1", (0, 18)), task("t2", (43, 48)), task("t3", None)], TEXT, PARTS) == (
        "no task serves “check  my calendar”",
        "task 't3' (do t3) serves no words of the request that could be found",
    )


def test_a_task_for_the_whole_request_serves_every_part():
    assert uncovered([task("t1", (0, len(TEXT)))], TEXT, PARTS) == ()
