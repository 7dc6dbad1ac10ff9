"""Cues that do nothing, or other than they say; the workspace's own matcher is the judge."""

from collections.abc import Iterator, Sequence

from orchestrator.ids import JUDGED
from orchestrator.lints.subject import MULTI_STEP, Subject
from orchestrator.routing.cues import Cue, CueSet, cues_of
from orchestrator.routing.phrases import normal
from orchestrator.workspace.models import CueGroups
from orchestrator.workspace.value import Doubt, Spot

_BESIDE = ("{}", "so {} x", "x {} so")
"""What may stand around a cue; it is looked for alone and between other words."""
_GAP = " x "


def cue_doubts(subject: Subject) -> Iterator[Doubt]:
    """What is to be doubted of the cues of a workspace."""
    cues = tuple(cues_of(subject.workspace.multi_step))
    yield from _same(cues)
    yield from _shadowed(subject.router.cues)
    yield from _gaps_of_joiners(cues)
    yield from _without_sides(subject)


def _same(cues: Sequence[Cue]) -> Iterator[Doubt]:
    """Of cues that stand at the same places the first counts."""
    first: dict[tuple[str, ...], Cue] = {}
    for cue in cues:
        before = first.setdefault(cue.key, cue)
        if before is cue:
            continue
        spot, also = Spot(MULTI_STEP, cue.path), (Spot(MULTI_STEP, before.path),)
        if before.meaning == cue.meaning:
            message = f"{cue.text!r} stands in this list already; take it out"
            yield Doubt("cue-twice", spot, message, also)
        else:
            message = (
                f"{cue.text!r} is a {before.meaning} cue already, and is never a {cue.meaning} one; "
                "take one of the two out"
            )
            yield Doubt("cue-in-two-groups", spot, message, also)


def _shadowed(cues: CueSet) -> Iterator[Doubt]:
    """A cue that is not found where it stands alone is found nowhere: its own words are taken by another."""
    for cue in cues.cues:
        written = _GAP.join(cue.pieces)
        found = [hit for beside in _BESIDE for hit in cues.hits(beside.format(written))]
        if all(hit.cue != cue.text for hit in found):
            takers = ", ".join(dict.fromkeys(repr(hit.cue) for hit in found)) or "nothing"
            message = f"wherever {cue.text!r} stands, {takers} is found in its place; take one of them out"
            yield Doubt("cue-never-matches", Spot(MULTI_STEP, cue.path), message)


def _gaps_of_joiners(cues: Sequence[Cue]) -> Iterator[Doubt]:
    judged = {cue.key[0] for cue in cues if cue.is_judged}
    for cue in cues:
        if len(cue.pieces) > 1 and judged.issuperset(map(normal, cue.pieces)):
            message = (
                f"{cue.text!r} counts wherever its pieces stand, whatever is on their sides, though each of "
                "them alone is judged by its sides; take it out"
            )
            yield Doubt("cue-gap-of-joiners", Spot(MULTI_STEP, cue.path), message)


def _without_sides(subject: Subject) -> Iterator[Doubt]:
    """Joiners and weak cues count between different intents only: with one intent there are none."""
    groups = subject.workspace.multi_step.cues
    if not isinstance(groups, CueGroups):
        return
    agents = subject.workspace.agents.values()
    known = sum(1 for agent in agents for intent in agent.intents.values() if intent.keywords)
    for meaning, cues in groups.by_meaning():
        if meaning in JUDGED and cues and known < 2:
            group = "joiners" if meaning == "joiner" else meaning
            message = (
                f"these count only between two parts that go by their keywords to different intents, and "
                f"{known} {'intent has' if known == 1 else 'intents have'} keywords; take them out, or add "
                "keywords"
            )
            yield Doubt("cue-never-counts", Spot(MULTI_STEP, f"cues.{group}", at_key=True), message)
