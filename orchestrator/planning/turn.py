"""What planning is told of a turn: the text, where it is routed, and the cues that join its parts.

Planning does not know routing. It takes values that look like these, and functions that route a part.
"""

from dataclasses import dataclass
from typing import Protocol

from orchestrator.ids import AgentName, IntentName, Meaning, Span


class Joint(Protocol):
    """A cue found in the turn. `pieces` are the literal pieces of a gapped cue (`first ... then`)."""

    @property
    def meaning(self) -> Meaning:
        """What it means for the plan."""
        ...

    @property
    def start(self) -> int:
        """First character in the turn's text."""
        ...

    @property
    def end(self) -> int:
        """Character after the last one."""
        ...

    @property
    def pieces(self) -> tuple[Span, ...]:
        """Its literal pieces; a plain cue has one."""
        ...


@dataclass(frozen=True, slots=True)
class Routed:
    """Who serves a part of a turn, with confidence enough to plan on."""

    agent: AgentName
    intent: IntentName | None


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn, routed.

    `span` is what is asked: the text without an address such as `@calendar`. `agent` is None where the route
    was declined. `joints` are the cues that count, `ignored` the joiners and weak cues that do not.
    """

    text: str
    span: Span
    agent: AgentName | None
    intent: IntentName | None
    addressed: bool = False
    joints: tuple[Joint, ...] = ()
    ignored: tuple[Joint, ...] = ()

    @property
    def is_multi_step(self) -> bool:
        """Has it several parts?"""
        return bool(self.joints)

    @property
    def asked(self) -> str:
        """The words that are asked of the agents."""
        return self.text[slice(*self.span)]
