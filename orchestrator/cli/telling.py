"""What happened in a run, in a person's words: each type of event has its word, and what is said of it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from orchestrator.comparison import told
from orchestrator.runs import changes, events, messages
from orchestrator.runs.events import Event, Record


def when(at: datetime | None) -> str:
    """A moment in local time, to the second."""
    return "-" if at is None else at.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def line(record: Record) -> str:
    """The record as one line: when, its number, and what happened."""
    what, more = word(record.event), detail(record.event)
    task = getattr(record.event, "task", "")
    told = " ".join(filter(None, (task, what))) + (f": {more}" if more else "")
    return f"{when(record.at)}  {record.seq:>4}  {' '.join(told.split())}"


def word(event: Event) -> str:
    """The word for what happened; of a signal that was judged, what became of it."""
    return event.decision if isinstance(event, changes.SignalJudged) else _TOLD[type(event)][0]


def detail(event: Event) -> str:
    """What is to be said of it beyond its word and its task; often nothing."""
    return _TOLD[type(event)][1](event)


def _nothing(_: object) -> str:
    return ""


def _by(event: Any) -> str:
    return f"by {event.by}"


def _items(event: events.TaskExpanded) -> str:
    count = len(event.items)
    return f"to {count} item{'s' if count != 1 else ''}"


def _planned(event: events.PlanMade) -> str:
    count, why = len(event.plan.tasks), event.plan.collapse_reason
    return f"{event.plan.source}, {count} task{'s' if count != 1 else ''}{f'; {why}' if why else ''}"


def _served_by(event: events.TurnRouted) -> str:
    route = event.route.get("route")
    if not isinstance(route, Mapping) or not isinstance(route.get("agent"), str):
        return "to nobody"
    intent, sure = route.get("intent"), route.get("confidence")
    how = f", confidence {sure:.2f}" if isinstance(sure, int | float) else ""
    return f"to {route['agent']}{f', intent {intent}' if intent else ''}{how}"


def _ran_out(event: events.BudgetRanOut) -> str:
    """What was spent of it, what was left undone for it, and the knob that allows more."""
    what, _, scope = event.budget.rpartition(" of the ")
    needed = f", needed by {event.needed}" if event.needed else ""
    knob = f"budgets.{scope}.{_KNOBS.get(what, what.replace(' ', '_'))}"
    return (
        f"{event.budget} ({event.used:,.12g} of {event.limit:,.12g}){needed};"
        f" {knob} in config/orchestrator.yaml allows more"
    )


def _signal(event: messages.SignalReceived) -> str:
    urgent, as_of = ", urgent" if event.urgent else "", f", as of {event.time}" if event.time else ""
    return f"{event.key} = {told(event.value)}, says {event.source}{as_of}{urgent}"


def _revised(event: changes.PlanRevised) -> str:
    """The difference, task by task."""
    said = [f"{task.id} ({task.agent}): {task.action}" for task in event.changed]
    return "; ".join([*said, *(f"{task} is left out" for task in event.dropped)])


def _outcome(event: changes.OutcomeChecked) -> str:
    said = [f"{'✓' if found.well else '✗'} {found.description}: {found.seen}" for found in event.found]
    return "; ".join(said)


_KNOBS = {"seconds of wall time": "wall_time"}


def _whether(event: Any) -> str:
    return "it happened" if event.happened else "it did not happen"


def _said(event: Any) -> str:
    reason = getattr(event, "reason", "") or getattr(event, "text", "")
    return f"by {event.by}{f': {reason}' if reason else ''}"


# Any: each function takes the event type of its key, which a dict's type cannot say.
_TOLD: dict[type, tuple[str, Callable[[Any], str]]] = {
    events.TurnReceived: ("turn", lambda e: e.text),
    events.TurnRouted: ("routed", _served_by),
    events.PlanMade: ("planned", _planned),
    events.ApprovalAsked: ("needs a person's word", lambda e: e.reason),
    events.DriverStarted: ("taken up", lambda e: f"by {e.driver}"),
    events.MessageRefused: ("not taken", lambda e: f"{e.said}: {e.reason}"),
    events.RunParked: ("waits", lambda e: f"for {', '.join(e.waits_for)}"),
    events.ReviewFlagged: ("flagged for review", lambda e: e.reason),
    events.BudgetRanOut: ("budget used up", _ran_out),
    events.TaskExpanded: ("⋯ expanded", _items),
    events.TaskStarted: ("▶ started", lambda e: f"attempt {e.attempt}" if e.attempt > 1 else ""),
    events.TaskRetrying: ("↻ again", lambda e: f"in {e.delay:.1f} s: {e.error}"),
    events.TaskHandedOver: ("→ handed over", lambda e: f"to {e.to}: {e.error}"),
    events.TaskInDoubt: ("? in doubt", lambda e: e.reason),
    events.DoubtSettled: ("! settled", _whether),
    events.TaskDone: ("✓ done", _nothing),
    events.TaskFailed: ("✗ failed", lambda e: e.error),
    events.TaskSkipped: ("- skipped", lambda e: e.reason),
    events.TaskCancelled: ("■ cancelled", _nothing),
    events.RunEnded: ("ended", lambda e: e.status),
    changes.FactsGiven: ("known", lambda e: ", ".join(f"{k} = {told(v)}" for k, v in e.facts.items())),
    changes.ScenarioBegun: ("scenario", lambda e: f"{e.name}{', as a baseline' if e.baseline else ''}"),
    changes.SignalJudged: ("judged", lambda e: f"{e.key}: {e.reason}"),
    changes.TaskRecalled: ("↩ called off", lambda e: e.reason),
    changes.PlanRevised: ("plan changed", _revised),
    changes.OutcomeChecked: ("outcome", _outcome),
    messages.PlanApproved: ("approved", _by),
    messages.PlanRejected: ("rejected", _said),
    messages.FeedbackGiven: ("feedback", _said),
    messages.DoubtAnswered: ("! settled", lambda e: f"{_whether(e)}, says {e.by}"),
    messages.SignalReceived: ("signal", _signal),
    messages.CancelAsked: ("cancel asked", _said),
    messages.ReviewCleared: ("review cleared", _by),
}
