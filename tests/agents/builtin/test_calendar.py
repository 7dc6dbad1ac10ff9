"""The agent `calendar`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from orchestrator.agents.builtin.types.calendar import CalendarOptions
from orchestrator.agents.contract import Item, Output
from orchestrator.errors import TaskError
from pydantic import ValidationError

Ask = Callable[..., Output]


def write(tmp_path: Path, *events: tuple[str, str, str]) -> None:
    """Events as (title, start, end or more lines)."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0"]
    for n, (title, start, more) in enumerate(events):
        lines += [
            "BEGIN:VEVENT",
            f"UID:{n}",
            f"SUMMARY:{title}",
            f"DTSTART{start}",
            *more.split("|"),
            "END:VEVENT",
        ]
    (tmp_path / "c.ics").write_text("\n".join([*lines, "END:VCALENDAR", ""]))


@pytest.fixture
def week(tmp_path: Path) -> None:
    write(
        tmp_path,
        ("Round", ":20261101T090000", "DTEND:20261101T091500|RRULE:FREQ=DAILY"),
        ("Dentist", ":20261130T103000", "DTEND:20261130T113000|LOCATION:Quay Street"),
        ("Call", ":20261130T110000", "DTEND:20261130T120000"),
        ("Maybe lunch", ":20261130T113000", "DTEND:20261130T123000|TRANSP:TRANSPARENT"),
        ("Fair", ";VALUE=DATE:20261203", "DTEND;VALUE=DATE:20261205"),
        ("Party", ":20261130T180000", "DTEND:20261130T200000|STATUS:CANCELLED"),
        ("Concert", ":20261210T173000", "DTEND:20261210T190000"),
    )


@pytest.mark.usefixtures("week")
def test_the_agenda_of_a_day_names_clashes_and_what_is_cancelled(ask: Ask) -> None:
    assert ask("calendar", "what is on today", file="c.ics").text == (
        "Today: 4 entries on the calendar.\n"
        "- 09:00–09:15 Round\n"
        "- 10:30–11:30 Dentist (Quay Street)\n"
        "- 11:00–12:00 Call\n"
        "- 11:30–12:30 Maybe lunch\n"
        "Clash: 10:30–11:30 Dentist and 11:00–12:00 Call.\n"
        "Cancelled, so left out: 18:00–20:00 Party."
    )


@pytest.mark.usefixtures("week")
def test_several_days_are_answered_one_by_one_in_their_order(ask: Ask) -> None:
    output = ask("calendar", "what is on Thursday and on Tuesday", file="c.ics")
    assert output.text == (
        "Tomorrow: 1 entry on the calendar.\n"
        "- 09:00–09:15 Round\n"
        "\n"
        "Thursday 3 December: 2 entries on the calendar.\n"
        "- all day until 2026-12-04 Fair\n"
        "- 09:00–09:15 Round"
    )
    free = ask("calendar", "am I free on Tuesday or Thursday", "free_time", file="c.ics").items or ()
    assert [str(gap.data["start"])[:10] for gap in free] == ["2026-12-01", "2026-12-03"]


@pytest.mark.usefixtures("week")
def test_more_days_than_can_be_told_apart_are_refused(ask: Ask) -> None:
    text = "what is on " + ", ".join(f"2026-12-{day:02}" for day in range(1, 12))
    with pytest.raises(TaskError, match="11 days are named; name at most 10, or a span"):
        ask("calendar", text, file="c.ics")


@pytest.mark.usefixtures("week")
def test_a_capital_name_narrows_the_agenda_and_is_said_where_no_title_has_it(ask: Ask) -> None:
    assert ask("calendar", "do I have the Dentist this week", file="c.ics").text == (
        'From Monday 30 November to Sunday 6 December: 1 entry on the calendar with "Dentist".\n'
        "Monday 30 November:\n"
        "- 10:30–11:30 Dentist (Quay Street)"
    )
    other = ask("calendar", "do I meet Zorro tomorrow", file="c.ics").text.splitlines()
    assert other[-1] == 'None of these has "Zorro" in its title.'


@pytest.mark.usefixtures("week")
def test_an_entry_is_found_by_a_name_with_a_capital_too(ask: Ask) -> None:
    assert [i.data["title"] for i in ask("calendar", "when is the Concert", file="c.ics").items or ()] == [
        "Concert"
    ]


@pytest.mark.usefixtures("week")
def test_an_entry_is_an_item(ask: Ask) -> None:
    items = ask("calendar", "what is on today", file="c.ics").items
    assert items is not None
    assert items[1] == Item(
        "2026-11-30 10:30–11:30 Dentist (Quay Street)",
        {
            "title": "Dentist",
            "start": "2026-11-30T10:30:00+01:00",
            "end": "2026-11-30T11:30:00+01:00",
            "all_day": False,
            "location": "Quay Street",
            "uid": "1",
        },
    )


@pytest.mark.usefixtures("week")
def test_the_agenda_of_several_days_has_a_line_for_each_day(ask: Ask) -> None:
    assert ask("calendar", "from 2 December to 3 December", file="c.ics").text == (
        "From Wednesday 2 December to Thursday 3 December: 3 entries on the calendar.\n"
        "Wednesday 2 December:\n"
        "- 09:00–09:15 Round\n"
        "Thursday 3 December:\n"
        "- all day until 2026-12-04 Fair\n"
        "- 09:00–09:15 Round"
    )


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("check my calendar", ["Round", "Dentist", "Call", "Maybe lunch"]),
        ("what is on tomorrow", ["Round"]),
        ("do I have meetings on Friday", ["Fair", "Round"]),
        ("what was on Friday", ["Round"]),
        ("what happens on 2026-12-10", ["Round", "Concert"]),
        ("when is the concert", ["Concert"]),
        ("when is my dentist appointment?", ["Dentist"]),
        ("what is my next meeting", ["Round"]),
        ("when is the opera", []),
    ],
)
@pytest.mark.usefixtures("week")
def test_the_request_says_which_days_or_which_entry(ask: Ask, text: str, titles: list[str]) -> None:
    output = ask("calendar", text, file="c.ics")
    assert [i.data["title"] for i in output.items or ()] == titles


def test_an_empty_day_says_what_comes_next(ask: Ask, tmp_path: Path) -> None:
    write(tmp_path, ("Concert", ":20261210T173000", "DTEND:20261210T190000"))
    output = ask("calendar", "what is on today", file="c.ics")
    assert output.text == "Nothing on the calendar today.\nNext: Thursday 10 December, 17:30–19:00 Concert."
    assert output.items == ()


@pytest.mark.usefixtures("week")
def test_the_child_of_a_mapped_task_looks_at_the_day_of_its_item(ask: Ask) -> None:
    output = ask("calendar", "check the calendar for each", file="c.ics", item=Item("2026-12-10 something"))
    assert [i.data["title"] for i in output.items or ()] == ["Round", "Concert"]


@pytest.mark.usefixtures("week")
def test_free_time_is_what_the_working_hours_have_left(ask: Ask) -> None:
    output = ask("calendar", "when am I free today", "free_time", file="c.ics")
    assert output.text == (
        "Free today between 09:00 and 17:00:\n"
        "- 09:15–10:30 (1 h 15 min)\n"
        "- 12:00–17:00 (5 h)\n"
        "Cancelled, so left out: 18:00–20:00 Party."
    )
    assert output.items is not None
    assert output.items[0].data == {
        "start": "2026-11-30T09:15:00+01:00",
        "end": "2026-11-30T10:30:00+01:00",
        "minutes": 75,
    }


@pytest.mark.usefixtures("week")
def test_free_time_of_today_begins_now(ask: Ask) -> None:
    output = ask("calendar", "free time today", "free_time", file="c.ics", now="2026-11-30T15:07")
    assert "- 15:15–17:00 (1 h 45 min)" in output.text
    assert len(output.items or ()) == 1


@pytest.mark.usefixtures("week")
def test_gaps_that_are_too_short_are_left_out(ask: Ask) -> None:
    output = ask("calendar", "free time today", "free_time", file="c.ics", shortest_gap=90)
    assert [i.data["minutes"] for i in output.items or ()] == [300]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("am I free today at 11", "No, not free today at 11:00:\n- 10:30–11:30 Dentist\n- 11:00–12:00 Call"),
        ("am I free tomorrow at 3pm", "Yes, free tomorrow at 15:00."),
    ],
)
@pytest.mark.usefixtures("week")
def test_one_moment_is_free_or_not(ask: Ask, text: str, said: str) -> None:
    assert ask("calendar", text, "free_time", file="c.ics").text.startswith(said)


@pytest.mark.usefixtures("week")
def test_days_gone_by_have_no_free_time(ask: Ask) -> None:
    assert ask("calendar", "was I free last week", "free_time", file="c.ics").text.startswith("That is past")


@pytest.mark.usefixtures("week")
def test_a_long_agenda_is_cut_and_counted(ask: Ask) -> None:
    output = ask("calendar", "this year", file="c.ics", most=3)
    assert output.text.startswith(
        "From Thursday 1 January to Thursday 31 December: 66 entries on the calendar."
    )
    assert "… and 63 more; options.most sets how many are shown." in output.text
    assert len(output.items or ()) == 3


@pytest.mark.usefixtures("week")
def test_what_goes_on_without_end_is_read_as_far_as_the_horizon(ask: Ask) -> None:
    output = ask("calendar", "what is on after today", file="c.ics", horizon=3)
    assert [i.data["title"] for i in output.items or ()] == ["Round", "Round", "Fair", "Round"]


@pytest.mark.usefixtures("week")
def test_what_was_until_a_day_is_read_as_far_back_as_the_horizon(ask: Ask) -> None:
    output = ask("calendar", "what was on until Sunday", file="c.ics", horizon=2)
    assert [str(i.data["start"])[:10] for i in output.items or ()] == ["2026-11-28", "2026-11-29"]


def test_a_full_day_is_said_to_be_full(ask: Ask, tmp_path: Path) -> None:
    write(tmp_path, ("Course", ":20261130T080000", "DTEND:20261130T180000"))
    output = ask("calendar", "free time today", "free_time", file="c.ics")
    assert output == Output("No free time of 30 min or more today between 09:00 and 17:00.", ())


@pytest.mark.parametrize(
    "options", [{"day_start": 540}, {"day_start": "18:00"}, {"day_end": "9"}, {"shortest_gap": 0}]
)
def test_options_that_make_no_day_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        CalendarOptions.model_validate({"file": "c.ics", **options})


LINES = (
    "DTSTART:20261130T090000", "DTEND:20261130T080000", "DTSTART;VALUE=DATE:20261130", "DURATION:-P1D",
    "RRULE:FREQ=DAILY", "RRULE:FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=2", "RRULE:COUNT=x", "EXDATE:x", "UID:1",
    "RECURRENCE-ID:20261130T090000", "STATUS:CANCELLED", "SUMMARY:a", "BEGIN:VEVENT", "END:VEVENT",
    "BEGIN:VTIMEZONE", "TZID:Mars", "DTSTART;TZID=Mars:20261130T090000", "X-WR-TIMEZONE:Mars",
    "RDATE:20261130T090000", "RRULE:FREQ=WEEKLY;UNTIL=20271130T090000Z", "garbage", "TRANSP:", "\ufeff",
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.binary(max_size=100)
    | st.lists(st.sampled_from(LINES), max_size=12).map(
        lambda lines: "\n".join(
            ("BEGIN:VCALENDAR", "BEGIN:VEVENT", *lines, "END:VEVENT", "END:VCALENDAR")
        ).encode()
    )
)
def test_any_bytes_give_an_answer_or_a_task_error_and_stay_as_they_are(
    ask: Ask, tmp_path: Path, data: bytes
) -> None:
    path = tmp_path / "fuzz.ics"
    path.write_bytes(data)
    for operation in ("agenda", "free_time"):
        try:
            said = ask("calendar", "what is on today", operation, file="fuzz.ics").text
        except TaskError as error:
            said = str(error)
        assert said
    assert path.read_bytes() == data
    assert [p.name for p in tmp_path.iterdir()] == ["fuzz.ics"]
