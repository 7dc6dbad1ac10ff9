"""A small world: one fact that changes now and then, and a source that says so. Pure; chance is handed in.

Time is in ticks. The fact is 0 or 1, so that every change is a contradiction of whatever was believed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

DESK, STRANGER = "desk", "stranger"
"""A source that is trusted and means well, and one that is not and does not."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A message: what the source said of the time `since`, and the tick at which it comes in."""

    tick: int
    value: int
    source: str
    id: str
    since: int
    urgent: bool = False


Truth: TypeAlias = tuple[int, ...]
"""What is so at each tick."""

Noise: TypeAlias = Callable[[list[Reading], Truth, Random], list[Reading]]
"""What comes of the messages on their way."""


def truth_of(length: int, change: float, chance: Random) -> Truth:
    """A fact that is 0 first and changes at each tick with this probability."""
    values = [0]
    while len(values) < length:
        values.append(1 - values[-1] if chance.random() < change else values[-1])
    return tuple(values)


def readings_of(truth: Truth, rate: float, chance: Random) -> list[Reading]:
    """What the desk says: of every change at once, as urgent, else at each tick with this probability."""
    told: list[Reading] = []
    for tick, value in enumerate(truth):
        changed = tick > 0 and value != truth[tick - 1]
        if changed or chance.random() < rate:
            told.append(Reading(tick, value, DESK, f"d{tick}", tick, urgent=changed))
    return told
