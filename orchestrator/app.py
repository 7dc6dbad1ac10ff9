"""The composition root: a workspace becomes an Orchestrator. Rooms meet here and nowhere else.

Nothing below reads the environment, the clock or chance by itself; they are handed on from here. What only a
run needs is imported when something runs: most calls of the command line run nothing.
"""

import os
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from orchestrator.agents.contract import Model, Surroundings
from orchestrator.agents.roster import Roster, lacks_an_extra
from orchestrator.errors import Fault, UserError, WorkspaceChanged, WorkspaceInvalid
from orchestrator.foresight import Foresight, Meter
from orchestrator.ids import Schedule, SessionId
from orchestrator.opening import open_snapshot, open_workspace, store_of
from orchestrator.planning.plan import Plan
from orchestrator.preview import Preview, Sighting
from orchestrator.prompts import Prompts, check_prompts
from orchestrator.routing.route import Route
from orchestrator.workspace.find import shipped_workspace
from orchestrator.workspace.placing import placed
from orchestrator.workspace.value import Workspace

if TYPE_CHECKING:
    from orchestrator.agents.runnable import TurnRunnable
    from orchestrator.conduct import Conduct
    from orchestrator.control import Control
    from orchestrator.engine.driver import Means
    from orchestrator.execution.clock import Clock
    from orchestrator.runs.journal import Listener
    from orchestrator.runs.result import RunResult
    from orchestrator.runs.state import RunState
    from orchestrator.runs.store import Store
    from orchestrator.runs.stream import Happening

_GIVEN = {
    "classify.j2": frozenset({"intents", "no_intent", "turn"}),
    "dependent.j2": frozenset({"request", "step", "results"}),
    "repair.j2": frozenset({"prompt", "reply", "diagnostics"}),
    "reply.j2": frozenset({"request", "status", "parts"}),
}
"""The variables of the templates that every workspace needs; those of agents are the agent types' affair."""
_PLANNER_GIVEN = frozenset({"request", "max_tasks", "agents"})

Approve: TypeAlias = Callable[[Preview], bool | None]
"""Shown a plan that needs a person's word; says yes or no, or None to let the run wait for it."""


class Orchestrator:
    """One frozen workspace, and what it does with turns. Open it with `Orchestrator.from_workspace`."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        store: "Store | str | None" = None,
        clock: "Clock | None" = None,
        rng: Callable[[], float] | None = None,
        chance: Callable[[int], bytes] | None = None,
        models: Callable[[str], Model] | None = None,
        templates: Path | None = None,
    ) -> None:
        """Runs are kept in `store`, a Store or the URL of one; where it is None, where `CUEWAVE_STORE` says,
        else in the workspace's own file (`var/runs.db`).

        `rng()` is in [0, 1), `chance(n)` makes n random bytes, for ids. `models` finds a model by its name,
        those of the workspace where it is None. `templates` is the folder of templates, where it is not that
        of the workspace. Raises WorkspaceInvalid for cues and keywords that cannot be looked for.
        """
        self.workspace = workspace
        self._given_store, self._given_clock, self._given_rng = store, clock, rng
        self._chance, self._given_models = chance or os.urandom, models
        self._models = models or self._configured_model
        self._earlier: dict[str, Orchestrator] = {}
        self._prompts = Prompts(
            templates or workspace.root / "prompts",
            shipped=shipped_workspace() / "prompts",
            given={**_GIVEN, workspace.planning.prompt: _PLANNER_GIVEN},
        )
        self._foresight = Foresight(workspace, self._prompts.render)

    @classmethod
    def from_workspace(
        cls, path: str | os.PathLike[str] | None = None, *, thorough: bool = False, **knobs: Any
    ) -> "Orchestrator":
        """Load the workspace at `path`, or the one that `cuewave` would find.

        `thorough` also compiles all templates, which otherwise happens before the first run, and asks for
        the optional packages of all models, which otherwise are missed when they are used. `knobs` are those
        of the constructor. Raises WorkspaceInvalid with all faults, WorkspaceNotFound.
        """
        workspace = open_workspace(path, checks=(_templates,) if thorough else ())
        return cls._whole(workspace, thorough, knobs)

    @classmethod
    def _whole(cls, workspace: Workspace, thorough: bool, knobs: Mapping[str, Any]) -> "Orchestrator":
        """With every cue compiled and every agent built, so that none is found wanting later."""
        faults: list[Fault] = []
        try:
            app = cls(workspace, **knobs)
            faults += app.agents.faults(workspace.sources, extras=thorough)
            faults += app._model_faults(extras=thorough)
            faults += app._prompts.faults() if thorough else ()
            if not faults:
                return app
        except WorkspaceInvalid as invalid:
            faults += invalid.faults
        raise WorkspaceInvalid(tuple(placed(fault, workspace.root) for fault in faults))

    def is_multi_step_query(self, text: str) -> bool:
        """Is the turn compound? The workspace's one answer, whatever classifier routes it."""
        return self._foresight.router.is_multi_step_query(text)

    async def route(self, text: str, *, llm: bool = True) -> Route:
        """Where the turn goes; without `llm` no model is asked."""
        return (await self.sight(text, llm=llm)).route

    async def sight(self, text: str, *, llm: bool = True) -> Sighting:
        """The route with what was seen of cues."""
        return await self._foresight.sight(text, self._meter(llm))

    async def plan(self, text: str, *, llm: bool = True, kind: str | None = None) -> Plan:
        """The plan of the turn; without `llm` no model is asked. Raises PlanRefused and KindRefused."""
        return (await self.preview(text, llm=llm, kind=kind)).plan

    async def preview(self, text: str, *, llm: bool = False, kind: str | None = None) -> Preview:
        """The dry run: what the turn would become, and what it would ask and cost.

        `kind` replaces the routed job kind. Raises PlanRefused and KindRefused.
        """
        return await self._foresight.preview(text, self._meter(llm), kind)

    async def run(
        self,
        text: str,
        *,
        session: str | None = None,
        approve: Approve | None = None,
        kind: str | None = None,
        schedule: Schedule | None = None,
        listeners: "Iterable[Listener]" = (),
    ) -> "RunResult":
        """Route, plan and execute a turn.

        `approve` is asked where the plan needs a person's word; without it, and where it gives None, the run
        waits for it (`waiting`), and nothing is begun. `listeners` are told of every record and piece of
        output. Cancelling the caller stops the tasks and journals the run as cancelled.
        """
        from orchestrator.runs.result import result_of

        self._prompts.compile_all()
        purse = await self._conduct.purse(SessionId(session) if session is not None else None)
        preview = await self._foresight.preview(text, Meter(self._models, purse=purse), kind)
        for task in preview.plan.tasks:
            self.agents[task.agent]  # one that lacks an optional package says so before anything runs
        return result_of(await self._conducted(preview, session, approve, schedule, listeners))

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

    @cached_property
    def runs(self) -> "Control":
        """The runs of this workspace's store, and all that a person can do to them."""
        from orchestrator.control import Control
        from orchestrator.runs.redaction import redactor

        secrets = [secret.value for secret in self.workspace.secrets]
        return Control(
            store=self._store,
            clock=self._clock,
            bells=self._conduct.bells,
            means=self._means,
            chance=self._chance,
            redact=redactor(secrets, self.workspace.orchestrator.runs.redact),
        )

    async def aclose(self) -> None:
        """Let go of the store. Nothing may be asked of the orchestrator afterwards."""
        if "_store" in vars(self):
            await self._store.close()

    def as_runnable(self) -> "TurnRunnable":
        """The orchestrator as a LangChain Runnable: a turn in, the reply out."""
        from orchestrator.agents.runnable import as_runnable

        return as_runnable(self)

    @cached_property
    def agents(self) -> Roster:
        """The agents, each built when it is first needed."""
        workspace = self.workspace
        surroundings = Surroundings(
            root=workspace.root,
            writable=not workspace.packaged,
            now=self._local_time,
            prompts=self._prompts,
            models=self._models,
        )
        return Roster(workspace.agents, workspace.options, surroundings)

    async def _conducted(
        self,
        preview: Preview,
        session: str | None,
        approve: Approve | None,
        schedule: Schedule | None,
        listeners: "Iterable[Listener]",
    ) -> "RunState":
        """Begin a run of this plan, and drive it as far as it goes."""
        conduct = self._conduct
        journal = await self.runs.begin(await conduct.opening(preview, session), listeners)
        if journal.state.ended is not None:
            return journal.state
        asked = preview.approval.needed and approve is not None
        word = conduct.word(preview, approve(preview), "user") if asked else None
        return await self.runs.go(journal, conduct.means(schedule), word)

    async def _means(self, state: "RunState", changed: bool) -> "Means":
        """What a run is driven with: the workspace it was begun with, wherever that can still be had.

        Where it cannot, `changed` says that a person wants it driven with the present one.
        """
        if state.workspace in ("", self._conduct.snapshot.fingerprint):
            return self._conduct.means()
        body = await self._store.kept(state.workspace)
        if body is not None:
            earlier = self._as_it_was(state.workspace, body)
            return replace(earlier._conduct.means(), bells=self._conduct.bells)
        policy = self.workspace.orchestrator.runs.on_changed_workspace
        if policy == "allow" or (policy == "ask" and changed):
            return self._conduct.means()
        raise WorkspaceChanged(state.run, may_ask=policy == "ask")

    def _as_it_was(self, fingerprint: str, body: bytes) -> "Orchestrator":
        """This workspace as it was in a snapshot; its data files are those that are there now."""
        if fingerprint not in self._earlier:
            workspace, templates = open_snapshot(body, self.workspace)
            self._earlier[fingerprint] = Orchestrator(
                workspace,
                store=self._store,
                clock=self._clock,
                rng=self._rng,
                models=self._given_models,
                templates=templates,
            )
        return self._earlier[fingerprint]

    @cached_property
    def _conduct(self) -> "Conduct":
        from orchestrator.conduct import Conduct
        from orchestrator.engine.bells import Bells

        return Conduct(
            workspace=self.workspace,
            prompts=self._prompts,
            agents=self.agents,
            foresight=self._foresight,
            models=self._models,
            store=self._store,
            bells=Bells(self._store, self._clock),
            clock=self._clock,
            rng=self._rng,
        )

    def _model_faults(self, *, extras: bool) -> Iterator[Fault]:
        """What is wrong with the configured models, as far as it shows without loading their providers."""
        for name in self.workspace.models.models:
            try:
                self._configured_models(name)
            except UserError as error:
                if extras or not lacks_an_extra(error):
                    yield Fault("config/models.yaml", 0, 0, f"models.{name}", str(error))

    def _meter(self, llm: bool) -> Meter | None:
        return Meter(self._models) if llm else None

    def _configured_model(self, name: str) -> Model:
        return self._configured_models(name)

    @cached_property
    def _configured_models(self) -> Callable[[str], Model]:
        from orchestrator.agents.models import Models

        return Models(self.workspace.models.models, root=self.workspace.root, rng=self._rng)

    @cached_property
    def _store(self) -> "Store":
        given = self._given_store
        return store_of(self.workspace, os.environ, given) if isinstance(given, str | None) else given

    @cached_property
    def _clock(self) -> "Clock":
        from orchestrator.execution.clock import SystemClock

        return self._given_clock or SystemClock()

    @cached_property
    def _rng(self) -> Callable[[], float]:
        import random

        return self._given_rng or random.random

    def _local_time(self) -> datetime:
        """The time in the zone of this machine, with its changes to and from summer time."""
        from dateutil.tz import tzlocal

        return self._clock.now().astimezone(tzlocal())


def _templates(root: Path) -> tuple[Fault, ...]:
    return check_prompts(root / "prompts")
