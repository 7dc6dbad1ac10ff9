"""A reminder as a calendar entry and as a mail: values in, bytes out. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from orchestrator.agents.builtin.types.reminders import Entry
from orchestrator.ids import Json


@dataclass(frozen=True, slots=True)
class Reminder:
    """What is to be remembered, when, and under which id it is written once. `to` is an address, or empty.

    `rule` is how often it comes again (RRULE); then `at` is its first time.
    """

    uid: str
    summary: str
    details: str
    at: datetime
    to: str = ""
    rule: Mapping[str, Json] = field(default_factory=dict[str, Json])


def as_component(reminder: Reminder, entry: Entry, written: datetime) -> bytes:
    """A VEVENT or VTODO that rings at its time, as lines of a calendar.

    A time that comes again is written without a zone: it is nine o'clock in summer and in winter.
    """
    from icalendar import Alarm, Event, Todo

    component: Any = Event() if entry == "event" else Todo()
    component.add("uid", reminder.uid)
    component.add("dtstamp", written.astimezone(UTC))
    at = reminder.at.replace(tzinfo=None) if reminder.rule else reminder.at.astimezone(UTC)
    component.add("dtstart" if entry == "event" or reminder.rule else "due", at)
    if entry == "event":
        component.add("duration", timedelta(minutes=15))
        component.add("transp", "TRANSPARENT")
    if reminder.rule:
        component.add("rrule", dict(reminder.rule))
    component.add("summary", reminder.summary)
    component.add("description", reminder.details)
    alarm: Any = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", reminder.summary)
    if reminder.rule:
        alarm.add("trigger", timedelta())
    else:
        alarm.add("trigger", at, parameters={"VALUE": "DATE-TIME"})
    component.add_component(alarm)
    lines: bytes = component.to_ical()
    return lines


def as_mail(reminder: Reminder, sender: str) -> bytes:
    """A mail draft; its date is the time of the reminder."""
    from email.message import EmailMessage
    from email.policy import SMTP
    from email.utils import format_datetime

    mail = EmailMessage(policy=SMTP)
    mail["From"] = sender
    if reminder.to:
        mail["To"] = reminder.to
    mail["Subject"] = reminder.summary
    mail["Date"] = format_datetime(reminder.at)
    mail["Message-ID"] = f"<{reminder.uid}>"
    mail["X-Status"] = "T"  # a draft, to the programs that know this mark
    mail.set_content(reminder.details)
    return mail.as_bytes()
