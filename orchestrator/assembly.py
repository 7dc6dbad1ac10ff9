"""What one workspace is made of: templates, foresight, agents, models, and the world that runs live in.

Nothing below reads the environment, the clock or chance by itself; they are handed on from here. What only a
run needs is imported when something runs: most calls of the command line run nothing.
"""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.agents.contract import Model, Surroundings
from orchestrator.agents.roster import Roster, is_to_be_installed
from orchestrator.errors import Fault, UserError, WorkspaceChanged
from orchestrator.execution.settings import settings_of
from orchestrator.foresight import Foresight
from orchestrator.ids import AgentName, Json
from orchestrator.opening import open_snapshot, store_of, store_url
from orchestrator.planning.grounding import grounded, keys_of, with_grounds
from orchestrator.planning.task import Task, assigned
from orchestrator.preview import Preview
from orchestrator.prompts import Prompts
from orchestrator.workspace.find import shipped_workspace
from orchestrator.workspace.value import Workspace

if TYPE_CHECKING:
    from orchestrator.adapting import Adapting
    from orchestrator.conduct import Conduct
    from orchestrator.control import Control
    from orchestrator.engine.driver import Means
    from orchestrator.execution.clock import Clock
    from orchestrator.runs.events import Event
    from orchestrator.runs.journal import Redact
    from orchestrator.runs.samples import History
    from orchestrator.runs.state import RunState
    from orchestrator.runs.store import Store
    from orchestrator.watching import Watching

_GIVEN = {
    "classify.j2": frozenset({"intents", "no_intent", "turn"}),
    "dependent.j2": frozenset({"request", "step", "results"}),
    "repair.j2": frozenset({"prompt", "reply", "diagnostics"}),
    "reply.j2": frozenset({"request", "status", "parts"}),
}
"""The variables of the templates that every workspace needs; those of agents are the agent types' affair."""
_PLANNER_GIVEN = frozenset({"request", "max_tasks", "agents", "facts"})


class Assembly:
    """One workspace, put together. Its parts are made when they are first needed."""

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
        """See Orchestrator. `templates` is the folder of templates, where it is not that of the workspace."""
        self.workspace = workspace
        self._given_store, self._given_clock, self._given_rng = store, clock, rng
        self._chance, self._given_models = chance or os.urandom, models
        self._earlier: dict[str, Assembly] = {}
        self.models = models or self._configured_model
        self.prompts = Prompts(
            templates or workspace.root / "prompts",
            shipped=shipped_workspace() / "prompts",
            given={**_GIVEN, workspace.planning.prompt: _PLANNER_GIVEN},
        )
        self.foresight = Foresight(workspace, self.prompts.render)

    def faults(self, *, extras: bool) -> Iterator[Fault]:
        """What is wrong with agents and models; with `extras` also packages and programs that are missing."""
        yield from self.agents.faults(self.workspace.sources, extras=extras)
        for name in self.workspace.models.models:
            try:
                self._configured_models(name)
            except UserError as error:
                if extras or not is_to_be_installed(error):
                    yield Fault("config/models.yaml", 0, 0, f"models.{name}", str(error))
        yield from self._unknown_repairs()

    def _unknown_repairs(self) -> Iterator[Fault]:
        for index, repair in enumerate(self.workspace.adaptation.repairs):
            from orchestrator.adaptation.registered import repair_named

            try:
                repair_named(repair.uses)
            except UserError as error:
                yield Fault("config/adaptation.yaml", 0, 0, f"repairs[{index}].uses", str(error))

    @cached_property
    def agents(self) -> Roster:
        """The agents, each built when it is first needed."""
        workspace = self.workspace
        surroundings = Surroundings(
            root=workspace.root,
            writable=not workspace.packaged,
            now=self._local_time,
            prompts=self.prompts,
            models=self.models,
        )
        return Roster(workspace.agents, workspace.options, surroundings)

    @cached_property
    def runs(self) -> "Control":
        """The runs of this workspace's store, and all that a person can do to them."""
        from orchestrator.control import Control

        return Control(
            store=self.store,
            clock=self.clock,
            bells=self.conduct.bells,
            means=self._means,
            present=self.conduct.means,
            chance=self._chance,
            redact=_redactor(self.workspace),
        )

    @cached_property
    def conduct(self) -> "Conduct":
        """How runs of this workspace are begun and driven."""
        from orchestrator.conduct import Conduct
        from orchestrator.engine.bells import Bells

        return Conduct(
            workspace=self.workspace,
            prompts=self.prompts,
            agents=self.agents,
            foresight=self.foresight,
            models=self.models,
            store=self.store,
            bells=Bells(self.store, self.clock),
            clock=self.clock,
            rng=self.rng,
            chance=self._chance,
            ground=self.grounded,
            adapting=self._adapting,
        )

    def _adapting(self, watching: "Watching") -> "Adapting":
        """How plans change while they run, with what is watched meanwhile."""
        from orchestrator.adaptation.rules import rules_of
        from orchestrator.adapting import Adapting
        from orchestrator.looking import WorkspaceLook
        from orchestrator.sandbox import render_text

        adaptation = self.workspace.adaptation
        by_key = {"": adaptation.containment, **adaptation.keys}
        return Adapting(
            workspace=self.workspace,
            rules={key: rules_of(containment, "seconds") for key, containment in by_key.items()},
            render=render_text,
            assign=self._assigned,
            now=lambda: self.clock.now().timestamp(),
            look=WorkspaceLook(
                self.workspace.root,
                self.workspace.agents,
                self.agents,
                render_text,
                self.workspace.orchestrator.execution.task_timeout,
            ),
            watching=watching,
        )

    def _assigned(self, task: Task) -> Task:
        agents, facts = self.workspace.agents, self.workspace.adaptation.facts
        known = {name: fact.value for name, fact in facts.items()}
        return with_grounds(assigned(task, agents), agents, known)

    def grounded(self, preview: Preview) -> "tuple[Preview, dict[str, Json]]":
        """The preview with what its tasks take for granted, and the facts that are known for that."""
        adaptation, agents = self.workspace.adaptation, self.workspace.agents
        facts: dict[str, Json] = {name: fact.value for name, fact in adaptation.facts.items()}
        for key in sorted(keys_of(preview.plan, agents) - facts.keys()):
            facts |= self._published(AgentName(key.partition(".")[0]))
        plan = grounded(preview.plan, agents, facts, adaptation.repairs)
        return (preview if plan is preview.plan else replace(preview, plan=plan)), facts

    def _published(self, name: AgentName) -> "dict[str, Json]":
        """What the agent sees of the world now, under keys that begin with its name."""
        publish = getattr(self.agents[name], "facts", None) if name in self.workspace.agents else None
        found: Mapping[str, Json] = {} if publish is None else publish()
        return {f"{name}.{key}": value for key, value in found.items()}

    def staged(self, name: str, *, baseline: bool) -> "tuple[Preview, Sequence[Event]]":
        """A scenario as the dry run of it, and what is known of it, and in store, when it begins.

        Raises WorkspaceInvalid, and UserError where there is no such scenario.
        """
        from orchestrator.adaptation.rules import rules_of
        from orchestrator.runs.changes import FactsGiven, ScenarioBegun
        from orchestrator.staging import staged

        scene = staged(self.workspace, name)
        own = {
            "": self.workspace.adaptation.containment,
            **self.workspace.adaptation.keys,
            **scene.containment,
        }
        rules = {key: rules_of(containment, "ticks") for key, containment in own.items()}
        begun = ScenarioBegun(name, baseline, scene.timeline, rules)
        return self.foresight.of_plan(scene.plan), (FactsGiven(scene.facts), begun)

    async def estimated(self, preview: Preview) -> Preview:
        """The preview with what a run of it is expected to take."""
        from orchestrator.outlook import with_estimate

        workspace = self.workspace
        settings = settings_of(workspace.orchestrator, workspace.agents.values())
        return await with_estimate(preview, workspace, settings, self._remembered)

    async def _remembered(self, agents: Collection[AgentName]) -> "History":
        """What the store knows of earlier tasks; one that is not open is looked at, and left as it is."""
        given = self._given_store
        if "store" in vars(self) or not isinstance(given, str | None):
            return await self.store.history(agents)
        from orchestrator.runs.sql.looking import look_at_history

        return look_at_history(store_url(self.workspace, os.environ, given), agents)

    async def aclose(self) -> None:
        """Let go of the store, if it was opened."""
        if "store" in vars(self):
            await self.store.close()

    async def _means(self, state: "RunState", changed: bool) -> "Means":
        """What a run is driven with: the workspace it was begun with, wherever that can still be had.

        Where it cannot, `changed` says that a person wants it driven with the present one.
        """
        if state.workspace in ("", self.conduct.snapshot.fingerprint):
            return self.conduct.means()
        body = await self.store.kept(state.workspace)
        if body is not None:
            earlier = self._as_it_was(state.workspace, body)
            redact = _redactor(self.workspace, earlier.workspace)
            return replace(earlier.conduct.means(), bells=self.conduct.bells, redact=redact)
        policy = self.workspace.orchestrator.runs.on_changed_workspace
        if policy == "refuse" or (policy == "ask" and not changed):
            raise WorkspaceChanged(state.run, may_ask=policy == "ask")
        self._check_agents(state)
        return self.conduct.means()

    def _check_agents(self, state: "RunState") -> None:
        """Raises UserError for a plan with an agent that this workspace does not have."""
        planned = () if state.plan is None else state.plan.tasks
        named = {*(t.agent for t in planned), *(t.agent for t in state.tasks.values() if t.agent is not None)}
        missing = ", ".join(sorted(named - self.workspace.agents.keys()))
        if missing:
            raise UserError(
                f"run {state.run}: its plan needs agents that this workspace does not have: {missing}; "
                "add them, or begin the run anew"
            )

    def _as_it_was(self, fingerprint: str, body: bytes) -> "Assembly":
        """This workspace as it was in a snapshot; its data files are those that are there now."""
        if fingerprint not in self._earlier:
            workspace, templates = open_snapshot(fingerprint, body, self.workspace)
            self._earlier[fingerprint] = Assembly(
                workspace,
                store=self.store,
                clock=self.clock,
                rng=self.rng,
                models=self._given_models,
                templates=templates,
            )
        return self._earlier[fingerprint]

    def _configured_model(self, name: str) -> Model:
        return self._configured_models(name)

    @cached_property
    def _configured_models(self) -> Callable[[str], Model]:
        from orchestrator.agents.models import Models

        return Models(self.workspace.models.models, root=self.workspace.root, rng=self.rng)

    @cached_property
    def store(self) -> "Store":
        """Where runs are kept."""
        given = self._given_store
        return store_of(self.workspace, os.environ, given) if isinstance(given, str | None) else given

    @cached_property
    def clock(self) -> "Clock":
        """The time."""
        from orchestrator.execution.clock import SystemClock

        return self._given_clock or SystemClock()

    @cached_property
    def rng(self) -> Callable[[], float]:
        """Chance, in [0, 1)."""
        import random

        return self._given_rng or random.random

    def _local_time(self) -> datetime:
        """The time in the zone of this machine, with its changes to and from summer time."""
        from dateutil.tz import tzlocal

        return self.clock.now().astimezone(tzlocal())


def _redactor(*workspaces: Workspace) -> "Redact | None":
    """Takes out of events the secrets of these workspaces, and the fields that they name."""
    from orchestrator.runs.redaction import redactor

    secrets = [secret.value for workspace in workspaces for secret in workspace.secrets]
    return redactor(secrets, [field for w in workspaces for field in w.orchestrator.runs.redact])
