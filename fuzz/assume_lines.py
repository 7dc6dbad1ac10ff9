"""What a planner assumes: any text is assumptions that hold and are read back, or refused in place."""

from collections.abc import Iterator

from orchestrator.ids import TaskId
from orchestrator.planning.assuming import AssumeLine, parse, render

TASKS = (TaskId("t1"), TaskId("t2"))
FACTS = {"delay": 0, "gate": "B4", "open": True, "seats": None, "due": "2026-03-01", "state": "in transit"}
LONGEST = 600
WORDS = (
    *(
        "ASSUME: ",
        "assume：",
        "ASSUME: t1 | ",
        "t1",
        "T2",
        " | ",
        "|",
        "\\|",
        "\\",
        "｜",
        "delay",
        "gate",
        "open",
    ),
    *(
        "seats",
        "due",
        "state",
        "in transit",
        "B4",
        "0",
        "true",
        "null",
        '"',
        "'",
        "<= ",
        ">= ",
        "!= ",
        "= ",
        "≤",
    ),
    *("between ", " and ", "outside ", "in ", "not in ", "within ", " of ", "{", "}", "[", "]", ": ", ", "),
    *(
        "lte: ",
        "within",
        "tolerance",
        "09:30",
        "2026-03-01",
        "-1",
        "1e9",
        "1e999",
        "NaN",
        "**",
        "`",
        "- ",
        "1. ",
    ),
    *("<think>", "</think>", "\n", "\r\n", "\u2028", "ASSUME: t1 | delay | 0 | on time", "\u0130", "\ufeff"),
)


def seeds() -> Iterator[bytes]:
    """What planners write."""
    yield b"ASSUME: t1 | delay | <= 30 | about on time\nASSUME: t2 | gate | B4 |\n"
    yield b"<think>\nASSUME: t9 | x\n</think>\n1. **ASSUME:** `T1` | `open` | `true` | it is\\|was open\n"
    yield b"ASSUME: t9 | dealy | between 5 and 1\nASSUME t1 | delay | 0\n"
    yield b"ASSUME: t1 | due | {between: [2026-01-01, 2026-12-31]} | \nASSUME: t1 | seats | in 1, 'b'\n"
    yield "- Step 1: ASSUME：t1｜delay｜within 5 of 2｜–\r\n> ASSUME: t2 | state | in transit".encode()


def check(data: bytes) -> None:
    """Raise AssertionError where the reply breaks a law of the grammar."""
    reply = data.decode("utf-8", "surrogateescape")
    lines, faults = parse(reply, TASKS, FACTS)
    places = [line.line for line in lines]
    wrong = [fault.line for fault in faults]
    assert places == sorted(set(places))
    assert wrong == sorted(wrong)
    assert not {*places} & {*wrong}
    assert all(1 <= place <= len(reply.splitlines()) for place in (*places, *wrong))
    assert all(len(fault.message.splitlines()) == 1 for fault in faults)
    for line in lines:
        check_line(line)
    assert parse(render(lines), TASKS, FACTS) == (lines, ())


def check_line(line: AssumeLine) -> None:
    """It is of a task and a fact that there are, and is so."""
    assert line.task in TASKS
    value = FACTS[line.assumption.key]
    assert value is None or not line.assumption.contradicted(value)
