"""What contains the changes of a plan for one key, as data: the rules, and what they remember.

Times are numbers on the run's own clock, ticks or seconds, and so are all durations. The laws are in
`orchestrator.adaptation.containment`.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trust:
    """An urgent signal from a source that is trusted at least so much passes inside the cooldown.

    Trust is from 0 to 1, and 0 for a source that is not named.
    """

    sources: Mapping[str, float]
    least: float = 0.8


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A contradiction is acted on once `k` of the last `n` signals on the key contradict."""

    k: int = 2
    n: int = 3


@dataclass(frozen=True, slots=True)
class Damping:
    """Each contradiction costs a `penalty`, which halves in every `half_life`.

    Above `suppress` nothing is acted on, until the penalty has decayed below `reuse`. It never grows beyond
    what takes four half-lives to decay to there (RFC 2439, section 4.2).
    """

    half_life: float
    penalty: float = 1000.0
    suppress: float = 2000.0
    reuse: float = 750.0

    @property
    def ceiling(self) -> float:
        """The most that the penalty comes to."""
        return max(self.reuse * 2**4, self.suppress + self.penalty)


@dataclass(frozen=True, slots=True)
class Rules:
    """What contains the changes for one key. `cooldown` is for how long after one no other is made."""

    cooldown: float | None = 2.0
    trust: Trust | None = None
    confirmation: Confirmation | None = None
    damping: Damping | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """What containment knows of one key, in the units of the run's clock (ticks, or seconds).

    `revised` is when the plan was last changed for it. `penalty` is what its flapping has come to at
    `penalty_at`, `damped` that it is too much. `votes` say of the last signals whether they contradicted.
    """

    revised: float | None = None
    penalty: float = 0.0
    penalty_at: float = 0.0
    damped: bool = False
    votes: tuple[bool, ...] = ()
