"""The cues of `config/multi_step.yaml`, compiled: which of them stand where in a turn.

No cue word is in code; without cues nothing is found. Where cues overlap, strong ones come before joiners and
weak ones, then the leftmost, then the longest. A piece of a gapped cue grows over the strong cue it overlaps
(`first … and then` is one cue, not two), so that no character belongs to a plain cue and to another one.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from orchestrator.errors import Fault, WorkspaceInvalid
from orchestrator.ids import JUDGED, Meaning, Span
from orchestrator.routing.gaps import Pairing, pieces_of
from orchestrator.routing.pattern import PhraseRefused
from orchestrator.routing.phrases import PhraseHit, Phrases, fault_of, leftmost_longest, normal
from orchestrator.routing.route import CueHit

if TYPE_CHECKING:
    from orchestrator.workspace.models import MultiStepFile

FILE = "config/multi_step.yaml"


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue as the operator wrote it, with its pieces (one, where it has no gap)."""

    text: str
    meaning: Meaning
    path: str
    pieces: tuple[str, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """Equal for cues that stand at the same places."""
        return tuple(map(normal, self.pieces))

    @property
    def is_judged(self) -> bool:
        """Does it count only where it joins two differently routed sides?"""
        return self.meaning in JUDGED

    @property
    def fault(self) -> str | None:
        """What is wrong with it, with the remedy."""
        faults = (fault for piece in self.pieces if (fault := fault_of(piece)))
        if fault := next(faults, None):
            return f"a piece of {self.text!r}: {fault}" if len(self.pieces) > 1 else fault
        if len(self.pieces) > 1 and self.is_judged:
            return f"{self.text!r} has a gap, so no two sides to judge; list it as sequential or parallel"
        return None


class CueSet:
    """All cues of a workspace as one pattern. Of cues that stand at the same places, the first counts."""

    def __init__(self, cues: Sequence[Cue], references: Sequence[str], max_gap: int) -> None:
        """Raises WorkspaceInvalid with every cue that cannot be looked for. See `CueSet.of`."""
        faults = tuple(Fault(FILE, 0, 0, cue.path, fault) for cue in cues if (fault := cue.fault))
        if faults:
            raise WorkspaceInvalid(faults)
        distinct: dict[tuple[str, ...], Cue] = {}
        for cue in cues:
            distinct.setdefault(cue.key, cue)
        self.cues = tuple(distinct.values())
        self._max_gap = max_gap
        keys = tuple(dict.fromkeys(key for cue in self.cues for key in cue.key))
        number = {key: at for at, key in enumerate(keys)}
        plain = {number[cue.key[0]]: cue for cue in self.cues if len(cue.pieces) == 1}
        self._strong = {at: cue for at, cue in plain.items() if not cue.is_judged}
        self._judged = {at: cue for at, cue in plain.items() if cue.is_judged}
        self._pieces = _pieces_by_number(self.cues, number)
        self._phrases = _compiled(keys, "cues")
        self._references = _compiled(references, "references")

    @classmethod
    def of(cls, file: "MultiStepFile") -> "CueSet":
        """The cues of the file. Raises WorkspaceInvalid with every cue that cannot be looked for."""
        return cls(tuple(cues_of(file)), file.references, file.max_gap)

    def hits(self, text: str) -> tuple[CueHit, ...]:
        """The cues of the text, by start. Linear in the text and in what is found."""
        found = self._phrases.scan(text)
        gapped, strong = _grown(self._gapped(found), _plain_hits(self._strong, found))
        taken = sorted(span for hit in (*gapped, *strong) for span in hit.pieces)
        judged = _plain_hits(self._judged, _clear_of(found, taken))
        return tuple(sorted((*gapped, *strong, *judged), key=lambda hit: hit.start))

    def is_reference(self, text: str) -> bool:
        """Does the text contain one of the words by which a part points back at an earlier one?"""
        return bool(self._references.scan(text))

    def _gapped(self, found: Iterable[PhraseHit]) -> list[CueHit]:
        pairings: dict[int, Pairing] = {}
        for hit in found:
            for number, at in self._pieces.get(hit.number, ()):
                if number not in pairings:
                    pairings[number] = Pairing(len(self.cues[number].pieces), self._max_gap)
                pairings[number].add(at, (hit.start, hit.end))
        return [
            CueHit(self.cues[number].text, self.cues[number].meaning, chain[0][0], chain[-1][1], chain)
            for number, pairing in sorted(pairings.items())
            for chain in pairing.complete
        ]


def cues_of(file: "MultiStepFile") -> Iterator[Cue]:
    """The cues of the file as they are written, those that never count included."""
    if isinstance(file.cues, tuple):
        for at, text in enumerate(file.cues):
            yield Cue(text, "compound", f"cues[{at}]", pieces_of(text))
        return
    for meaning, texts in file.cues.by_meaning():
        group = "joiners" if meaning == "joiner" else meaning
        for at, text in enumerate(texts):
            yield Cue(text, meaning, f"cues.{group}[{at}]", pieces_of(text))


def _pieces_by_number(cues: Sequence[Cue], number: Mapping[str, int]) -> dict[int, list[tuple[int, int]]]:
    """Which pieces of which gapped cues a phrase is, by its number; of one cue the last piece first."""
    pieces: dict[int, list[tuple[int, int]]] = {}
    for which, cue in enumerate(cues):
        if len(cue.pieces) > 1:
            for at in reversed(range(len(cue.pieces))):
                pieces.setdefault(number[cue.key[at]], []).append((which, at))
    return pieces


def _plain_hits(cues: Mapping[int, Cue], found: Iterable[PhraseHit]) -> tuple[CueHit, ...]:
    """The hits of these cues, by phrase number, that do not overlap."""
    chosen = leftmost_longest([hit for hit in found if hit.number in cues])
    return tuple(
        [
            CueHit(cue.text, cue.meaning, start, end, ((start, end),))
            for number, start, end in chosen
            for cue in (cues[number],)
        ]
    )


def _compiled(phrases: Sequence[str], path: str) -> Phrases:
    try:
        return Phrases(phrases)
    except PhraseRefused as refused:
        raise WorkspaceInvalid((Fault(FILE, 0, 0, path, str(refused)),)) from refused


def _grown(gapped: Sequence[CueHit], plain: Sequence[CueHit]) -> tuple[list[CueHit], list[CueHit]]:
    """The gapped cues, their pieces grown over the plain ones they overlap, and the plain ones left.

    Where one plain cue holds two pieces, nothing lies between them: it is that cue, and not the gapped one.
    """
    ends = [hit.end for hit in plain]
    absorbed: set[int] = set()
    grown: list[CueHit] = []
    for hit in gapped:
        places = [_overlapped(plain, bisect_right(ends, piece[0]), piece) for piece in hit.pieces]
        if any(one and other and one[-1] >= other[0] for one, other in pairwise(places)):
            continue
        pieces = tuple(_over(piece, plain, place) for piece, place in zip(hit.pieces, places, strict=True))
        absorbed.update(*places)
        grown.append(replace(hit, start=pieces[0][0], end=pieces[-1][1], pieces=pieces))
    return grown, [hit for at, hit in enumerate(plain) if at not in absorbed]


def _overlapped(plain: Sequence[CueHit], first: int, piece: Span) -> range:
    """Which of the plain cues, from `first` on, the piece overlaps."""
    at = first
    while at < len(plain) and plain[at].start < piece[1]:
        at += 1
    return range(first, at)


def _over(piece: Span, plain: Sequence[CueHit], places: range) -> Span:
    """The piece, grown over the plain cues at these places."""
    if not places:
        return piece
    return min(piece[0], plain[places[0]].start), max(piece[1], plain[places[-1]].end)


def _clear_of(hits: Iterable[PhraseHit], taken: Sequence[Span]) -> Iterator[PhraseHit]:
    """The hits that overlap none of the spans; both by start, the spans not overlapping."""
    at = 0
    for hit in hits:
        while at < len(taken) and taken[at][1] <= hit.start:
            at += 1
        if at == len(taken) or taken[at][0] >= hit.end:
            yield hit
