"""The type `reminders`: its options, and what its intents may ask for."""

from datetime import time, timedelta
from string import Template
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator

from orchestrator.agents.builtin.options import FileOptions, Span, TimeOfDay
from orchestrator.agents.contract import AgentType, no_calls
from orchestrator.agents.late import late
from orchestrator.workspace.models import Knobs, Text

Entry: TypeAlias = Literal["event", "todo"]


def _fillable(letter: str) -> str:
    unknown = [word for word in Template(letter).get_identifiers() if word not in ("name", "what")]
    if unknown:
        raise ValueError(
            f"`$name` and `$what` are filled in; found `${unknown[0]}`; write $$ for a dollar sign"
        )
    return letter


class ReminderWords(Knobs):
    """Words of requests, in English; each list can be replaced."""

    polite: tuple[Text, ...] = ("can you", "could you", "please", "would you")
    """Words at the beginning that mean nothing."""
    name: tuple[Text, ...] = ("reminder", "reminders")
    """What a reminder is called."""
    opening: tuple[Text, ...] = (
        "remind me", "remind us", "write a reminder", "write reminders", "write me a reminder",
        "set a reminder", "set me a reminder", "set reminders", "add a reminder", "add reminders",
        "create a reminder", "create reminders", "make a reminder", "send a reminder", "send reminders",
        "i need a reminder", "reminder", "a reminder", "don't let me forget", "do not let me forget",
    )  # fmt: skip
    """Words at the beginning that ask for a reminder and are not part of it."""
    linking: tuple[Text, ...] = ("about", "for", "of", "that", "to")
    """A word between the opening and what is to be remembered."""
    acting: tuple[Text, ...] = ("that", "to")
    """The linking words that are followed by something to do."""
    pointing: tuple[Text, ...] = ("it", "that", "them", "these", "this", "those")
    """Words that point at what was found before, and say nothing by themselves."""
    each: tuple[Text, ...] = ("reminders", "each", "every")
    """One reminder for each thing that was found, rather than one for all."""
    ends: tuple[Text, ...] = (
        "about", "again", "and", "at", "because", "before", "by", "for", "from", "if", "in", "of", "on",
        "that", "to", "when", "whether", "who", "with",
    )  # fmt: skip
    """Words at which `each customer …` ends."""
    join: tuple[Text, ...] = ("and", "but", "or", "then")
    """What stands between two requests in one."""
    conditions: tuple[Text, ...] = (
        "after", "as soon as", "at", "before", "by", "if", "in", "later", "next time", "on", "once", "unless",
        "until", "when", "whenever", "while",
    )  # fmt: skip
    """Words that begin a moment: where no moment is understood after them, nothing is written."""
    refusing: tuple[Text, ...] = (
        "don't remind", "do not remind", "never remind", "not be reminded", "no need to remind",
        "stop reminding", "no reminder", "no reminders", "without a reminder", "without reminders",
        "don't write a reminder", "do not write a reminder", "don't set a reminder", "do not set a reminder",
        "don't write reminders", "do not write reminders", "don't write any reminders",
        "do not write any reminders", "don't write any reminder", "do not write any reminder",
    )  # fmt: skip
    """Words by which no reminder is wanted, wherever they stand."""
    negating: tuple[Text, ...] = ("don't", "do not", "dont", "never", "no", "not")
    """Words at the beginning by which nothing is wanted."""
    asking: tuple[Text, ...] = (
        "am i", "are there", "did i", "did you", "do i", "do you", "does", "have i", "have you", "how",
        "is there", "list", "should", "show", "tell me", "what", "what's", "when", "which", "who", "why",
    )  # fmt: skip
    """Words at the beginning that ask for an answer rather than for a reminder."""
    altering: tuple[Text, ...] = (
        "cancel", "change", "clear", "delete", "edit", "forget", "move", "postpone", "remove", "reschedule",
        "snooze", "update",
    )  # fmt: skip
    """Words at the beginning that would alter a reminder that is there."""


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
    letter: Annotated[Text, AfterValidator(_fillable)] = "Hello $name,\n\na friendly reminder: $what.\n"
    """Text of a draft to a name; `$name` and `$what` are filled in."""
    words: ReminderWords = ReminderWords()
    """The words by which a request is understood."""


TYPE = AgentType(
    name="reminders",
    options=ReminderOptions,
    effects="write",
    steps="one",
    operations=("remind", "list"),
    build=late("orchestrator.agents.builtin.reminders"),
    model_calls=no_calls,
)
