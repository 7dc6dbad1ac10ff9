"""The agents of one workspace: built when first needed, each told the operation an intent stands for."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from orchestrator.agents.contract import Agent, Call, Output, Peer, Surroundings, Verdict, Watch
from orchestrator.agents.registry import agent_type
from orchestrator.errors import Fault, InternalFault, NotInstalled, UserError, WorkspaceInvalid
from orchestrator.ids import AgentName, IntentName, Json
from orchestrator.workspace.agent_file import AgentFile, IntentConfig


def operation_of(file: AgentFile, operations: tuple[str, ...], intent: IntentName | None) -> str | None:
    """What the agent's type does for an intent; None is the type's default."""
    config = file.intents.get(intent) if intent is not None else None
    if config is not None and config.operation is not None:
        return config.operation
    return intent if intent in operations else None


@dataclass(frozen=True, slots=True)
class Directed:
    """An agent that finds the operation of a call by the call's intent.

    `intents` are those of all agents: it may stand in for the one that has the intent.
    """

    agent: Agent
    file: AgentFile
    operations: tuple[str, ...]
    intents: Mapping[str, IntentConfig]

    @property
    def reads_query(self) -> bool:
        """See Agent."""
        return getattr(self.agent, "reads_query", True)

    @property
    def verify(self) -> Callable[[str], Awaitable[Verdict]] | None:
        """See Agent; None where the agent has no way to tell."""
        return getattr(self.agent, "verify", None)

    @property
    def facts(self) -> Callable[[], Mapping[str, Json]] | None:
        """See Agent; None where the agent publishes nothing."""
        return getattr(self.agent, "facts", None)

    @property
    def watch(self) -> Watch | None:
        """See Agent; None where the agent watches nothing."""
        return getattr(self.agent, "watch", None)

    async def run(self, call: Call) -> Output:
        """Do the task with the operation its intent stands for, unless the call names one."""
        own = call.operation or operation_of(self.file, self.operations, call.intent)
        return await self.agent.run(call._replace(operation=own or self._of_another(call.intent)))

    def _of_another(self, intent: IntentName | None) -> str | None:
        """What the agent that has the intent would do, where this one can do it too."""
        config = self.intents.get(intent) if intent is not None else None
        return config.operation if config is not None and config.operation in self.operations else None


def is_to_be_installed(error: BaseException) -> bool:
    """Is all that is wrong that something is not on this machine: an optional package, a program?"""
    return isinstance(error, NotInstalled) or isinstance(error.__cause__, NotInstalled)


class Roster(Mapping[AgentName, Agent]):
    """The agents by name. `files` and `options` are the workspace's; `surroundings` gets the peers here."""

    def __init__(
        self,
        files: Mapping[AgentName, AgentFile],
        options: Mapping[AgentName, Any],
        surroundings: Surroundings,
    ) -> None:
        self._files, self._options = files, options
        self._built: dict[AgentName, Agent] = {}
        self._intents = {name: intent for file in files.values() for name, intent in file.intents.items()}
        self._surroundings = replace(surroundings, peers={name: self._peer(name) for name in files})

    def faults(self, sources: Mapping[AgentName, str], *, extras: bool) -> Iterator[Fault]:
        """Build every agent, and say what is wrong with each that cannot be; `sources` are their files.

        Without `extras`, an agent that lacks only an optional package or a program is let be until it is
        asked for.
        """
        for name in self:
            try:
                self[name]
            except WorkspaceInvalid as invalid:
                yield from invalid.faults
            except UserError as error:
                if extras or not is_to_be_installed(error):
                    yield Fault(sources[name], 0, 0, "", str(error))

    def __getitem__(self, name: AgentName) -> Agent:
        if name not in self._built:
            self._built[name] = self._build(name, self._files[name])
        return self._built[name]

    def __iter__(self) -> Iterator[AgentName]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def _build(self, name: AgentName, file: AgentFile) -> Agent:
        known = agent_type(file.uses)
        if known is None:
            raise InternalFault(f"agent {name!r} uses {file.uses!r}, which was registered when it was loaded")
        agent = known.build(file, self._options[name], self._surroundings)
        return Directed(agent, file, known.operations, self._intents)

    def _peer(self, name: AgentName) -> Peer:
        file = self._files[name]
        known = agent_type(file.uses)
        return Peer(file, known.operations if known else (), lambda: self[name])
