"""One run in a small world, under one policy, by the product's own laws. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.adaptation.containment import Heard, agreeing, contain
from orchestrator.comparison import Comparison
from orchestrator.evaluation.simulating.world import Reading, Truth
from orchestrator.runs.containing import Memory, Rules


@dataclass(frozen=True, slots=True)
class Counts:
    """What a trial came to.

    `flips` are changes of the plan to what was not so at that time, `missed` true changes that the plan never
    took up before the next one or the end, `wrong` is 1 where the plan ends with what is not so, `flags` are
    the times that a person was called, `astray` is the share of time with a wrong belief.
    """

    revisions: int
    flips: int
    wrong: int
    missed: int
    flags: int
    astray: float


def trial(truth: Truth, readings: Sequence[Reading], rules: Rules) -> Counts:
    """The counts of a plan that believes 0 at first."""
    expected, memory = Comparison("eq", (truth[0],)), Memory()
    known, heard = -1, set[str]()
    revisions = flips = flags = 0
    believed = [truth[0]] * len(truth)
    for reading in readings:
        if reading.id in heard or reading.since < known:
            continue
        heard.add(reading.id)
        known = reading.since
        if expected.holds(reading.value):
            memory = agreeing(memory, rules)
            continue
        contained = contain(memory, rules, Heard(float(reading.tick), reading.source, reading.urgent))
        memory = contained.memory
        flags += contained.flags
        if contained.passes:
            expected = expected.realigned(reading.value)
            revisions += 1
            flips += reading.value != truth[reading.tick]
            believed[reading.tick :] = [reading.value] * (len(truth) - reading.tick)
    astray = sum(b != t for b, t in zip(believed, truth, strict=True)) / len(truth)
    return Counts(revisions, flips, int(believed[-1] != truth[-1]), _missed(truth, believed), flags, astray)


def _missed(truth: Truth, believed: Sequence[int]) -> int:
    """The true changes that were never believed while they were so."""
    missed, start = 0, 0
    for tick in range(1, len(truth) + 1):
        if tick == len(truth) or truth[tick] != truth[start]:
            if start and truth[start] not in believed[start:tick]:
                missed += 1
            start = tick
    return missed
