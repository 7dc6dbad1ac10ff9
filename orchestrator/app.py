"""The composition root: a workspace becomes an Orchestrator. Rooms meet here and nowhere else.

Nothing below reads the environment, the clock or chance by itself; they are handed on from here.
"""

import os
import random
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from orchestrator.agents.contract import Model, Surroundings, Usage
from orchestrator.agents.roster import Roster
from orchestrator.errors import ApprovalNeeded, Fault, WorkspaceInvalid
from orchestrator.execution.clock import Clock, SystemClock
from orchestrator.execution.scheduler import drive
from orchestrator.execution.settings import World, settings_of
from orchestrator.ids import AgentName, IntentName, RunId, Schedule, SessionId
from orchestrator.opening import open_workspace
from orchestrator.planning.approval import Approval, approval_of, policy_of, strictest_kind, task_kinds
from orchestrator.planning.plan import Plan
from orchestrator.planning.planner import Seams, make_plan, model_calls
from orchestrator.planning.turn import Routed, Turn
from orchestrator.preview import Preview, Sighting
from orchestrator.prompts import Prompts, check_prompts
from orchestrator.routing.cascade import Router
from orchestrator.routing.route import Route
from orchestrator.runs.events import (
    PlanApproved,
    PlanMade,
    RunEnded,
    TurnReceived,
    TurnRouted,
)
from orchestrator.runs.journal import Journal, Listener
from orchestrator.runs.memory import MemoryStore
from orchestrator.runs.result import RunResult, result_of
from orchestrator.runs.store import Store
from orchestrator.runs.stream import Happening, happenings, reply_pieces
from orchestrator.workspace.placing import placed
from orchestrator.workspace.value import Workspace

if TYPE_CHECKING:
    from orchestrator.agents.runnable import TurnRunnable

Approve: TypeAlias = Callable[[Preview], bool]
"""Shown a plan that needs a person's word; says whether it may run."""


@dataclass(slots=True)
class _Meter:
    """Asks models, and adds up what that costs."""

    models: Callable[[str], Model]
    usage: Usage = field(default_factory=Usage)

    def asks(self, name: str | None) -> Callable[[str], Awaitable[str]] | None:
        """A function that asks this model a prompt; None without a name."""
        if name is None:
            return None

        async def ask(prompt: str) -> str:
            reply = await self.models(name).ask(prompt)
            self.usage += reply.usage
            return reply.text

        return ask


class Orchestrator:
    """One frozen workspace, and what it does with turns. Open it with `Orchestrator.from_workspace`."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        store: Store | None = None,
        clock: Clock | None = None,
        rng: Callable[[], float] = random.random,
        models: Callable[[str], Model] | None = None,
    ) -> None:
        """`rng()` is in [0, 1); `models` finds a model by name, those of the workspace where it is None."""
        self.workspace = workspace
        self._store: Store = store if store is not None else MemoryStore()
        self._clock: Clock = clock or SystemClock()
        self._rng = rng
        self._named_models = models
        self._prompts = Prompts(workspace.root / "prompts")
        self._router = Router(workspace.agents, workspace.routing, workspace.multi_step)

    @classmethod
    def from_workspace(
        cls, path: str | os.PathLike[str] | None = None, *, templates: bool = False, **knobs: Any
    ) -> "Orchestrator":
        """Load the workspace at `path`, or the one that `cuewave` would find.

        `templates` compiles all templates too, which otherwise happens before the first run. `knobs` are
        those of the constructor. Raises WorkspaceInvalid with all faults, WorkspaceNotFound.
        """
        return cls._whole(open_workspace(path, checks=(_templates,) if templates else ()), knobs)

    @classmethod
    def _whole(cls, workspace: Workspace, knobs: Mapping[str, Any]) -> "Orchestrator":
        """With every cue compiled and every agent built, so that none is found wanting later."""
        faults: list[Fault] = []
        try:
            app = cls(workspace, **knobs)
            faults += app.agents.faults(workspace.sources)
            if not faults:
                return app
        except WorkspaceInvalid as invalid:
            faults += invalid.faults
        raise WorkspaceInvalid(tuple(placed(fault, workspace.root) for fault in faults))

    def is_multi_step_query(self, text: str) -> bool:
        """Is the turn compound? The workspace's one answer, whatever classifier routes it."""
        return self._router.is_multi_step_query(text)

    async def route(self, text: str, *, llm: bool = True) -> Route:
        """Where the turn goes; without `llm` no model is asked."""
        return (await self.sight(text, llm=llm)).route

    async def sight(self, text: str, *, llm: bool = True) -> Sighting:
        """The route with what was seen of cues."""
        return await self._sight(text, self._meter() if llm else None)

    async def plan(self, text: str, *, llm: bool = True, kind: str | None = None) -> Plan:
        """The plan of the turn; without `llm` no model is asked. Raises PlanRefused and KindRefused."""
        return (await self.preview(text, llm=llm, kind=kind)).plan

    async def preview(self, text: str, *, llm: bool = False, kind: str | None = None) -> Preview:
        """The dry run: what the turn would become, and what it would ask and cost.

        `kind` replaces the routed job kind. Raises PlanRefused and KindRefused.
        """
        meter = self._meter() if llm else None
        if kind is not None:
            policy_of(kind, self.workspace.planning)
        sighting = await self._sight(text, meter)
        turn, seams = _turn(sighting), self._seams(meter)
        policy, agents = self.workspace.planning, self.workspace.agents
        if kind is None and sighting.route.sure:
            policy_of(sighting.route.kind, policy)
        plan = await make_plan(turn, policy, agents, seams)
        return Preview(
            sighting,
            plan,
            self._approval(plan, kind),
            model_calls(turn, policy, agents, seams),
            meter.usage if meter else Usage(),
        )

    async def run(
        self,
        text: str,
        *,
        session: str | None = None,
        approve: Approve | None = None,
        kind: str | None = None,
        schedule: Schedule | None = None,
        listeners: Iterable[Listener] = (),
    ) -> RunResult:
        """Route, plan and execute a turn.

        `approve` is asked where the plan needs a person's word; without it such a plan is refused
        (ApprovalNeeded) and nothing runs. `listeners` are told of every record and piece of output.
        Cancelling the caller stops the tasks and journals the run as cancelled.
        """
        self._prompts.compile_all()
        preview = await self.preview(text, llm=True, kind=kind)
        needed = preview.approval.needed
        if needed and not (approve is not None and approve(preview)):
            raise ApprovalNeeded(
                f"the plan needs a person's word, and nobody gave it ({preview.approval.reason}); nothing "
                "was run. Look at it with `cuewave plan`, and run it with --yes"
            )
        journal = Journal(self._store, RunId(uuid.uuid4().hex), now=self._clock.now, listeners=listeners)
        await journal.append(
            TurnReceived(text, SessionId(session) if session is not None else None),
            TurnRouted(preview.sighting.to_json()),
            PlanMade(preview.plan, preview.approval.kind, preview.usage),
            *([PlanApproved("user")] if needed else []),
        )
        await self._execute(journal, preview, schedule)
        return result_of(journal.state)

    def stream(
        self,
        text: str,
        *,
        session: str | None = None,
        approve: Approve | None = None,
        kind: str | None = None,
        schedule: Schedule | None = None,
    ) -> AsyncGenerator[Happening]:
        """The same as `run`, as what happens, when it happens. Closing it early cancels the run."""

        async def start(listener: Listener) -> RunResult:
            return await self.run(
                text, session=session, approve=approve, kind=kind, schedule=schedule, listeners=(listener,)
            )

        return happenings(start)

    async def chunks(self, text: str, *, session: str | None = None) -> AsyncGenerator[str]:
        """The same as `run`, as the reply in pieces. Closing it early cancels the run."""
        async with aclosing(self.stream(text, session=session)) as run, aclosing(reply_pieces(run)) as pieces:
            async for piece in pieces:
                yield piece

    async def result(self, run: str) -> RunResult:
        """What has become of a run, as far as its journal goes."""
        journal = await Journal.open(self._store, RunId(run), now=self._clock.now)
        return result_of(journal.state)

    def as_runnable(self) -> "TurnRunnable":
        """The orchestrator as a LangChain Runnable: a turn in, the reply out."""
        from orchestrator.agents.runnable import as_runnable

        return as_runnable(self)

    @cached_property
    def agents(self) -> Roster:
        """The agents, each built at its first use."""
        workspace = self.workspace
        surroundings = Surroundings(
            root=workspace.root,
            writable=not workspace.packaged,
            now=self._local_time,
            prompts=self._prompts,
            models=self._models,
        )
        return Roster(workspace.agents, workspace.options, surroundings)

    async def _execute(self, journal: Journal, preview: Preview, schedule: Schedule | None) -> None:
        if not preview.plan.tasks:
            await journal.append(RunEnded("done", preview.sighting.route.declined or ""))
            return
        workspace = self.workspace
        settings = settings_of(workspace.orchestrator, workspace.agents.values(), schedule)
        world = World(self._prompts.render, self._clock, self._rng)
        await drive(journal, self.agents, settings=settings, world=world)

    async def _sight(self, text: str, meter: _Meter | None) -> Sighting:
        ask = meter.asks(self.workspace.routing.model) if meter else None
        route = await self._router.route(text, ask=ask, render=self._prompts.render)
        return Sighting(text, self._router.compound(text), route)

    def _seams(self, meter: _Meter | None) -> Seams:
        return Seams(
            route_part=self._part,
            is_reference=self._router.is_reference,
            intent_of=self._intent_of,
            render=self._prompts.render,
            ask=meter.asks(self.workspace.planning.model) if meter else None,
        )

    def _part(self, text: str) -> Routed | None:
        found = self._router.part(text)
        return None if found is None else Routed(found.agent, found.intent, found.confidence)

    def _intent_of(self, agent: AgentName, action: str) -> IntentName | None:
        """The intent of this agent that the words speak for most."""
        ranked = self._router.keywords.classify(action)
        return next((c.intent for c in ranked if c.agent == agent), None)

    def _approval(self, plan: Plan, kind: str | None) -> Approval:
        if not plan.tasks:
            return Approval(kind or "answer", needed=False, reason="nothing would be run")
        policy = self.workspace.planning
        kind = kind or strictest_kind(task_kinds(plan, self.workspace.agents), policy)
        return approval_of(kind, plan, policy)

    def _meter(self) -> _Meter:
        return _Meter(self._models)

    def _models(self, name: str) -> Model:
        if self._named_models is None:
            from orchestrator.agents.models import Models

            self._named_models = Models(self.workspace.models.models, root=self.workspace.root)
        return self._named_models(name)

    def _local_time(self) -> datetime:
        return self._clock.now().astimezone()


def _templates(root: Path) -> tuple[Fault, ...]:
    return check_prompts(root / "prompts")


def _turn(sighting: Sighting) -> Turn:
    """What planning is told of a turn."""
    route, compound = sighting.route, sighting.compound
    return Turn(
        text=sighting.text,
        span=route.span,
        agent=route.agent,
        intent=route.intent,
        is_multi_step=compound.is_multi_step,
        addressed=route.addressed,
        joints=compound.cues,
        ignored=compound.ignored,
    )
