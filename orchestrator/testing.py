"""Fakes for tests of workspaces, agents and plug-ins: product, not test code.

Law: a fake fails where it is asked what it does not foresee, and where it is not asked what it foresees.
"""

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from orchestrator.agents.chat import ChatModel
from orchestrator.agents.contract import Messages, Reply

if TYPE_CHECKING:
    from orchestrator.agents.scripted import Asked


class ScriptedModel:
    """A language model that answers from literals: a text, or a mapping with `expect`, `reply`, `tool_calls`,
    `error`, `usage` (see `orchestrator.agents.scripted.Step`).

    An unexpected call raises UnexpectedCall (an AssertionError). As a context manager it checks at its end
    that every step was asked for. `chat` is the LangChain model, for a ChatModel with retries or fallbacks.
    """

    def __init__(self, *steps: object) -> None:
        from orchestrator.agents.scripted import script_of

        self.chat = script_of(steps, "ScriptedModel", strict=True)
        self._door = ChatModel.of(self.chat, "scripted")

    async def ask(
        self, messages: Messages, *, tools: Sequence[Any] = (), emit: Callable[[str], None] | None = None
    ) -> Reply:
        """The answer of the first step that expects this prompt."""
        return await self._door.ask(messages, tools=tools, emit=emit)

    @property
    def asked(self) -> "tuple[Asked, ...]":
        """The calls so far: `prompt`, `messages`, `tools`."""
        return self.chat.asked

    def assert_complete(self) -> None:
        """Raises AssertionError where steps are left over, or a call was not foreseen."""
        self.chat.assert_complete()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.assert_complete()
