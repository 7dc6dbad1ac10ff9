"""Plans to schedule: a chain, a fan, and layers, each task numbered so that results can be checked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from orchestrator.ids import AgentName, TaskId
from orchestrator.planning.plan import Plan, Task


@dataclass(frozen=True, slots=True)
class Graph:
    """Dependencies by task number, in layers; task n depends on tasks of earlier layers."""

    layers: tuple[tuple[int, ...], ...]
    needs: Mapping[int, tuple[int, ...]]

    @property
    def expected(self) -> int:
        """What the last task comes to: each is one more than the sum of what it needs."""
        values: dict[int, int] = {}
        for layer in self.layers:
            for n in layer:
                values[n] = value([values[d] for d in self.needs[n]])
        return values[len(values) - 1]


def value(upstream: list[int]) -> int:
    """What a task makes of the values it depends on."""
    return (1 + sum(upstream)) % 1_000_003


def chain(n: int) -> Graph:
    return Graph(tuple((i,) for i in range(n)), {i: (i - 1,) if i else () for i in range(n)})


def fan(n: int) -> Graph:
    """One, then n - 2 side by side, then one that needs them all."""
    middle = tuple(range(1, n - 1))
    return Graph(((0,), middle, (n - 1,)), {0: (), **dict.fromkeys(middle, (0,)), n - 1: middle})


def layered(n: int) -> Graph:
    """Layers as wide as they are many; a task needs three of the layer before, the last what is left."""
    width = round(n**0.5)
    needs: dict[int, tuple[int, ...]] = {}
    layers: list[tuple[int, ...]] = []
    for start in range(0, n - 1, width):
        layer = tuple(range(start, min(start + width, n - 1)))
        before = layers[-1] if layers else ()
        for i in layer:
            needs[i] = tuple({before[(i + k) % len(before)]: None for k in (0, 1, 3)}) if before else ()
        layers.append(layer)
    read = {d for upstream in needs.values() for d in upstream}
    needs[n - 1] = tuple(i for i in needs if i not in read)
    return Graph((*layers, (n - 1,)), needs)


SHAPES: Mapping[str, Callable[[int], Graph]] = {"chain": chain, "fan": fan, "layered": layered}


def plan_from(graph: Graph) -> Plan:
    """The graph as a plan; made directly, since checking a plan is not what is measured."""
    request = "a request"
    tasks = tuple(
        Task(
            TaskId(f"t{n}"),
            AgentName("adder"),
            "add",
            request,
            tuple(TaskId(f"t{d}") for d in graph.needs[n]),
        )
        for layer in graph.layers
        for n in layer
    )
    return Plan(
        request, tasks, tuple(tuple(TaskId(f"t{n}") for n in layer) for layer in graph.layers), "model"
    )
