"""Days and times in a sentence."""

from datetime import date, time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.builtin.days import Period, day_period, spoken_period
from orchestrator.agents.builtin.hours import find_time
from orchestrator.agents.builtin.when import find_period
from orchestrator.errors import TaskError

MONDAY = date(2026, 11, 30)
WEDNESDAY = date(2026, 12, 2)


def period(text: str, today: date, *, past: bool = False) -> Period | None:
    found = find_period(text, today, past=past)
    return None if found is None else found.period


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("what is on today", "2026-12-02"),
        ("tomorrow please", "2026-12-03"),
        ("the day after tomorrow", "2026-12-04"),
        ("what came yesterday?", "2026-12-01"),
        ("the day before yesterday", "2026-11-30"),
        ("Today's mail", "2026-12-02"),
        ("on 2027-01-05", "2027-01-05"),
        ("on 3 December", "2026-12-03"),
        ("the 3rd of December", "2026-12-03"),
        ("December 24th, 2027", "2027-12-24"),
        ("Dec 24", "2026-12-24"),
        ("1 December", "2027-12-01"),
        ("29 February", "2028-02-29"),
        ("in 3 days", "2026-12-05"),
        ("in two weeks", "2026-12-16"),
        ("in a month", "2027-01-02"),
        ("a week ago", "2026-11-25"),
        ("2 months ago", "2026-10-02"),
        ("on   Fri", "2026-12-04"),
    ],
)
def test_a_phrase_names_a_day(text: str, day: str) -> None:
    assert period(text, WEDNESDAY) == day_period(date.fromisoformat(day))


@pytest.mark.parametrize(
    ("text", "ahead", "back"),
    [
        ("Wednesday", "2026-12-02", "2026-12-02"),
        ("friday", "2026-12-04", "2026-11-27"),
        ("Monday", "2026-12-07", "2026-11-30"),
        ("this Friday", "2026-12-04", "2026-11-27"),
        ("next Friday", "2026-12-11", "2026-12-11"),
        ("last Friday", "2026-11-27", "2026-11-27"),
        ("last Wednesday", "2026-11-25", "2026-11-25"),
        ("5 December", "2026-12-05", "2025-12-05"),
    ],
)
def test_a_weekday_is_the_next_one_or_looking_back_the_last_one(text: str, ahead: str, back: str) -> None:
    assert period(text, WEDNESDAY) == day_period(date.fromisoformat(ahead))
    assert period(text, WEDNESDAY, past=True) == day_period(date.fromisoformat(back))


@pytest.mark.parametrize(
    ("text", "first", "end"),
    [
        ("this week", "2026-11-30", "2026-12-07"),
        ("my week", "2026-11-30", "2026-12-07"),
        ("next week", "2026-12-07", "2026-12-14"),
        ("last week", "2026-11-23", "2026-11-30"),
        ("the weekend", "2026-12-05", "2026-12-07"),
        ("this month", "2026-12-01", "2027-01-01"),
        ("last month", "2026-11-01", "2026-12-01"),
        ("next year", "2027-01-01", "2028-01-01"),
        ("in December", "2026-12-01", "2027-01-01"),
        ("in March", "2027-03-01", "2027-04-01"),
        ("March 2025", "2025-03-01", "2025-04-01"),
        ("the next 3 days", "2026-12-02", "2026-12-05"),
        ("the last 7 days", "2026-11-26", "2026-12-03"),
        ("between Monday and Wednesday", "2026-12-07", "2026-12-10"),
        ("from Friday to Monday", "2026-12-04", "2026-12-08"),
        ("between 2026-12-01 and 2026-12-24", "2026-12-01", "2026-12-25"),
        ("until Friday", "2026-12-02", "2026-12-05"),
        ("before 10 December", "2026-12-02", "2026-12-10"),
        ("since Monday", "2026-11-30", None),
        ("since last week", "2026-11-23", None),
        ("since October", "2026-10-01", None),
        ("after tomorrow", "2026-12-04", None),
    ],
)
def test_a_phrase_names_several_days(text: str, first: str, end: str | None) -> None:
    wanted = Period(date.fromisoformat(first), date.fromisoformat(end) if end else None)
    assert period(text, WEDNESDAY) == wanted


def test_until_looking_back_has_no_beginning() -> None:
    assert period("until Friday", WEDNESDAY, past=True) == Period(None, date(2026, 11, 28))


@pytest.mark.parametrize(
    "text",
    ["", "summarize my inbox", "I sat in the sun", "she may come", "3 messages", "the second one", "week"],
)
def test_text_without_a_day_names_none(text: str) -> None:
    assert find_period(text, MONDAY) is None


@pytest.mark.parametrize("text", ["on 31 February", "2026-13-01", "between 2026-12-05 and 2026-12-01"])
def test_a_day_that_no_calendar_has_is_said_so(text: str) -> None:
    with pytest.raises(TaskError, match="is not in the calendar"):
        find_period(text, MONDAY)


def test_the_place_of_a_period_is_where_it_stands_in_the_text() -> None:
    text = "emails from Bob since  last\nFriday about the lease"
    found = find_period(text, MONDAY, past=True)
    assert found is not None
    assert text[slice(*found.span)] == "since  last\nFriday"


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("at 9", time(9)),
        ("tomorrow at 9:30", time(9, 30)),
        ("at 3pm", time(15)),
        ("12 am", time(0)),
        ("12pm", time(12)),
        ("14:05", time(14, 5)),
        ("around 11 pm", time(23)),
        ("at noon", time(12)),
        ("@ 7", time(7)),
        ("at half past three", time(15, 30)),
        ("quarter to four", time(15, 45)),
        ("at twenty past nine", time(9, 20)),
        ("at 3", time(15)),
        ("at 03:00", time(3)),
        ("at 3 in the morning", time(3)),
        ("tonight at 9", time(21)),
        ("at five o'clock", time(17)),
    ],
)
def test_a_phrase_names_a_time_of_day(text: str, moment: time) -> None:
    found = find_time(text)
    assert found is not None
    assert found[0] == moment


@pytest.mark.parametrize("text", ["", "3 December", "room 12", "2026-12-03"])
def test_a_bare_number_is_no_time_of_day(text: str) -> None:
    assert find_time(text) is None


def test_a_time_that_no_clock_shows_is_said_so() -> None:
    with pytest.raises(TaskError, match="is not a time of day"):
        find_time("at 25")


WORDS = [
    "on",
    "in",
    "next",
    "last",
    "3",
    "31",
    "2026-02-30",
    "february",
    "week",
    "days",
    "ago",
    "since",
    "between",
    "and",
    "friday",
    "fri",
    "the",
    "of",
    "until",
    "a",
    "month",
    "may",
    "9999",
    "weekend",
    "to",
]


@given(st.lists(st.sampled_from(WORDS), max_size=8), st.dates(date(1, 1, 1), date.max), st.booleans())
def test_any_words_on_any_day_give_a_period_in_the_text_or_a_task_error(
    words: list[str], today: date, past: bool
) -> None:
    text = " ".join(words)
    try:
        found = find_period(text, today, past=past)
    except TaskError:
        return
    assert found is None or 0 <= found.span[0] < found.span[1] <= len(text)
    if found is not None and found.period.first and found.period.end:
        assert found.period.first <= found.period.end


@pytest.mark.parametrize(
    ("named", "said"),
    [
        (day_period(date(2026, 11, 30)), "today"),
        (day_period(date(2027, 1, 1)), "Friday 1 January 2027"),
        (Period(date(2026, 11, 30), date(2026, 12, 7)), "from Monday 30 November to Sunday 6 December"),
        (Period(date(2026, 11, 29), None), "since yesterday"),
        (Period(date(2026, 12, 2), None), "from Wednesday 2 December on"),
        (Period(None, date(2026, 12, 1)), "until today"),
        (Period(None, None), "at any time"),
    ],
)
def test_a_period_is_said_in_words(named: Period, said: str) -> None:
    assert spoken_period(named, MONDAY) == said
