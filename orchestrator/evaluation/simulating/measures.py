"""What went wrong in a run, counted, and what that costs. Pure."""

from dataclasses import dataclass, fields, replace
from itertools import groupby

from orchestrator.evaluation.simulating.trial import Lived


@dataclass(frozen=True, slots=True)
class Counts:
    """What a run came to.

    `revisions` are the changes of the plan, `flips` those to what was not so at that time. `wrong` is 1 where
    the plan ends with what is not so, `silent` where besides nobody is called to look. `missed` are stretches
    of time in which the plan was wrong, was told so and held it back, and that no change of the plan ended.
    `flags` are the calls for a person, and `astray` is the share of time in which the plan was wrong.
    """

    revisions: int
    flips: int
    wrong: int
    silent: int
    missed: int
    flags: int
    astray: float


MEASURES = tuple(field.name for field in fields(Counts))


def counts_of(lived: Lived) -> Counts:
    """The counts of a run."""
    wrong = lived.wrong[-1]
    return Counts(
        revisions=len(lived.changes),
        flips=sum(not right for _, right in lived.changes),
        wrong=int(wrong),
        silent=int(wrong and not lived.flagged),
        missed=_missed(lived),
        flags=lived.calls,
        astray=sum(lived.wrong) / len(lived.wrong),
    )


def _missed(lived: Lived) -> int:
    changed, denied = {tick for tick, _ in lived.changes}, set(lived.denied)
    missed, begin = 0, 0
    for wrong, stretch in groupby(lived.wrong):
        end = begin + sum(1 for _ in stretch)
        missed += wrong and end not in changed and not denied.isdisjoint(range(begin, end))
        begin = end
    return missed


@dataclass(frozen=True, slots=True)
class Costs:
    """What one of each mistake costs; a silent end costs so much more than a wrong one that a person sees."""

    flip: float = 1.0
    wrong: float = 10.0
    missed: float = 5.0
    flag: float = 1.0
    silent: float = 0.0

    def parts(self, counts: Counts) -> tuple[float, float, float, float]:
        """What a run cost: for flips, a wrong end, what was missed, and flags."""
        return (
            self.flip * counts.flips,
            self.wrong * counts.wrong + self.silent * counts.silent,
            self.missed * counts.missed,
            self.flag * counts.flags,
        )

    def of(self, counts: Counts) -> float:
        """What a run cost."""
        return sum(self.parts(counts))

    def where_wrong_costs(self, ratio: float) -> "Costs":
        """The same where a wrong end costs so many times the dearer of a flip and a flag.

        What is missed, and what is silent, keep their price in wrong ends.
        """
        wrong = ratio * (max(self.flip, self.flag) or 1.0)
        share = wrong / self.wrong if self.wrong else 0.0
        return replace(self, wrong=wrong, missed=share * self.missed, silent=share * self.silent)


PARTS = ("flips", "wrong", "missed", "flags")
"""What `Costs.parts` are, in their order."""
