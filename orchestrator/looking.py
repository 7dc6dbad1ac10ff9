"""Looking at the world for a run's outcome: files of the workspace, and agents that do not write."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from orchestrator.adaptation.outcome import LookFailed
from orchestrator.agents.contract import Agent, Call
from orchestrator.ids import AgentName
from orchestrator.workspace.agent_file import AgentFile

_LARGEST = 4_000_000


@dataclass(frozen=True)
class WorkspaceLook:
    """Looks at one workspace. An agent may take `seconds` to answer, where it has no limit of its own."""

    root: Path
    files: Mapping[AgentName, AgentFile]
    agents: Mapping[AgentName, Agent]
    rendering: Callable[[str, Mapping[str, object]], str]
    seconds: float

    def read(self, path: str) -> str:
        """See Look. Nothing outside the workspace is read."""
        place = (self.root / path).resolve()
        if not place.is_relative_to(self.root.resolve()):
            raise LookFailed(f"{path} is outside the workspace, and not looked at")
        try:
            if place.stat().st_size > _LARGEST:
                raise LookFailed(f"{path} has more than {_LARGEST:,} bytes, and is not looked at")
            return place.read_text("utf-8")
        except OSError as error:
            raise LookFailed(f"{path} cannot be read: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise LookFailed(f"{path} is no UTF-8") from None

    async def ask(self, agent: AgentName, question: str) -> str:
        """See Look."""
        file = self.files.get(agent)
        if file is None:
            raise LookFailed(f"there is no agent {agent!r}")
        if file.effects == "write":
            raise LookFailed(f"agent {agent} may write, and is not asked how things stand")
        try:
            async with asyncio.timeout(file.limits.timeout or self.seconds):
                return (await self.agents[agent].run(Call(question, question, question))).text
        except TimeoutError:
            raise LookFailed(f"agent {agent} did not answer in time") from None
        except Exception as error:  # an agent may raise anything; the outcome is then not known
            raise LookFailed(f"agent {agent}: {error}") from error

    def render(self, template: str, variables: Mapping[str, object]) -> str:
        """See Look."""
        return self.rendering(template, variables)
