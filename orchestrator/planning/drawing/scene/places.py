"""Where across the drawing each node stands.

Law: neighbours in a layer keep their order and their distance. Within that each node is drawn towards those
it is linked to, lines most of all, so that long ones run straight: a least-squares fit of one layer after the
other, forth and back. Linear in nodes and links.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from orchestrator.planning.drawing.scene.network import Layers, Network

_ROUNDS = 10
_BOX, _TO_LINE, _LINE = 1.0, 2.0, 8.0
"""How strongly a node is pulled: by a task to a task, between a task and a line, by the rest of its line."""
_REST = 0.01
"""How strongly a node that nothing pulls keeps its place."""


def placed(layers: Layers, network: Network, apart: Callable[[int, int], float]) -> list[float]:
    """The middle of every node; `apart` is the least distance between the middles of two neighbours."""
    rows = [(layer, _offsets(layer, apart)) for layer in layers]
    middles = [0.0] * len(network.layer_of)
    for layer, offsets in rows:
        _settle(middles, layer, [at - offsets[-1] / 2 for at in offsets])
    lines, ties = _lines(network), _ties(network)
    for n in range(_ROUNDS):
        straight = {bend: sum(middles[b] for b in line) / len(line) for line in lines for bend in line}
        for layer, offsets in rows[::-1] if n % 2 else rows:
            pulls = [_pull(middles[node], straight.get(node), ties[node], middles) for node in layer]
            _settle(middles, layer, _fitted(pulls, offsets))
    return middles


def _lines(network: Network) -> Iterable[list[int]]:
    """The bends of each task's line."""
    lines: dict[int, list[int]] = {}
    for (source, _), bend in network.bends.items():
        lines.setdefault(source, []).append(bend)
    return lines.values()


def _offsets(layer: Sequence[int], apart: Callable[[int, int], float]) -> list[float]:
    """How far from the layer's first node each stands at least."""
    return list(accumulate((apart(a, b) for a, b in pairwise(layer)), initial=0.0))


def _settle(middles: list[float], layer: Sequence[int], at: Iterable[float]) -> None:
    for node, middle in zip(layer, at, strict=True):
        middles[node] = middle


def _ties(network: Network) -> list[list[tuple[int, float]]]:
    """For each node those that pull it, each with its strength; along a line the line does."""
    return [
        [
            (other, _TO_LINE if network.is_bend(node) or network.is_bend(other) else _BOX)
            for other in (*above, *below)
            if not (network.is_bend(node) and network.is_bend(other))
        ]
        for node, (above, below) in enumerate(zip(network.above, network.below, strict=True))
    ]


def _pull(
    own: float, line: float | None, ties: Sequence[tuple[int, float]], middles: Sequence[float]
) -> tuple[float, float]:
    """Where a node would stand if it were alone, and how strongly it wants to."""
    total, weights = own * _REST, _REST
    if line is not None:
        total, weights = total + line * _LINE, weights + _LINE
    for other, weight in ties:
        total += middles[other] * weight
        weights += weight
    return total / weights, weights


def _fitted(pulls: Sequence[tuple[float, float]], offsets: Sequence[float]) -> Iterator[float]:
    """The places nearest to those wanted, by weighted squares, that stand apart.

    Neighbours in each other's way become a block, which stands where they want to together (pool adjacent
    violators).
    """
    blocks: list[tuple[float, float, int]] = []
    for (wanted, strength), offset in zip(pulls, offsets, strict=True):
        at, weight, count = wanted - offset, strength, 1
        while blocks and blocks[-1][0] > at:
            other, others, more = blocks.pop()
            at = (at * weight + other * others) / (weight + others)
            weight, count = weight + others, count + more
        blocks.append((at, weight, count))
    places = (at for at, _, count in blocks for _ in range(count))
    return (at + offset for at, offset in zip(places, offsets, strict=True))
