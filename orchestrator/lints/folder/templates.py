"""Templates that nothing renders, or that leave out what they are there to say.

Law: whether an edge passes anything is tried, not guessed: `dependent.j2` is rendered with two results, and a
template that writes the same for both shows neither. Shipped templates, which a workspace need not have, are
held to be right.
"""

from collections.abc import Iterator, Mapping

from orchestrator.agents.contract import Output, Upstream
from orchestrator.agents.llm import PROMPT
from orchestrator.errors import WorkspaceInvalid
from orchestrator.execution.settings import Budget
from orchestrator.execution.upstream import TEMPLATE, query_of
from orchestrator.ids import AgentName, TaskId
from orchestrator.lints.subject import PLANNING, Subject
from orchestrator.planning.task import Task
from orchestrator.workspace.value import Doubt, Spot

_ALWAYS = ("classify.j2", TEMPLATE, PROMPT, "repair.j2", "reply.j2")
"""Rendered by the program under these names."""
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "classify.j2": ("intents", "turn"),
    TEMPLATE: ("step",),
    "repair.j2": ("prompt", "diagnostics"),
    "reply.j2": ("parts",),
}
"""The variables without which a template cannot do its work."""
_OF_THE_PLANNER = ("request", "agents")


def template_doubts(subject: Subject) -> Iterator[Doubt]:
    """What is to be doubted of the templates in the workspace's own folder."""
    planner, own = subject.workspace.planning.prompt, set(subject.prompts.own_names())
    agents = (agent.prompt for agent in subject.workspace.agents.values() if agent.prompt)
    used = subject.prompts.closure((*_ALWAYS, planner, *agents))
    for name in sorted(own - used) if used is not None else ():
        message = "nothing renders this template; name it where it is meant, or take it out"
        yield Doubt("template-unused", _spot(name), message)
    for name, needed in {**_NEEDED, planner: _OF_THE_PLANNER}.items():
        if name in own:
            yield from _ignoring(subject, name, needed)
    if TEMPLATE in own:
        yield from _edge(subject)


def _ignoring(subject: Subject, name: str, needed: tuple[str, ...]) -> Iterator[Doubt]:
    missing = [variable for variable in needed if variable not in subject.prompts.variables(name)]
    if missing:
        named = " and ".join(f"`{variable}`" for variable in missing)
        message = f"it never reads {named}, which it is there to say; put {{{{ {missing[0]} }}}} in"
        also = (Spot(PLANNING, "prompt"),) if name not in _NEEDED else ()
        yield Doubt("template-ignores", _spot(name), message, also)


def _edge(subject: Subject) -> Iterator[Doubt]:
    """What a step is shown of a result that it waits for."""
    try:
        shown = {_shown(subject, result) for result in ("an apple", "two pears")}
    except WorkspaceInvalid as invalid:
        fault = invalid.faults[0]
        where = f" (line {fault.line})" if fault.line else ""
        yield Doubt("template-fails", _spot(TEMPLATE), f"a step with one result: {fault.message}{where}")
        return
    if len(shown) == 1:
        message = (
            "whatever a step waits for, it is shown nothing of it: put the `text` of each of `results` in, "
            "between its `fence`"
        )
        yield Doubt("edge-passes-nothing", _spot(TEMPLATE), message)


def _shown(subject: Subject, result: str) -> str:
    task = Task(TaskId("t2"), AgentName("second"), "then eat it", "find fruit, then eat it")
    inputs = (Upstream(TaskId("t1"), AgentName("first"), Output(result)),)
    return query_of(task, inputs, render=subject.prompts.render, budget=Budget(4000, 16000))


def _spot(name: str) -> Spot:
    return Spot(f"prompts/{name}")
