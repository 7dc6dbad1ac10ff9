"""What a task takes for granted, as data. Pure."""

from dataclasses import dataclass

from orchestrator.comparison import Comparison
from orchestrator.ids import Json


@dataclass(frozen=True, slots=True)
class Assumption:
    """A task goes by this being so: the fact `key` is as `expected`. `description` is for people."""

    key: str
    expected: Comparison
    description: str = ""

    def contradicted(self, observed: Json) -> bool:
        """Whether the fact, being so, is not as expected. Raises Incomparable."""
        return not self.expected.holds(observed)

    def __str__(self) -> str:
        told = f"{self.key} {self.expected}"
        return f"{self.description} ({told})" if self.description else told

    def to_json(self) -> dict[str, Json]:
        """The assumption as YAML and `plan TEXT --json` have it."""
        return {"key": self.key, "expected": self.expected.to_json(), "description": self.description}
