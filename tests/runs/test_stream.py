"""A run while it is on its way: nothing of it outlives its watcher, and its reply comes once, in pieces."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.errors import StoreError
from orchestrator.ids import AgentName, RunId, TaskId
from orchestrator.planning.plan import Plan
from orchestrator.runs.events import (
    Event,
    OutputChunk,
    PlanMade,
    Record,
    RunEnded,
    RunParked,
    TaskHandedOver,
    TaskRetrying,
)
from orchestrator.runs.journal import Listener
from orchestrator.runs.stream import Happening, happenings, reply_pieces

from support.driving import plan

RUN = RunId("r1")
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
ONE_LEAF = plan("t1 a", "t2 a: t1")
TWO_LEAVES = plan("t1 a", "t2 a")


def record(event: Event) -> Record:
    return Record(RUN, 1, NOON, event)


def chunk(text: str, task: str = "t2") -> OutputChunk:
    return OutputChunk(RUN, TaskId(task), text)


def retry(task: str = "t2") -> Record:
    return record(TaskRetrying(TaskId(task), 1, "busy", 0.5, 2))


def handed_over(task: str = "t2") -> Record:
    return record(TaskHandedOver(TaskId(task), 1, "HTTP 500", AgentName("b")))


def pieces(made: Plan, on_the_way: Sequence[Happening], reply: str | None) -> list[str]:
    """What a reader is given of a run that has this plan, these happenings and, where it ends, this reply."""
    end = [] if reply is None else [record(RunEnded("done", reply))]

    async def run() -> AsyncIterator[Happening]:
        for happening in (record(PlanMade(made, "answer")), *on_the_way, *end):
            yield happening

    async def read() -> list[str]:
        return [piece async for piece in reply_pieces(run())]

    return asyncio.run(read())


def heard(start: Callable[[Listener], Coroutine[Any, Any, object]]) -> list[Happening]:
    async def all_of_it() -> list[Happening]:
        return [happening async for happening in happenings(start)]

    return asyncio.run(all_of_it())


def test_a_run_is_heard_to_its_end_in_its_order() -> None:
    told = [chunk("a"), chunk("b"), record(RunEnded("done", "ab"))]

    async def run(listen: Listener) -> None:
        for happening in told:
            listen(happening)
            await asyncio.sleep(0)

    assert heard(run) == told


def test_an_error_of_the_run_is_raised_after_what_was_heard() -> None:
    async def run(listen: Listener) -> None:
        listen(chunk("a"))
        raise StoreError("the disk is full")

    async def watch() -> list[Happening]:
        stream = happenings(run)
        seen = [await anext(stream)]
        with pytest.raises(StoreError, match="the disk is full"):
            await anext(stream)
        return seen

    assert asyncio.run(watch()) == [chunk("a")]


def test_closing_cancels_the_run_and_waits_until_it_has_tidied_up() -> None:
    tidied: list[str] = []

    async def run(listen: Listener) -> None:
        listen(chunk("a"))
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            tidied.append("all of it")

    async def watch() -> None:
        stream = happenings(run)
        assert await anext(stream) == chunk("a")
        await stream.aclose()
        assert tidied == ["all of it"]
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(watch())


def test_where_one_task_makes_the_reply_its_output_is_given_as_it_arrives() -> None:
    arrives = [chunk("Rain"), chunk(" and"), chunk(" snow.")]
    assert pieces(ONE_LEAF, arrives, "Rain and snow.") == ["Rain", " and", " snow."]


def test_the_output_of_other_tasks_is_not_part_of_the_reply() -> None:
    assert pieces(ONE_LEAF, [chunk("thinking", "t1"), retry("t1"), chunk("Rain.")], "Rain.") == ["Rain."]


def test_a_reply_composed_of_several_leaves_is_given_whole_at_its_end() -> None:
    arrives = [chunk("Rain", "t1"), chunk("Snow", "t2"), retry("t2"), chunk("Snow", "t2")]
    assert pieces(TWO_LEAVES, arrives, "Rain\n\nSnow") == ["Rain\n\nSnow"]


def test_an_output_that_never_arrived_in_pieces_is_given_whole() -> None:
    assert pieces(ONE_LEAF, [], "Rain.") == ["Rain."]
    assert pieces(ONE_LEAF, [retry()], "Rain.") == ["Rain."]


def test_an_attempt_that_was_broken_off_is_followed_by_the_whole_of_the_next_on_a_line_of_its_own() -> None:
    assert pieces(ONE_LEAF, [chunk("Rai"), retry(), chunk("Rain.")], "Rain.") == ["Rai", "\n", "Rain."]


def test_another_agent_that_takes_over_begins_on_a_line_of_its_own() -> None:
    arrives = [chunk("Rai"), handed_over(), chunk("Rain.")]
    assert pieces(ONE_LEAF, arrives, "Rain.") == ["Rai", "\n", "Rain."]
    assert pieces(ONE_LEAF, [handed_over(), chunk("Rain.")], "Rain.") == ["Rain."]
    assert pieces(ONE_LEAF, [handed_over("t1"), chunk("Rain.")], "Rain.") == ["Rain."]


def test_the_reply_of_a_run_that_waits_is_its_last_piece() -> None:
    parked = record(RunParked(("approval",), "Your word?"))
    assert pieces(ONE_LEAF, [parked], None) == ["Your word?"]
    assert pieces(TWO_LEAVES, [chunk("Rain", "t1"), parked], None) == ["Your word?"]


def test_what_a_task_in_doubt_had_said_is_followed_by_what_the_run_waits_for() -> None:
    parked = record(RunParked(("answer t2",), "t2 is in doubt: cut off."))
    assert pieces(ONE_LEAF, [chunk("Sending"), parked], None) == ["Sending", "\nt2 is in doubt: cut off."]


def test_a_plan_made_anew_has_another_last_task() -> None:
    anew = record(PlanMade(plan("t1 a", "t9 a: t1"), "answer"))
    assert pieces(ONE_LEAF, [anew, chunk("old", "t2"), chunk("new", "t9")], "new") == ["new"]


def test_a_reply_that_is_not_what_arrived_follows_it_on_a_line_of_its_own() -> None:
    failed = "tell the weather (failed: cut off)"
    assert pieces(ONE_LEAF, [chunk("Rai")], failed) == ["Rai", f"\n{failed}"]


@pytest.mark.parametrize(
    ("arrived", "rest"),
    [
        ("  Rain today.", []),
        ("Rain today.\n\n", []),
        ("\n Rain today. ", []),
        ("  Rain ", ["today."]),
        ("Rain", [" today."]),
        (" \n", ["Rain today."]),
    ],
)
def test_white_space_around_what_arrived_does_not_make_it_another_reply(
    arrived: str, rest: list[str]
) -> None:
    assert pieces(ONE_LEAF, [chunk(arrived)], "Rain today.") == [arrived, *rest]


@given(
    before=st.text("a \n", max_size=4),
    broken_off=st.text("ab \n", max_size=6),
    output=st.text("ab \n", max_size=12),
    cuts=st.lists(st.integers(0, 12), max_size=4),
    arrived=st.integers(0, 12),
)
def test_the_pieces_end_with_the_reply_and_show_it_once_unless_an_attempt_was_broken_off(
    before: str, broken_off: str, output: str, cuts: list[int], arrived: int
) -> None:
    whole = f"{before}{output}"
    edges = [0, *sorted(min(cut, arrived) for cut in cuts), arrived]
    shown = [chunk(whole[start:end]) for start, end in pairwise(edges)]
    reply = whole.strip()
    once = pieces(ONE_LEAF, shown, reply)
    again = pieces(ONE_LEAF, [chunk(broken_off), retry(), *shown], reply)
    assert "" not in [*once, *again]
    assert "".join(once).strip() == reply
    assert "".join(again).rstrip().endswith(reply)
