"""What goes wrong with messages on their way. Each kind is a function of the messages and of chance. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from random import Random

from orchestrator.evaluation.simulating.world import STRANGER, Noise, Reading, Truth


def none(readings: list[Reading], truth: Truth, chance: Random) -> list[Reading]:  # noqa: ARG001 - a kind of noise
    """Nothing."""
    return readings


def flips(readings: list[Reading], truth: Truth, chance: Random, *, rate: float) -> list[Reading]:  # noqa: ARG001
    """At this rate a message says the opposite."""
    return [replace(r, value=1 - r.value) if chance.random() < rate else r for r in readings]


def delays(readings: list[Reading], truth: Truth, chance: Random, *, most: int) -> list[Reading]:
    """Each message is late by up to so many ticks, so that some are overtaken; those too late are lost."""
    late = [replace(r, tick=r.tick + chance.randint(0, most)) for r in readings]
    return sorted((r for r in late if r.tick < len(truth)), key=lambda r: r.tick)


def duplicates(readings: list[Reading], truth: Truth, chance: Random, *, rate: float) -> list[Reading]:
    """At this rate a message comes once more, a few ticks later."""
    again = [replace(r, tick=r.tick + chance.randint(1, 4)) for r in readings if chance.random() < rate]
    return sorted((*readings, *(r for r in again if r.tick < len(truth))), key=lambda r: r.tick)


def adversary(readings: list[Reading], truth: Truth, chance: Random, *, rate: float) -> list[Reading]:
    """A stranger says at this rate the opposite of what is so, and calls it urgent."""
    lies = [
        Reading(tick, 1 - value, STRANGER, f"s{tick}", tick, urgent=True)
        for tick, value in enumerate(truth)
        if chance.random() < rate
    ]
    return sorted((*readings, *lies), key=lambda r: r.tick)


def every(readings: list[Reading], truth: Truth, chance: Random) -> list[Reading]:
    """All of it."""
    for kind in ("flips", "duplicates", "delays", "adversary"):
        readings = NOISE[kind](readings, truth, chance)
    return readings


NOISE: Mapping[str, Noise] = {
    "quiet": none,
    "flips": partial(flips, rate=0.1),
    "many-flips": partial(flips, rate=0.3),
    "delays": partial(delays, most=4),
    "duplicates": partial(duplicates, rate=0.5),
    "adversary": partial(adversary, rate=0.15),
    "all": every,
}
"""The kinds of noise by name."""
