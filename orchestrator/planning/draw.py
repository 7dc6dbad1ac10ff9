"""A plan drawn: as text for a terminal, as a Mermaid flowchart, in Graphviz DOT.

Law: whatever stands in an action, a drawing stays valid; no text from outside reaches a drawing unescaped. A
mapped edge is marked `*`: the task runs once per item.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from orchestrator.ids import Effects, TaskId
from orchestrator.planning.task import Task

Waves: TypeAlias = Sequence[Sequence[TaskId]]

_DOES: Mapping[Effects, str] = {"none": "no effects", "read": "reads", "write": "writes"}
_WIDTH = 100
_ACTION = 60
_PLAIN = frozenset(" ,.!?'-_/=+·*")


def to_text(tasks: Sequence[Task], waves: Waves) -> str:
    """The waves, and in each its tasks with agent, effects, action and what they wait for."""
    if not tasks:
        return "no tasks"
    by_id = {t.id: t for t in tasks}
    ids = max(len(t.id) for t in tasks)
    agents = max(len(t.agent) for t in tasks)
    effects = max(len(_DOES[t.effects]) for t in tasks)
    lines: list[str] = []
    for number, wave in enumerate(waves, 1):
        lines.append(f"wave {number}")
        for task in (by_id[i] for i in wave):
            head = f"  {task.id:{ids}}  {task.agent:{agents}}  {_DOES[task.effects]:{effects}}  "
            after = _after(task)
            room = max(20, _WIDTH - len(head) - len(after))
            lines.append(f"{head}{_one_line(task.action, room)}{after}")
    return "\n".join(lines)


def to_mermaid(tasks: Sequence[Task], waves: Waves) -> str:
    """A flowchart: waves from left to right, `*` on an edge that is followed once per item."""
    names, by_id = _names(tasks), {t.id: t for t in tasks}
    lines = ["flowchart LR"]
    for number, wave in enumerate(waves, 1):
        lines.append(f'  subgraph wave{number}["wave {number}"]')
        lines += (
            f'    {names[t.id]}["{"<br/>".join(map(_for_mermaid, _label(t)))}"]'
            for t in (by_id[i] for i in wave)
        )
        lines.append("  end")
    for task, dependency in _edges(tasks):
        arrow = '-- "*" -->' if dependency == task.map_over else "-->"
        lines.append(f"  {names[dependency]} {arrow} {names[task.id]}")
    return "\n".join(lines)


def to_dot(tasks: Sequence[Task], waves: Waves) -> str:
    """A digraph: a rank for each wave, `*` on an edge that is followed once per item."""
    by_id = {t.id: t for t in tasks}
    lines = ["digraph plan {", "  rankdir=LR;", "  node [shape=box];"]
    for number, wave in enumerate(waves, 1):
        lines += [f"  subgraph cluster_{number} {{", f'    label="wave {number}";']
        lines += (f'    {_for_dot(t.id)} [label="{_inside(_label(t))}"];' for t in (by_id[i] for i in wave))
        lines.append("  }")
    for task, dependency in _edges(tasks):
        mark = ' [label="*"]' if dependency == task.map_over else ""
        lines.append(f"  {_for_dot(dependency)} -> {_for_dot(task.id)}{mark};")
    lines.append("}")
    return "\n".join(lines)


def _after(task: Task) -> str:
    waits = [f"each item of {d}" if d == task.map_over else d for d in task.depends_on]
    return f"  after {', '.join(waits)}" if waits else ""


def _edges(tasks: Sequence[Task]) -> Iterator[tuple[Task, TaskId]]:
    return ((task, dependency) for task in tasks for dependency in task.depends_on)


def _label(task: Task) -> tuple[str, str]:
    return f"{task.id} · {task.agent} · {_DOES[task.effects]}", _one_line(task.action, _ACTION)


def _names(tasks: Sequence[Task]) -> dict[TaskId, str]:
    """Node names for Mermaid, whose grammar has words of its own (`end`): t1, t2, … stay, others change."""
    return {
        t.id: t.id if t.id[:1] == "t" and t.id[1:].isdecimal() and t.id.isascii() else f"n{place}"
        for place, t in enumerate(tasks)
    }


def _one_line(text: str, width: int) -> str:
    """The text on one line, printable, cut to the width."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    line = " ".join(shown.split())
    return line if len(line) <= width else f"{line[: width - 1].rstrip()}…"


def _for_mermaid(text: str) -> str:
    """Every ASCII mark that could mean something becomes `#code;`."""
    return "".join(c if c.isalnum() or c in _PLAIN or not c.isascii() else f"#{ord(c)};" for c in text)


def _for_dot(text: str) -> str:
    return f'"{_escaped_for_dot(text)}"'


def _inside(label: tuple[str, str]) -> str:
    return r"\n".join(map(_escaped_for_dot, label))


def _escaped_for_dot(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"")
