"""Where a run stands, and what was decided on the way: the document of `status`, and the same for people."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from orchestrator.cli.estimate import reckoning_lines
from orchestrator.cli.telling import detail, line, when, word
from orchestrator.runs.changes import OutcomeChecked, PlanRevised, SignalJudged, TaskRecalled
from orchestrator.runs.codec import encode
from orchestrator.runs.events import (
    ApprovalAsked,
    BudgetRanOut,
    DoubtSettled,
    Event,
    MessageRefused,
    PlanMade,
    Record,
    ReviewFlagged,
    TaskHandedOver,
    TaskInDoubt,
    TurnRouted,
)
from orchestrator.runs.messages import (
    CancelAsked,
    DoubtAnswered,
    FeedbackGiven,
    PlanApproved,
    PlanRejected,
    ReviewCleared,
)
from orchestrator.runs.past import reckoned
from orchestrator.runs.result import result_of
from orchestrator.runs.state import RunState

if TYPE_CHECKING:
    from orchestrator.ids import Json, TaskId

_DECISIONS = (
    TurnRouted,
    PlanMade,
    ApprovalAsked,
    PlanApproved,
    PlanRejected,
    FeedbackGiven,
    MessageRefused,
    TaskHandedOver,
    TaskInDoubt,
    DoubtSettled,
    DoubtAnswered,
    BudgetRanOut,
    CancelAsked,
    ReviewFlagged,
    ReviewCleared,
    TaskRecalled,
    PlanRevised,
    OutcomeChecked,
)
_MARKS = {
    "done": "✓",
    "failed": "✗",
    "skipped": "-",
    "cancelled": "■",
    "running": "▶",
    "in_doubt": "?",
    "waiting": "·",
}


def status_of(state: RunState, records: Sequence[Record]) -> "dict[str, Json]":
    """The document of `status RUN --json`; the records are those that the state was folded from."""
    return {
        **result_of(state).to_json(),
        "text": state.text,
        "session": state.session,
        "started": _iso(state.started),
        "ended": _iso(state.ended),
        "plan_hash": state.plan_hash,
        "planning_depth": _depth(state, records),
        "approval": _approval(state),
        "decisions": [_decision(r) for r in records if _is_decision(r.event)],
        "ignored": state.ignored,
        "facts": dict(state.facts),
        "todos": [],
        "budget": None if state.budget is None else _body(state.budget),
        "driver": state.driver,
        "drivers": state.drivers,
        "driven_seconds": state.driven,
        "workspace": state.workspace,
    }


def _depth(state: RunState, records: Sequence[Record]) -> "Mapping[str, Json]":
    """How the plan came about. An ordinary one is made directly: nothing was sized, reviewed or skipped."""
    approvals = [r.at for r in records if r.event == state.approved] if state.approved else []
    return {
        "flow": "direct",
        "clarity": None,
        "requirements_skipped": None,
        "size": None,
        "signals": [],
        "review_limit": 0,
        "challenges": 0,
        "approved_at": _iso(approvals[-1]) if approvals else None,
        "final_stage": None,
        "restarts": 0,
    }


def _approval(state: RunState) -> "Mapping[str, Json] | None":
    """What was asked of a person, and what was said; None where nobody was asked."""
    if state.approval is None:
        return None
    said, by = ("approved", state.approved.by) if state.approved else (None, None)
    if state.rejected is not None:
        said, by = "rejected", state.rejected.by
    return {**_body(state.approval), "said": said, "by": by}


def _is_decision(event: Event) -> bool:
    """Signals that were ignored are only counted: there may be very many."""
    return isinstance(event, _DECISIONS) or (isinstance(event, SignalJudged) and event.decision != "ignored")


def _decision(record: Record) -> "Mapping[str, Json]":
    event = record.event
    task: TaskId | None = getattr(event, "task", None)
    what = " ".join(filter(None, (task, word(event))))
    return {"at": record.at.isoformat(), "type": type(event).__name__, "what": what, "why": detail(event)}


def _body(event: Any) -> "dict[str, Json]":
    """The event as JSON. Any: whatever event there is."""
    return json.loads(encode(event).body)


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


# ── for people ──────────────────────────────────────────────────────────────────────────────────────


def status_lines(state: RunState, records: Sequence[Record]) -> Iterator[str]:
    """The run for people: what it is, its plan with the states of its tasks, and how to go on."""
    yield from head_lines(state)
    decided = [r for r in records if _is_decision(r.event)]
    yield from ("", "decisions") if decided else ()
    for record in decided:
        yield f"  {line(record)}"
    yield from reply_lines(state)


def head_lines(state: RunState) -> Iterator[str]:
    """What the run is, where it stands, and its plan."""
    waits = f", for {' and '.join(state.waits_for)}" if state.waits_for else ""
    yield f"run       {state.run}"
    yield f"status    {state.status}{waits}"
    yield f"turn      {state.text}"
    if state.session is not None:
        yield f"session   {state.session}"
    yield f"time      {when(state.started)} to {when(state.ended) if state.ended else 'now'}"
    if state.scenario is not None:
        yield f"scenario  {state.scenario.name}{', as a baseline' if state.scenario.baseline else ''}"
    elif isinstance(state.route, Mapping) and isinstance(route := state.route.get("route"), Mapping):
        intent = f", intent {route['intent']}" if route.get("intent") else ""
        yield f"route     {route.get('agent') or 'nobody'}{intent}"
    yield from reckoning_lines(reckoned(state))
    if state.review is not None:
        yield f"review    {state.review}"
    if state.budget is not None:
        yield f"budget    {detail(state.budget)}"
    yield from _world_lines(state)
    if state.plan is not None:
        yield f"plan      {state.plan.source}, hash {state.plan_hash[:12] or 'not known'}"
        yield from _plan_lines(state)


def _world_lines(state: RunState) -> Iterator[str]:
    """What the run knows of the world, and how the world was found to be at its end."""
    if state.ignored:
        yield f"ignored   {state.ignored} signals that contradict nothing"
    for key, value in state.facts.items():
        yield f"fact      {key} = {json.dumps(value, ensure_ascii=False)}"
    for found in state.outcome.found if state.outcome is not None else ():
        yield f"outcome   {'✓' if found.well else '✗'} {found.description}: {found.seen}"


def reply_lines(state: RunState) -> Iterator[str]:
    """The reply, which of a waiting run says how to go on; of a running one, how to go on where nobody is."""
    if state.reply:
        yield from ("", state.reply)
    elif state.status == "running":
        yield from ("", f"Watch it: cuewave runs show {state.run} --follow")
        yield f"Take it up, where the process that drives it has died: cuewave runs resume {state.run}"


def _plan_lines(state: RunState) -> Iterator[str]:
    """The plan by waves, each task with its state, and below it why it is in it."""
    if state.plan is None:
        return
    results, tasks = result_of(state).results, {task.id: task for task in state.plan.tasks}
    for number, wave in enumerate(state.plan.waves, 1):
        yield f"  wave {number}"
        for id in wave:
            task, result = tasks[id], results[id]
            agent = state.tasks[id].agent or task.agent
            action = " ".join(task.action.split())
            yield f"    {_MARKS[result.status]} {id:<4} {agent:<12} {result.status:<9}  {action}"
            done = sum(item.status == "done" for item in result.items.values())
            if result.items:
                yield f"           {done} of {len(result.items)} items done"
            if result.error:
                yield f"           {result.error}"
