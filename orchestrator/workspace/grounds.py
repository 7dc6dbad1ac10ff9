"""The knobs by which YAML says what tasks take for granted, and how changes are contained.

They are shared by agents, scenarios and `config/adaptation.yaml`.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr, StringConstraints, model_validator

from orchestrator.comparison import Comparison, comparison_of
from orchestrator.workspace.fields import NAME_PATTERN, Count, Knobs, Name, Positive, Seconds, Share, Text

Fact = StrictBool | StrictInt | Annotated[StrictFloat, Field(allow_inf_nan=False)] | StrictStr | None
"""What a fact may be where something is assumed of it."""


FactName = Annotated[str, StringConstraints(pattern=rf"{NAME_PATTERN[:-1]}(\.{NAME_PATTERN[1:-1]})?$")]


class AssumptionConfig(Knobs):
    """One thing that a task takes for granted."""

    key: FactName
    """The fact; `calendar.content` is one that the agent `calendar` sees by itself."""
    expected: Any = None
    """What it is expected to be: a value, or a comparison such as `{lte: 30}`."""
    unchanged: StrictBool = False
    """Instead of `expected`: as it is when the plan is made."""
    description: str = ""
    """The same for people, in a few words."""

    @model_validator(mode="after")
    def _is_one_of_both(self) -> "AssumptionConfig":
        said = "expected" in self.model_fields_set
        if said is self.unchanged:
            raise ValueError("say what is `expected` of the fact, or `unchanged: true`")
        comparison_of(self.expected)
        return self

    @property
    def comparison(self) -> Comparison | None:
        """What is expected; None where it is what is so when the plan is made."""
        return None if self.unchanged else comparison_of(self.expected)


class CompensationConfig(Knobs):
    """What makes good for a write whose ground has gone."""

    agent: Name
    """Who does it."""
    action: Text
    """What is to be done; `{{ facts.NAME }}` is what the fact is by then."""


class Window(Knobs):
    """A stretch of time: ticks (executed tasks) count in scenarios, seconds in all other runs."""

    ticks: Count = 2
    """Executed tasks of a scenario."""
    seconds: Seconds = 60.0
    """Time, in a run that is none."""


class HalfLife(Knobs):
    """The same for what decays, which never takes no time."""

    ticks: Positive = 4
    """Executed tasks of a scenario."""
    seconds: Seconds = 900.0
    """Time, in a run that is none."""


class TrustConfig(Knobs):
    """Which urgent signals pass inside the cooldown."""

    sources: Mapping[Text, Share] = Field(default_factory=dict)
    """How much each source is trusted; one that is not named is not."""
    least: Share = 0.8
    """The least trust that is due."""


class ConfirmationConfig(Knobs):
    """How many signals must say so before the plan is changed."""

    k: Positive = 2
    """So many must contradict the plan."""
    n: Positive = 3
    """Of so many, the last ones on the key."""

    @model_validator(mode="after")
    def _can_be(self) -> "ConfirmationConfig":
        if self.k > self.n:
            raise ValueError(f"{self.k} of the last {self.n} signals can never be; k is at most n")
        return self


class DampingConfig(Knobs):
    """A key that flaps is not acted on until it has been quiet for long enough."""

    penalty: Annotated[StrictFloat | StrictInt, Field(gt=0)] = 1000
    """What each contradiction costs that follows something else."""
    suppress: Annotated[StrictFloat | StrictInt, Field(gt=0)] = 2000
    """Above it nothing is acted on."""
    reuse: Annotated[StrictFloat | StrictInt, Field(gt=0)] = 750
    """Below it signals count again."""
    half_life: HalfLife = HalfLife()
    """How long it takes for the penalty to halve."""

    @model_validator(mode="after")
    def _is_lower(self) -> "DampingConfig":
        if self.reuse >= self.suppress:
            raise ValueError("`reuse` must be below `suppress`, else nothing would be held back")
        return self


class Containment(Knobs):
    """When a contradiction changes the plan, and when it only flags the run for a person."""

    cooldown: Window | None = Window()
    """How long after a change for a key the next one for it must wait; null: not at all."""
    trust: TrustConfig | None = None
    """Sources whose urgent signals need not wait."""
    confirmation: ConfirmationConfig | None = None
    """How many signals must agree."""
    damping: DampingConfig | None = None
    """A penalty for flapping."""
