"""The knobs of a scenario: what stands in `config/scenarios/*.yaml`. The page of knobs has them last.

A scenario is a plan with what it rests on, what is going to be signalled and when, how the plan may then be
changed, and what its result is judged by. All of it is data: no domain is known to any code.
"""

from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StrictBool, StringConstraints, field_validator, model_validator

from orchestrator.comparison import Comparison, comparison_of
from orchestrator.ids import OnUpstreamFailure, Success
from orchestrator.workspace.fields import DEPENDENCY_PATTERN, TICK_PATTERN, File, Knobs, Name, Text
from orchestrator.workspace.grounds import AssumptionConfig, CompensationConfig, Containment, Fact


def _moment(text: str) -> str:
    try:
        zoned = datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        zoned = False
    if not zoned:
        raise ValueError("a moment is written as 2026-11-30T09:30:00Z, with its time zone")
    return text


def _inside(file: str) -> str:
    path = PurePosixPath(file)
    if path.is_absolute() or ".." in path.parts or file.startswith("~"):
        raise ValueError("the file is one of the workspace: no absolute path, no `..`, no `~`")
    return file


def _one_star(dependencies: tuple[str, ...]) -> tuple[str, ...]:
    mapped = [each for each in dependencies if each.endswith("*")]
    if len(mapped) > 1:
        raise ValueError(f"a task runs for each item of one result only; found {' and '.join(mapped)}")
    return dependencies


def _some(tasks: "tuple[ScenarioTask, ...]") -> "tuple[ScenarioTask, ...]":
    if not tasks:  # a bound of pydantic would count those that have faults as missing
        raise ValueError("a plan has one task at least")
    return tasks


Tick = Annotated[str, StringConstraints(pattern=TICK_PATTERN)]
Dependency = Annotated[str, StringConstraints(pattern=DEPENDENCY_PATTERN)]
Dependencies = Annotated[tuple[Dependency, ...], AfterValidator(_one_star)]
Moment = Annotated[Text, AfterValidator(_moment), Field(json_schema_extra={"format": "date-time"})]
FileInside = Annotated[Text, AfterValidator(_inside)]


class ScenarioTask(Knobs):
    """One task of the plan."""

    id: Name
    """What other tasks, repairs and the outcome call it."""
    agent: Name
    """Who does it."""
    action: Text
    """What is to be done; `{{ facts.NAME }}` is what the fact is when the task is planned."""
    depends_on: Dependencies = ()
    """The tasks whose results it waits for; `t1*`: it runs once per item of that result."""
    assumes: tuple[AssumptionConfig, ...] = ()
    """What it takes for granted."""
    compensate: CompensationConfig | None = None
    """What makes good for it where that breaks after it has written."""
    on_upstream_failure: OnUpstreamFailure | None = None
    """`run` lets it run where a dependency failed; the agent's, where it is not set."""
    success: Success | None = None
    """`not_empty` makes an empty result a failure; the agent's, where it is not set."""


class ScenarioSignal(Knobs):
    """A message that a fact is no longer what it was."""

    key: Name
    """The fact."""
    value: Fact
    """What it is from now on."""
    source: str = ""
    """Who says so."""
    id: Text | None = None
    """Its own id, by which it counts once; `SCENARIO/TICK/NUMBER` where none is set."""
    time: Moment | None = None
    """When that was so; what was so earlier than what is known changes nothing."""
    urgent: StrictBool = False
    """From a trusted source it then passes inside the cooldown."""


class ScenarioPatch(Knobs):
    """A task as it is to be from now on; what is not set stays."""

    action: Text | None = None
    """What is to be done; `{{ facts.NAME }}` is what the fact is by then."""
    agent: Name | None = None
    """Who does it."""
    depends_on: Dependencies | None = None
    """The tasks whose results it waits for."""

    @model_validator(mode="after")
    def _changes_something(self) -> "ScenarioPatch":
        if not self.model_fields_set:
            raise ValueError("say what is to be other: `action`, `agent` or `depends_on`")
        return self


class ScenarioRepair(Knobs):
    """How the plan is changed when a signal contradicts what a task assumes."""

    on: Name
    """The fact."""
    when: Any = None
    """Only where it then is so: a value, or a comparison such as `{gte: 3}`."""
    patch: Mapping[Name, ScenarioPatch] = Field(default_factory=dict)
    """Tasks as they are to be: those that assume something of the fact, or depend on one that does."""
    add: tuple[ScenarioTask, ...] = ()
    """New tasks."""
    drop: tuple[Name, ...] = ()
    """Tasks that are not needed any more, under the law of `patch`."""
    uses: Text | None = None
    """Instead: a registered repair, which works all that out."""
    because: str = ""
    """Why, for people."""

    @field_validator("when")
    @classmethod
    def _compares(cls, value: Any) -> Any:
        if value is not None:
            comparison_of(value)
        return value

    @model_validator(mode="after")
    def _is_one_of_both(self) -> "ScenarioRepair":
        if self.uses is not None and (self.patch or self.add or self.drop):
            raise ValueError(
                "a registered repair works it all out: take out `patch`, `add` and `drop`, or `uses`"
            )
        return self

    @property
    def comparison(self) -> Comparison | None:
        """What the fact must be; None where that makes no difference."""
        return None if self.when is None else comparison_of(self.when)


class ScenarioOutcome(Knobs):
    """One test of the real result: an expression, a file, or what an agent answers."""

    that: Text | None = None
    """An expression over `facts` and `results`, such as `results.hotel.time >= facts.arrival`."""
    file: FileInside | None = None
    """Or a file of the workspace."""
    agent: Name | None = None
    """Or an agent that is asked; one that may write is not."""
    asks: str = ""
    """The question to the agent, a template over `facts` and `results`."""
    contains: str = ""
    """What must stand in the file or the answer, a template over `facts` and `results`."""
    description: Text
    """What is so where all is well, for people."""

    @model_validator(mode="after")
    def _is_one_of_three(self) -> "ScenarioOutcome":
        if sum(each is not None for each in (self.that, self.file, self.agent)) != 1:
            raise ValueError("say one of `that`, `file` and `agent`")
        if self.that is not None and self.contains:
            raise ValueError("`contains` is about a file or an answer; take it out")
        if (self.agent is not None) is not bool(self.asks):
            raise ValueError("`agent` and `asks` belong together: whom, and what")
        if self.agent is not None and not self.contains:
            raise ValueError("say what the answer must hold: `contains`")
        return self


class ScenarioFile(File):
    """A plan, what it rests on, what is signalled while it runs, and what its result is judged by."""

    description: Text
    """What happens in it; the request of the plan."""
    facts: Mapping[Name, Fact] = Field(default_factory=dict)
    """What is known when it begins; every fact that anything below names."""
    tasks: Annotated[
        tuple[ScenarioTask, ...], AfterValidator(_some), Field(json_schema_extra={"minItems": 1})
    ]
    """The plan."""
    timeline: Mapping[Tick, tuple[ScenarioSignal, ...]] = Field(default_factory=dict)
    """What is signalled once so many tasks have been executed, in this order."""
    repairs: tuple[ScenarioRepair, ...] = ()
    """How the plan may be changed; the first that fits is taken."""
    outcome: tuple[ScenarioOutcome, ...] = ()
    """What the result is judged by."""
    containment: Containment | None = None
    """When a contradiction changes the plan; that of `config/adaptation.yaml`, where it is not set."""
    keys: Mapping[Name, Containment] = Field(default_factory=dict)
    """The same for single facts."""
