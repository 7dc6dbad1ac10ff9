"""The plan as a network of layers, in which every link joins a node of one layer with one of the next.

A line to a task further on bends in each layer that it passes. Law: a bend takes a place there as a task
does, so that no line can lead through a task. Lines from one task share their bends, as far as they can.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Layers: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Network:
    """Nodes by number: first the tasks in plan order, then the bends.

    `above` and `below` are each node's neighbours in the layers beside its own; `bends` knows a bend by the
    task that its line comes from and its layer.
    """

    tasks: int
    layers: Layers
    layer_of: Sequence[int]
    above: Sequence[Sequence[int]]
    below: Sequence[Sequence[int]]
    bends: Mapping[tuple[int, int], int]

    def is_bend(self, node: int) -> bool:
        """Whether the node is no task, but where a line passes a layer."""
        return node >= self.tasks

    def way(self, source: int, target: int) -> tuple[int, ...]:
        """The nodes of a line, both ends included."""
        between = range(self.layer_of[source] + 1, self.layer_of[target])
        return (source, *(self.bends[source, layer] for layer in between), target)


def network_of(waves: Sequence[Sequence[int]], edges: Sequence[tuple[int, int]]) -> Network:
    """The network of these waves of task numbers, in the plan's order, bends last in their layer."""
    layers = [list(wave) for wave in waves]
    tasks = sum(map(len, layers))
    layer_of = dict(sorted((node, n) for n, layer in enumerate(layers) for node in layer))
    bends: dict[tuple[int, int], int] = {}
    links: dict[tuple[int, int], None] = {}
    for source, target in edges:
        last = source
        for layer in range(layer_of[source] + 1, layer_of[target]):
            bend = bends.get((source, layer))
            if bend is None:
                bend = bends[source, layer] = len(layer_of)
                layer_of[bend] = layer
                layers[layer].append(bend)
            links[last, bend] = None
            last = bend
        links[last, target] = None
    above: list[list[int]] = [[] for _ in layer_of]
    below: list[list[int]] = [[] for _ in layer_of]
    for upper, lower in links:
        above[lower].append(upper)
        below[upper].append(lower)
    return Network(tasks, tuple(map(tuple, layers)), tuple(layer_of.values()), above, below, bends)
