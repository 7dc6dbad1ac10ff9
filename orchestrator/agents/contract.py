"""What an agent is: a frozen call in, a frozen output out.

An agent knows nothing of plans, journals or other agents. It is handed its query, what its task depends
on, and a key under which an effect happens once; it answers with text, and with items where it found a list.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel

from orchestrator.ids import AgentName, Effects, IntentName, Json, Steps, TaskId
from orchestrator.workspace.models import AgentFile


@dataclass(frozen=True, slots=True)
class Item:
    """One element of a list result: what a person reads, and the same as data."""

    text: str
    data: Mapping[str, Json] = field(default_factory=dict[str, Json])


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call cost."""

    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.model_calls + other.model_calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )


@dataclass(frozen=True, slots=True)
class Output:
    """The result of a task. `items` is None where the result is no list; an empty tuple is an empty list."""

    text: str
    items: tuple[Item, ...] | None = None
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Upstream:
    """What a dependency came to. `error` is set, and `output` empty, where it failed."""

    task: TaskId
    agent: AgentName
    output: Output
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One attempt at one task.

    `query` is what a prompted agent reads: the action, or for a dependent the rendering of
    `prompts/dependent.j2`. `action` and `request` are the task's own words and the user's sentence.
    `item` is set on the children of a mapped task. `key` (run/task/attempt) names the effect. `emit` takes
    pieces of the output as they arrive.
    """

    query: str
    action: str
    request: str
    operation: str | None = None
    intent: IntentName | None = None
    inputs: tuple[Upstream, ...] = ()
    item: Item | None = None
    key: str = ""
    emit: Callable[[str], None] = lambda _: None

    @property
    def params(self) -> Mapping[str, str]:
        """`query` is the task's own action, `request` the user's sentence."""
        return {"query": self.action, "request": self.request}


class Agent(Protocol):
    """Whoever can do a task."""

    async def run(self, call: Call) -> Output:
        """Do the task once. Raises TaskError; `passing=True` where another attempt may help."""
        ...


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an agent may use of the world it lives in; handed to `AgentType.build`.

    `root` is the workspace folder, `writable` says whether files may be made in it, `now` tells the
    local time, with its zone, `parts` holds what only some types need (models, prompts, other agents), by name.
    """

    root: Path
    writable: bool
    now: Callable[[], datetime]
    parts: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class AgentType:
    """What `uses:` names. `operations` is what intents may ask of it, the default one first."""

    name: str
    options: type[BaseModel]
    effects: Effects
    steps: Steps
    operations: tuple[str, ...]
    build: Callable[[AgentFile, Any, Surroundings], Agent]
