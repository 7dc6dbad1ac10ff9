"""Cues and turns: any cues are compiled or refused by name; what is found in a turn stands there."""

from collections.abc import Iterator
from itertools import pairwise

from orchestrator.errors import WorkspaceInvalid
from orchestrator.routing.cues import CueSet
from orchestrator.routing.fold import fold
from orchestrator.routing.gaps import pieces_of
from orchestrator.routing.phrases import normal
from orchestrator.routing.route import CueHit
from orchestrator.workspace.models import CueGroups, MultiStepFile

GROUPS = ("sequential", "parallel", "distributive", "weak", "joiners")
MOST = 8
LONGEST = 400
WORDS = (
    *(
        "and then",
        "first ... then",
        "first … then",
        " ... ",
        "…",
        "as well as",
        "both",
        "and",
        ",",
        ";",
        "it's",
        "it’s",
    ),
    *(
        "\n",
        "\t",
        " ",
        "\u00a0",
        "\u2028",
        "e\u0301",
        "\u00e9",
        "stra\u00dfe",
        "STRASSE",
        "\u0130",
        "i\u0307",
        "\u0131",
        "然后",
    ),
    *(
        "\u0345",
        "\u1100\u1161\u11a8",
        "\ufb01",
        "\u200d",
        "\U0001f469",
        "\u0e01",
        "(",
        "[a]*",
        "\\b",
        "$",
        "^",
        "\x00",
        "\ud7ff",
    ),
)


def seeds() -> Iterator[bytes]:
    """The number of cues, the cues a line each, and after a blank line the turn."""
    yield b"and then\nfirst ... then\n\nFirst summarize my inbox, then\ncheck it and then rest"
    yield "然后\ncafé\nit's\nstrasse\n\n邮件然后日历 CAFE\u0301 it\u2019s STRAẞE\u00a0and".encode()
    yield b"and then\nf\nand ... then\n\nFirst and then\nfirm"
    yield b" \n...\nx ... \n(a\n\nx (a"


def check(data: bytes) -> None:
    """Raise AssertionError where the cues or the turn break a law."""
    cues, _, turn = data.decode("utf-8", "replace").partition("\n\n")
    check_turn([cue for cue in cues.split("\n")[:MOST] if cue], turn)


def check_turn(cues: list[str], turn: str) -> None:
    """The same for a flat list and for groups."""
    groups = {group: tuple(cues[at :: len(GROUPS)]) for at, group in enumerate(GROUPS)}
    for file in (MultiStepFile(cues=tuple(cues)), MultiStepFile(cues=CueGroups.model_validate(groups))):
        compiled = compiled_or_refused(file)
        if compiled is not None:
            check_hits(compiled.hits(turn), turn)


def compiled_or_refused(file: MultiStepFile) -> CueSet | None:
    """The compiled cues; None where they are refused, each fault with the path of its cue."""
    try:
        return CueSet.of(file)
    except WorkspaceInvalid as invalid:
        check_refusal(invalid)
        return None


def check_refusal(invalid: WorkspaceInvalid) -> None:
    """Every fault is of a cue of the file."""
    assert invalid.faults
    for fault in invalid.faults:
        assert fault.file == "config/multi_step.yaml"
        assert fault.path.startswith("cues")
        assert str(fault).encode()


def check_plain_ones(hits: tuple[CueHit, ...]) -> None:
    """No character of a cue without a gap belongs to another cue."""
    spans = sorted((start, end, len(hit.pieces)) for hit in hits for start, end in hit.pieces)
    for (_, end, one), (start, _, other) in pairwise(spans):
        assert end <= start or (one > 1 and other > 1), hits


def check_hits(hits: tuple[CueHit, ...], turn: str) -> None:
    """Every piece of every cue stands where it is cited, whole characters of the turn, and in order."""
    check_plain_ones(hits)
    folded = fold(turn)
    starts = {*folded.starts}
    assert [hit.start for hit in hits] == sorted(hit.start for hit in hits)
    for hit in hits:
        assert (hit.start, hit.end) == (hit.pieces[0][0], hit.pieces[-1][1])
        cited = [normal(turn[start:end]) for start, end in hit.pieces]
        wanted = [normal(piece) for piece in pieces_of(hit.cue)]
        assert all(piece in whole for piece, whole in zip(wanted, cited, strict=True)), (hit, cited)
        assert cited == wanted or len(wanted) > 1
        assert {*(at for piece in hit.pieces for at in piece)} <= starts
        assert all(0 <= start < end <= len(turn) for start, end in hit.pieces)
        assert all(end <= start for (_, end), (start, _) in pairwise(hit.pieces))
