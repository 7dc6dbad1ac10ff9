"""What loading a workspace gives: one frozen value, from which everything runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, cast

from pydantic import BaseModel

from orchestrator.ids import AgentName, Effects, Steps
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.fields import Secret
from orchestrator.workspace.models import (
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

    @property
    def presumed(self) -> Effects | None:
        """The effects of an agent whose file declares none; the least, where it is None."""
        ...

    @property
    def writing(self) -> tuple[str, ...]:
        """The operations that only an agent with the effect `write` has."""
        ...


@dataclass(frozen=True, slots=True)
class Workspace:
    """A valid workspace.

    `agents` have their `effects` and `steps`, from their type where the file leaves them open; `options` are
    the types' own models, `sources` the files they come from. `fingerprint` is a SHA-256 of the files of
    `config/`, `agents/` and `prompts/`, `files` the bytes of the YAML among them, by name. `packaged` says
    that it lies inside the installed package, where nothing may be written.
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
    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes], repr=False)

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """All secrets of the workspace: keys of models, and whatever options of agents are meant for one."""
        models = [self.models, self.orchestrator, *self.agents.values(), *self.options.values()]
        return tuple(secret for model in models for secret in _secrets_in(model))


def _secrets_in(value: object) -> Iterator[Secret]:
    if isinstance(value, Secret):
        yield value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _secrets_in(getattr(value, name))
    elif isinstance(value, Mapping):
        for inner in cast("Mapping[object, object]", value).values():
            yield from _secrets_in(inner)
    elif isinstance(value, tuple | list):
        for inner in cast("Sequence[object]", value):
            yield from _secrets_in(inner)
