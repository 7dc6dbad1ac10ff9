"""The knobs of `config/adaptation.yaml`: what is known, and when a plan changes while it runs.

The page of knobs has them after `models.py`.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import Field, field_validator, model_validator

from orchestrator.comparison import comparison_of
from orchestrator.workspace.fields import File, Knobs, Name, Text
from orchestrator.workspace.grounds import Containment, Fact, FactName


class FactConfig(Knobs):
    """Something that tasks may take for granted; a bare value is its `value`."""

    value: Fact = None
    """What is known of it when a run begins."""
    description: str = ""
    """What it means, for people and for the planner."""

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, value: object) -> object:
        return {"value": value} if value is None or isinstance(value, bool | int | float | str) else value


class StandingRepair(Knobs):
    """What is done in any plan where a fact changes that a task goes by."""

    on: FactName
    """The fact."""
    when: Any = None
    """Only where it then is so: a value, or a comparison such as `{gte: 3}`."""
    uses: Text
    """A registered repair: built in (`reread`), or from the entry-point group `cuewave.repairs`."""
    because: str = ""
    """Why, for people."""

    @field_validator("when")
    @classmethod
    def _compares(cls, value: Any) -> Any:
        if value is not None:
            comparison_of(value)
        return value


class AdaptationFile(File):
    """`config/adaptation.yaml`: facts, and how plans change with them."""

    facts: Mapping[Name, FactConfig] = Field(default_factory=dict)
    """What is known when a run begins."""
    containment: Containment = Containment()
    """When a contradiction changes the plan."""
    keys: Mapping[FactName, Containment] = Field(default_factory=dict)
    """The same for single facts."""
    repairs: tuple[StandingRepair, ...] = ()
    """What is done where a fact changes that a task goes by."""
