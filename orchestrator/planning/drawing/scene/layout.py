"""Where everything of a plan stands: boxes by layer, bands around the layers, lines between the boxes.

Law: no two boxes overlap; a line touches no box but its own two: within a layer it runs straight along the
way of the plan, in a place of its own, and only between layers it swings from one place to the next.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from orchestrator.planning.drawing.scene.geometry import Curve, Rect, Way, swung, turned
from orchestrator.planning.drawing.scene.network import Network, network_of
from orchestrator.planning.drawing.scene.order import ordered
from orchestrator.planning.drawing.scene.places import placed

Edge: TypeAlias = tuple[int, int]

MARGIN = 16.0
BAND = 12.0
"""Between a box and the edge of its wave's band."""
ARROW = 9.0
"""An arrow's length: a line ends so much before its box."""
_BETWEEN_BOXES, _BESIDE_A_LINE = 26.0, 16.0
_GAP, _SWING, _MOST_SWING = 64.0, 0.08, 110.0
"""Between two layers: so much at least, and more the further a line has to swing."""
_TREMOR = 1.5
"""A line does not swerve for less."""
_PORT = 16.0
"""Between two arrow heads at one box."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes in the order of their sizes, bands in that of the waves, each edge as curves end to end."""

    width: float
    height: float
    boxes: tuple[Rect, ...]
    bands: tuple[Rect, ...]
    lines: Mapping[Edge, tuple[Curve, ...]]


@dataclass(frozen=True, slots=True)
class _Plot:
    """The layout before it is turned: `middles` and `breadths` are across, `spans` of the layers along."""

    network: Network
    lengths: Sequence[float]
    breadths: Sequence[float]
    middles: Sequence[float]
    spans: Sequence[tuple[float, float]]

    def corner(self, task: int) -> tuple[float, float]:
        """Where the task's box begins, along and across."""
        start, _ = self.spans[self.network.layer_of[task]]
        return start, self.middles[task] - self.breadths[task] / 2


def laid_out(
    sizes: Sequence[tuple[float, float]],
    waves: Sequence[Sequence[int]],
    edges: Sequence[Edge],
    way: Way,
    *,
    labels: float,
) -> Layout:
    """The layout of boxes of these sizes; `labels` is the room across that the names of the waves take."""
    plot = _plotted([turned(*size, way) for size in sizes], network_of(waves, edges), MARGIN + labels + BAND)
    ports = _ports(plot, edges)
    farthest = max((m + b / 2 for m, b in zip(plot.middles, plot.breadths, strict=True)), default=0.0)
    far = farthest + BAND + MARGIN
    end = plot.spans[-1][1] + BAND + MARGIN if plot.spans else MARGIN
    return Layout(
        *turned(end, far, way),
        boxes=tuple(Rect(*turned(*plot.corner(n), way), *size) for n, size in enumerate(sizes)),
        bands=tuple(
            Rect(*turned(start - BAND, MARGIN, way), *turned(stop - start + 2 * BAND, far - 2 * MARGIN, way))
            for start, stop in plot.spans
        ),
        lines={edge: tuple(swung(_knots(plot, edge, ports[edge]), way)) for edge in edges},
    )


def _plotted(sizes: Sequence[tuple[float, float]], network: Network, first: float) -> _Plot:
    """`sizes` are along and across; the nearest box across begins at `first`."""
    bends = len(network.layer_of) - len(sizes)
    lengths, breadths = [along for along, _ in sizes], [across for _, across in sizes] + [0.0] * bends

    def apart(a: int, b: int) -> float:
        is_line = network.is_bend(a) or network.is_bend(b)
        return (breadths[a] + breadths[b]) / 2 + (_BESIDE_A_LINE if is_line else _BETWEEN_BOXES)

    middles = placed(ordered(network), network, apart)
    nearest = min((m - b / 2 for m, b in zip(middles, breadths, strict=True)), default=0.0)
    middles = [m - nearest + first for m in middles]
    return _Plot(network, lengths, breadths, middles, tuple(_spans(network, lengths, middles)))


def _spans(
    network: Network, lengths: Sequence[float], middles: Sequence[float]
) -> Iterator[tuple[float, float]]:
    """Where along the plan each layer's boxes begin and where the longest ends."""
    at = MARGIN + BAND
    for layer in network.layers:
        end = at + max(lengths[node] for node in layer if not network.is_bend(node))
        yield at, end
        swing = max((abs(middles[a] - middles[b]) for a in layer for b in network.below[a]), default=0.0)
        at = end + _GAP + min(_MOST_SWING, swing * _SWING)


def _ports(plot: _Plot, edges: Sequence[Edge]) -> Mapping[Edge, float]:
    """Where across each line arrives: side by side, in the order in which they come."""
    arriving: dict[int, list[tuple[float, Edge]]] = {}
    for source, target in edges:
        before = plot.network.way(source, target)[-2]
        arriving.setdefault(target, []).append((plot.middles[before], (source, target)))
    ports: dict[Edge, float] = {}
    for target, lines in arriving.items():
        room = plot.breadths[target] - 2 * _PORT
        step = min(_PORT, room / max(1, len(lines) - 1))
        for n, (_, edge) in enumerate(sorted(lines)):
            ports[edge] = plot.middles[target] + (n - (len(lines) - 1) / 2) * step
    return ports


def _knots(plot: _Plot, edge: Edge, port: float) -> Iterator[tuple[float, float]]:
    """The line (along, across) from the source's end through its bends to the arrow at its port."""
    source, *bends, target = plot.network.way(*edge)
    at = plot.middles[source]
    start, end = plot.spans[plot.network.layer_of[source]]
    yield start + plot.lengths[source], at
    yield end, at
    for bend in bends:
        at = _steady(at, plot.middles[bend])
        for along in plot.spans[plot.network.layer_of[bend]]:
            yield along, at
    yield plot.spans[plot.network.layer_of[target]][0] - ARROW, _steady(at, port)


def _steady(before: float, wanted: float) -> float:
    return before if abs(wanted - before) < _TREMOR else wanted
