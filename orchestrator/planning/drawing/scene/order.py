"""The order of the nodes within their layers.

Law: of the orders that some sweeps of barycentres come upon it is the one with the fewest crossings, and
never has more than the plan's own. The same plan is always ordered alike.
"""

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence

from orchestrator.planning.drawing.scene.network import Layers, Network

_SWEEPS = 16
_PATIENCE = 4


def ordered(network: Network) -> Layers:
    """The layers of the network in an order with few crossings."""
    best = layers = network.layers
    fewest, stale = crossings(layers, network), 0
    for sweep in range(_SWEEPS):
        if not fewest or stale == _PATIENCE:
            break
        if sweep % 2:
            layers = tuple(_swept(layers[::-1], network.below))[::-1]
        else:
            layers = tuple(_swept(layers, network.above))
        found, stale = crossings(layers, network), stale + 1
        if found < fewest:
            best, fewest, stale = layers, found, 0
    return best


def crossings(layers: Layers, network: Network) -> int:
    """How many pairs of links cross."""
    place = {node: n for layer in layers for n, node in enumerate(layer)}
    return sum(
        _inversions(n for upper in layer for n in sorted(place[lower] for lower in network.below[upper]))
        for layer in layers
    )


def _inversions(numbers: Iterable[int]) -> int:
    """How many pairs stand the wrong way round. The list moves as one block of memory: fast, not linear."""
    seen: list[int] = []
    count = 0
    for n in numbers:
        count += len(seen) - bisect_right(seen, n)
        insort(seen, n)
    return count


def _swept(layers: Layers, neighbours: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Each layer sorted by the middle of a node's neighbours in the layer before; others keep their part."""
    place: dict[int, float] = {}
    for layer in layers:
        share = {node: (n + 0.5) / len(layer) for n, node in enumerate(layer)}
        wanted = {
            node: sum(place[o] for o in around) / len(around) if (around := neighbours[node]) else share[node]
            for node in layer
        }
        order = tuple(sorted(layer, key=wanted.__getitem__))
        place = {node: (n + 0.5) / len(order) for n, node in enumerate(order)}
        yield order
