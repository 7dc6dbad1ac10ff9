"""What loading a workspace gives: one frozen value, from which everything runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, cast

from pydantic import BaseModel

from orchestrator.ids import AgentName, Effects, Steps
from orchestrator.workspace.adaptation_file import AdaptationFile
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
class Spot:
    """A place in a file, by the path of the value that stands there, or of its key."""

    file: str
    path: str = ""
    at_key: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """What a workspace says but hardly means; `code` is one of CODES, `also` what it has to do with."""

    code: str
    spot: Spot
    message: str
    also: tuple[Spot, ...] = ()

    def __str__(self) -> str:
        where = f"{self.spot.file}: {self.spot.path}" if self.spot.path else self.spot.file
        return f"{where}: {self.message}"


@dataclass(frozen=True, slots=True)
class Workspace:
    """A valid workspace.

    `agents` have their `effects` and `steps`, from their type where the file leaves them open; `options` are
    the types' own models, `sources` the files they come from. `fingerprint` is a SHA-256 of the files of
    `config/`, `agents/` and `prompts/`, `files` the bytes of the YAML that is read, by name. `packaged` says
    that it lies inside the installed package, where nothing may be written. `warnings` are the doubts that
    every verb tells of.
    """

    root: Path
    packaged: bool
    orchestrator: OrchestratorFile
    multi_step: MultiStepFile
    routing: RoutingFile
    planning: PlanningFile
    models: ModelsFile
    adaptation: AdaptationFile
    agents: Mapping[AgentName, AgentFile]
    options: Mapping[AgentName, BaseModel]
    sources: Mapping[AgentName, str]
    fingerprint: str
    warnings: tuple[Doubt, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes], repr=False)

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """All secrets of the workspace: keys of models, and whatever options of agents are meant for one."""
        models = [self.models, self.orchestrator, *self.agents.values(), *self.options.values()]
        return tuple(secret for model in models for _, secret in secrets_in(model))


def secrets_in(value: object, path: str = "") -> Iterator[tuple[str, Secret]]:
    """The secrets of a model's value, wherever they are in it, with their paths below `path`."""
    if isinstance(value, Secret):
        yield path.removeprefix("."), value
        return
    for step, inner in _below(value):
        yield from secrets_in(inner, f"{path}{step}")


def _below(value: object) -> Iterator[tuple[str, object]]:
    """What a value holds, with the step of a path that leads there."""
    if isinstance(value, BaseModel):
        yield from ((f".{name}", getattr(value, name)) for name in type(value).model_fields)
    elif isinstance(value, Mapping):
        yield from ((f".{key}", inner) for key, inner in cast("Mapping[object, object]", value).items())
    elif isinstance(value, tuple | list):
        yield from ((f"[{at}]", inner) for at, inner in enumerate(cast("Sequence[object]", value)))
