"""Limits that never bite, since another one is reached before. Only what stands in a file is doubted."""

from collections.abc import Iterator

from orchestrator.ids import AgentName
from orchestrator.lints.subject import MODELS, ORCHESTRATOR, Subject
from orchestrator.workspace.agent_file import DEFAULT_MODEL
from orchestrator.workspace.value import Doubt, Spot


def limit_doubts(subject: Subject) -> Iterator[Doubt]:
    """What is to be doubted of limits of agents, models, tasks and results."""
    for name in subject.workspace.agents:
        yield from _agent(subject, name)
    yield from _models(subject)
    orchestrator = subject.workspace.orchestrator
    wall, longest = orchestrator.budgets.run.wall_time, orchestrator.execution.task_timeout
    if wall is not None and longest > wall and "task_timeout" in orchestrator.execution.model_fields_set:
        spot = Spot(ORCHESTRATOR, "execution.task_timeout")
        yield Doubt("timeout-above-budget", spot, _beyond(longest, wall))
    inject = orchestrator.inject
    if inject.per_result > inject.total and "per_result" in inject.model_fields_set:
        message = (
            f"all results together get {inject.total:,} characters; set it to at most that, or raise `total`"
        )
        yield Doubt("inject-above-total", Spot(ORCHESTRATOR, "inject.per_result"), message)


def _agent(subject: Subject, name: AgentName) -> Iterator[Doubt]:
    """The limits of one agent against those of the run, and against what it does to the world."""
    agent, orchestrator = subject.workspace.agents[name], subject.workspace.orchestrator
    limits, most = agent.limits, orchestrator.execution.concurrency
    wall = orchestrator.budgets.run.wall_time
    if limits.concurrency > most and "concurrency" in limits.model_fields_set:
        message = f"a run does {most} tasks at once at most (`execution.concurrency`); lower it"
        yield Doubt("concurrency-above-run", subject.spot(name, "limits.concurrency"), message)
    if limits.timeout is not None and wall is not None and limits.timeout > wall:
        spot = subject.spot(name, "limits.timeout")
        yield Doubt("timeout-above-budget", spot, _beyond(limits.timeout, wall))
    retries = limits.retries and "retries" in limits.model_fields_set
    if retries and agent.effects == "write" and not agent.idempotent:
        message = (
            "it writes, so that an attempt that timed out is not made again but left in doubt; set 0, or "
            "`idempotent: true` where doing a task twice under one key is harmless"
        )
        yield Doubt("write-not-retried", subject.spot(name, "limits.retries"), message)


def _models(subject: Subject) -> Iterator[Doubt]:
    """A model whose own limit is beyond that of every agent that asks it."""
    workspace = subject.workspace
    longest: dict[str, float] = {}
    for name in subject.prompted:
        agent = workspace.agents[name]
        seconds = agent.limits.timeout or workspace.orchestrator.execution.task_timeout
        model = agent.model or DEFAULT_MODEL
        longest[model] = max(seconds, longest.get(model, 0.0))
    elsewhere = {workspace.routing.model, workspace.planning.model}
    for name, seconds in longest.items():
        model = workspace.models.models[name]
        if model.timeout > seconds and "timeout" in model.model_fields_set and name not in elsewhere:
            message = (
                f"a task that asks it ends after {seconds:g} s, so that its retries and fallbacks are never "
                "tried; lower it, or raise the `limits.timeout` of the agent"
            )
            yield Doubt("model-timeout-above-task", Spot(MODELS, f"models.{name}.timeout"), message)


def _beyond(seconds: float, wall: float) -> str:
    return f"a run ends after {wall:g} s (`budgets.run.wall_time`), before these {seconds:g} s; lower it"
