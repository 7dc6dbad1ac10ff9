"""What was ever written can still be read: a file for every type of event, in every version that it had.

A new version gets a new file, and what the old one is now moves to EARLIER. A file is never changed.
"""

from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from orchestrator.agents.contract import Item, Output, Usage
from orchestrator.comparison import Comparison
from orchestrator.ids import AgentName, IntentName, MessageId, SessionId, TaskId
from orchestrator.planning.estimate import Estimate
from orchestrator.planning.grounds.assumption import Assumption
from orchestrator.planning.grounds.outcome import OutcomeCheck, OutcomeFound
from orchestrator.planning.plan import Plan
from orchestrator.planning.repair import Patch, Repair
from orchestrator.planning.task import Compensation, Task
from orchestrator.runs.changes import (
    FactsGiven,
    OutcomeChecked,
    PlanRevised,
    ScenarioBegun,
    Scripted,
    SignalJudged,
    TaskRecalled,
)
from orchestrator.runs.codec import EVENT_TYPES, UPCASTS, Encoded, decode, encode
from orchestrator.runs.containing import Memory, Rules
from orchestrator.runs.events import (
    ApprovalAsked,
    BudgetRanOut,
    DoubtSettled,
    DriverStarted,
    Event,
    MessageRefused,
    PlanMade,
    ReviewFlagged,
    RunEnded,
    RunParked,
    TaskCancelled,
    TaskDone,
    TaskExpanded,
    TaskFailed,
    TaskHandedOver,
    TaskInDoubt,
    TaskRetrying,
    TaskSkipped,
    TaskStarted,
    TurnReceived,
    TurnRouted,
)
from orchestrator.runs.messages import (
    CancelAsked,
    DoubtAnswered,
    FeedbackGiven,
    PlanApproved,
    PlanRejected,
    ReviewCleared,
    SignalReceived,
)

FOLDER = Path(__file__).parent / "golden"

T1, T2 = TaskId("t1"), TaskId("t2")
REQUEST = "summarize my inbox and mail it to Zoë"
PLAN = Plan(
    request=REQUEST,
    tasks=(
        Task(
            id=T1,
            agent=AgentName("inbox"),
            action="summarize my inbox",
            request=REQUEST,
            intent=IntentName("summarize_inbox"),
            source_span=(0, 18),
            effects="read",
            success="not_empty",
        ),
        Task(
            id=T2,
            agent=AgentName("mailer"),
            action="mail it to Zoë",
            request=REQUEST,
            depends_on=(T1,),
            map_over=T1,
            effects="write",
            on_upstream_failure="run",
        ),
    ),
    waves=((T1,), (T2,)),
    source="split",
    collapsed=False,
    collapse_reason="two agents",
    warnings=("no part of the request was found for t2",),
    revisions=("feedback: to Zoë only",),
)
HASH = "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef"
USAGE = Usage(model_calls=1, input_tokens=1200, output_tokens=80, money=0.0125)
OUTPUT = Output(
    "2 mails",
    (Item("from Bob", {"from": "bob@example.org", "unread": True, "tags": ["a", 1, 0.5, None]}), Item("ads")),
    USAGE,
)
ESTIMATE = Estimate((2.125, 7.5), (1, 3), None, (0.0125, 0.02), 12, (T1, T2))
M1 = MessageId("m1")

AT = "2026-03-01T09:30:00+00:00"
GROUNDED = replace(
    PLAN.tasks[0],
    assumes=(Assumption("delay", Comparison("within", (0, 1.5)), "the flight lands on time"),),
    compensate=Compensation(AgentName("mailer"), "take back what {{ facts.gate }} was told"),
)
GROUNDED_PLAN = replace(
    PLAN,
    tasks=(GROUNDED, *PLAN.tasks[1:]),
    repairs=(
        Repair(
            "delay", Comparison("gt", (1,)), (Patch(T1, "wait", AgentName("inbox"), ()),), (GROUNDED,), (T2,)
        ),
        Repair("gate", uses="reread", because="the gate has changed"),
    ),
    outcome=(
        OutcomeCheck("the guest is met", "facts.delay >= 0"),
        OutcomeCheck("it is written", file="out.ics", contains="14:00"),
        OutcomeCheck("it is told", agent=AgentName("inbox"), asks="when?", contains="14:00"),
    ),
)

TODAY: tuple[Event, ...] = (
    TurnReceived(REQUEST, SessionId("s1"), "w" * 8, "p" * 8),
    TurnRouted(
        {"agent": "inbox", "confidence": 0.93, "alternatives": [], "compound": {"is_multi_step": True}}
    ),
    PlanMade(GROUNDED_PLAN, "act", USAGE, HASH, ESTIMATE),
    ApprovalAsked(HASH, "t2 (mailer) writes", 100),
    DriverStarted("driver-0a1b2c3d"),
    MessageRefused(M1, "PlanApproved", "its plan was approved already"),
    RunParked(("answer t2[1]", "answer t2[2]"), "t2[1] is in doubt"),
    ReviewFlagged("6 drivers in a row took it up and nothing went on in it", holds=True),
    BudgetRanOut("tokens of the run", 1000.0, 1280.5, "t2 (mailer)"),
    TaskExpanded(T2, OUTPUT.items or ()),
    TaskStarted(TaskId("t2[1]"), 1, "r1/t2[1]/1"),
    TaskRetrying(T1, 1, "timed out after 30 s", 0.5, 2, USAGE),
    TaskHandedOver(T1, 2, "HTTP 500", AgentName("inbox_2"), USAGE),
    TaskInDoubt(TaskId("t2[1]"), "timed out after 30 s; whether it took effect is not known", USAGE),
    DoubtSettled(TaskId("t2[1]"), happened=True, output=Output("sent")),
    TaskDone(T1, OUTPUT),
    TaskFailed(T2, "1 of 2 items failed: t2[2]: refused", Output("sent", ()), USAGE),
    TaskSkipped(T2, "t1 failed"),
    TaskCancelled(T2),
    RunEnded("partial", "2 mails\n\n(t2 failed)"),
    PlanApproved("ann", HASH, 100, M1),
    PlanRejected("ann", "not to Zoë", M1),
    FeedbackGiven("ann", "to Zoë only", revises_plan=True, message=M1),
    DoubtAnswered("ann", TaskId("t2[1]"), happened=True, output="sent", message=M1),
    SignalReceived("delay", {"hours": 5, "sure": None}, "airline", M1, "e-7", AT, urgent=True),
    CancelAsked("ann", "too late", M1),
    ReviewCleared("ann", M1, keep=True),
    FactsGiven({"delay": 0, "gate": "B4"}),
    ScenarioBegun(
        "late", True, (Scripted(1, "late/1/1", "delay", 5, "airline", AT, urgent=True),), {"": Rules()}
    ),
    SignalJudged(M1, "delay", "revised", "delay is 5", 2.0, (T1,), Memory(2.0, 1000.0, 2.0, True, (True,))),
    TaskRecalled(T1, "delay is 5"),
    PlanRevised("delay is 5", (GROUNDED,), HASH, (T2,), ((T1,),)),
    OutcomeChecked((OutcomeFound("the guest is met", False, "14:00 is before 19:00"),)),
)

EARLIER: dict[tuple[str, int], Event] = {
    ("SignalReceived", 1): SignalReceived("flight_delay_hours", {"hours": 5, "sure": None}, "airline", M1),
    ("ReviewCleared", 1): ReviewCleared("ann", M1, keep=False),
    ("PlanMade", 3): PlanMade(PLAN, "act", USAGE, HASH, ESTIMATE),
    ("TurnReceived", 1): TurnReceived(REQUEST, None, workspace="", prompts=""),
    ("PlanMade", 1): PlanMade(PLAN, "act", Usage(1, 1200, 80, 0.0), plan_hash=""),
    ("PlanMade", 2): PlanMade(PLAN, "act", USAGE, HASH, estimate=None),
    ("PlanApproved", 1): PlanApproved("ann", plan_hash="", most_items=0, message=MessageId("")),
    ("TaskRetrying", 1): TaskRetrying(T1, 3, "timed out after 30 s", 0.5, next_attempt=4, usage=Usage()),
    ("TaskFailed", 1): TaskFailed(T1, "HTTP 500", Output("", None, Usage(1, 20, 0, 0.0)), usage=Usage()),
}
"""What the files of earlier versions are today."""


def stored(name: str, version: int) -> Encoded:
    return Encoded(name, version, (FOLDER / f"{name}.v{version}.json").read_text(encoding="ascii").strip())


def named(event: Event) -> str:
    return type(event).__name__


@pytest.mark.parametrize("event", TODAY, ids=named)
def test_an_event_is_written_as_in_its_file_to_the_byte(event: Event) -> None:
    file = FOLDER / f"{named(event)}.v{event.version}.json"
    assert f"{encode(event).body}\n".encode() == file.read_bytes()


@pytest.mark.parametrize("event", TODAY, ids=named)
def test_the_file_of_today_is_read_as_the_event(event: Event) -> None:
    assert decode(stored(named(event), event.version)) == event


@pytest.mark.parametrize(("name", "version"), EARLIER)
def test_a_file_of_an_earlier_version_is_read_as_an_event_of_today(name: str, version: int) -> None:
    assert decode(stored(name, version)) == EARLIER[name, version]


def test_every_event_there_is_can_be_stored() -> None:
    assert set(EVENT_TYPES.values()) == set(get_args(Event))
    assert all(kind.__name__ == name for name, kind in EVENT_TYPES.items())


def test_every_type_has_a_file_for_every_version_it_had_and_no_other() -> None:
    due = {
        f"{name}.v{version}.json"
        for name, kind in EVENT_TYPES.items()
        for version in range(1, kind.version + 1)
    }
    assert {path.name for path in FOLDER.iterdir()} == due


def test_every_type_is_shown_today_and_in_every_version_before() -> None:
    assert sorted(map(named, TODAY)) == sorted(EVENT_TYPES)
    before = {(name, v) for name, kind in EVENT_TYPES.items() for v in range(1, kind.version)}
    assert set(EARLIER) == before


def test_every_version_but_the_present_has_its_step() -> None:
    steps = {(name, v) for name, kind in EVENT_TYPES.items() for v in range(1, kind.version)}
    assert set(UPCASTS) == steps
