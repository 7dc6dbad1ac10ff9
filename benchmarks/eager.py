"""The bound: an asyncio task per node, made when its last dependency is done. No limits, no journal."""

import asyncio

from benchmarks.shapes import Graph, value


async def run(graph: Graph) -> int:
    """The value of the last task."""
    return await _Eager(graph).run()


class _Eager:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        count = len(graph.needs)
        self.left = [len(graph.needs[n]) for n in range(count)]
        self.dependents: list[list[int]] = [[] for _ in range(count)]
        for n, needs in graph.needs.items():
            for d in needs:
                self.dependents[d].append(n)
        self.values = [0] * count
        self.alive: set[asyncio.Task[None]] = set()
        self.over = asyncio.get_running_loop().create_future()

    async def run(self) -> int:
        for n in self.graph.layers[0]:
            self.start(n)
        await self.over
        return self.values[-1]

    def start(self, n: int) -> None:
        task = asyncio.create_task(self.node(n))
        self.alive.add(task)
        task.add_done_callback(self.alive.discard)

    async def node(self, n: int) -> None:
        self.values[n] = await self.add(n)
        left = self.left
        for d in self.dependents[n]:
            left[d] -= 1
            if not left[d]:
                self.start(d)
        if n == len(left) - 1:
            self.over.set_result(None)

    async def add(self, n: int) -> int:
        return value([self.values[d] for d in self.graph.needs[n]])
