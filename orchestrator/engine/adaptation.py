"""How plans change while they run, as a driver sees it; and what stands there where none ever does."""

from collections.abc import Sequence
from typing import Protocol

from orchestrator.runs.changes import OutcomeChecked
from orchestrator.runs.events import Event
from orchestrator.runs.messages import ReviewCleared, SignalReceived
from orchestrator.runs.state import RunState


class Adaptation(Protocol):
    """Each method gives the events that follow, from a run's state, which it leaves as it is."""

    def signal(self, state: RunState, said: SignalReceived) -> Sequence[Event]:
        """What follows from a signal, itself first."""
        ...

    def cleared(self, state: RunState, said: ReviewCleared) -> Sequence[Event]:
        """What follows where a person has looked at a run, that itself first."""
        ...

    def due(self, state: RunState) -> Sequence[Event]:
        """What follows from the next signal of the run's script that is due now; nothing where none is."""
        ...

    async def outcome(self, state: RunState) -> OutcomeChecked:
        """What the real result of the run is."""
        ...

    async def watch(self, state: RunState) -> None:
        """Put into the run's inbox what is seen of the world, for as long as this is awaited."""
        ...


class _Unmoved:
    """Facts become known, and change nothing."""

    def signal(self, state: RunState, said: SignalReceived) -> Sequence[Event]:
        """See Adaptation."""
        return (said,)

    def cleared(self, state: RunState, said: ReviewCleared) -> Sequence[Event]:
        """See Adaptation."""
        return (said,)

    def due(self, state: RunState) -> Sequence[Event]:
        """See Adaptation."""
        return ()

    async def outcome(self, state: RunState) -> OutcomeChecked:
        """See Adaptation."""
        return OutcomeChecked(())

    async def watch(self, state: RunState) -> None:
        """See Adaptation."""


UNMOVED: Adaptation = _Unmoved()
