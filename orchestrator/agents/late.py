"""Agents whose module is loaded when they first run: most calls of the command line run none of them.

Law: what can be wrong with an agent's YAML is found by its type's options, so that nothing is left for the
late build to refuse.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any, cast

from orchestrator.agents.contract import Agent, Call, Output, Surroundings, Verdict, Watch
from orchestrator.ids import Json
from orchestrator.workspace.agent_file import AgentFile


class Late:
    """An agent that is made by `make` when it is first needed."""

    def __init__(self, make: Callable[[], Agent]) -> None:
        self._make = make

    @cached_property
    def agent(self) -> Agent:
        """The agent itself."""
        return self._make()

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
        """See Agent."""
        return await self.agent.run(call)


def late(module: str) -> Callable[[AgentFile, Any, Surroundings], Agent]:
    """The `build` of an agent type that leaves it to the function `build` of a module not yet loaded."""

    def build(file: AgentFile, options: Any, surroundings: Surroundings) -> Agent:
        return Late(lambda: cast(Agent, import_module(module).build(file, options, surroundings)))

    return build
