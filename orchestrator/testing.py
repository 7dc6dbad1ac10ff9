"""Fakes that are part of the product: whoever writes an agent, a store or a scenario tests it with these.

Law: a fake fails loudly on what it was not told to expect, and on what it was told and nobody asked for.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from orchestrator.agents import contract
from orchestrator.agents.chat import ChatModel
from orchestrator.agents.contract import UNLIMITED, Call, Messages, Output, Purse
from orchestrator.runs.memory import MemoryStore

if TYPE_CHECKING:
    from orchestrator.agents.scripted import Asked

__all__ = ["FakeClock", "MemoryStore", "ScriptedAgent", "ScriptedModel"]


class FakeClock:
    """A Clock that stands still until it is moved. `sleep` moves it; `slept` keeps the pauses asked for."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self.slept: list[float] = []
        self._start = self._now = start
        self._alarms: list[_FakeAlarm] = []

    def now(self) -> datetime:
        """See Clock."""
        return self._now

    def monotonic(self) -> float:
        """See Clock."""
        return (self._now - self._start).total_seconds()

    async def sleep(self, seconds: float) -> None:
        """See Clock: the time has passed when the event loop has turned once."""
        self.slept.append(seconds)
        self.advance(seconds)
        await asyncio.sleep(0)

    def call_later(self, seconds: float, call: Callable[[], object]) -> "_FakeAlarm":
        """See Clock."""
        alarm = _FakeAlarm(self._now + timedelta(seconds=seconds), call)
        heappush(self._alarms, alarm)
        return alarm

    def advance(self, seconds: float) -> None:
        """Move the time, and let what falls due on the way happen at its time."""
        end = self._now + timedelta(seconds=seconds)
        while self._alarms and self._alarms[0].due <= end:
            alarm = heappop(self._alarms)
            self._now = max(self._now, alarm.due)
            alarm.ring()
        self._now = end


class _FakeAlarm:
    def __init__(self, due: datetime, call: Callable[[], object]) -> None:
        self.due = due
        self._call: Callable[[], object] | None = call

    def __lt__(self, other: "_FakeAlarm") -> bool:
        return self.due < other.due

    def cancel(self) -> None:
        self._call = None

    def ring(self) -> None:
        if self._call is not None:
            self._call()


Reply: TypeAlias = str | Output | Exception | Callable[[Call], Awaitable[Output]]
"""What a scripted agent does when it is called: answer, raise, or whatever the function does."""


class ScriptedAgent:
    """An Agent that does what it is told, call by call. `calls` keeps what it was asked.

    `check()` raises AssertionError where it was called more often than the script has replies, or less.
    """

    def __init__(self, *script: Reply) -> None:
        self.calls: list[Call] = []
        self._script = script

    async def run(self, call: Call) -> Output:
        """See Agent."""
        self.calls.append(call)
        if len(self.calls) > len(self._script):
            raise AssertionError(self._count())
        reply = self._script[len(self.calls) - 1]
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, str):
            return Output(reply)
        return reply if isinstance(reply, Output) else await reply(call)

    def check(self) -> None:
        """The script was followed to its end, and no further."""
        if len(self.calls) != len(self._script):
            raise AssertionError(self._count())

    def _count(self) -> str:
        asked = "; ".join(call.action for call in self.calls)
        return f"{len(self._script)} calls were expected, and {len(self.calls)} came: {asked or 'none'}"


class ScriptedModel:
    """A Model that answers from literals: a text, or a mapping with `expect`, `reply`, `tool_calls`, `error`,
    `usage` (see `orchestrator.agents.scripted.Step`).

    A call that no step expects raises UnexpectedCall (an AssertionError). As a context manager it checks at
    its end that every step was asked for. `chat` is the LangChain model, for a ChatModel with retries.
    """

    def __init__(self, *steps: object) -> None:
        from orchestrator.agents.scripted import script_of

        self.chat = script_of(steps, "ScriptedModel", strict=True)
        self._door = ChatModel.of(self.chat, "scripted")

    async def ask(
        self,
        messages: Messages,
        *,
        tools: Sequence[Any] = (),
        emit: Callable[[str], None] | None = None,
        purse: Purse = UNLIMITED,
    ) -> contract.Reply:
        """See Model: the answer of the first step left that expects the last prompt."""
        return await self._door.ask(messages, tools=tools, emit=emit, purse=purse)

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
