"""The planner's reply: any text is lawful tasks, which are read as they are written, or refused in place."""

from collections.abc import Iterator, Sequence

from orchestrator.errors import PlanRefused
from orchestrator.ids import AgentName
from orchestrator.planning.lines import TaskLine, parse, render

AGENTS = tuple(map(AgentName, ("inbox", "calendar", "Writer")))
MOST = 6
LONGEST = 600
WORDS = (
    *(
        "TASK",
        "task:",
        "TASK: ",
        "t1",
        "t2",
        "T1*",
        " | ",
        "|",
        "\\|",
        "\\",
        "｜",
        "none",
        "-",
        "n/a",
        "[]",
        ":",
        "：",
    ),
    *(
        "inbox",
        "calendar",
        "Writer",
        "**",
        "`",
        "```",
        "~~~",
        "1. ",
        "(a) ",
        "Step 1: ",
        "- ",
        "> ",
        "* ",
        "•",
        "#",
    ),
    *(
        "<think>",
        "</think>",
        "<thinking>",
        "</reasoning>",
        "\n",
        "\r\n",
        "\u2028",
        "\x0b",
        "\u0085",
        "TASK: t1 | a | inbox | none",
    ),
    *(
        "TASK: t2 | b | Writer | t1*",
        "TASK: id | action | agent | depends_on",
        "\u0130",
        "\u212a",
        "\u00df",
        "\ufeff",
    ),
)


def seeds() -> Iterator[bytes]:
    """What planners write."""
    yield b"TASK: t1 | summarize my inbox | inbox | none\nTASK: t2 | write | Writer | t1*\n"
    yield b"<think>\nhm\n</think>\n```\n1. **TASK:** `t1` | read a\\|b | `inbox` | `none`\n```\n"
    yield b"TASK: t1 | a | inbox | t2\nTASK: t2 | b | inbox | t1\n"
    yield b"TASK t1 | a | inbox | none\nTASK: t1 | | editor | t9, t1*, t2*\n"
    yield "- Step 1: TASK：t1｜read｜inbox｜–\r\n> *TASK: t2 | say TASK | inbox | t1*\n".encode()


def check(data: bytes) -> None:
    """Raise AssertionError where the reply breaks a law of the grammar."""
    reply = data.decode("utf-8", "surrogateescape")
    try:
        tasks = parse(reply, AGENTS, MOST)
    except PlanRefused as refused:
        check_refusal(refused, reply)
        return
    check_tasks(tasks, reply)


def check_refusal(refused: PlanRefused, reply: str) -> None:
    """Every diagnostic is of a line of the reply, or of all of it, and they come in order."""
    lines = [diagnostic.line for diagnostic in refused.diagnostics]
    assert lines, "refused without a reason"
    assert lines == sorted(lines)
    assert 0 <= lines[0] <= lines[-1] <= len(reply.splitlines()), lines
    assert all(len(d.message.splitlines()) == 1 for d in refused.diagnostics)


def check_tasks(tasks: Sequence[TaskLine], reply: str) -> None:
    """The tasks are lawful, each on a line of its own, and are read as they are written."""
    ids = [task.id for task in tasks]
    lines = [task.line for task in tasks]
    assert 1 <= len(tasks) <= MOST
    assert len(set(ids)) == len(ids)
    assert lines == sorted(set(lines))
    assert 1 <= lines[0] <= lines[-1] <= len(reply.splitlines())
    for task in tasks:
        assert task.agent in AGENTS
        assert task.action.strip() == task.action != ""
        assert {*task.depends_on} <= {*ids} - {task.id}
        assert task.map_over in (None, *task.depends_on)
    assert not has_cycle({task.id: task.depends_on for task in tasks})
    assert parse(render(tasks), AGENTS, MOST) == tuple(tasks)


def has_cycle(needs: dict[str, Sequence[str]]) -> bool:
    """Whether some tasks wait for each other: what waits for nothing is taken away until nothing is."""
    left = dict(needs)
    while free := [id for id, on in left.items() if not {*on} & left.keys()]:
        for id in free:
            del left[id]
    return bool(left)
