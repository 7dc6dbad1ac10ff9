"""The peer, where it is installed: langgraph's StateGraph, without checkpoints, compiled before."""

import asyncio
import operator
from functools import cache
from typing import Annotated, Any, TypedDict

from benchmarks.shapes import Graph, value


class _State(TypedDict):
    values: Annotated[dict[int, int], operator.or_]


@cache
def _compiled(needs: tuple[tuple[int, tuple[int, ...]], ...]) -> Any:
    from langgraph.graph import END, START, StateGraph

    builder = StateGraph(_State)
    for n, upstream in needs:

        async def node(state: _State, n: int = n, upstream: tuple[int, ...] = upstream) -> _State:
            return {"values": {n: value([state["values"][d] for d in upstream])}}

        builder.add_node(str(n), node)
        builder.add_edge([str(d) for d in upstream] if upstream else START, str(n))
    builder.add_edge(str(len(needs) - 1), END)
    return builder.compile()


def run(graph: Graph) -> int:
    """The value of the last task."""
    compiled = _compiled(tuple(sorted(graph.needs.items())))
    config = {"recursion_limit": len(graph.layers) + 5}
    return asyncio.run(compiled.ainvoke({"values": {}}, config))["values"][len(graph.needs) - 1]
