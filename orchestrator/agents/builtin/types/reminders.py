"""The type `reminders`: its options, and what its intents may ask for."""

from datetime import time, timedelta
from typing import Literal, TypeAlias

from orchestrator.agents.builtin.options import FileOptions, Span, TimeOfDay
from orchestrator.agents.contract import AgentType
from orchestrator.agents.late import late
from orchestrator.workspace.models import Knobs, Text

Entry: TypeAlias = Literal["event", "todo"]


class ReminderWords(Knobs):
    """Words of requests, in English; each list can be replaced."""

    opening: tuple[Text, ...] = (
        "please", "can you", "could you", "remind me", "remind us", "write a reminder", "write reminders",
        "write me a reminder", "set a reminder", "set reminders", "add a reminder", "create a reminder",
        "create reminders", "make a reminder", "reminder", "a reminder",
    )  # fmt: skip
    """Words at the beginning that ask for a reminder and are not part of it."""
    linking: tuple[Text, ...] = ("about", "for", "of", "that", "to")
    """A word between the opening and what is to be remembered."""
    pointing: tuple[Text, ...] = ("it", "that", "them", "these", "this", "those")
    """Words that point at what was found before, and say nothing by themselves."""
    each: tuple[Text, ...] = ("reminders", "each", "every")
    """One reminder for each thing that was found, rather than one for all."""


class ReminderOptions(FileOptions):
    """Options of `uses: reminders`; `file` is made where it does not exist."""

    format: Literal["ics", "mbox"] = "ics"
    """A calendar file, or a mailbox of drafts."""
    entry: Entry = "event"
    """What is written into a calendar: events, or to-dos."""
    lead: Span = timedelta(days=1)
    """How long before its day something is remembered, where the request names no day itself."""
    at: TimeOfDay = time(9)
    """Time of day of a reminder, where the request names none."""
    sender: Text = "reminders@localhost"
    """From whom drafts are."""
    to: str = ""
    """To whom drafts are, where what was found has no address."""
    letter: Text = "Hello $name,\n\na friendly reminder: $what.\n"
    """Text of a draft to a name; `$name` and `$what` are filled in."""
    words: ReminderWords = ReminderWords()
    """The words by which a request is understood."""


TYPE = AgentType(
    name="reminders",
    options=ReminderOptions,
    effects="write",
    steps="one",
    operations=("remind",),
    build=late("orchestrator.agents.builtin.reminders"),
)
