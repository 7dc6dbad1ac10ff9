"""The peer, where it is installed: langgraph's StateGraph, in memory or with its SQLite checkpointer."""

import asyncio
import operator
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypedDict

from benchmarks.shapes import Graph, value


class _State(TypedDict):
    values: Annotated[dict[int, int], operator.or_]


def _built(graph: Graph, seconds: float | Mapping[int, float] = 0.0) -> Any:
    from langgraph.graph import END, START, StateGraph

    builder = StateGraph(_State)
    for n, upstream in sorted(graph.needs.items()):

        async def node(state: _State, n: int = n, upstream: tuple[int, ...] = upstream) -> _State:
            if seconds:
                await asyncio.sleep(seconds if isinstance(seconds, float) else seconds[n])
            return {"values": {n: value([state["values"][d] for d in upstream])}}

        builder.add_node(str(n), node)
        builder.add_edge([str(d) for d in upstream] if upstream else START, str(n))
    builder.add_edge(str(len(graph.needs) - 1), END)
    return builder


@cache
def _compiled(needs: tuple[tuple[int, tuple[int, ...]], ...]) -> Any:
    return _built(Graph((), dict(needs))).compile()


def run(graph: Graph) -> int:
    """The value of the last task."""
    compiled = _compiled(tuple(sorted(graph.needs.items())))
    config = {"recursion_limit": len(graph.layers) + 5}
    return asyncio.run(compiled.ainvoke({"values": {}}, config))["values"][len(graph.needs) - 1]


async def slowly(graph: Graph, seconds: Mapping[int, float]) -> int:
    """The value of the last task, where task n takes `seconds[n]`."""
    config = {"recursion_limit": len(graph.layers) + 5}
    found = await _built(graph, seconds).compile().ainvoke({"values": {}}, config)
    return found["values"][len(graph.needs) - 1]


@asynccontextmanager
async def saved(graph: Graph, file: Path) -> AsyncGenerator[Callable[[str], Awaitable[None]]]:
    """The same with the SQLite checkpointer, as its documentation sets it up; runs it under a name."""
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    async with AsyncSqliteSaver.from_conn_string(str(file)) as saver:
        compiled = _built(graph).compile(checkpointer=saver)

        async def run(name: str) -> None:
            config = {"recursion_limit": len(graph.layers) + 5, "configurable": {"thread_id": name}}
            found = await compiled.ainvoke({"values": {}}, config)
            if found["values"][len(graph.needs) - 1] != graph.expected:
                raise SystemExit("a wrong result of the peer")

        yield run


async def run_many_saved(graph: Graph, runs: int, seconds: float, file: Path) -> None:
    """Many at once over one checkpointer; every task takes so many seconds."""
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    async with AsyncSqliteSaver.from_conn_string(str(file)) as saver:
        compiled = _built(graph, seconds).compile(checkpointer=saver)
        found = await asyncio.gather(
            *(compiled.ainvoke({"values": {}}, {"configurable": {"thread_id": str(n)}}) for n in range(runs))
        )
    if any(f["values"][len(graph.needs) - 1] != graph.expected for f in found):
        raise SystemExit("a wrong result of the peer")
