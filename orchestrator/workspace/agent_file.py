"""The knobs of an agent: what stands in `agents/*.yaml`. The page of knobs has them after `models.py`."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field, StrictBool

from orchestrator.ids import Effects, OnUpstreamFailure, Steps, Success
from orchestrator.workspace.fields import Count, File, Knobs, Name, Positive, Seconds, Text
from orchestrator.workspace.grounds import AssumptionConfig, CompensationConfig

DEFAULT_MODEL, DEFAULT_PROMPT = "default", "agent.j2"
"""What a prompted agent takes where its file names none."""


class IntentConfig(Knobs):
    """One thing an agent can be asked for."""

    description: str = ""
    """A short capability phrase."""
    keywords: tuple[Text, ...] = ()
    """Words and phrases that speak for this intent."""
    examples: tuple[Text, ...] = ()
    """Turns that want this intent; for people, nothing in this version reads them."""
    operation: Name | None = None
    """What the agent type does for it, where the intent's name is not itself an operation of the type."""
    kind: Name | None = None
    """Job kind, where it differs from the agent's."""


class Limits(Knobs):
    """Bounds of one agent's work."""

    timeout: Seconds | None = None
    """Longest time of one attempt; `execution.task_timeout` where it is not set."""
    retries: Count = 2
    """Extra attempts, for errors that can pass."""
    concurrency: Positive = 8
    """Most tasks of this agent at the same time in one run."""


class AgentFile(File):
    """One agent: who it is, what it can be asked for, what it may do to the world."""

    name: Name
    """The agent's name."""
    description: str = ""
    """What the agent does, in one sentence."""
    uses: Text
    """A registered agent type: built in, or from the entry-point group `cuewave.agents`."""
    kind: Name = "answer"
    """Job kind of its turns; the policy is in `config/planning.yaml`."""
    effects: Effects | None = None
    """What it may do to the world; never less than its type's."""
    steps: Steps | None = None
    """`many`: carries a request of several steps through by itself; the type's where it is not set."""
    offered: StrictBool = True
    """Planners may give it tasks; without, only its intents, scenarios and `@NAME` lead to it."""
    idempotent: StrictBool = False
    """Doing a task twice under one key is harmless: it is done again where nobody knows whether it was."""
    intents: Mapping[Name, IntentConfig] = Field(default_factory=dict)
    """What it can be asked for."""
    model: Name | None = None
    """Model of a prompted agent: a name in `config/models.yaml`."""
    prompt: Text | None = None
    """Template of a prompted agent, in `prompts/`."""
    tools: tuple[Text, ...] = ()
    """Tools of a prompted agent."""
    success: Success = "any"
    """`not_empty` makes an empty result a failure; by default an empty result is data."""
    on_upstream_failure: OnUpstreamFailure = "skip"
    """`run` lets its tasks run where a dependency failed, with the failure marked as such."""
    fallbacks: tuple[Name, ...] = ()
    """Agents that try in turn what this one cannot do; none may do more to the world than it."""
    assumes: tuple[AssumptionConfig, ...] = ()
    """What each of its tasks takes for granted; a signal that contradicts it changes the plan."""
    compensate: CompensationConfig | None = None
    """What makes good for a write of it whose ground has gone."""
    limits: Limits = Limits()
    options: Mapping[str, Any] = Field(default_factory=dict)
    """Settings of the agent type."""
