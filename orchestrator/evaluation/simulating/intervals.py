"""How sure a mean is: intervals over seeds, by Student's distribution. Pure.

Source of the quantile's expansion: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.
"""

from collections.abc import Sequence
from functools import cache
from math import inf, sqrt
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

from orchestrator.ids import Json

LEVEL = 0.95
"""How often an interval is to hold."""


class Mean(NamedTuple):
    """A mean; the true one is within `margin` of it, 95 times of 100."""

    value: float
    margin: float

    def to_json(self) -> dict[str, Json]:
        """As in `simulate --json`; null where one value alone says nothing of the margin."""
        margin = None if self.margin == inf else round(self.margin, 4)
        return {"mean": round(self.value, 4), "margin": margin}


def mean_of(values: Sequence[float], *, level: float = LEVEL) -> Mean:
    """The mean of independent values, with its margin."""
    if len(values) < 2:
        return Mean(fmean(values), inf)
    return Mean(fmean(values), quantile(level, len(values) - 1) * stdev(values) / sqrt(len(values)))


@cache
def quantile(level: float, freedom: int) -> float:
    """How many standard errors the interval reaches to each side; from 3 degrees of freedom to 2 % right."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / freedom + second / freedom**2 + third / freedom**3 + fourth / freedom**4
