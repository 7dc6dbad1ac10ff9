"""What a person reads while a run goes on: the reply and what is told of it share one terminal."""

from contextlib import redirect_stderr, redirect_stdout
from datetime import UTC, datetime
from io import StringIO

from orchestrator.agents.contract import Output
from orchestrator.cli.progress import Progress
from orchestrator.ids import AgentName, RunId, TaskId
from orchestrator.planning.plan import plan_of
from orchestrator.planning.task import Task
from orchestrator.runs.events import (
    Event,
    OutputChunk,
    PlanMade,
    Record,
    RunEnded,
    TaskDone,
    TaskRetrying,
    TaskStarted,
)

T1 = TaskId("t1")
RUN = RunId("r1")
WRITER = AgentName("writer")
PLAN = plan_of("write a poem", (Task(T1, WRITER, "write a poem", "write a poem"),), "direct", (WRITER,))
STARTED = "t1     writer       ▶ started\n"
DONE = "t1     writer       ✓ done\n"


def seen(*happenings: Event | OutputChunk) -> tuple[str, str]:
    """What is read on a terminal, and what of it is the reply."""
    both, out = StringIO(), StringIO()

    class Teed(StringIO):
        def write(self, s: str) -> int:
            both.write(s)
            return out.write(s)

    with redirect_stdout(Teed()), redirect_stderr(both), Progress(live=False, reply=True) as progress:
        for seq, happening in enumerate(happenings, 1):
            progress(happening if isinstance(happening, OutputChunk) else recorded(seq, happening))
    return both.getvalue(), out.getvalue()


def recorded(seq: int, event: Event) -> Record:
    return Record(RUN, seq, datetime(2026, 1, 1, tzinfo=UTC), event)


def test_what_is_told_of_a_task_never_stands_in_a_line_of_its_reply() -> None:
    begun = (PlanMade(PLAN, "answer"), TaskStarted(T1, 1, "k"))
    pieces = (OutputChunk(RUN, T1, "Rain "), OutputChunk(RUN, T1, "falls"))
    ended = (TaskDone(T1, Output("Rain falls")), RunEnded("done", "Rain falls"))
    assert seen(*begun, *pieces, *ended) == (f"{STARTED}Rain falls\n{DONE}", "Rain falls\n")


def test_a_reply_that_is_begun_again_begins_on_a_line_of_its_own() -> None:
    begun = (PlanMade(PLAN, "answer"), OutputChunk(RUN, T1, "Rain"), TaskRetrying(T1, 1, "cut off", 0.5, 2))
    told, reply = seen(*begun, OutputChunk(RUN, T1, "Sun"), RunEnded("done", "Sun"))
    assert told == "Rain\nt1     writer       ↻ again: in 0.5 s: cut off\nSun\n"
    assert reply == "Rain\nSun\n"


def test_what_was_held_back_is_told_where_the_run_breaks_off() -> None:
    told, _ = seen(PlanMade(PLAN, "answer"), OutputChunk(RUN, T1, "Rain"), TaskDone(T1, Output("Rain falls")))
    assert told == f"Rain\n{DONE}"
