"""A small world: one fact that changes now and then, and two sources that say so. Pure; chance is handed in.

Time is in ticks. The fact is true or false, so that every change contradicts whoever went by what was so.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeAlias

from orchestrator.runs.messages import SignalReceived

FACT = "fact"

FEED, DESK, RIVAL = "feed", "desk", "rival"
"""A source that reports often and may err; one that looks before it speaks; one that lies."""

_MIDNIGHT = datetime(2026, 1, 1, tzinfo=UTC)


class Chance(Protocol):
    """What `random.Random` has of chance: the same seed gives the same numbers."""

    def random(self) -> float:
        """A number from 0 up to 1, without it."""
        ...

    def randint(self, a: int, b: int, /) -> int:
        """A whole number from `a` to `b`, both among them."""
        ...


Truth: TypeAlias = tuple[bool, ...]
"""What is so at each tick."""


@dataclass(frozen=True, slots=True)
class World:
    """How long a world lasts, and how likely, at each tick, the fact changes and the feed says what is so."""

    length: int = 60
    change: float = 0.04
    report: float = 0.3


@dataclass(frozen=True, slots=True)
class Reading:
    """A message: what a source saw at one tick, and the tick at which it comes in.

    `dated` says that it tells when it was seen; an empty `id`, that its sender gives none.
    """

    tick: int
    value: bool
    source: str
    seen: int
    id: str = ""
    urgent: bool = False
    dated: bool = False

    def signal(self) -> SignalReceived:
        """The same as it is sent to a run."""
        time = (_MIDNIGHT + timedelta(minutes=self.seen)).isoformat() if self.dated else ""
        return SignalReceived(FACT, self.value, self.source, id=self.id, time=time, urgent=self.urgent)


Readings: TypeAlias = tuple[Reading, ...]
"""Messages in the order in which they come in."""


def truth_of(world: World, chance: Chance) -> Truth:
    """What is so: not the fact at first."""
    values = [False]
    while len(values) < world.length:
        values.append(values[-1] is not (chance.random() < world.change))
    return tuple(values)


def readings_of(truth: Truth, world: World, chance: Chance) -> Readings:
    """What is said of it: by the feed of every change at once, and now and then; by the desk of most changes.

    The desk takes one to three ticks, calls it urgent, and says what is so when it speaks.
    """
    told: list[Reading] = []
    for tick, value in enumerate(truth):
        changed = tick > 0 and value is not truth[tick - 1]
        if changed or chance.random() < world.report:
            told.append(Reading(tick, value, FEED, tick, f"f{tick}"))
        if changed and chance.random() < 0.7:
            at = min(tick + chance.randint(1, 3), len(truth) - 1)
            told.append(Reading(at, truth[at], DESK, at, f"d{tick}", urgent=True))
    return in_order(told, truth)


def in_order(readings: Iterable[Reading], truth: Truth) -> Readings:
    """The messages as they come in; those that are too late never do."""
    return tuple(sorted((r for r in readings if r.tick < len(truth)), key=lambda r: r.tick))
