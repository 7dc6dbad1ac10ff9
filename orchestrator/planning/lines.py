r"""The planner's reply: lines `TASK: id | action | agent | depends_on`, a small grammar.

Laws: what looks like a TASK line is a task or a diagnostic, never dropped; all faults are reported at once,
each with its line and what to do; parse(render(tasks)) == tasks. Ids are the same in any case. Prose around
the lines, numbering, bullets, bold, code fences and thinking blocks are let pass (`spoken`). `t1*` in
depends_on means once per item of t1's result.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from orchestrator.errors import Diagnostic, PlanRefused
from orchestrator.ids import AgentName, TaskId
from orchestrator.planning.plan import cycle_text
from orchestrator.planning.spoken import bare, escaped, form, spoken

_TASK = form("TASK: id | action | agent | depends_on")
_ID = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_NONE = frozenset({"", "none", "-", "–", "—", "n/a", "[]"})


@dataclass(frozen=True, slots=True)
class TaskLine:
    """One task as the planner wrote it. `line` is 1-based and does not count for equality."""

    id: TaskId
    action: str
    agent: AgentName
    depends_on: tuple[TaskId, ...] = ()
    map_over: TaskId | None = None
    line: int = field(default=0, compare=False)


class Written(Protocol):
    """Whatever can be written as a line."""

    @property
    def id(self) -> TaskId: ...  # noqa: D102 - as in TaskLine, also below
    @property
    def action(self) -> str: ...  # noqa: D102
    @property
    def agent(self) -> AgentName: ...  # noqa: D102
    @property
    def depends_on(self) -> tuple[TaskId, ...]: ...  # noqa: D102
    @property
    def map_over(self) -> TaskId | None: ...  # noqa: D102


def render(tasks: Iterable[Written]) -> str:
    """The tasks as the planner is to write them; line breaks in an action become spaces."""
    return "\n".join(f"TASK: {t.id} | {escaped(t.action)} | {t.agent} | {_dependencies(t)}" for t in tasks)


def parse(reply: str, agents: Collection[AgentName], max_tasks: int) -> tuple[TaskLine, ...]:
    """The tasks of a reply, in its order. Raises PlanRefused with every fault, in the order of the lines."""
    said, cut_off = spoken(reply)
    names = {name.casefold(): name for name in agents}
    tasks: list[TaskLine] = []
    faults: list[Diagnostic] = []
    for number, line in enumerate(said, 1):
        task, wrong = _read(number, line, names)
        faults += (Diagnostic(number, message) for message in wrong)
        if task is not None:
            tasks.append(task)
    if not tasks and not faults:
        cause = "it ends inside a thinking block" if cut_off else "it has no TASK line"
        faults.append(
            Diagnostic(0, f"the reply names no task: {cause}; write one line `{_TASK}` for each task")
        )
    faults += _broken_laws(tasks, max_tasks)
    if faults:
        raise PlanRefused(tuple(sorted(faults, key=lambda fault: fault.line)))
    return tuple(tasks)


def _read(number: int, line: str, names: Mapping[str, AgentName]) -> tuple[TaskLine | None, list[str]]:
    """The task of a line, as far as it can be told, and what is wrong with it; (None, []) for prose."""
    try:
        fields = _TASK.fields(line)
    except ValueError as error:
        return None, [f"a task is {error}"]
    if fields is None:
        return None, []
    name, action, agent, needs = fields
    task_id = bare(name).lower()
    depends_on, mapped = _needs(needs)
    wrong: list[str] = []
    if not _ID.fullmatch(task_id):
        wrong.append(f"{name!r} is no id; use t1, t2, …")
    if not action:
        wrong.append(f"the action of {task_id!r} is empty; say what the agent is to do")
    if bare(agent).casefold() not in names:
        wrong.append(f"unknown agent {agent!r}; use one of: {', '.join(sorted(names.values()))}")
    if len(mapped) > 1:
        wrong.append(
            f"{task_id!r} is to run per item of {' and '.join(mapped)}; mark one dependency with * only"
        )
    served_by = names.get(bare(agent).casefold(), AgentName(agent))
    return TaskLine(
        TaskId(task_id), action, served_by, depends_on, mapped[0] if mapped else None, number
    ), wrong


def _needs(text: str) -> tuple[tuple[TaskId, ...], tuple[TaskId, ...]]:
    """The ids a task depends on, each once, and those of them that are marked `*`."""
    text = re.sub(r"^\*\*(.+?)\*\*$", r"\1", text.strip(" `[]()")).strip(" `[]()")
    if text.casefold() in _NONE:
        return (), ()
    words = [w.strip("`'\"[]()").lower() for w in re.split(r"[,;\s]+", re.sub(r"\s+\*", "*", text)) if w]
    ids = dict.fromkeys(TaskId(w.removesuffix("*")) for w in words)
    return tuple(ids), tuple(dict.fromkeys(TaskId(w[:-1]) for w in words if w.endswith("*")))


def _dependencies(task: Written) -> str:
    return ", ".join(f"{d}*" if d == task.map_over else d for d in task.depends_on) or "none"


def _broken_laws(tasks: list[TaskLine], max_tasks: int) -> Iterator[Diagnostic]:
    lines: dict[TaskId, int] = {}
    for task in tasks:
        first = lines.setdefault(task.id, task.line)
        if first != task.line:
            yield Diagnostic(task.line, f"id {task.id!r} is taken by line {first}; give each task its own id")
    for task in tasks:
        for dependency in task.depends_on:
            if dependency == task.id:
                yield Diagnostic(task.line, f"{task.id!r} depends on itself; remove the dependency")
            elif dependency not in lines:
                yield Diagnostic(
                    task.line, f"{task.id!r} depends on the unknown task {dependency!r}; {_known(lines)}"
                )
    if len(tasks) > max_tasks:
        yield Diagnostic(
            tasks[max_tasks].line, f"{len(tasks)} tasks are more than {max_tasks}; make fewer, larger ones"
        )
    else:
        yield from _cycles(tasks, lines)


def _known(lines: Mapping[TaskId, int]) -> str:
    return f"the ids are: {', '.join(list(lines)[:20])}"


def _cycles(tasks: list[TaskLine], lines: Mapping[TaskId, int]) -> Iterator[Diagnostic]:
    if not any(t.depends_on for t in tasks):
        return
    from orchestrator.planning.graph import find_cycles

    for cycle in find_cycles(tasks):
        if len(cycle) > 2:
            yield Diagnostic(lines[cycle[0]], f"{cycle_text(cycle)}; remove one of these dependencies")
