"""How the runs of one workspace change while they run: where its rules, its agents and the clock meet."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from orchestrator.adaptation.judging import Judge
from orchestrator.adaptation.outcome import Look, judged
from orchestrator.adaptation.registered import repair_named
from orchestrator.adaptation.repairing import Workshop
from orchestrator.ids import MessageId
from orchestrator.planning.task import Task
from orchestrator.runs.changes import OutcomeChecked, Scripted
from orchestrator.runs.containing import Rules
from orchestrator.runs.events import Event
from orchestrator.runs.messages import ReviewCleared, SignalReceived
from orchestrator.runs.state import RunState
from orchestrator.workspace.value import Workspace


@dataclass(frozen=True)
class Adapting:
    """The Adaptation of a driver, for one workspace.

    `render` renders a template that is given as text, `now()` is in seconds, `look` looks at the world, and
    `watching(state)` puts into a run's inbox what is seen of it.
    """

    workspace: Workspace
    rules: Mapping[str, Rules]
    render: Callable[[str, Mapping[str, object]], str]
    assign: Callable[[Task], Task]
    now: Callable[[], float]
    look: Look
    watching: Callable[[RunState], Awaitable[None]]

    def signal(self, state: RunState, said: SignalReceived) -> Sequence[Event]:
        """See Adaptation."""
        return tuple(self._judge.signal(state, said, self._time(state)))

    def cleared(self, state: RunState, said: ReviewCleared) -> Sequence[Event]:
        """See Adaptation."""
        return tuple(self._judge.cleared(state, said, self._time(state)))

    def due(self, state: RunState) -> Sequence[Event]:
        """See Adaptation."""
        following = state.following
        if following is None or state.ended is not None or following.tick > state.ticks:
            return ()
        return self.signal(state, _said(following))

    async def outcome(self, state: RunState) -> OutcomeChecked:
        """See Adaptation."""
        checks = () if state.plan is None else state.plan.outcome
        return await judged(checks, state, self.look)

    async def watch(self, state: RunState) -> None:
        """See Adaptation."""
        await self.watching(state)

    def _time(self, state: RunState) -> float:
        """The time on the run's own clock: ticks in a scenario, else seconds."""
        return float(state.ticks) if state.scenario is not None else self.now()

    @cached_property
    def _judge(self) -> Judge:
        agents = self.workspace.agents
        workshop = Workshop(self.render, self.assign, agents, repair_named)
        return Judge(self.rules, workshop, self.workspace.orchestrator.execution.max_items)


def _said(scripted: Scripted) -> SignalReceived:
    return SignalReceived(
        scripted.key,
        scripted.value,
        scripted.source,
        MessageId(scripted.id),
        scripted.id,
        scripted.time,
        scripted.urgent,
    )
