"""A small office for tests of planning: its agents, a keyword router, and turns with their cues found.

Nothing of routing is in here: cues are looked up as plain words, so that a test fails for planning alone.
"""

import re
from dataclasses import dataclass

from orchestrator.ids import AgentName, Effects, IntentName, Meaning, Span, Steps
from orchestrator.planning.turn import Routed, Turn
from orchestrator.workspace.agent_file import AgentFile


@dataclass(frozen=True)
class Hit:
    cue: str
    meaning: Meaning
    start: int
    end: int
    pieces: tuple[Span, ...]


def agent(name: str, effects: Effects = "read", steps: Steps = "one", **more: object) -> AgentFile:
    return AgentFile.model_validate({"name": name, "uses": name, "effects": effects, "steps": steps, **more})


AGENTS = {
    AgentName("inbox"): agent("inbox"),
    AgentName("calendar"): agent("calendar"),
    AgentName("ledger"): agent("ledger"),
    AgentName("reminders"): agent("reminders", "write"),
    AgentName("mailer"): agent("mailer", "write"),
}

INTENTS = {
    r"inbox": ("inbox", "summarize_inbox"),
    r"calendar|meetings": ("calendar", "check_calendar"),
    r"overdue": ("ledger", "overdue_invoices"),
    r"reminders?": ("reminders", "write_reminder"),
    r"e?mail (them|it|him|her|bob)": ("mailer", "send_mail"),
}

CUES: tuple[tuple[str, Meaning], ...] = (
    (", then", "sequential"),
    ("and then", "sequential"),
    ("after that", "sequential"),
    ("as well as", "parallel"),
    ("one for each", "distributive"),
    ("for each", "distributive"),
    ("also", "weak"),
    ("and", "joiner"),
    (",", "joiner"),
)


def route_part(text: str) -> Routed | None:
    """Sure where the words of exactly one intent are in the text."""
    found = {where for words, where in INTENTS.items() if re.search(rf"\b({words})\b", text, re.IGNORECASE)}
    if len(found) != 1:
        return None
    name, intent = found.pop()
    return Routed(AgentName(name), IntentName(intent))


def is_reference(text: str) -> bool:
    return re.search(r"\b(it|them|him|her|each)\b", text, re.IGNORECASE) is not None


def hits(text: str, cues: tuple[tuple[str, Meaning], ...] = CUES) -> tuple[Hit, ...]:
    """The cues in a text, each place once, earlier cues of the list first."""
    found: list[Hit] = []
    for cue, meaning in cues:
        before = r"(?<!\w)" if cue[0].isalnum() else ""
        after = r"(?!\w)" if cue[-1].isalnum() else ""
        for match in re.finditer(f"{before}{re.escape(cue)}{after}", text, re.IGNORECASE):
            if not any(match.start() < h.end and h.start < match.end() for h in found):
                found.append(Hit(cue, meaning, *match.span(), (match.span(),)))
    return tuple(sorted(found, key=lambda h: h.start))


def turn(text: str, joints: tuple[Hit, ...] | None = None, ignored: tuple[Hit, ...] = ()) -> Turn:
    """A compound turn, routed as a whole if that is sure, else to the inbox."""
    whole = route_part(text) or Routed(AgentName("inbox"), None)
    return Turn(
        text,
        (0, len(text)),
        whole.agent,
        whole.intent,
        joints=hits(text) if joints is None else joints,
        ignored=ignored,
    )
