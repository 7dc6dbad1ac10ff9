"""What loading a workspace gives: one frozen value, from which everything runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel

from orchestrator.ids import AgentName, Effects, Steps
from orchestrator.workspace.models import (
    AgentFile,
    ModelsFile,
    MultiStepFile,
    OrchestratorFile,
    PlanningFile,
    RoutingFile,
)


class KnownType(Protocol):
    """What must be known of an agent type to check the agents that use it."""

    @property
    def name(self) -> str:
        """What `uses:` says."""
        ...

    @property
    def options(self) -> type[BaseModel]:
        """The model of an agent's `options`."""
        ...

    @property
    def effects(self) -> Effects:
        """The least that its agents may do to the world."""
        ...

    @property
    def steps(self) -> Steps:
        """Whether it carries a request of several steps through by itself."""
        ...

    @property
    def operations(self) -> tuple[str, ...]:
        """What intents may ask of it, the default one first; empty where it does not tell them apart."""
        ...


@dataclass(frozen=True, slots=True)
class Workspace:
    """A valid workspace.

    `agents` have their `effects` and `steps`, from their type where the file leaves them open; `options` are
    the types' own models, `sources` the files they come from. `fingerprint` is a SHA-256 of the files of
    `config/`, `agents/` and `prompts/`. `packaged` says that it lies inside the installed package, where
    nothing may be written.
    """

    root: Path
    packaged: bool
    orchestrator: OrchestratorFile
    multi_step: MultiStepFile
    routing: RoutingFile
    planning: PlanningFile
    models: ModelsFile
    agents: Mapping[AgentName, AgentFile]
    options: Mapping[AgentName, BaseModel]
    sources: Mapping[AgentName, str]
    fingerprint: str
    warnings: tuple[str, ...] = ()
