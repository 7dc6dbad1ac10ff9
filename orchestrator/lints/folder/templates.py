"""Templates that nothing renders, or that leave out what they are there to say.

Law: what a template says is tried, not guessed. It is rendered twice, with one value changed: where both come
out alike, it does not say that value. Shipped templates are held to be right, and so is a copy of one.
"""

from collections.abc import Iterator, Mapping
from typing import cast

from orchestrator.agents.contract import Output, Upstream
from orchestrator.errors import WorkspaceInvalid
from orchestrator.execution.settings import Budget
from orchestrator.execution.upstream import TEMPLATE, variables
from orchestrator.ids import AgentName, TaskId
from orchestrator.lints.subject import Subject
from orchestrator.planning.task import Task
from orchestrator.workspace.agent_file import DEFAULT_PROMPT
from orchestrator.workspace.value import Doubt, Spot

REPLY = "reply.j2"
_ALWAYS = ("classify.j2", TEMPLATE, DEFAULT_PROMPT, "repair.j2", REPLY)
"""Rendered by the program under these names."""
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "classify.j2": ("intents", "turn"),
    TEMPLATE: ("step",),
    "repair.j2": ("prompt", "diagnostics"),
}
"""The variables without which a template cannot do its work."""
_OF_THE_PLANNER = ("request", "agents")
_OTHER = "something else"


def template_doubts(subject: Subject) -> Iterator[Doubt]:
    """What is to be doubted of the templates that the workspace has of its own."""
    own = subject.prompts.changed_names()
    if not own:
        return
    planner = subject.workspace.planning.prompt
    agents = (agent.prompt for agent in subject.workspace.agents.values() if agent.prompt)
    used = subject.prompts.closure((*_ALWAYS, planner, *agents))
    for name in own:
        if used is not None and name not in used:
            message = "nothing renders this template; name it where it is meant, or take it out"
            yield Doubt("template-unused", _spot(name), message)
    for name, needed in {**_NEEDED, planner: _OF_THE_PLANNER}.items():
        if name in own:
            yield from _ignoring(subject, name, needed)
    if TEMPLATE in own:
        yield from _edge(subject)
    if REPLY in own:
        yield from _reply(subject)


def _ignoring(subject: Subject, name: str, needed: tuple[str, ...]) -> Iterator[Doubt]:
    missing = [variable for variable in needed if variable not in subject.prompts.variables(name)]
    if missing:
        named = " and ".join(f"`{variable}`" for variable in missing)
        message = f"it never reads {named}, which it is there to say; put {{{{ {missing[0]} }}}} in"
        yield Doubt("template-ignores", _spot(name), message)


def _edge(subject: Subject) -> Iterator[Doubt]:
    """What a step is shown of a result that it waits for, of which a piece had to be cut off."""
    task = Task(TaskId("t2"), AgentName("second"), "then eat it", "find fruit, then eat it")
    inputs = (Upstream(TaskId("t1"), AgentName("first"), Output("an apple and two pears")),)
    given = variables(task, inputs, budget=Budget(per_result=8, total=8))
    looks = {
        "edge-passes-nothing": ("text", "whatever a step waits for, it is shown nothing of it; put in {}"),
        "edge-without-fence": ("fence", "a result is not told from instructions; put {} before and after it"),
        "edge-hides-cut": ("cut_note", "a result that was cut looks whole; put {} behind it"),
    }
    yield from _trials(subject, TEMPLATE, given, "results", looks)


def _reply(subject: Subject) -> Iterator[Doubt]:
    """What a person is told of a run with a part that was done and one that failed."""
    done = {
        "id": "t1",
        "agent": "first",
        "action": "find",
        "status": "done",
        "reason": None,
        "text": "an apple",
    }
    failed = {**done, "id": "t2", "status": "failed", "reason": "it was gone", "text": None}
    given = {"request": "find fruit", "status": "partial", "parts": [done, failed]}
    looks = {
        "reply-without-text": ("text", "what was found is not told; put in {}"),
        "reply-without-reason": ("reason", "why a part was not done is not told; put in {}"),
    }
    yield from _trials(subject, REPLY, given, "parts", looks)


def _trials(
    subject: Subject,
    name: str,
    given: Mapping[str, object],
    many: str,
    looks: Mapping[str, tuple[str, str]],
) -> Iterator[Doubt]:
    """By code: a field of the elements of `many` that a template must say, and what to say where it does not.

    Nothing more is said of a template that does not say the first.
    """
    elements = cast("list[Mapping[str, object]]", given[many])
    try:
        shown = subject.prompts.render(name, given)
        for code, (field, message) in looks.items():
            other = [{**e, field: _OTHER} if e[field] else e for e in elements]
            if subject.prompts.render(name, {**given, many: other}) == shown:
                yield Doubt(code, _spot(name), message.format(f"the `{field}` of each of `{many}`"))
                return
    except WorkspaceInvalid as invalid:
        fault = invalid.faults[0]
        where = f" (line {fault.line})" if fault.line else ""
        yield Doubt("template-fails", _spot(name), f"it cannot be rendered: {fault.message}{where}")


def _spot(name: str) -> Spot:
    return Spot(f"prompts/{name}")
