"""A reminder as a calendar entry and as a mail: values in, bytes out. Pure."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from orchestrator.agents.builtin.types.reminders import Entry


@dataclass(frozen=True, slots=True)
class Reminder:
    """What is to be remembered, when, and under which id it is written once. `to` is an address, or empty."""

    uid: str
    summary: str
    details: str
    at: datetime
    to: str = ""


def as_component(reminder: Reminder, entry: Entry, written: datetime) -> bytes:
    """A VEVENT or VTODO that rings at its time, as lines of a calendar."""
    from icalendar import Alarm, Event, Todo

    component: Any = Event() if entry == "event" else Todo()
    component.add("uid", reminder.uid)
    component.add("dtstamp", written.astimezone(UTC))
    component.add("dtstart" if entry == "event" else "due", reminder.at.astimezone(UTC))
    if entry == "event":
        component.add("duration", timedelta(minutes=15))
        component.add("transp", "TRANSPARENT")
    component.add("summary", reminder.summary)
    component.add("description", reminder.details)
    alarm: Any = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", reminder.summary)
    alarm.add("trigger", reminder.at.astimezone(UTC), parameters={"VALUE": "DATE-TIME"})
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
