"""Looking at the world for a run's outcome: files of the workspace, and agents that do not write.

Law: to look changes nothing, and reaches nothing outside the workspace. What goes wrong is LookFailed.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from orchestrator.adaptation.outcome import LookFailed
from orchestrator.agents.contract import Agent, Call
from orchestrator.errors import CuewaveError, UserError
from orchestrator.ids import AgentName
from orchestrator.workspace.agent_file import AgentFile

LARGEST = 4_000_000
"""Most bytes of a file that is read."""


@dataclass(frozen=True)
class WorkspaceLook:
    """Looks at one workspace. An agent may take `seconds` to answer, where it has no limit of its own."""

    root: Path
    files: Mapping[AgentName, AgentFile]
    agents: Mapping[AgentName, Agent]
    rendering: Callable[[str, Mapping[str, object]], str]
    seconds: float

    def find(self, path: str) -> None:
        """See Look."""
        self._place(path)

    def read(self, path: str) -> str:
        """See Look. At most LARGEST bytes of UTF-8."""
        place = self._place(path)
        try:
            with place.open("rb") as file:
                raw = file.read(LARGEST + 1)
        except OSError as error:
            raise LookFailed(f"{path} cannot be read: {error.strerror or error}") from None
        if len(raw) > LARGEST:
            raise LookFailed(f"{path} has more than {LARGEST:,} bytes, and is not looked at")
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise LookFailed(
                f"{path} is no UTF-8: byte {error.start + 1:,} is {raw[error.start]:#04x}"
            ) from None

    async def ask(self, agent: AgentName, question: str) -> str:
        """See Look."""
        file = self.files.get(agent)
        if file is None:
            raise LookFailed(f"there is no agent {agent!r}; there are: {', '.join(self.files) or 'none'}")
        if file.effects not in ("none", "read"):
            raise LookFailed(f"agent {agent} may write, and is not asked how things stand")
        seconds = file.limits.timeout or self.seconds
        try:
            async with asyncio.timeout(seconds):
                return (await self.agents[agent].run(Call(question, question, question))).text
        except TimeoutError:
            raise LookFailed(f"agent {agent} did not answer within {seconds:g} s") from None
        except CuewaveError as error:
            raise LookFailed(f"agent {agent}: {error}") from error
        except Exception as error:  # an agent may raise anything; how things stand is then not known
            raise LookFailed(f"agent {agent} broke: {type(error).__name__}: {error}") from error

    def render(self, template: str, variables: Mapping[str, object]) -> str:
        """See Look."""
        try:
            return self.rendering(template, variables)
        except UserError as error:
            raise LookFailed(str(error)) from error

    def _place(self, path: str) -> Path:
        """Where the file is, which is in the workspace, by whatever links it is reached."""
        pure = PurePosixPath(path)
        if not path or pure.is_absolute() or ".." in pure.parts or "\\" in path or "\0" in path:
            raise LookFailed(f"{path!r} is no path within the workspace, such as samples/calendar.ics")
        try:
            place = (self.root / path).resolve(strict=True)
        except (OSError, RuntimeError) as error:  # a link that leads to itself is a RuntimeError
            said = getattr(error, "strerror", None) or "its links lead round in a circle"
            raise LookFailed(f"{path} cannot be looked at: {said}") from None
        if not place.is_relative_to(self.root.resolve()):
            raise LookFailed(f"{path} leads out of the workspace, and is not looked at")
        if not place.is_file():
            raise LookFailed(f"{path} is no file")
        return place
