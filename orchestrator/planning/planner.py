"""A routed turn becomes a plan: direct, split at its cues, or written by a model, cheapest first.

Laws: a turn that is not compound costs no call; a compound one none where the split is complete, else one,
and one more to repair a faulty reply. The prompt has the same variables whatever else is switched on.
Whatever falls short says so in the plan's warnings. Only here does planning wait for anything: the model.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from orchestrator.errors import Diagnostic, ModelError, PlanRefused
from orchestrator.ids import AgentName, Ask, IntentName, Render, TaskId
from orchestrator.planning import assuming
from orchestrator.planning.assuming import AssumeLine
from orchestrator.planning.collapse import collapse
from orchestrator.planning.coverage import spans, uncovered
from orchestrator.planning.grounds.assumption import Assumption
from orchestrator.planning.lines import TaskLine, parse
from orchestrator.planning.plan import Plan, plan_of
from orchestrator.planning.split import Split, split, unrouted_text
from orchestrator.planning.task import Task, assigned
from orchestrator.planning.turn import Routed, Turn

if TYPE_CHECKING:
    from orchestrator.workspace.adaptation_file import FactConfig
    from orchestrator.workspace.agent_file import AgentFile
    from orchestrator.workspace.models import PlanningFile

REPAIR_PROMPT = "repair.j2"
_MOST_QUOTED = 8000


@dataclass(frozen=True, slots=True)
class Seams:
    """What planning needs of other rooms.

    `route_part` gives the confident route of a part, or None. `is_reference` says whether a text points back
    at an earlier part. `intent_of` finds the intent of a planner's task. `render` renders a template of
    `prompts/`. `ask` is the planner's model, which raises ModelError; None where it is not to be asked.
    `facts` are what the planner may assume something of.
    """

    route_part: Callable[[str], Routed | None]
    is_reference: Callable[[str], bool]
    intent_of: Callable[[AgentName, str], IntentName | None]
    render: Render
    ask: Ask | None = None
    facts: "Mapping[str, FactConfig]" = field(default_factory=dict[str, "FactConfig"])


async def make_plan(
    turn: Turn, policy: "PlanningFile", agents: "Mapping[AgentName, AgentFile]", seams: Seams
) -> Plan:
    """The plan of a turn, without tasks where nobody serves it. PlanRefused by `on_invalid_plan: fail`.

    `agents` have the defaults of their types filled in: effects and steps.
    """
    return await _Planning(turn, policy, agents, seams).plan()


def model_calls(
    turn: Turn, policy: "PlanningFile", agents: "Mapping[AgentName, AgentFile]", seams: Seams
) -> tuple[int, int]:
    """The least and the most calls that planning this turn costs by the workspace's settings; makes none."""
    planning = _Planning(turn, policy, agents, seams)
    if planning.is_direct or policy.model is None or not planning.wants_model(planning.split()):
        return 0, 0
    return 1, 2


def prompt_variables(
    turn: Turn,
    policy: "PlanningFile",
    agents: "Mapping[AgentName, AgentFile]",
    facts: "Mapping[str, FactConfig] | None" = None,
) -> Mapping[str, object]:
    """All that the planner's prompt is made from: the request, the agents on offer, the facts."""
    return {
        "request": turn.asked,
        "facts": [
            {
                "name": name,
                "value": json.dumps(fact.value, ensure_ascii=False),
                "description": fact.description,
            }
            for name, fact in sorted((facts or {}).items())
        ],
        "max_tasks": policy.max_tasks,
        "agents": [
            {
                "name": name,
                "description": agent.description,
                "effects": agent.effects or "write",
                "intents": [
                    {"name": i, "description": c.description} for i, c in sorted(agent.intents.items())
                ],
            }
            for name, agent in sorted(agents.items())
            if agent.offered
        ],
    }


@dataclass(frozen=True, slots=True)
class _Planning:
    """One turn on its way to its plan."""

    turn: Turn
    policy: "PlanningFile"
    agents: "Mapping[AgentName, AgentFile]"
    seams: Seams

    @property
    def is_direct(self) -> bool:
        return self.turn.addressed or not self.turn.is_multi_step

    async def plan(self) -> Plan:
        if self.is_direct:
            return self.direct()
        found = self.split()
        if not self.wants_model(found):
            return self.of_split(found)
        if self.seams.ask is None:
            why = "was not asked" if self.policy.model else "is not set (model: in config/planning.yaml)"
            return self.without_model(found, f"the planner's model {why}")
        try:
            return await self.of_model(found, self.seams.ask)
        except ModelError as error:
            if self.policy.on_invalid_plan == "fail":
                raise PlanRefused((Diagnostic(0, f"the planner's model gave no plan: {error}"),)) from error
            return self.without_model(found, f"the planner's model gave no plan ({error})")

    def split(self) -> Split:
        return split(
            self.turn,
            self.agents,
            self.policy.max_tasks,
            route_part=self.seams.route_part,
            is_reference=self.seams.is_reference,
        )

    def wants_model(self, found: Split) -> bool:
        return self.policy.mode == "model" or (self.policy.mode == "split_then_model" and not found.complete)

    def direct(self, *warnings: str) -> Plan:
        """One task with all that is asked; none where the turn was declined."""
        turn = self.turn
        if turn.agent is None:
            return plan_of(turn.text, (), "direct", self.agents, warnings=warnings)
        task = Task(
            id=TaskId("t1"),
            agent=turn.agent,
            action=turn.asked,
            request=turn.text,
            intent=turn.intent,
            source_span=turn.span,
        )
        return plan_of(turn.text, (assigned(task, self.agents),), "direct", self.agents, warnings=warnings)

    def of_split(self, found: Split) -> Plan:
        """The plan of the split, or the direct plan where it has one part."""
        warnings = tuple(self.shortfalls(found))
        if len(found.tasks) > 1:
            plan = plan_of(self.turn.text, found.tasks, "split", self.agents, warnings=warnings)
            return self.collapsed(plan)
        if self.turn.agent is None and found.tasks:
            only = found.tasks[0]
            served = replace(self.turn, agent=only.agent, intent=only.intent)
            return replace(self, turn=served).direct(*warnings)
        return self.direct(*warnings)

    def without_model(self, found: Split, cause: str) -> Plan:
        """The best there is without the model, and why."""
        plan = self.of_split(found)
        is_direct = plan.source == "direct" and not plan.collapsed
        used = "the direct plan" if is_direct else "the split at the cues"
        return replace(plan, warnings=(f"{cause}; {used} is used", *plan.warnings))

    def after_refusal(self, found: Split, cause: str) -> Plan:
        """The direct plan; where the turn as a whole was declined, what its parts come to."""
        if self.turn.agent is None:
            return self.without_model(found, cause)
        return self.direct(f"{cause}; the direct plan is used")

    def shortfalls(self, found: Split) -> list[str]:
        warnings: list[str] = []
        if found.parts > self.policy.max_tasks:
            most = self.policy.max_tasks
            warnings.append(
                f"{found.parts} parts are more tasks than a plan may have ({most}: max_tasks); not split"
            )
        elif not found.complete and found.unrouted:
            warnings.append(
                f"no agent is sure of {unrouted_text(self.turn, found)}; kept with the words around it"
            )
        return warnings

    async def of_model(self, found: Split, ask: Ask) -> Plan:
        """The planner's plan, after at most one repair; else the direct plan, or PlanRefused, by policy."""
        variables = prompt_variables(self.turn, self.policy, self.agents, self.seams.facts)
        prompt = self.seams.render(self.policy.prompt, variables)
        reply = await ask(prompt)
        try:
            return self.read(reply, found)
        except PlanRefused as refused:
            first = refused
        repair = {
            "prompt": prompt,
            "reply": reply[:_MOST_QUOTED],
            "diagnostics": [str(d) for d in first.diagnostics],
        }
        try:
            return self.read(await ask(self.seams.render(REPAIR_PROMPT, repair)), found)
        except PlanRefused as second:
            if self.policy.on_invalid_plan == "fail":
                raise
            faults = "; ".join(map(str, second.diagnostics))
            return self.after_refusal(found, f"the planner's plan was refused twice ({faults})")

    def read(self, reply: str, found: Split) -> Plan:
        """The plan of a reply. Raises PlanRefused."""
        turn = self.turn
        offered = [name for name, agent in self.agents.items() if agent.offered]
        try:
            lines = parse(reply, offered, self.policy.max_tasks)
        except PlanRefused as refused:
            _, faults = self.assume_lines(reply, None)
            raise PlanRefused((*refused.diagnostics, *faults)) from None
        assumed = self.assumed(reply, lines)
        served = spans([line.action for line in lines], turn.text, turn.span, found.detected)
        tasks = tuple(
            replace(
                assigned(replace(self.task(line), source_span=span), self.agents),
                assumes=assumed.get(line.id, ()),
            )
            for line, span in zip(lines, served, strict=True)
        )
        plan = self.collapsed(plan_of(turn.text, tasks, "model", self.agents))
        if plan.source == "direct":
            return plan
        return replace(plan, warnings=uncovered(tasks, turn.text, found.detected))

    def assumed(self, reply: str, lines: Sequence[TaskLine]) -> Mapping[TaskId, tuple[Assumption, ...]]:
        """What each task takes for granted, by the reply. Raises PlanRefused."""
        found, faults = self.assume_lines(reply, [line.id for line in lines])
        if faults:
            raise PlanRefused(faults)
        ids = {line.task for line in found}
        return {id: tuple(dict.fromkeys(a.assumption for a in found if a.task == id)) for id in ids}

    def assume_lines(
        self, reply: str, tasks: Sequence[TaskId] | None
    ) -> tuple[tuple[AssumeLine, ...], tuple[Diagnostic, ...]]:
        """The assumptions of a reply; none where the planner was told of no facts."""
        values = {name: fact.value for name, fact in self.seams.facts.items()}
        return assuming.parse(reply, tasks, values) if values else ((), ())

    def task(self, line: TaskLine) -> Task:
        return Task(
            id=line.id,
            agent=line.agent,
            action=line.action,
            request=self.turn.text,
            depends_on=line.depends_on,
            map_over=line.map_over,
            intent=self.seams.intent_of(line.agent, line.action),
        )

    def collapsed(self, plan: Plan) -> Plan:
        return collapse(plan, self.policy.collapse, self.agents, self.turn.span)
