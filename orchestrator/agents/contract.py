"""What an agent is: a frozen call in, a frozen output out.

An agent knows nothing of plans, journals or other agents. It is handed its query, what its task depends
on, and a key under which an effect happens once; it answers with text, and with items where it found a list.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

from pydantic import BaseModel

from orchestrator.errors import UserError
from orchestrator.ids import AgentName, Effects, IntentName, Json, Steps, TaskId
from orchestrator.prompts import Prompts
from orchestrator.workspace.agent_file import AgentFile


@dataclass(frozen=True, slots=True)
class Item:
    """One element of a list result: what a person reads, and the same as data."""

    text: str
    data: Mapping[str, Json] = field(default_factory=dict[str, Json])


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call cost; `money` in the operator's currency, 0 where a model has no price."""

    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    money: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.model_calls + other.model_calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.money + other.money,
        )


NO_USAGE = Usage()
"""What costs nothing, or says nothing of it: one object, so that most sums need not be made."""


class Purse(Protocol):
    """What may be spent on models; whoever calls one asks here first."""

    def begin_call(self) -> None:
        """A model is about to be called. Raises BudgetExceeded where that cannot be paid for."""
        ...

    def spend(self, usage: Usage) -> None:
        """The tokens and the money of a call that was begun; it was counted when it began."""
        ...


class _Unlimited:
    """A purse that is never empty, and does not count."""

    def begin_call(self) -> None:
        """See Purse."""

    def spend(self, usage: Usage) -> None:
        """See Purse."""


UNLIMITED: Purse = _Unlimited()


@dataclass(frozen=True, slots=True)
class Output:
    """The result of a task. `items` is None where the result is no list; an empty tuple is an empty list."""

    text: str
    items: tuple[Item, ...] | None = None
    usage: Usage = NO_USAGE


class Upstream(NamedTuple):
    """What a dependency came to. `error` is set, and `output` empty, where it failed."""

    task: TaskId
    agent: AgentName
    output: Output
    error: str | None = None


class Call(NamedTuple):
    """One attempt at one task. A tuple, since one is made for every attempt, and a tuple costs half as much.

    `query` is what a prompted agent reads: the action, or for a dependent the rendering of
    `prompts/dependent.j2`. `action` and `request` are the task's own words and the user's sentence.
    `item` is set on the children of a mapped task. `key` names the effect: run/task/attempt, or where another
    agent asks run/task/question/attempt. `emit` takes pieces of the output as they arrive. `purse` is asked
    before a model is. `depth` counts the agents that asked one another to get here.
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
    depth: int = 0
    purse: Purse = UNLIMITED

    @property
    def params(self) -> Mapping[str, str]:
        """`query` is the task's own action, `request` the user's sentence."""
        return {"query": self.action, "request": self.request}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an effect came about; `happened` is None where that cannot be told.

    `output` is the result of the task, where it happened.
    """

    happened: bool | None
    output: Output | None = None


Tell: TypeAlias = Callable[[str, Json], Awaitable[None]]
"""Takes the name of a fact that an agent publishes, and what it is now."""

Watch: TypeAlias = Callable[[Tell], Awaitable[None]]
"""Tells of every change of what an agent publishes, until it is cancelled."""


class Agent(Protocol):
    """Whoever can do a task.

    An agent with effects may offer `async def verify(self, key: str) -> Verdict`: after a crash, or where an
    attempt got no answer, it tells whether the effect that the key names came about.

    An agent that sees something of the world may publish it: `def facts(self) -> Mapping[str, Json]` is how
    it is now, and `async def watch(self, tell: Tell) -> None` tells of every change until it is cancelled.
    Tasks know these facts as `AGENT.NAME`; only where one assumes something of them is either called.

    An agent that works on `Call.inputs` and has no use for a prompt may say so by an attribute `reads_query`
    that is False: then no prompt is rendered for it, and `Call.query` is the task's action.
    """

    async def run(self, call: Call) -> Output:
        """Do the task once. Raises TaskError; `passing=True` where another attempt may help.

        With a TaskError an agent says that nothing was written, unless it is `doubtful`; any other error says
        nothing about that.
        """
        ...


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that a model wants used. `fault` is set where its arguments were no JSON object."""

    id: str
    name: str
    arguments: Mapping[str, Json]
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered. `message` is the answer in the form in which the same model reads it back."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = NO_USAGE
    message: Any = None


Messages: TypeAlias = str | Sequence[Any]
"""A prompt, or a conversation: `("system", "…")`, `("user", "…")`, and the `message` of earlier replies."""


class Model(Protocol):
    """A language model. The same door for every provider; `orchestrator.agents.models` is behind it."""

    async def ask(
        self,
        messages: Messages,
        *,
        tools: Sequence[Any] = (),
        emit: Callable[[str], None] | None = None,
        purse: Purse = UNLIMITED,
    ) -> Reply:
        """One answer; with `emit` its text also in pieces as they arrive. Raises ModelError."""
        ...


@dataclass(frozen=True, slots=True)
class Peer:
    """Another agent of the workspace, as one that asks it sees it.

    `operations` are what its type can be asked for; `agent` builds it at first use.
    """

    file: AgentFile
    operations: tuple[str, ...]
    agent: Callable[[], Agent]

    @property
    def effects(self) -> Effects:
        """What it may do to the world; the most, where its file does not say."""
        return self.file.effects or "write"


def _no_models(name: str) -> Model:
    raise UserError(f"model {name!r}: there are no models here; name it in config/models.yaml")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an agent may use of the world it lives in; handed to `AgentType.build`.

    `root` is the workspace folder, `writable` says whether files may be made in it, `now` tells the local
    time, with its zone. `prompts` are the templates (None: those of `root`), `models` finds a model by its
    name in `config/models.yaml` and raises UserError for an unknown one, `peers` are the other agents.
    """

    root: Path
    writable: bool
    now: Callable[[], datetime]
    prompts: Prompts | None = None
    models: Callable[[str], Model] = _no_models
    peers: Mapping[AgentName, Peer] = field(default_factory=dict[AgentName, Peer])


def _unsaid(_file: AgentFile, _options: Any) -> None:
    """How many calls of a model an agent makes, where its type does not say."""


def no_calls(_file: AgentFile, _options: Any) -> tuple[int, int]:
    """What a type declares whose agents never ask a model."""
    return 0, 0


@dataclass(frozen=True, slots=True)
class AgentType:
    """What `uses:` names. `operations` is what intents may ask of it, the default one first.

    `effects` are the least that its agents have, `presumed` those of an agent whose file declares none (the
    least, where it is None). `writing` are the operations that only an agent with the effect `write` has.
    `model_calls` tells the least and the most calls of a model that one attempt makes, from an agent's file
    and its options; None where that cannot be told beforehand.
    """

    name: str
    options: type[BaseModel]
    effects: Effects
    steps: Steps
    operations: tuple[str, ...]
    build: Callable[[AgentFile, Any, Surroundings], Agent]
    presumed: Effects | None = None
    writing: tuple[str, ...] = ()
    model_calls: Callable[[AgentFile, Any], tuple[int, int] | None] = _unsaid
