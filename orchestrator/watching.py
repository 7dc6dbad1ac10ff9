"""Where the signals of a run come from while it is driven: files that are followed, and agents that watch.

Law: what is seen goes into the run's inbox, as what anybody else says does. A line that is no signal is told
of, and stops nothing.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.adaptation.message import SignalMalformed, known_by, signal_of
from orchestrator.agents.contract import Agent, Watch
from orchestrator.engine.bells import Bells
from orchestrator.errors import RunUnknown
from orchestrator.ids import AgentName, Json, MessageId
from orchestrator.runs.messages import Message, SignalReceived
from orchestrator.runs.state import RunState
from orchestrator.runs.store import Store

if TYPE_CHECKING:
    from orchestrator.execution.clock import Clock

_LOOK = 0.2
"""Seconds between two looks at a file that is followed."""

_LONGEST = 1 << 20
"""Bytes of a line; a longer one is no signal."""

_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())


@dataclass(frozen=True)
class Watching:
    """What is watched for the runs of one workspace.

    `files` are followed, line by line. `chance(n)` makes n random bytes, for ids; `complain` is told of what
    is no signal.
    """

    store: Store
    bells: Bells
    clock: "Clock"
    agents: Mapping[AgentName, Agent]
    chance: Callable[[int], bytes]
    files: Sequence[Path] = ()
    complain: Callable[[str], None] = _log.warning

    async def __call__(self, state: RunState) -> None:
        """Put into the run's inbox what is seen, until this is cancelled."""
        plan = state.plan
        watchers = [] if plan is None else [self._watch(name, state) for name in self._watched(state)]
        followed = [self._follow(path, state) for path in self.files]
        async with asyncio.TaskGroup() as group:
            for each in (*watchers, *followed):
                group.create_task(each)

    def _watched(self, state: RunState) -> Sequence[AgentName]:
        """The agents of which a task assumes something: a key such as `calendar.content` is of `calendar`."""
        publishers = {AgentName(key.partition(".")[0]) for key in state.assumed if "." in key}
        return [name for name in sorted(publishers) if name in self.agents]

    async def _watch(self, name: AgentName, state: RunState) -> None:
        watch: Watch | None = getattr(self.agents[name], "watch", None)
        if watch is None:
            return

        async def tell(key: str, value: Json) -> None:
            signal = SignalReceived(f"{name}.{key}", value, name)
            await self._post(state, signal, MessageId(self.chance(16).hex()))

        await watch(tell)

    async def _follow(self, path: Path, state: RunState) -> None:
        """Read what is in the file, and what is written to it from now on.

        A line without an id is known by its place, so that it counts once, whoever takes the run up again.
        """
        number, rest, at = 0, b"", 0
        if not await asyncio.to_thread(path.exists):
            self.complain(f"{path}: this is not there; it is followed once it is")
        while True:
            more, at = await asyncio.to_thread(_read_on, path, at)
            if not more and _is_signal(rest):  # the last line, without a line break
                more = b"\n"
            *lines, rest = (rest + more).split(b"\n")
            for line in lines:
                number += 1
                await self._line(line.decode("utf-8", "replace"), f"{path}:{number}", state)
            if len(rest) > _LONGEST:
                self.complain(f"{path}:{number + 1}: {len(rest):,} bytes without a line break are left out")
                rest = b""
            await self.clock.sleep(_LOOK)

    async def _line(self, line: str, where: str, state: RunState) -> None:
        if not line.strip():
            return
        try:
            signal = signal_of(line, where.rpartition(":")[0])
        except SignalMalformed as error:
            self.complain(f"{where}: {error}")
            return
        await self._post(state, signal, known_by(signal) or known_by(replace(signal, id=f"{where} {line}")))

    async def _post(self, state: RunState, signal: SignalReceived, message: MessageId) -> None:
        said = replace(signal, message=message)
        try:
            await self.store.post(Message(state.run, self.clock.now(), said))
        except RunUnknown:  # it was deleted meanwhile; its driver is told by its next append
            return
        self.bells.ring(state.run)


def _is_signal(line: bytes) -> bool:
    try:
        signal_of(line.decode("utf-8", "replace"), "")
    except SignalMalformed:
        return False
    return True


def _read_on(path: Path, at: int) -> tuple[bytes, int]:
    """What the file has after so many bytes; one that was made anew, and is shorter, from its beginning."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(at if at <= size else 0)
            return file.read(), file.tell()
    except FileNotFoundError:
        return b"", 0
