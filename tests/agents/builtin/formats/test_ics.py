"""Calendars as values."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from orchestrator.agents.builtin.days import Clock
from orchestrator.agents.builtin.files import Place
from orchestrator.agents.builtin.formats.ics import Happenings, read_happenings
from orchestrator.errors import TaskError

BERLIN = ZoneInfo("Europe/Berlin")
NOW = Clock(datetime(2026, 11, 30, 8, tzinfo=BERLIN))


def event(*lines: str, title: str = "X", uid: str = "1") -> str:
    return "\n".join(("BEGIN:VEVENT", f"UID:{uid}", f"SUMMARY:{title}", *lines, "END:VEVENT"))


def calendar(*events: str) -> bytes:
    return "\n".join(("BEGIN:VCALENDAR", "VERSION:2.0", *events, "END:VCALENDAR", "")).encode()


def read(tmp_path: Path, data: bytes, first: str, end: str, clock: Clock = NOW) -> Happenings:
    path = tmp_path / "c.ics"
    path.write_bytes(data)
    place = Place("diary", "c.ics", path, 1_000_000)
    return read_happenings(place, date.fromisoformat(first), date.fromisoformat(end), clock)


def starts(happenings: Happenings) -> list[str]:
    return [o.start.isoformat() for o in happenings.held]


def test_times_are_said_in_the_local_zone(tmp_path: Path) -> None:
    data = calendar(
        event("DTSTART:20261130T080000Z", "DTEND:20261130T090000Z", uid="utc"),
        event("DTSTART;TZID=America/New_York:20261130T080000", "DURATION:PT1H", uid="zone"),
        event("DTSTART:20261130T080000", "DURATION:PT1H", uid="floating"),
    )
    assert starts(read(tmp_path, data, "2026-11-30", "2026-12-01")) == [
        "2026-11-30T08:00:00+01:00",
        "2026-11-30T09:00:00+01:00",
        "2026-11-30T14:00:00+01:00",
    ]


def test_a_recurrence_keeps_its_local_time_over_the_change_of_clocks(tmp_path: Path) -> None:
    rule = ("DTSTART;TZID=Europe/Berlin:20261024T090000", "DURATION:PT15M", "RRULE:FREQ=DAILY;COUNT=3")
    assert starts(read(tmp_path, calendar(event(*rule)), "2026-10-01", "2026-12-01")) == [
        "2026-10-24T09:00:00+02:00",
        "2026-10-25T09:00:00+01:00",
        "2026-10-26T09:00:00+01:00",
    ]


def test_an_exception_replaces_its_occurrence_and_an_exdate_removes_it(tmp_path: Path) -> None:
    data = calendar(
        event(
            "DTSTART:20261130T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20261202T090000"
        ),
        event("DTSTART:20261201T110000", "DURATION:PT1H", "RECURRENCE-ID:20261201T090000", title="moved"),
    )
    held = read(tmp_path, data, "2026-11-30", "2026-12-05").held
    assert [(o.title, o.start.day, o.start.hour) for o in held] == [("X", 30, 9), ("moved", 1, 11)]


def test_an_all_day_entry_goes_from_midnight_to_midnight_and_takes_no_time(tmp_path: Path) -> None:
    data = calendar(event("DTSTART;VALUE=DATE:20261129", "DTEND;VALUE=DATE:20261201"))
    (found,) = read(tmp_path, data, "2026-11-30", "2026-12-01").held
    assert (found.start, found.end) == (
        datetime(2026, 11, 29, tzinfo=BERLIN),
        datetime(2026, 12, 1, tzinfo=BERLIN),
    )
    assert found.all_day
    assert not found.busy


def test_what_ended_at_midnight_does_not_happen_that_day(tmp_path: Path) -> None:
    data = calendar(event("DTSTART:20261129T200000", "DTEND:20261130T000000"))
    assert read(tmp_path, data, "2026-11-30", "2026-12-01").held == ()
    assert len(read(tmp_path, data, "2026-11-29", "2026-11-30").held) == 1


def test_cancelled_entries_are_apart(tmp_path: Path) -> None:
    data = calendar(event("DTSTART:20261130T200000", "STATUS:CANCELLED", title="Party"))
    found = read(tmp_path, data, "2026-11-30", "2026-12-01")
    assert found.held == ()
    assert [o.title for o in found.cancelled] == ["Party"]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (("DTSTART:20261130T0900",), "its DTSTART is malformed"),
        (("LOCATION:nowhere",), "it has no DTSTART"),
        (("DTSTART:20261130T090000", "RRULE:FREQ=WEEKLY;BYDAY=XX"), "its RRULE is malformed"),
        (("DTSTART:20000101T090000", "RRULE:FREQ=SECONDLY"), "it repeats every minute or second"),
    ],
)
def test_a_malformed_entry_is_named_and_the_others_stay(
    tmp_path: Path, lines: tuple[str, ...], why: str
) -> None:
    data = calendar(
        event(*lines, title="Bad", uid="bad"), event("DTSTART:20261130T100000", title="Good", uid="good")
    )
    found = read(tmp_path, data, "2026-11-30", "2026-12-01")
    assert [o.title for o in found.held] == ["Good"]
    assert found.notes == (f'left out "Bad", which cannot be read: {why}',)


def test_an_unknown_zone_is_taken_as_local_and_said(tmp_path: Path) -> None:
    data = calendar(event("DTSTART;TZID=Nowhere/City:20261130T090000", title="Call"))
    found = read(tmp_path, data, "2026-11-30", "2026-12-01")
    assert starts(found) == ["2026-11-30T09:00:00+01:00"]
    assert found.notes == ('the time zone "Nowhere/City" of "Call" is unknown; its times are taken as local',)


def test_the_shift_moves_whole_days_and_keeps_the_time_of_day(tmp_path: Path) -> None:
    data = calendar(event("DTSTART:20261130T090000", "RRULE:FREQ=DAILY"))
    clock = Clock(datetime(2027, 7, 1, 8, tzinfo=BERLIN), date(2027, 7, 1) - date(2026, 11, 30))
    assert starts(read(tmp_path, data, "2027-06-30", "2027-07-02", clock)) == ["2027-07-01T09:00:00+02:00"]


def test_several_calendars_in_one_file_are_one(tmp_path: Path) -> None:
    data = calendar(event("DTSTART:20261130T090000")) + calendar(event("DTSTART:20261130T100000"))
    assert len(read(tmp_path, data, "2026-11-30", "2026-12-01").held) == 2


@pytest.mark.parametrize(
    "data", [b"", b"Dear diary", b"BEGIN:VCALENDAR\nBEGIN:VEVENT\n", calendar(event("DTSTART:20261130"))[10:]]
)
def test_what_is_no_calendar_is_said_so(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(TaskError, match=r"c\.ics .* is not a calendar: .*options\.file of the agent 'diary'"):
        read(tmp_path, data, "2026-11-30", "2026-12-01")


def test_text_that_is_not_utf_8_is_read_all_the_same(tmp_path: Path) -> None:
    data = calendar(event("DTSTART:20261130T090000", title="Café")).decode().encode("cp1252")
    (found,) = read(tmp_path, data, "2026-11-30", "2026-12-01").held
    assert found.title.startswith("Caf")


def test_a_moment_without_zone_counts_as_local() -> None:
    clock = Clock(datetime(2026, 11, 30, tzinfo=UTC), timedelta(days=1))
    assert clock.local(datetime(2026, 11, 30, 9)) == datetime(2026, 12, 1, 9, tzinfo=UTC)  # noqa: DTZ001 - its point
