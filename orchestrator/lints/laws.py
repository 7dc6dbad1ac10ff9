"""All laws that a workspace is held against, in sight; what the operator allows is not doubted."""

from orchestrator.lints.folder.files import file_doubts
from orchestrator.lints.folder.secrets import secret_doubts
from orchestrator.lints.folder.templates import template_doubts
from orchestrator.lints.subject import Law, Subject
from orchestrator.lints.turns.bounds import bound_doubts
from orchestrator.lints.turns.cues import cue_doubts
from orchestrator.lints.turns.examples import intent_doubts
from orchestrator.lints.turns.keywords import keyword_doubts
from orchestrator.lints.work.agents import agent_doubts
from orchestrator.lints.work.budgets import budget_doubts
from orchestrator.lints.work.limits import limit_doubts
from orchestrator.lints.work.models import model_doubts
from orchestrator.lints.work.planning import planning_doubts
from orchestrator.workspace.value import Doubt

LAWS: tuple[Law, ...] = (
    cue_doubts,
    keyword_doubts,
    intent_doubts,
    bound_doubts,
    agent_doubts,
    planning_doubts,
    limit_doubts,
    budget_doubts,
    model_doubts,
    template_doubts,
    file_doubts,
    secret_doubts,
)


def doubts(subject: Subject) -> tuple[Doubt, ...]:
    """Everything that is to be doubted of a workspace, with what loading it already told."""
    workspace = subject.workspace
    found = (doubt for law in LAWS for doubt in law(subject))
    allowed = frozenset(workspace.orchestrator.checks.allow)
    return (*workspace.warnings, *(doubt for doubt in found if doubt.code not in allowed))
