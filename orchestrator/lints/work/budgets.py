"""Budgets that always bite, that never bite, or that one turn may already need more than."""

from collections.abc import Iterator

from orchestrator.lints.subject import ORCHESTRATOR, Subject
from orchestrator.lints.work.models import all_asked
from orchestrator.workspace.models import ModelConfig, SessionBudget
from orchestrator.workspace.value import Doubt, Spot

_OF_MODELS = ("model_calls", "tokens", "money")


def budget_doubts(subject: Subject) -> Iterator[Doubt]:
    """What is to be doubted of the budgets of runs and sessions."""
    budgets = subject.workspace.orchestrator.budgets
    models = subject.workspace.models.models
    asked = [models[name] for name in all_asked(subject)]
    for scope in ("run", "session"):
        yield from _vain(scope, getattr(budgets, scope), asked)
    for knob in (*_OF_MODELS, "tasks"):
        run, session = getattr(budgets.run, knob), getattr(budgets.session, knob)
        if run is not None and session is not None and run > session:
            message = (
                f"the whole session may spend {session:,g}, and a run is in one; lower it, or raise that"
            )
            yield Doubt("budget-above-session", _spot("run", knob), message, (_spot("session", knob),))
    yield from _below_a_turn(subject, budgets.run.model_calls)


def _vain(scope: str, budget: SessionBudget, asked: list[ModelConfig]) -> Iterator[Doubt]:
    priced = any(model.price and (model.price.input or model.price.output) for model in asked)
    for knob in (*_OF_MODELS, "tasks"):
        limit = getattr(budget, knob)
        if limit is None:
            continue
        if knob in _OF_MODELS and not asked:
            message = "nothing in this workspace asks a model; take it out"
            yield Doubt("budget-never-bites", _spot(scope, knob), message)
        elif limit == 0:
            never = "no task is ever begun" if knob == "tasks" else "no model is ever asked"
            yield Doubt("budget-zero", _spot(scope, knob), f"with 0 {never}; raise it, or take it out")
        elif knob == "money" and not priced:
            message = "no model that is asked costs anything by its `price`; set one, or take this out"
            yield Doubt("budget-never-bites", _spot(scope, knob), message)


def _below_a_turn(subject: Subject, limit: int | None) -> Iterator[Doubt]:
    """One call for each of what may ask a model on the way of one turn."""
    steps = {
        "its route": subject.classifier_asks,
        "its plan": subject.planner_asks,
        "its task": bool(subject.prompted),
    }
    needed = [step for step, asks in steps.items() if asks]
    if limit and limit < len(needed):
        message = f"one turn may need {len(needed)}: for {', '.join(needed)}; raise it"
        yield Doubt("budget-below-turn", _spot("run", "model_calls"), message)


def _spot(scope: str, knob: str) -> Spot:
    return Spot(ORCHESTRATOR, f"budgets.{scope}.{knob}")
