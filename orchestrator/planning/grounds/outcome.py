"""What the real result of a plan is judged by, as data. Pure values.

A plan of which every task was done has still failed where the world is not as it should be.
"""

from dataclasses import dataclass

from orchestrator.ids import AgentName, Json


@dataclass(frozen=True, slots=True)
class OutcomeCheck:
    """One test of the result, of one of three kinds.

    `that` is an expression over `facts` and `results`. Or `file`, in the workspace, contains `contains` (just
    is there, where that is empty). Or `agent`, asked `asks`, answers with a text that contains `contains`;
    `contains` and `asks` may be templates over `facts` and `results`. `description` is for people.
    """

    description: str
    that: str | None = None
    file: str | None = None
    agent: AgentName | None = None
    asks: str = ""
    contains: str = ""


@dataclass(frozen=True, slots=True)
class OutcomeFound:
    """What a test found: whether all is `well`, and what was seen, for people."""

    description: str
    well: bool
    seen: str

    def to_json(self) -> dict[str, Json]:
        """The test as in `run TEXT --json`."""
        return {"description": self.description, "well": self.well, "seen": self.seen}
