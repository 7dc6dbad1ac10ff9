"""The composition root: a workspace becomes an Orchestrator. Rooms meet here and nowhere else."""

import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeAlias

from orchestrator.assembly import Assembly
from orchestrator.errors import Fault, UserError, WorkspaceInvalid
from orchestrator.foresight import Meter
from orchestrator.ids import Schedule, SessionId
from orchestrator.opening import open_workspace
from orchestrator.planning.plan import Plan
from orchestrator.preview import Preview, Sighting
from orchestrator.prompts import check_prompts
from orchestrator.routing.route import Route
from orchestrator.workspace.placing import placed
from orchestrator.workspace.value import Doubt, Workspace

if TYPE_CHECKING:
    from orchestrator.agents.roster import Roster
    from orchestrator.agents.runnable import TurnRunnable
    from orchestrator.conduct import Manner
    from orchestrator.control import Control
    from orchestrator.runs.events import Event
    from orchestrator.runs.journal import Listener
    from orchestrator.runs.result import RunResult
    from orchestrator.runs.state import RunState
    from orchestrator.runs.stream import Happening
    from orchestrator.workspace.scenarios import ScenarioRule

Approve: TypeAlias = Callable[[Preview], bool | None]
"""Shown a plan that needs a person's word; says yes or no, or None to let the run wait for it."""


class Orchestrator:
    """One frozen workspace, and what it does with turns. Open it with `Orchestrator.from_workspace`."""

    def __init__(self, workspace: Workspace, **world: Any) -> None:
        """Put the workspace together. `world` is what is not to be as usual:

        `store`: a Store or the URL of one, for runs; as usual it is where `CUEWAVE_STORE` says, else the
        workspace's own file (`var/runs.db`). `clock`, `rng()` in [0, 1), `chance(n)` makes n random bytes.
        `models(name)` finds a model, instead of those of the workspace. Raises WorkspaceInvalid for cues and
        keywords that cannot be looked for.
        """
        self.workspace = workspace
        self._parts = Assembly(workspace, **world)

    @classmethod
    def from_workspace(
        cls, path: str | os.PathLike[str] | None = None, *, thorough: bool = False, **world: Any
    ) -> "Orchestrator":
        """Load the workspace at `path`, or the one that `cuewave` would find.

        `thorough` also compiles all templates, which otherwise happens before the first run, judges all
        scenarios, of which otherwise only the one that is run is looked at, and asks for the optional
        packages of all models, which otherwise are missed when they are used. `world` is that of the
        constructor. Raises WorkspaceInvalid with all faults, WorkspaceNotFound.
        """
        checks, scenarios = ((_templates,), _scenarios()) if thorough else ((), None)
        workspace = open_workspace(path, checks=checks, scenarios=scenarios)
        return cls._whole(workspace, thorough, world)

    @classmethod
    def _whole(cls, workspace: Workspace, thorough: bool, world: Mapping[str, Any]) -> "Orchestrator":
        """With every cue compiled and every agent built, so that none is found wanting later."""
        faults: list[Fault] = []
        try:
            app = cls(workspace, **world)
            faults += app._parts.faults(extras=thorough)
            faults += app._parts.prompts.faults() if thorough else ()
            if not faults:
                return app
        except WorkspaceInvalid as invalid:
            faults += invalid.faults
        raise WorkspaceInvalid(tuple(placed(fault, workspace.root) for fault in faults))

    def is_multi_step_query(self, text: str) -> bool:
        """Is the turn compound? The workspace's one answer, whatever classifier routes it."""
        return self._parts.foresight.router.is_multi_step_query(text)

    async def route(self, text: str, *, llm: bool = True) -> Route:
        """Where the turn goes; without `llm` no model is asked."""
        return (await self.sight(text, llm=llm)).route

    async def sight(self, text: str, *, llm: bool = True) -> Sighting:
        """The route with what was seen of cues."""
        return await self._parts.foresight.sight(text, self._meter(llm))

    async def plan(self, text: str, *, llm: bool = True, kind: str | None = None) -> Plan:
        """The plan of the turn; without `llm` no model is asked. Raises PlanRefused and KindRefused."""
        return (await self._parts.foresight.preview(text, self._meter(llm), kind)).plan

    async def preview(self, text: str, *, llm: bool = False, kind: str | None = None) -> Preview:
        """The dry run: what the turn would become, and what it would ask and cost.

        `kind` replaces the routed job kind. Raises PlanRefused and KindRefused.
        """
        preview = await self._parts.foresight.preview(text, self._meter(llm), kind)
        preview, _ = self._parts.grounded(preview)
        return await self._parts.estimated(preview)

    async def run(
        self,
        text: str,
        *,
        session: str | None = None,
        approve: Approve | None = None,
        kind: str | None = None,
        schedule: Schedule | None = None,
        signals: "Sequence[Path]" = (),
        complain: "Callable[[str], None] | None" = None,
        listeners: "Iterable[Listener]" = (),
    ) -> "RunResult":
        """Route, plan and execute a turn.

        `signals` are files of signals, a line of JSON each, that are followed while the run is driven here;
        `complain` is told of a line that is none, else the log is.

        `approve` is asked where the plan needs a person's word; without it, and where it gives None, the run
        waits for it (`waiting`), and nothing is begun. `listeners` are told of every record and piece of
        output. Cancelling the caller stops the tasks and journals the run as cancelled.
        """
        from orchestrator.conduct import Manner
        from orchestrator.runs.changes import FactsGiven
        from orchestrator.runs.result import result_of

        self._parts.prompts.compile_all()
        purse = await self._parts.conduct.purse(SessionId(session) if session is not None else None)
        preview = await self._parts.foresight.preview(text, Meter(self._parts.models, purse=purse), kind)
        for task in preview.plan.tasks:
            self.agents[task.agent]  # one that lacks an optional package says so before anything runs
        preview, facts = self._parts.grounded(preview)
        preview = await self._parts.conduct.estimated(preview, schedule=schedule)
        manner, known = Manner(schedule, tuple(signals), complain), (FactsGiven(facts),) if facts else ()
        return result_of(
            await self._conducted(
                preview, known, manner, session=session, approve=approve, listeners=listeners
            )
        )

    async def run_scenario(
        self,
        name: str,
        *,
        baseline: bool = False,
        approve: Approve | None = None,
        pace: "Callable[[RunState], Awaitable[None]] | None" = None,
        listeners: "Iterable[Listener]" = (),
    ) -> "RunResult":
        """Run a scenario of `config/scenarios/`, task by task, with its signals at their ticks.

        A `baseline` carries the first plan out whatever it is told. `pace` is awaited before each task.
        Raises WorkspaceInvalid for a scenario with faults, UserError for one that is not there.
        """
        from orchestrator.conduct import Manner
        from orchestrator.runs.result import result_of

        self._parts.prompts.compile_all()
        preview, known = self._parts.staged(name, baseline=baseline)
        for task in preview.plan.tasks:
            self.agents[task.agent]
        preview = await self._parts.conduct.estimated(preview)
        return result_of(
            await self._conducted(
                preview, known, Manner(pace=pace), session=None, approve=approve, listeners=listeners
            )
        )

    def stream(
        self,
        text: str,
        *,
        session: str | None = None,
        approve: Approve | None = None,
        kind: str | None = None,
        schedule: Schedule | None = None,
    ) -> "AsyncGenerator[Happening]":
        """The same as `run`, as what happens, when it happens. Closing it early cancels the run."""
        from orchestrator.runs.stream import happenings

        async def start(listener: "Listener") -> "RunResult":
            return await self.run(
                text, session=session, approve=approve, kind=kind, schedule=schedule, listeners=(listener,)
            )

        return happenings(start)

    async def chunks(self, text: str, *, session: str | None = None) -> AsyncGenerator[str]:
        """The same as `run`, as the reply in pieces. Closing it early cancels the run."""
        from contextlib import aclosing

        from orchestrator.runs.stream import reply_pieces

        async with aclosing(self.stream(text, session=session)) as run, aclosing(reply_pieces(run)) as pieces:
            async for piece in pieces:
                yield piece

    async def result(self, run: str) -> "RunResult":
        """What has become of a run, as far as its journal goes. Raises RunUnknown."""
        from orchestrator.runs.result import result_of

        return result_of(await self.runs.state(run))

    async def aclose(self) -> None:
        """Let go of the store. Nothing may be asked of the orchestrator afterwards."""
        await self._parts.aclose()

    def as_runnable(self) -> "TurnRunnable":
        """The orchestrator as a LangChain Runnable: a turn in, the reply out."""
        from orchestrator.agents.runnable import as_runnable

        return as_runnable(self)

    def doubts(self) -> tuple[Doubt, ...]:
        """What the workspace says but hardly means; `workspace.doubts.findings` finds the places.

        Raises WorkspaceInvalid for a template that does not compile.
        """
        from orchestrator.lints.laws import doubts
        from orchestrator.lints.subject import Subject

        return doubts(Subject(self.workspace, self._parts.foresight.router, self._parts.prompts))

    @property
    def agents(self) -> "Roster":
        """The agents, each built when it is first needed."""
        return self._parts.agents

    @property
    def runs(self) -> "Control":
        """The runs of this workspace's store, and all that a person can do to them."""
        return self._parts.runs

    async def _conducted(
        self,
        preview: Preview,
        known: "Sequence[Event]",
        manner: "Manner",
        *,
        session: str | None,
        approve: Approve | None,
        listeners: "Iterable[Listener]",
    ) -> "RunState":
        """Begin a run of this plan, of which so much is known, and drive it as far as it goes."""
        conduct, asks = self._parts.conduct, preview.approval.needed
        opening = await conduct.opening(preview, session, *known)
        ends = not preview.plan.tasks
        journal = await self.runs.begin(opening, listeners, at_once=not asks and not ends)
        if ends:
            return journal.state
        means = conduct.means(manner)
        try:
            yes = _answer_of(approve, preview) if asks and approve is not None else None
        except Exception:
            await self.runs.go(journal, means)  # nobody has answered: it waits for a person's word
            raise
        return await self.runs.go(journal, means, conduct.word(preview, yes, "user"))

    def _meter(self, llm: bool) -> Meter | None:
        return Meter(self._parts.models) if llm else None


def _answer_of(approve: Approve, preview: Preview) -> bool | None:
    """What `approve` says of the plan. Raises UserError for anything else, which agrees to nothing."""
    answer = approve(preview)
    if type(answer) in (bool, NoneType):
        return answer
    raise UserError(
        f"`approve` must answer True, False or None, and gave a {type(answer).__name__}; nothing was begun,"
        " and the run waits for a person's word"
    )


def _scenarios() -> "ScenarioRule":
    from orchestrator.staging import TONGUE
    from orchestrator.workspace.scenarios import scenario_rule

    return scenario_rule(TONGUE)


def _templates(root: Path) -> tuple[Fault, ...]:
    return check_prompts(root / "prompts")
