"""Is a turn compound, and where are its joints? One answer for every classifier; no model is asked.

Strong cues always count. A joiner or a weak cue counts only where the words on its two sides each route
with confidence, by keywords alone, to different intents: on its left what stands since the last joint that
counted, on its right what stands before the next cue. A weak cue on the right with no keyword before it ("and
please also check …") does not end that side. Joiners and weak cues with only white space between them are one
joint.

Time is linear: keywords are looked up once for the whole turn, and a left side that grows is added to, never
scored again. A joiner inside a keyword ("terms and conditions") parts nothing, since neither side has it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.ids import Span
from orchestrator.routing.cues import CueSet
from orchestrator.routing.keyword import KeywordClassifier, Tally, is_sure
from orchestrator.routing.phrases import PhraseHit, normal
from orchestrator.routing.route import Compound, CueHit

if TYPE_CHECKING:
    from orchestrator.workspace.models import RoutingFile


@dataclass(frozen=True, slots=True)
class _Joint:
    """A place where a turn may come apart; `hits` has one strong hit, or one or more judged ones."""

    start: int
    end: int
    hits: tuple[CueHit, ...]

    @property
    def is_judged(self) -> bool:
        return self.hits[0].is_judged

    @property
    def is_weak(self) -> bool:
        return all(hit.meaning == "weak" for hit in self.hits)


def detect(text: str, cues: CueSet, classifier: KeywordClassifier, policy: "RoutingFile") -> Compound:
    """The cues of the turn that count, and those that do not."""
    hits = cues.hits(text)
    joints = tuple(_joints(text, hits))
    keywords = classifier.find(text) if any(joint.is_judged for joint in joints) else ()
    judge = _Judge(classifier, policy, keywords)
    counting: list[CueHit] = [hit for hit in hits if not hit.is_judged]
    ignored: list[CueHit] = []
    for at, joint in enumerate(joints):
        if not joint.is_judged:
            judge.part(joint.end)
        elif judge.joins(joint, _right_ends(joints, at, len(text))):
            judge.part(joint.end)
            counting.append(_merged(text, joint))
        else:
            ignored += joint.hits
    counting.sort(key=lambda hit: hit.start)
    return Compound(tuple(counting), tuple(ignored))


class _Judge:
    """Goes through the turn from left to right, with the score of what stands since the last joint."""

    def __init__(
        self, classifier: KeywordClassifier, policy: "RoutingFile", keywords: Sequence[PhraseHit]
    ) -> None:
        self._classifier, self._policy, self._keywords = classifier, policy, keywords
        self._left = classifier.tally()
        self._begin = 0
        self._added = 0
        self._behind = 0

    def part(self, end: int) -> None:
        """The turn comes apart here: the next left side begins at `end`."""
        self._left = self._classifier.tally()
        self._begin = end

    def joins(self, joint: _Joint, right_ends: Sequence[int]) -> bool:
        """Do both sides route, to different intents? The right side ends at the first of `right_ends` up to
        which there is a keyword."""
        left = self._sure(self._grow_left(joint.start))
        right = self._sure(self._right(joint.end, right_ends))
        return left is not None and right is not None and left != right

    def _grow_left(self, end: int) -> Tally:
        while self._added < len(self._keywords) and self._keywords[self._added].end <= end:
            hit = self._keywords[self._added]
            if hit.start >= self._begin:
                self._left.add(hit)
            self._added += 1
        return self._left

    def _right(self, start: int, ends: Sequence[int]) -> Tally:
        tally = self._classifier.tally()
        while self._behind < len(self._keywords) and self._keywords[self._behind].start < start:
            self._behind += 1
        at = self._behind
        for end in ends:
            while at < len(self._keywords) and self._keywords[at].end <= end:
                tally.add(self._keywords[at])
                at += 1
            if tally.best is not None:
                break
        return tally

    def _sure(self, tally: Tally) -> int | None:
        """The intent that the words speak for with confidence, or None."""
        best = tally.best
        if best is None or not is_sure(tally.confidence(best), tally.margin, self._policy):
            return None
        return best


def _joints(text: str, hits: Sequence[CueHit]) -> Iterator[_Joint]:
    """The pieces of all hits in order; judged ones with only white space between them together."""
    places: list[tuple[Span, CueHit]] = sorted(
        ((piece, hit) for hit in hits for piece in hit.pieces), key=lambda place: place[0]
    )
    run: list[CueHit] = []
    for (start, end), hit in places:
        if run and (not hit.is_judged or text[run[-1].end : start].strip()):
            yield _Joint(run[0].start, run[-1].end, tuple(run))
            run = []
        if hit.is_judged:
            run.append(hit)
        else:
            yield _Joint(start, end, (hit,))
    if run:
        yield _Joint(run[0].start, run[-1].end, tuple(run))


def _right_ends(joints: Sequence[_Joint], at: int, size: int) -> tuple[int, ...]:
    """Where the right side of a joint may end: at the next one, or, if that is weak, at the one after it."""
    starts = [joint.start for joint in joints[at + 1 : at + 3]] + [size]
    return tuple(starts[:2]) if at + 1 < len(joints) and joints[at + 1].is_weak else (starts[0],)


def _merged(text: str, joint: _Joint) -> CueHit:
    """A joint as one cue; where several hits made it, the cue is all of them as they stand in the text."""
    last = joint.hits[-1]
    if len(joint.hits) == 1:
        return last
    span = (joint.start, joint.end)
    return CueHit(normal(text[slice(*span)]), last.meaning, *span, (span,))
