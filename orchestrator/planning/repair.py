"""What is declared beforehand about how a plan is changed when an assumption breaks. Pure values.

A declared repair is part of the plan: whoever approves the plan has seen it.
"""

from dataclasses import dataclass

from orchestrator.comparison import Comparison
from orchestrator.ids import AgentName, Json, TaskId
from orchestrator.planning.task import Task


@dataclass(frozen=True, slots=True)
class Patch:
    """A task as it is to be from now on; None leaves a thing as it is.

    `action` is a template: `{{ facts.NAME }}` is what the fact is when the repair is made. With new
    `depends_on`, the task maps over what it did before, if it still depends on that, or over `map_over`.
    """

    task: TaskId
    action: str | None = None
    agent: AgentName | None = None
    depends_on: tuple[TaskId, ...] | None = None
    map_over: TaskId | None = None


@dataclass(frozen=True, slots=True)
class Repair:
    """What to do when a signal on the fact `on` contradicts a task, where the fact then is as `when` says.

    `patches` change tasks, `add` brings new ones (their actions are templates), `drop` leaves some out. Or
    `uses` names a registered repair, which works all that out. `because` is for people.
    """

    on: str
    when: Comparison | None = None
    patches: tuple[Patch, ...] = ()
    add: tuple[Task, ...] = ()
    drop: tuple[TaskId, ...] = ()
    uses: str | None = None
    because: str = ""

    def to_json(self) -> dict[str, Json]:
        """The repair as in `plan TEXT --json`."""
        return {
            "on": self.on,
            "when": None if self.when is None else self.when.to_json(),
            "patch": {
                p.task: {
                    name: value
                    for name, value in (
                        ("action", p.action),
                        ("agent", p.agent),
                        ("depends_on", None if p.depends_on is None else list(p.depends_on)),
                        ("map_over", p.map_over),
                    )
                    if value is not None
                }
                for p in self.patches
            },
            "add": [task.to_json() for task in self.add],
            "drop": list(self.drop),
            "uses": self.uses,
            "because": self.because,
        }
