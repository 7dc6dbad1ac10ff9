"""How runs of one workspace are begun, paid for and driven: what the engine is to know of it.

Law: what a person agrees to is what runs. The opening of a run says what it was begun with, and which plan a
person is asked about; a plan made anew asks again.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.adapting import Adapting
from orchestrator.agents.contract import Model, Usage
from orchestrator.agents.roster import Roster
from orchestrator.engine.bells import Bells
from orchestrator.engine.driver import Means
from orchestrator.errors import InternalFault, UserError
from orchestrator.execution.purse import RunPurse
from orchestrator.execution.settings import Settings, World, settings_of
from orchestrator.foresight import Foresight, Meter
from orchestrator.ids import Json, RunId, Schedule, SessionId
from orchestrator.outlook import with_estimate
from orchestrator.preview import Preview
from orchestrator.prompts import Prompts
from orchestrator.runs.entry import Wanted
from orchestrator.runs.events import ApprovalAsked, Event, PlanMade, RunEnded, TurnReceived, TurnRouted
from orchestrator.runs.fold import fold
from orchestrator.runs.identity import plan_hash
from orchestrator.runs.messages import PlanApproved, PlanRejected
from orchestrator.runs.state import RunState
from orchestrator.runs.store import Store
from orchestrator.watching import Watching
from orchestrator.workspace.snapshot import Snapshot, snapshot_of
from orchestrator.workspace.value import Workspace

if TYPE_CHECKING:
    from orchestrator.execution.clock import Clock

NOTHING = Usage()


@dataclass(frozen=True, slots=True)
class Manner:
    """How a run is to be driven, where not as usual.

    `schedule` overrides the workspace's. `signals` are files that are followed, and `complain` is told of
    what is no signal in them. `pace` is awaited before a scenario goes on.
    """

    schedule: Schedule | None = None
    signals: tuple[Path, ...] = ()
    complain: Callable[[str], None] | None = None
    pace: Callable[[RunState], Awaitable[None]] | None = None


USUAL = Manner()


@dataclass(frozen=True)
class Conduct:
    """One workspace, ready to run. `models` finds a model by its name; `rng()` is in [0, 1).

    `ground` gives a plan what its tasks take for granted. `adapting` makes what changes plans while they run,
    from what is watched meanwhile.
    """

    workspace: Workspace
    prompts: Prompts
    agents: Roster
    foresight: Foresight
    models: Callable[[str], Model]
    store: Store
    bells: Bells
    clock: "Clock"
    rng: Callable[[], float]
    chance: Callable[[int], bytes]
    ground: Callable[[Preview], tuple[Preview, Mapping[str, Json]]]
    adapting: Callable[[Watching], Adapting]

    @cached_property
    def snapshot(self) -> Snapshot:
        """What runs of this workspace are begun with."""
        literal = [s.value for s in self.workspace.secrets if not s.variable]
        return snapshot_of(self.workspace.files, self.prompts.sources(), literal)

    async def opening(self, preview: Preview, session: str | None, *known: Event) -> list[Event]:
        """The first events of a run, whose snapshot is then kept. One that nobody serves ends at once.

        `known` is what is known beforehand, or in store.
        """
        snapshot, sighting, plan = self.snapshot, preview.sighting, preview.plan
        await self.store.keep(snapshot.fingerprint, snapshot.body)
        events: list[Event] = [
            TurnReceived(
                sighting.text,
                SessionId(session) if session is not None else None,
                snapshot.fingerprint,
                snapshot.prompts,
            ),
            TurnRouted(sighting.to_json()),
            PlanMade(plan, preview.approval.kind, preview.usage, plan_hash(plan), preview.estimate),
            *known,
        ]
        if preview.approval.needed:
            events.append(self._asked(preview))
        if not plan.tasks:
            events.append(RunEnded("done", sighting.route.declined or ""))
        return events

    async def estimated(
        self, preview: Preview, spent: Usage = NOTHING, *, schedule: Schedule | None = None
    ) -> Preview:
        """The preview of a plan that is to be run, with its estimate; `spent` is what was before it."""
        return await with_estimate(
            preview,
            self.workspace,
            self.settings(schedule),
            self.store.history,
            spent=spent + preview.usage,
        )

    def means(self, manner: Manner = USUAL) -> Means:
        """What a driver drives runs of this workspace with."""
        watching = Watching(self.store, self.bells, self.clock, self.agents, self.chance, manner.signals)
        if manner.complain is not None:
            watching = replace(watching, complain=manner.complain)
        return Means(
            store=self.store,
            bells=self.bells,
            agents=self.agents,
            settings=self.settings(manner.schedule),
            world=World(self.prompts.render, self.clock, self.rng, pace=manner.pace),
            adaptation=self.adapting(watching),
            revise=self.revise,
            purse=self.purse_of,
            crash_limit=self.workspace.orchestrator.runs.crash_limit,
        )

    def settings(self, schedule: Schedule | None = None) -> Settings:
        """The numbers that plans are run with."""
        return settings_of(self.workspace.orchestrator, self.workspace.agents.values(), schedule)

    async def purse_of(self, state: RunState) -> RunPurse:
        """What the run may still spend."""
        return await self.purse(state.session, state.run, state.usage, state.units_begun)

    async def purse(
        self, session: SessionId | None, run: RunId | None = None, spent: Usage = NOTHING, tasks: int = 0
    ) -> RunPurse:
        """What a run of this session may spend; the session's other runs have spent of it too."""
        budgets = self.settings().budgets
        others: list[RunState] = []
        if session is not None and budgets.session.limited:
            entries = await self.store.runs(Wanted(session=session))
            others = [fold(await self.store.read(e.run), RunState(e.run)) for e in entries if e.run != run]
        return RunPurse(
            budgets,
            spent=spent,
            tasks=tasks,
            session_spent=sum((other.usage for other in others), NOTHING),
            session_tasks=sum(other.units_begun for other in others),
        )

    async def revise(self, state: RunState) -> Sequence[Event]:
        """The turn's plan made anew, with what was said of the earlier one. It always asks.

        Raises UserError where the turn cannot be planned so.
        """
        if state.plan is None or state.to_revise is None:
            raise InternalFault(f"run {state.run}: there is nothing to revise")
        said = [f.text for f in state.feedback if f.revises_plan]
        meter = Meter(self.models, purse=await self.purse_of(state))
        preview = await self.foresight.preview("\n".join([state.text, *said]), meter, None)
        if not preview.plan.tasks:
            raise UserError(f"with this feedback nobody serves the turn: {preview.sighting.route.declined}")
        preview, _ = self.ground(preview)
        plan = replace(preview.plan, revisions=(*state.plan.revisions, f"feedback: {state.to_revise.text}"))
        preview = await self.estimated(replace(preview, plan=plan), state.usage)
        return [
            PlanMade(plan, preview.approval.kind, preview.usage, plan_hash(plan), preview.estimate),
            self._asked(preview),
        ]

    def word(self, preview: Preview, yes: bool | None, by: str) -> PlanApproved | PlanRejected | None:
        """What a person said of the plan, as an event."""
        if yes is None:
            return None
        if not yes:
            return PlanRejected(by, "")
        return PlanApproved(by, plan_hash(preview.plan), self._most_items())

    def _asked(self, preview: Preview) -> ApprovalAsked:
        return ApprovalAsked(plan_hash(preview.plan), preview.approval.reason, self._most_items())

    def _most_items(self) -> int:
        return self.workspace.orchestrator.execution.max_items
