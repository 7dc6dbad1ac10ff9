"""What goes wrong with messages on their way: each kind a function of the messages and of chance. Pure.

All but the liars trouble the feed alone.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial, reduce
from typing import TypeAlias

from orchestrator.evaluation.simulating.world import (
    DESK,
    FEED,
    RIVAL,
    Chance,
    Reading,
    Readings,
    Truth,
    in_order,
)

Noise: TypeAlias = Callable[[Readings, Truth, Chance], Readings]
"""What comes of the messages."""


def flips(readings: Readings, _: Truth, chance: Chance, *, rate: float) -> Readings:
    """At this rate the feed says the opposite."""
    return _of_feed(readings, lambda r: replace(r, value=r.value is not (chance.random() < rate)))


def delays(readings: Readings, truth: Truth, chance: Chance, *, most: int, dated: bool) -> Readings:
    """Each message is late by up to so many ticks, so that some are overtaken."""

    def late(r: Reading) -> Reading:
        return replace(r, tick=r.tick + chance.randint(0, most), dated=dated)

    return in_order(_of_feed(readings, late), truth)


def duplicates(readings: Readings, truth: Truth, chance: Chance, *, rate: float) -> Readings:
    """At this rate a message comes once more, one to four ticks later; every other time without its id."""
    again = [
        replace(r, tick=r.tick + chance.randint(1, 4), id=r.id if chance.random() < 0.5 else "")
        for r in readings
        if r.source == FEED and chance.random() < rate
    ]
    return in_order((*readings, *again), truth)


def lies(readings: Readings, truth: Truth, chance: Chance, *, rate: float, source: str) -> Readings:
    """After a message, at this rate, somebody who knows what is so denies it, and calls that urgent."""
    said: list[Reading] = []
    for n, r in enumerate(readings):
        at = r.tick + 1
        if at < len(truth) and chance.random() < rate:
            said.append(Reading(at, not truth[at], source, at, f"l{n}", urgent=True))
    return in_order((*readings, *said), truth)


def _of_feed(readings: Readings, change: Callable[[Reading], Reading]) -> Readings:
    return tuple(change(r) if r.source == FEED else r for r in readings)


def _one_after_another(kinds: Iterable[Noise], readings: Readings, truth: Truth, chance: Chance) -> Readings:
    return reduce(lambda heard, kind: kind(heard, truth, chance), kinds, readings)


_SINGLE: Mapping[str, Noise] = {
    "quiet": lambda readings, truth, chance: readings,  # noqa: ARG005 - a kind of noise
    "flips": partial(flips, rate=0.15),
    "delays": partial(delays, most=6, dated=False),
    "disorder": partial(delays, most=6, dated=True),
    "duplicates": partial(duplicates, rate=0.6),
    "adversary": partial(lies, rate=0.3, source=RIVAL),
    "forger": partial(lies, rate=0.3, source=DESK),
}
NOISES: Mapping[str, Noise] = {
    **_SINGLE,
    "all": partial(
        _one_after_another, [_SINGLE[kind] for kind in ("flips", "duplicates", "delays", "adversary")]
    ),
}
"""The kinds of noise by name. A forger lies in the name of the desk; `all` are the four that are common."""
