"""The laws of the DAG, by networkx: its cycles and its generations.

The only module that knows networkx, which costs a quarter of a second to import: it is imported for plans
with dependencies alone. An edge leads from a task to the one that waits for it. Dependencies on unknown
tasks are no edges; whoever calls reports them.
"""

from collections.abc import Sequence
from typing import Protocol

import networkx as nx

from orchestrator.ids import TaskId


class Node(Protocol):
    """Whatever has an id and dependencies."""

    @property
    def id(self) -> TaskId:
        """Its name."""
        ...

    @property
    def depends_on(self) -> tuple[TaskId, ...]:
        """What must end before it starts."""
        ...


def find_cycles(tasks: Sequence[Node]) -> tuple[tuple[TaskId, ...], ...]:
    """One closed path (t1, t2, t1) for each knot of tasks that wait for each other, in plan order.

    Each path starts at the knot's first task and is a shortest one through it.
    """
    graph = _graph(tasks)
    order = {task.id: place for place, task in reversed(tuple(enumerate(tasks)))}
    knots = [
        k for k in nx.strongly_connected_components(graph) if len(k) > 1 or graph.has_edge(*tuple(k) * 2)
    ]
    firsts = sorted((min(knot, key=order.__getitem__) for knot in knots), key=order.__getitem__)
    return tuple(_way_round(graph, first) for first in firsts)


def generations(tasks: Sequence[Node]) -> tuple[tuple[TaskId, ...], ...] | None:
    """The waves of the plan, each in plan order; None where there is a cycle."""
    order = {task.id: place for place, task in enumerate(tasks)}
    try:
        waves = [sorted(wave, key=order.__getitem__) for wave in nx.topological_generations(_graph(tasks))]
    except nx.NetworkXUnfeasible:
        return None
    return tuple(map(tuple, waves))


def _graph(tasks: Sequence[Node]) -> "nx.DiGraph[TaskId]":
    graph: nx.DiGraph[TaskId] = nx.DiGraph()
    graph.add_nodes_from(task.id for task in tasks)
    known = set(graph)
    graph.add_edges_from((d, task.id) for task in tasks for d in task.depends_on if d in known)
    return graph


def _way_round(graph: "nx.DiGraph[TaskId]", start: TaskId) -> tuple[TaskId, ...]:
    """The shortest way from `start` back to it."""
    ways = nx.single_source_shortest_path(graph, start)
    back = min((ways[last] for last in graph.predecessors(start) if last in ways), key=len)
    return (*back, start)
