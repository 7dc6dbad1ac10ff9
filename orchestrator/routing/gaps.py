"""Gapped cues: the pieces of `first ... then`, found apart, are paired.

Law: the earliest open piece is taken that is near enough, pairs do not overlap, and every piece found is
looked at once, so that time is linear however often a first piece is repeated.
"""

import re
from collections import deque
from typing import TypeAlias

from orchestrator.ids import Span

Chain: TypeAlias = tuple[Span, ...]

_GAP = re.compile(r"\.{3,}|…")


def pieces_of(cue: str) -> tuple[str, ...]:
    """The literal pieces of a cue; a plain cue has one. A blank piece is the operator's fault."""
    return tuple(piece.strip() for piece in _GAP.split(cue))


class Pairing:
    """The open and the complete chains of one gapped cue in one text."""

    def __init__(self, size: int, max_gap: int) -> None:
        """For a cue of `size` pieces with at most `max_gap` characters between two of them."""
        self.complete: list[Chain] = []
        self._max_gap = max_gap
        self._open: tuple[deque[Chain], ...] = tuple(deque() for _ in range(size))

    def add(self, piece: int, span: Span) -> None:
        """Piece number `piece` was found at `span`. Called in the order of starts; where one place is several
        pieces of the cue, the last of them first."""
        if piece == 0:
            if not self.complete or span[0] >= self.complete[-1][-1][1]:
                self._open[0].append((span,))
            return
        before = self._nearest(self._open[piece - 1], span[0])
        if before is None:
            return
        chain = (*before, span)
        if piece + 1 < len(self._open):
            self._open[piece].append(chain)
            return
        self.complete.append(chain)
        for chains in self._open:
            chains.clear()

    def _nearest(self, chains: deque[Chain], start: int) -> Chain | None:
        """The earliest chain that ends before `start` and not too far from it; those too far are dropped."""
        while chains and start - chains[0][-1][1] > self._max_gap:
            chains.popleft()
        return chains[0] if chains and chains[0][-1][1] <= start else None
