"""How the plan of a run was changed, as the records have it: what was decided then is what follows again.

Law: nothing is decided anew. A replay must not depend on rules, repairs or clocks of today.
"""

from collections.abc import Iterable, Mapping, Sequence

from orchestrator.ids import MessageId
from orchestrator.runs.changes import OutcomeChecked, PlanRevised, SignalJudged, TaskRecalled
from orchestrator.runs.events import ApprovalAsked, Event, Record, ReviewFlagged
from orchestrator.runs.messages import ReviewCleared, SignalReceived
from orchestrator.runs.state import RunState

_FOLLOWS = (SignalJudged, TaskRecalled, PlanRevised, ApprovalAsked, ReviewFlagged)


class Remembered:
    """The Adaptation of a replay."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._batches = _batches([record.event for record in records])
        self._outcome = next((e for e in map(_event, records) if isinstance(e, OutcomeChecked)), None)

    def signal(self, state: RunState, said: SignalReceived) -> Sequence[Event]:
        """See Adaptation."""
        return self._batches.get(said.message, (said,))

    def cleared(self, state: RunState, said: ReviewCleared) -> Sequence[Event]:
        """See Adaptation."""
        return self._batches.get(said.message, (said,))

    def due(self, state: RunState) -> Sequence[Event]:
        """See Adaptation: the next signal of the script that was told at such a time."""
        following = state.following
        if following is None or state.ended is not None or following.tick > state.ticks:
            return ()
        return self._batches.get(MessageId(following.id), ())

    async def outcome(self, state: RunState) -> OutcomeChecked:
        """See Adaptation."""
        return self._outcome or OutcomeChecked(())

    async def watch(self, state: RunState) -> None:
        """See Adaptation: what was seen then comes as it came then."""


def is_scripted(event: Event, state: RunState) -> bool:
    """Whether a scenario's own script told it, and nobody outside."""
    if state.scenario is None or not isinstance(event, SignalReceived):
        return False
    return any(scripted.id == event.message for scripted in state.scenario.timeline)


def _event(record: Record) -> Event:
    return record.event


def _batches(events: Iterable[Event]) -> Mapping[MessageId, Sequence[Event]]:
    """What followed from each message, itself first."""
    found: dict[MessageId, list[Event]] = {}
    batch: list[Event] = []
    for event in events:
        if isinstance(event, SignalReceived | ReviewCleared):
            batch = found[event.message] = [event]
        elif isinstance(event, _FOLLOWS) and batch:
            batch.append(event)
        else:
            batch = []
    return found
