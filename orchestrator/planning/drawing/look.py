"""How what is told of a task looks: its signs, lines and colours, on a light and on a dark page.

Law: no two states share a sign or a word, whatever their colours; every text has at least 4.5 times the
contrast to what it stands on, every line and sign 3 times (WCAG 2.2 AA).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from orchestrator.ids import Effects, Phase

Sign: TypeAlias = str
"""What a sign is drawn by: the data of an SVG path in a square of 14."""


class Colours(NamedTuple):
    """Of a state: its word, sign and border; and the box's ground."""

    ink: str
    ground: str


@dataclass(frozen=True, slots=True)
class Look:
    """`dash` is the border's pattern, empty for a whole line; `border` its width."""

    word: str
    sign: Sign
    dash: str
    border: float
    light: Colours
    dark: Colours


@dataclass(frozen=True, slots=True)
class Page:
    """The colours of all that is no state."""

    ground: str
    band: str
    ink: str
    quiet: str
    line: str
    strong: str


LIGHT = Page("#ffffff", "#f1f3f6", "#1b1f24", "#4f5966", "#6b7683", "#1b1f24")
DARK = Page("#0d1117", "#161c24", "#e8edf3", "#a9b4c0", "#8290a0", "#f2f6fa")

PLAIN = Look("", "", "", 1.25, Colours("#4f5966", "#ffffff"), Colours("#a9b4c0", "#1e2630"))
"""A task of a plan that is not run."""

STATES: Mapping[Phase, Look] = {
    "pending": Look(
        "pending",
        "M7 1.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11ZM7 3.2a3.8 3.8 0 1 1 0 7.6a3.8 3.8 0 1 1 0-7.6Z",
        "",
        1.25,
        Colours("#4f5966", "#ffffff"),
        Colours("#a9b4c0", "#1e2630"),
    ),
    "running": Look(
        "running",
        "M2.5 1.2L12.8 7L2.5 12.8Z",
        "",
        2.5,
        Colours("#0a51b8", "#e6f0ff"),
        Colours("#8cc2ff", "#10263f"),
    ),
    "waiting": Look(
        "waiting",
        "M2.5 1H11.5V2.8L8.2 7L11.5 11.2V13H2.5V11.2L5.8 7L2.5 2.8ZM4.6 2.6L7 5.6L9.4 2.6Z",
        "1.5 3.5",
        2.0,
        Colours("#0b5c68", "#def4f6"),
        Colours("#6fdcea", "#0c2b31"),
    ),
    "done": Look(
        "done",
        "M7 .8a6.2 6.2 0 1 0 0 12.4a6.2 6.2 0 1 0 0-12.4ZM6 10.3L2.9 7.2L4.2 5.9L6 7.7L9.8 3.9L11.1 5.2Z",
        "",
        1.75,
        Colours("#14622c", "#e3f4e8"),
        Colours("#79e096", "#12291a"),
    ),
    "failed": Look(
        "failed",
        "M4.2.8H9.8L13.2 4.2V9.8L9.8 13.2H4.2L.8 9.8V4.2ZM7 5.9L4.9 3.8L3.8 4.9L5.9 7L3.8 9.1L4.9 10.2L7 8.1"
        "L9.1 10.2L10.2 9.1L8.1 7L10.2 4.9L9.1 3.8Z",
        "",
        3.0,
        Colours("#a8201a", "#fdeae8"),
        Colours("#ffa39b", "#3a1715"),
    ),
    "skipped": Look(
        "skipped",
        "M1 2.5L2.3 1.2L8 7L2.3 12.8L1 11.5L5.4 7ZM6 2.5L7.3 1.2L13 7L7.3 12.8L6 11.5L10.4 7Z",
        "7 4",
        1.5,
        Colours("#4f5966", "#eceef1"),
        Colours("#a9b4c0", "#262d36"),
    ),
    "cancelled": Look(
        "cancelled",
        "M1.5 1.5H12.5V12.5H1.5Z",
        "10 3 2 3",
        1.5,
        Colours("#653a9b", "#f2eafb"),
        Colours("#d5b3ff", "#2a1c3d"),
    ),
    "in_doubt": Look(
        "in doubt",
        "M7 0L14 7L7 14L0 7ZM6.2 8.4H7.8C7.8 7.4 9.7 7 9.7 5.2C9.7 3.8 8.5 2.9 7 2.9C5.5 2.9 4.5 3.8 4.3 5"
        "L5.8 5.4C5.9 4.7 6.3 4.3 7 4.3C7.6 4.3 8.1 4.7 8.1 5.3C8.1 6.4 6.2 6.7 6.2 8.4ZM6.2 9.4H7.8V11H6.2Z",
        "3 3",
        2.5,
        Colours("#834600", "#fff0d9"),
        Colours("#ffbd66", "#35240b"),
    ),
}

EFFECTS: Mapping[Effects, Sign] = {
    "none": "M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9ZM7 3.7a3.3 3.3 0 1 1 0 6.6a3.3 3.3 0 1 1 0-6.6Z",
    "read": "M0 7C3.2 1.6 10.8 1.6 14 7C10.8 12.4 3.2 12.4 0 7Z"
    "M7 4.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 1 0 0-5.6Z",
    "write": "M1 13L1.9 9.4L9.7 1.6C10.4.9 11.4.9 12.1 1.6L12.4 1.9C13.1 2.6 13.1 3.6 12.4 4.3L4.6 12.1Z"
    "M8.6 4.4L3.2 9.8L2.8 11.2L4.2 10.8L9.6 5.4Z",
}
PER_ITEM_SIGN: Sign = "M0 1.5H9V3.2H1.7V9H0ZM2.6 4.1H11.6V5.8H4.3V11.6H2.6ZM5.2 6.7H14V13.5H5.2Z"
"""A pile of cards."""
LONGEST_SIGN: Sign = "M0 5.2H8V1.5L14 7L8 12.5V8.8H0Z"
