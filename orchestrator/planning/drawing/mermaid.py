"""A plan as a Mermaid flowchart. Law: no text from outside means anything to Mermaid's grammar."""

from collections.abc import Sequence
from itertools import pairwise

from orchestrator.ids import TaskId
from orchestrator.planning.drawing.critical import critical_path, emphasised
from orchestrator.planning.drawing.width import cut
from orchestrator.planning.drawing.words import DOES, PER_ITEM, Waves, edges
from orchestrator.planning.task import Task

_ACTION = 60
_PLAIN = frozenset(" ,.!?'-_/=+·*")


def to_mermaid(tasks: Sequence[Task], waves: Waves) -> str:
    """Waves from left to right; an edge says if it is followed once per item; thick is the longest path."""
    names, by_id = _names(tasks), {t.id: t for t in tasks}
    lines = ["flowchart LR"]
    for number, wave in enumerate(waves, 1):
        lines.append(f'  subgraph wave{number}["wave {number}"]')
        lines += (f'    {names[id]}["{_label(by_id[id])}"]' for id in wave)
        lines.append("  end")
    thick = set(pairwise(emphasised(critical_path(tasks, waves), tasks)))
    for task, dependency in edges(tasks):
        dash = "==" if (dependency, task.id) in thick else "--"
        mark = f'{dash} "{PER_ITEM}" ' if dependency == task.map_over else ""
        lines.append(f"  {names[dependency]} {mark}{dash}> {names[task.id]}")
    return "\n".join(lines)


def _label(task: Task) -> str:
    head = f"{task.id} · {task.agent} · {DOES[task.effects]}"
    return f"{_escaped(cut(head, _ACTION))}<br/>{_escaped(cut(task.action, _ACTION))}"


def _names(tasks: Sequence[Task]) -> dict[TaskId, str]:
    """Node names for Mermaid, whose grammar has words of its own (`end`): t1, t2, … stay, others change."""
    return {
        t.id: t.id if t.id[:1] == "t" and t.id[1:].isdecimal() and t.id.isascii() else f"n{place}"
        for place, t in enumerate(tasks)
    }


def _escaped(text: str) -> str:
    """Every ASCII mark that could mean something becomes `#code;`."""
    return "".join(c if c.isalnum() or c in _PLAIN or not c.isascii() else f"#{ord(c)};" for c in text)
