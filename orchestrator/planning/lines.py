r"""The planner's reply: lines `TASK: id | action | agent | depends_on`, a small grammar.

Laws: what looks like a TASK line is a task or a diagnostic, never dropped; all faults are reported at once,
each with its line and what to do; parse(render(tasks)) == tasks. Ids are the same in any case. Prose around
the lines, numbering, bullets, bold, code fences and thinking blocks are let pass.

A bar inside an action is written `\|`; a backslash elsewhere is a backslash. `t1*` in depends_on means once
per item of t1's result.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from orchestrator.errors import Diagnostic, PlanRefused
from orchestrator.ids import AgentName, TaskId
from orchestrator.planning.plan import cycle_text

FORMAT = "TASK: id | action | agent | depends_on"

_MARKS = r"*_`"
_HEAD = re.compile(
    r"^[\s>#|｜*_`+•–—-]*(?:(?:step\s+)?\(?(?:\d{1,4}|[a-z])[.):]+[\s|｜*_`]*)?TASK(?!_*[^\W\d_])(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_COLON = re.compile(rf"^(?:[\s_-]*#?\d{{1,4}})?[\s{_MARKS}]*[:：](?P<closed>[{_MARKS}]*)")
_OPENED = re.compile(rf"([{_MARKS}]+)TASK$", re.IGNORECASE)
"""Marks right before the word; with a blank between, a star is a bullet, and none will close it."""
_BAR = re.compile(r"(?<!\\)(\\*)([|｜])")
_ID = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_NONE = frozenset({"", "none", "-", "–", "—", "n/a", "[]"})
_THOUGHT = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)


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
    return "\n".join(
        f"TASK: {t.id} | {_escaped(' '.join(t.action.splitlines()))} | {t.agent} | {_dependencies(t)}"
        for t in tasks
    )


def parse(reply: str, agents: Collection[AgentName], max_tasks: int) -> tuple[TaskLine, ...]:
    """The tasks of a reply, in its order. Raises PlanRefused with every fault, in the order of the lines."""
    spoken, cut_off = _spoken(reply)
    names = {name.casefold(): name for name in agents}
    tasks: list[TaskLine] = []
    faults: list[Diagnostic] = []
    for number, line in enumerate(spoken, 1):
        task, wrong = _read(number, line, names)
        faults += (Diagnostic(number, message) for message in wrong)
        if task is not None:
            tasks.append(task)
    if not tasks and not faults:
        cause = "it ends inside a thinking block" if cut_off else "it has no TASK line"
        faults.append(
            Diagnostic(0, f"the reply names no task: {cause}; write one line `{FORMAT}` for each task")
        )
    faults += _broken_laws(tasks, max_tasks)
    if faults:
        raise PlanRefused(tuple(sorted(faults, key=lambda fault: fault.line)))
    return tuple(tasks)


def _read(number: int, line: str, names: Mapping[str, AgentName]) -> tuple[TaskLine | None, list[str]]:
    """The task of a line, as far as it can be told, and what is wrong with it; (None, []) for prose."""
    fields = _fields(line)
    if fields is None or [f.casefold() for f in fields] == FORMAT.removeprefix("TASK: ").split(" | "):
        return None, []
    if not fields:
        return None, [f"a task is `{FORMAT}`; write a colon after TASK"]
    if len(fields) not in (3, 4):
        wanted = r"write a bar inside an action as \|" if len(fields) > 4 else "write all of them"
        return None, [f"a task is `{FORMAT}`; found {len(fields)} of its 4 fields; {wanted}"]
    name, action, agent, needs = *fields, *[""] * (4 - len(fields))
    task_id = _bare(name).lower()
    depends_on, mapped = _needs(needs)
    wrong: list[str] = []
    if not _ID.fullmatch(task_id):
        wrong.append(f"{name!r} is no id; use t1, t2, …")
    if not action:
        wrong.append(f"the action of {task_id!r} is empty; say what the agent is to do")
    if _bare(agent).casefold() not in names:
        wrong.append(f"unknown agent {agent!r}; use one of: {', '.join(sorted(names.values()))}")
    if len(mapped) > 1:
        wrong.append(
            f"{task_id!r} is to run per item of {' and '.join(mapped)}; mark one dependency with * only"
        )
    served_by = names.get(_bare(agent).casefold(), AgentName(agent))
    return TaskLine(
        TaskId(task_id), action, served_by, depends_on, mapped[0] if mapped else None, number
    ), wrong


def _fields(line: str) -> list[str] | None:
    """What stands between the bars of a TASK line; None where the line is none."""
    head = _HEAD.match(line)
    if head is None:
        return None
    colon = _COLON.match(head["rest"])
    if colon is None:
        return [] if _BAR.search(head["rest"]) else None
    body = head["rest"][colon.end() :].strip()
    if not colon["closed"]:
        body = _unmarked(line[: head.start("rest")], body)
    fields = [field.strip() for field in _at_bars(body)]
    return fields[:-1] if len(fields) > 4 and not fields[-1] else fields


def _unmarked(head: str, body: str) -> str:
    """The body without the marks that close bold or code around the whole line, which the head opens."""
    marks = _OPENED.search(head)
    return body.removesuffix(marks[1]).rstrip() if marks else body


def _at_bars(body: str) -> Iterator[str]:
    """The body cut at its bars; an odd number of backslashes before a bar makes it part of the text."""
    piece, start = "", 0
    for bar in _BAR.finditer(body):
        slashes = len(bar[1])
        piece += body[start : bar.start()] + "\\" * (slashes // 2)
        start = bar.end()
        if slashes % 2:
            piece += bar[2]
        else:
            yield piece
            piece = ""
    yield piece + body[start:]


def _escaped(action: str) -> str:
    return _BAR.sub(lambda bar: bar[1] * 2 + "\\" + bar[2], action)


def _bare(name: str) -> str:
    return name.strip(" \t*`'\"[]()@")


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


def _spoken(reply: str) -> tuple[list[str], bool]:
    """The lines of the reply with thinking blanked out, and whether the reply ends inside of it.

    A block opens at the start of a line. One that only closes (the prompt opened it) takes all before it.
    """
    spoken: list[str] = []
    thinking = False
    for line in reply.splitlines():
        tags = list(_THOUGHT.finditer(line))
        opens = bool(tags) and not tags[0][1] and not line[: tags[0].start()].strip()
        closing = next((tag for tag in reversed(tags) if tag[1]), None)
        if closing is not None and (thinking or opens or _stands_alone(line, closing)):
            if not thinking and not opens:
                spoken = [""] * len(spoken)
            spoken.append(line[closing.end() :])
            thinking = False
        else:
            thinking = thinking or opens
            spoken.append("" if thinking else line)
    return spoken, thinking


def _stands_alone(line: str, tag: re.Match[str]) -> bool:
    return not line[: tag.start()].strip() or not line[tag.end() :].strip()
