"""What a run of a plan is expected to take, as a value: ranges, and the path that decides how long it takes.

Law: what is not known is None, never a number that somebody made up.
"""

from dataclasses import dataclass
from typing import TypeAlias

from orchestrator.ids import Json, TaskId

Range: TypeAlias = tuple[float, float]
"""The least and the most that is expected, both included."""

QUANTITIES = ("seconds", "model_calls", "tokens", "money")
"""What is estimated, in the order in which it is told."""

LOW, HIGH = 0.1, 0.9
"""The quantiles between which a range lies: of ten such runs one is expected below it and one above."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The ranges of a run in which all goes well; None for what is not known.

    `seconds` is the time in which the plan is run, without waiting for people. `tokens` are those of prompts
    and answers together. `samples` is how many earlier tasks the thinnest part of it is drawn from.
    """

    seconds: Range | None = None
    model_calls: Range | None = None
    tokens: Range | None = None
    money: Range | None = None
    samples: int = 0
    critical_path: tuple[TaskId, ...] = ()

    def range_of(self, quantity: str) -> Range | None:
        """The range of one of the `QUANTITIES`."""
        return getattr(self, quantity)

    @property
    def coverage(self) -> float:
        """The share of such runs that a range holds for, where the thinnest part of it decides."""
        return min(HIGH - LOW, (self.samples - 1) / (self.samples + 1)) if self.samples else 0.0

    def to_json(self) -> dict[str, Json]:
        """The ranges as lists of two, and the rest."""
        ranges = {name: self.range_of(name) for name in QUANTITIES}
        return {
            **{name: None if found is None else list(found) for name, found in ranges.items()},
            "samples": self.samples,
            "coverage": round(self.coverage, 3),
            "critical_path": list(self.critical_path),
        }
