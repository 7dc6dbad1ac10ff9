"""What happened, in a person's words."""

from pathlib import Path

import pytest
from orchestrator.cli.telling import detail
from orchestrator.runs.events import BudgetRanOut

KNOBS = (Path(__file__).parents[2] / "docs" / "knobs.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("budget", "knob"),
    [
        ("model calls of the run", "budgets.run.model_calls"),
        ("tokens of the session", "budgets.session.tokens"),
        ("money of the session", "budgets.session.money"),
        ("tasks of the run", "budgets.run.tasks"),
        ("seconds of wall time of the run", "budgets.run.wall_time"),
    ],
)
def test_a_budget_that_is_used_up_is_told_with_the_knob_that_allows_more(budget: str, knob: str) -> None:
    told = detail(BudgetRanOut(budget, 1000, 1000, "t4 (writer)"))
    assert told == (
        f"{budget} (1,000 of 1,000), needed by t4 (writer); {knob} in config/orchestrator.yaml allows more"
    )
    assert f"| `{knob}` |" in KNOBS


def test_a_budget_that_no_task_needed_is_told_without_one() -> None:
    assert "needed" not in detail(BudgetRanOut("tokens of the run", 5, 7, ""))
