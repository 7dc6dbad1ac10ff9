"""A plan in Graphviz DOT. Law: every text from outside is one quoted string."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from orchestrator.ids import Effects
from orchestrator.planning.drawing.critical import critical_path, emphasised
from orchestrator.planning.drawing.width import cut
from orchestrator.planning.drawing.words import DOES, PER_ITEM, Waves, edges
from orchestrator.planning.task import Task

_ACTION = 60
_SHAPE: Mapping[Effects, str] = {"none": "", "read": ", style=rounded", "write": ", peripheries=2"}


def to_dot(tasks: Sequence[Task], waves: Waves) -> str:
    """A digraph, a cluster for each wave: round boxes read, double ones write; thick is the longest path."""
    by_id = {t.id: t for t in tasks}
    lines = ["digraph plan {", "  rankdir=LR;", "  node [shape=box];"]
    for number, wave in enumerate(waves, 1):
        lines += [f"  subgraph cluster_{number} {{", f'    label="wave {number}";']
        lines += (f"    {_quoted(id)} [label={_label(by_id[id])}{_SHAPE[by_id[id].effects]}];" for id in wave)
        lines.append("  }")
    thick = set(pairwise(emphasised(critical_path(tasks, waves), tasks)))
    for task, dependency in edges(tasks):
        marks = [f'label="{PER_ITEM}"'] if dependency == task.map_over else []
        marks += ["penwidth=3"] if (dependency, task.id) in thick else []
        shown = f" [{', '.join(marks)}]" if marks else ""
        lines.append(f"  {_quoted(dependency)} -> {_quoted(task.id)}{shown};")
    lines.append("}")
    return "\n".join(lines)


def _label(task: Task) -> str:
    head = cut(f"{task.id} · {task.agent} · {DOES[task.effects]}", _ACTION)
    return rf'"{_escaped(head)}\n{_escaped(cut(task.action, _ACTION))}"'


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"")
