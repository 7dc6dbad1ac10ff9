"""The type `calendar`: its options, and what its intents may ask for."""

from datetime import time

from pydantic import model_validator

from orchestrator.agents.builtin.options import ReadOptions, TimeOfDay
from orchestrator.agents.contract import AgentType, no_calls
from orchestrator.agents.late import late
from orchestrator.workspace.models import Knobs, Positive, Text


class CalendarWords(Knobs):
    """Words of requests, in English; each list can be replaced."""

    polite: tuple[Text, ...] = (
        "can you", "could you", "i need to", "i want to", "i want you to", "please", "would you",
    )  # fmt: skip
    """Words at the beginning that mean nothing."""
    readers: tuple[Text, ...] = ("me", "us")
    """Words behind a deed that mean who asks: `send me …` asks for an answer."""
    deeds: tuple[Text, ...] = (
        "accept", "add", "cancel", "change", "clear", "create", "decline", "delete", "invite", "move",
        "postpone", "put", "remove", "rename", "reschedule",
    )  # fmt: skip
    """Words at the beginning that ask for more than to read."""
    past: tuple[Text, ...] = ("was", "were", "did", "had")
    """The question looks back: a weekday is the last one."""
    find: tuple[Text, ...] = ("when is", "when's", "when are", "when do", "what time is", "next", "upcoming")
    """The question is for a named entry, or for the next one."""
    ignore: tuple[Text, ...] = (
        "a", "agenda", "am", "and", "any", "anything", "appointment", "appointments", "are", "at", "be",
        "busy", "calendar", "can", "check", "clash", "clashes", "coming", "could", "day", "did", "do",
        "does", "event", "events", "for", "give", "going", "got", "had", "has", "have", "how", "i", "in",
        "is", "later", "like", "list", "look", "me", "meet", "meeting", "meetings", "meets", "much", "my",
        "next", "now", "of", "on", "or", "our", "plan", "planned", "plans", "please", "schedule", "see",
        "seeing", "show", "summarise", "summarize", "summary", "tell", "that", "the", "there", "these",
        "this", "time", "to", "today", "tomorrow", "up", "upcoming", "us", "was", "we", "week", "were",
        "what", "when", "where", "which", "who", "will", "with", "would", "you",
    )  # fmt: skip
    """Words that name no entry."""


class CalendarOptions(ReadOptions):
    """Options of `uses: calendar`; `file` is an .ics file."""

    day_start: TimeOfDay = time(9)
    """When the working day begins, for free time."""
    day_end: TimeOfDay = time(17)
    """When the working day ends."""
    shortest_gap: Positive = 30
    """Least free time worth naming, in minutes."""
    horizon: Positive = 60
    """How many days to look ahead where the question has no end."""
    most: Positive = 100
    """Most entries shown and handed on; how many there are is always said."""
    words: CalendarWords = CalendarWords()
    """The words by which a request is understood."""

    @model_validator(mode="after")
    def _day_has_length(self) -> "CalendarOptions":
        if self.day_start >= self.day_end:
            raise ValueError("day_end must be later than day_start")
        return self


TYPE = AgentType(
    name="calendar",
    options=CalendarOptions,
    effects="read",
    steps="one",
    operations=("agenda", "free_time"),
    build=late("orchestrator.agents.builtin.calendar"),
    model_calls=no_calls,
)
