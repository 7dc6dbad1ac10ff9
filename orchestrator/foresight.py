"""What a turn would become, worked out without running anything: where routing and planning meet.

Law: without a meter no model is asked, and then nothing here waits for anything.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from orchestrator.agents.contract import Model, Usage
from orchestrator.execution.purse import RunPurse
from orchestrator.execution.settings import Budgets
from orchestrator.ids import AgentName, Ask, IntentName, Render
from orchestrator.planning.approval import Approval, approval_of, policy_of, strictest_kind, task_kinds
from orchestrator.planning.plan import Plan
from orchestrator.planning.planner import Seams, make_plan, model_calls
from orchestrator.planning.turn import Routed, Turn
from orchestrator.preview import Preview, Sighting
from orchestrator.routing.cascade import Router
from orchestrator.routing.route import Compound, Route
from orchestrator.workspace.value import Workspace


@dataclass(slots=True)
class Meter:
    """Asks models by name, and adds up what that costs, calls that failed included."""

    models: Callable[[str], Model]
    purse: RunPurse = field(default_factory=lambda: RunPurse(Budgets(), spent=Usage(), tasks=0))
    usage: Usage = field(default_factory=Usage)

    def asks(self, name: str | None) -> Ask | None:
        """A function that asks this model a prompt; None without a name."""
        if name is None:
            return None

        async def ask(prompt: str) -> str:
            paid = self.purse.attempt()
            try:
                reply = await self.models(name).ask(prompt, purse=paid)
                paid.settle(reply.usage)
            finally:
                self.usage += paid.usage
            return reply.text

        return ask


class Foresight:
    """Routes and plans the turns of one workspace. `render` renders its templates."""

    def __init__(self, workspace: Workspace, render: Render) -> None:
        """Raises WorkspaceInvalid for a cue or keyword that cannot be looked for."""
        self._workspace, self._render = workspace, render
        self.router = Router(workspace.agents, workspace.routing, workspace.multi_step, workspace.sources)

    async def sight(self, text: str, meter: Meter | None) -> Sighting:
        """The route of the turn, with what was seen of cues."""
        ask = meter.asks(self._workspace.routing.model) if meter else None
        route = await self.router.route(text, ask=ask, render=self._render)
        return Sighting(text, self.router.compound(text), route)

    async def preview(self, text: str, meter: Meter | None, kind: str | None) -> Preview:
        """The plan of the turn, and what it asks and costs. Raises PlanRefused and KindRefused."""
        policy, agents = self._workspace.planning, self._workspace.agents
        if kind is not None:
            policy_of(kind, policy)
        sighting = await self.sight(text, meter)
        if kind is None and sighting.route.sure:
            policy_of(sighting.route.kind, policy)
        turn, seams = _turn(sighting), self._seams(meter)
        plan = await make_plan(turn, policy, agents, seams)
        warnings = (*sighting.route.warnings, *plan.warnings, *_overheard(sighting, plan))
        plan = replace(plan, warnings=warnings)
        calls = model_calls(turn, policy, agents, seams)
        return Preview(sighting, plan, self._approval(plan, kind), calls, meter.usage if meter else Usage())

    def of_plan(self, plan: Plan) -> Preview:
        """The dry run of a plan that was not made from a turn, but written beforehand."""
        text, approval = plan.request, self._approval(plan, None)
        nobody = Route(text, (0, len(text)), None, None, approval.kind, 1.0, 1.0, True, "scenario")
        return Preview(Sighting(text, Compound(), nobody), plan, approval, (0, 0), Usage())

    def _seams(self, meter: Meter | None) -> Seams:
        return Seams(
            route_part=self._part,
            is_reference=self.router.is_reference,
            intent_of=self._intent_of,
            render=self._render,
            ask=meter.asks(self._workspace.planning.model) if meter else None,
            facts=self._workspace.adaptation.facts,
        )

    def _part(self, text: str) -> Routed | None:
        found = self.router.part(text)
        return None if found is None else Routed(found.agent, found.intent)

    def _intent_of(self, agent: AgentName, action: str) -> IntentName | None:
        """The intent of this agent that the words speak for most."""
        ranked = self.router.keywords.classify(action)
        return next((c.intent for c in ranked if c.agent == agent), None)

    def _approval(self, plan: Plan, kind: str | None) -> Approval:
        if not plan.tasks:
            return Approval(kind or "answer", needed=False, reason="nothing would be run")
        policy = self._workspace.planning
        kind = kind or strictest_kind(task_kinds(plan, self._workspace.agents), policy)
        return approval_of(kind, plan, policy)


def _overheard(sighting: Sighting, plan: Plan) -> tuple[str, ...]:
    """Words that speak for another agent than the one that takes the whole turn, unsure of it."""
    route = sighting.route
    if route.sure or len(plan.tasks) != 1:
        return ()
    others = (c for c in route.alternatives if c.agent != plan.tasks[0].agent and c.evidence)
    other = next(others, None)
    if other is None:
        return ()
    words = sighting.text[other.evidence[0].start : other.evidence[0].end]
    return (
        f'"{words}" also speaks for {other.agent} ({other.intent}), which is not asked; '
        "if both are meant, say it in two parts",
    )


def _turn(sighting: Sighting) -> Turn:
    """What planning is told of a turn."""
    route, compound = sighting.route, sighting.compound
    return Turn(
        text=sighting.text,
        span=route.span,
        agent=route.agent,
        intent=route.intent,
        addressed=route.addressed,
        joints=compound.cues,
        ignored=compound.ignored,
    )
