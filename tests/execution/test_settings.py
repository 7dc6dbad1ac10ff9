from orchestrator.execution.settings import Budget, Budgets, Limits, Settings, Spending, settings_of
from orchestrator.ids import AgentName
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.models import OrchestratorFile


def test_settings_are_the_numbers_of_the_workspace() -> None:
    file = OrchestratorFile.model_validate(
        {
            "execution": {"schedule": "waves", "concurrency": 3, "task_timeout": "9s", "max_items": 7},
            "inject": {"per_result": 10, "total": 20},
        }
    )
    agent = AgentFile.model_validate(
        {"name": "a", "uses": "inbox", "limits": {"timeout": "1m", "retries": 0, "concurrency": 2}}
    )
    assert settings_of(file, [agent]) == Settings(
        schedule="waves",
        concurrency=3,
        task_timeout=9.0,
        max_items=7,
        budget=Budget(10, 20),
        agents={AgentName("a"): Limits(60.0, 0, 2)},
    )


def test_the_schedule_of_a_run_goes_before_that_of_the_workspace() -> None:
    assert settings_of(OrchestratorFile(), [], "waves").schedule == "waves"


def test_the_defaults_are_those_of_the_page_of_knobs() -> None:
    file, agent = OrchestratorFile(), AgentFile.model_validate({"name": "a", "uses": "inbox"})
    usual, bounds = settings_of(file, [agent]), agent.limits
    assert (usual.schedule, usual.concurrency) == (file.execution.schedule, file.execution.concurrency)
    assert (usual.task_timeout, usual.max_items) == (file.execution.task_timeout, file.execution.max_items)
    assert usual.budget == Budget(file.inject.per_result, file.inject.total)
    assert usual.agents == {"a": Limits(bounds.timeout, bounds.retries, bounds.concurrency)}


def test_budgets_and_fallbacks_are_numbers_and_names() -> None:
    file = OrchestratorFile.model_validate(
        {
            "budgets": {
                "run": {"model_calls": 5, "tokens": 9000, "money": 0.5, "tasks": 7, "wall_time": "1.5m"},
                "session": {"model_calls": 50, "tokens": 90000, "money": 5, "tasks": 70},
            }
        }
    )
    agent = AgentFile.model_validate({"name": "a", "uses": "inbox", "fallbacks": ["b"], "idempotent": True})
    found = settings_of(file, [agent])
    assert found.budgets == Budgets(Spending(5, 9000, 0.5, 90.0, 7), Spending(50, 90000, 5.0, None, 70))
    assert (found.agents["a"].fallbacks, found.agents["a"].idempotent) == (("b",), True)


def test_what_is_not_set_is_no_limit() -> None:
    assert settings_of(OrchestratorFile(), []).budgets == Budgets()
    assert not Spending().limited
    assert Spending(tasks=0).limited
