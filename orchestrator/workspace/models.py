"""Every knob an operator can turn, with its default and its meaning, on one page.

The models describe the YAML files; the JSON Schemas for editors and the tables of the docs are
generated from them. They are frozen: a loaded workspace never changes.
"""

from collections.abc import Mapping
from datetime import date as Day
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StrictBool, StrictInt, field_validator

from orchestrator.ids import Meaning, Schedule
from orchestrator.workspace.adaptation_file import AdaptationFile
from orchestrator.workspace.fields import (
    Code,
    Count,
    File,
    Knobs,
    Name,
    Positive,
    Seconds,
    Secret,
    Share,
    Text,
)

# ── config/orchestrator.yaml ────────────────────────────────────────────────────────────────────────


class Execution(Knobs):
    """How plans are run."""

    schedule: Schedule = "eager"
    """`eager` starts a task the moment its last dependency ends; `waves` waits for the whole wave."""
    concurrency: Positive = 16
    """Most tasks of one run at the same time."""
    task_timeout: Seconds = 120.0
    """Longest time one attempt of a task may take, where its agent sets no limit."""
    max_items: Positive = 100
    """Most items a mapped task (`t1*`) may expand to."""


class Inject(Knobs):
    """How much of upstream results a dependent sees, in characters."""

    per_result: Positive = 4000
    """Most characters of one result; what is cut is marked with its size."""
    total: Positive = 16000
    """Most characters of all results of one task together."""


class SessionBudget(Knobs):
    """What may be spent; no limit where none is set."""

    model_calls: Count | None = None
    """Most calls of models, those of planning included."""
    tokens: Count | None = None
    """Most tokens, of prompts and answers together."""
    money: Annotated[float, Field(strict=True, ge=0)] | None = None
    """Most money, by the prices in `config/models.yaml`."""
    tasks: Count | None = None
    """Most tasks begun; each item of a mapped task is one."""


class RunBudget(SessionBudget):
    """What one run may spend; no limit where none is set."""

    wall_time: Seconds | None = None
    """Longest time in which a run is driven; waiting for a person does not count."""


class Budgets(Knobs):
    """What may be spent before a run ends, `partial`, with what it has."""

    run: RunBudget = RunBudget()
    session: SessionBudget = SessionBudget()


class Runs(Knobs):
    """How runs are kept and taken up again."""

    on_changed_workspace: Literal["refuse", "ask", "allow"] = "refuse"
    """What happens where a run's own workspace is gone and the present one is another."""
    redact: tuple[Text, ...] = ()
    """Names of fields in the data of results whose values are never stored."""
    crash_limit: Positive = 5
    """Most drivers in a row that may die of a run before it is held for a person."""


class Checks(Knobs):
    """What `cuewave check` warns of."""

    allow: tuple[Code, ...] = ()
    """Codes of warnings that are known and wanted so; they are not shown (`docs/checks.md` has them all)."""


class OrchestratorFile(File):
    """`config/orchestrator.yaml`: what concerns every run."""

    execution: Execution = Execution()
    inject: Inject = Inject()
    budgets: Budgets = Budgets()
    runs: Runs = Runs()
    checks: Checks = Checks()


# ── config/multi_step.yaml ──────────────────────────────────────────────────────────────────────────


class CueGroups(Knobs):
    """Cues by their planning meaning."""

    sequential: tuple[Text, ...] = ()
    """What follows depends on what came before."""
    parallel: tuple[Text, ...] = ()
    """The two sides are independent."""
    distributive: tuple[Text, ...] = ()
    """Once per item of what came before."""
    weak: tuple[Text, ...] = ()
    """Compound only where both sides route, to different intents."""
    joiners: tuple[Text, ...] = ()
    """Like weak ones, for words and marks that join."""

    def by_meaning(self) -> tuple[tuple[Meaning, tuple[str, ...]], ...]:
        """The groups with the meaning each gives its cues."""
        return (
            ("sequential", self.sequential),
            ("parallel", self.parallel),
            ("distributive", self.distributive),
            ("weak", self.weak),
            ("joiner", self.joiners),
        )


class MultiStepFile(File):
    """`config/multi_step.yaml`: which phrases mark a compound turn, and what they mean for the plan."""

    cues: tuple[Text, ...] | CueGroups = ()
    """A flat list (every hit is compound), or the cues in groups."""
    references: tuple[Text, ...] = ()
    """Words by which a part points back at an earlier one ("it", "them", "the results", "each")."""
    max_gap: Annotated[StrictInt, Field(ge=1, le=1000)] = 1000
    """Most characters between the pieces of a gapped cue such as `first ... then`."""


# ── config/routing.yaml ─────────────────────────────────────────────────────────────────────────────


class RoutingFile(File):
    """`config/routing.yaml`: who serves a turn, and when nobody does."""

    classifiers: tuple[Literal["keyword", "llm"], ...] = ("keyword",)
    """The cascade, cheapest first; it stops as soon as one is sure."""
    model: Name | None = None
    """Model of the `llm` classifier: a name in `config/models.yaml`."""
    sure: Share = 0.6
    """A classifier with at least this confidence ends the cascade; a part of a turn needs it too."""
    threshold: Share = 0.4
    """Below this confidence a turn is out of scope."""
    margin: Share = 0.1
    """Least lead over the runner-up for a route to count as sure."""
    default_agent: Name | None = None
    """Agent that takes turns out of scope; without one they are declined with the nearest intents named."""


# ── config/planning.yaml ────────────────────────────────────────────────────────────────────────────


class KindPolicy(Knobs):
    """How turns of one job kind are planned and approved."""

    planning: Literal["ordinary", "joint"] = "ordinary"
    """`joint` (planner plus reviewer) is not in this version: such a turn is refused by name."""
    approval: Literal["never", "on_write", "always"] = "never"
    """When a person must agree before the plan runs."""


def _off(value: object) -> object:
    """A plain `off`, which YAML 1.1 reads as false; where `off` is a choice nothing else is meant."""
    return "off" if value is False else value


class PlanningFile(File):
    """`config/planning.yaml`: how a compound turn becomes a plan."""

    mode: Literal["split", "model", "split_then_model"] = "split_then_model"
    """`split` never asks a model, `model` always, `split_then_model` where the split is not sure."""
    model: Name | None = None
    """Model of the planner: a name in `config/models.yaml`. Without one the best split is used."""
    prompt: Text = "planner.j2"
    """Template of the planner's prompt, in `prompts/`."""
    max_tasks: Positive = 20
    """A plan with more tasks is refused."""
    on_invalid_plan: Literal["direct", "fail"] = "direct"
    """After a failed repair: the direct plan with a warning, or an error."""
    collapse: Annotated[Literal["whole", "segments", "off"], BeforeValidator(_off)] = "whole"
    """Same-agent chains become one task: the whole plan, also inside larger plans, or never."""
    kinds: Mapping[Name, KindPolicy] = Field(
        default_factory=lambda: {
            "answer": KindPolicy(),
            "act": KindPolicy(approval="on_write"),
            "build": KindPolicy(planning="joint", approval="always"),
        }
    )
    """Policy of each job kind."""
    writes_raise_to: Name = "act"
    """A plan that writes is of this kind where its own kind never asks."""


# ── config/models.yaml ──────────────────────────────────────────────────────────────────────────────


class Price(Knobs):
    """What a model costs, for a million tokens."""

    input: Annotated[float, Field(strict=True, ge=0)]
    """Of prompts, in your currency."""
    output: Annotated[float, Field(strict=True, ge=0)]
    """Of answers, in the same."""


class ModelConfig(Knobs):
    """One language model."""

    provider: Literal["openai", "anthropic", "google", "ollama", "scripted"]
    """Who serves it; provider packages are extras (`cuewave[openai]`, …)."""
    model: Text | None = None
    """The provider's name of the model."""
    base_url: Text | None = None
    """Address of an endpoint that speaks the provider's protocol."""
    api_key: Secret | None = None
    """`${NAME}` of an environment variable."""
    timeout: Seconds = 60.0
    """Longest time of one call."""
    retries: Count = 0
    """Extra tries of one call for errors that can pass."""
    temperature: Annotated[float, Field(strict=True, ge=0)] | None = None
    """Sampling temperature; the provider's default where it is not set."""
    fallbacks: tuple[Name, ...] = ()
    """Models tried in turn when this one fails."""
    file: Text | None = None
    """Replies of a `scripted` model, a YAML file in the workspace."""
    price: Price | None = None
    """What it costs; without one it counts as free."""


class CapabilityCard(Knobs):
    """A measured capability of a model: dated, with its source; the scales are never converted."""

    canonical: Annotated[float, Field(strict=True, ge=0)] | None = None
    """Artificial Analysis Intelligence Index."""
    composite: Annotated[float, Field(strict=True, ge=0, le=100)] | None = None
    """Weighted mean of pass rates, 0 to 100."""
    source: Text
    """Where the number is from."""
    date: Annotated[Day, Field(strict=True)] | None = None
    """Day of the measurement."""


class ModelsFile(File):
    """`config/models.yaml`: the language models, by the names the rest of the workspace uses."""

    models: Mapping[Name, ModelConfig] = Field(default_factory=dict)
    """The models."""
    capability: Mapping[Text, CapabilityCard] = Field(default_factory=dict)
    """Measured capability by model; nothing in this version reads it."""


# ── config/plugins.yaml ─────────────────────────────────────────────────────────────────────────────


class ForcedPlanning(Knobs):
    """A plan-first block in the prompts of models whose measured capability is low."""

    enabled: StrictBool = False
    """Whether it runs; not in this version."""
    canonical_intellect_threshold: Annotated[float, Field(strict=True, ge=0)] = 40
    """Below it a model is asked for a plan first: Artificial Analysis Intelligence Index."""
    composite_intellect_threshold: Annotated[float, Field(strict=True, ge=0, le=100)] = 60
    """The same for the weighted mean of pass rates, 0 to 100."""
    unmeasured_models: Literal["skip", "plan"] = "skip"
    """What happens for a model without a measured capability."""

    @field_validator("enabled")
    @classmethod
    def _not_yet(cls, enabled: bool) -> bool:
        if enabled:
            raise ValueError("forced planning is not in this version; set it to false")
        return enabled


class PluginsFile(File):
    """`config/plugins.yaml`: first-party plugins, shipped disabled."""

    forced_planning: ForcedPlanning = ForcedPlanning()


CONFIG_FILES: Mapping[str, type[File]] = {
    "orchestrator": OrchestratorFile,
    "multi_step": MultiStepFile,
    "routing": RoutingFile,
    "planning": PlanningFile,
    "models": ModelsFile,
    "plugins": PluginsFile,
    "adaptation": AdaptationFile,
}
"""What may stand in `config/`, as `NAME.yaml`, in the order in which it is read."""
