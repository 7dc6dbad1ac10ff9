"""A compound turn that does not split is planned by a model: a script and an endpoint, by the same code."""

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from orchestrator import Orchestrator
from orchestrator.agents.contract import Usage
from orchestrator.errors import PlanRefused
from orchestrator.testing import MemoryStore

from support.openai_server import Answer, OpenAIServer, serving

UNCLEAR = "find the overdue invoices and then frobnicate the widgets"
GOOD = """\
Here is the plan:
1. TASK: T1 | find the overdue invoices | ledger | none
2. **TASK: t2 | frobnicate the widgets | calendar | T1**"""
FAULTY = "TASK: t1 | find the overdue invoices | nobody | none"
DOWN = Answer(status=503, error="the service is down")
PLANNED = [
    ("t1", "ledger", "find the overdue invoices", (), (0, 25)),
    ("t2", "calendar", "frobnicate the widgets", ("t1",), (35, 57)),
]
ONE_CALL = Usage(1, 11, 7)


@dataclass
class Planner:
    """Where the planner's model is, the answers it has, and how the office comes to it."""

    kind: str
    open_office: Callable[..., Orchestrator]
    server: OpenAIServer
    store: MemoryStore = field(default_factory=MemoryStore)

    def app(self, *answers: str | Answer, policy: str = "") -> Orchestrator:
        """The office whose planner gives these answers and no others."""
        script = ""
        if self.kind == "http":
            self.server.answers[:] = [Answer(a) if isinstance(a, str) else a for a in answers]
            served = f"provider: openai, model: test-model, base_url: '{self.server.base_url}'"
        else:
            script = json.dumps([_step(a) for a in answers])
            served = "provider: scripted, file: scripts/planner.yaml"
        files = {
            "config/models.yaml": f"models: {{planner: {{{served}}}}}",
            "config/planning.yaml": f"model: planner\n{policy}",
            "scripts/planner.yaml": script or "[]",
        }
        return self.open_office(files, store=self.store)


def _step(answer: str | Answer) -> dict[str, Any]:
    if isinstance(answer, str):
        return {"reply": answer, "usage": [11, 7]}
    return {"error": {"message": answer.error, "status": answer.status}}


@pytest.fixture(scope="module")
def server() -> Iterator[OpenAIServer]:
    with serving() as running:
        yield running


@pytest.fixture(params=["scripted", "http"])
def planner(
    request: pytest.FixtureRequest, open_office: Callable[..., Orchestrator], server: OpenAIServer
) -> Planner:
    server.requests.clear()
    server.answers.clear()
    return Planner(request.param, open_office, server)


def test_the_models_plan_is_the_same_whoever_serves_it(planner: Planner) -> None:
    preview = asyncio.run(planner.app(GOOD).preview(UNCLEAR, llm=True))
    found = [(t.id, t.agent, t.action, t.depends_on, t.source_span) for t in preview.plan.tasks]
    assert (preview.plan.source, found, preview.warnings) == ("model", PLANNED, ())
    assert (preview.usage, preview.model_calls) == (ONE_CALL, (1, 2))


def test_what_planning_cost_is_in_the_runs_usage(planner: Planner) -> None:
    result = asyncio.run(planner.app(GOOD).run(UNCLEAR))
    assert (result.status, result.usage) == ("done", ONE_CALL)


def test_a_faulty_reply_gets_one_repair_call(planner: Planner) -> None:
    preview = asyncio.run(planner.app(FAULTY, GOOD).preview(UNCLEAR, llm=True))
    assert (preview.plan.source, len(preview.plan.tasks), preview.warnings) == ("model", 2, ())
    assert preview.usage == Usage(2, 22, 14)


def test_after_two_faulty_replies_the_direct_plan_runs_with_a_warning(planner: Planner) -> None:
    app = planner.app(FAULTY, FAULTY)
    preview = asyncio.run(app.preview(UNCLEAR, llm=True))
    (task,) = preview.plan.tasks
    assert (preview.plan.source, task.agent, task.action) == ("direct", "ledger", UNCLEAR)
    (warning,) = preview.warnings
    assert "refused twice (line 1: unknown agent 'nobody'" in warning
    assert warning.endswith("the direct plan is used")
    assert preview.usage == Usage(2, 22, 14)


def test_after_two_faulty_replies_nothing_runs_where_the_policy_says_fail(planner: Planner) -> None:
    app = planner.app(FAULTY, FAULTY, policy="on_invalid_plan: fail")
    with pytest.raises(PlanRefused, match="line 1: unknown agent 'nobody'"):
        asyncio.run(app.run(UNCLEAR))
    assert not asyncio.run(planner.store.runs())


def test_a_model_that_is_down_is_named_and_the_best_split_runs(planner: Planner) -> None:
    app = planner.app(DOWN)
    result = asyncio.run(app.run(f"check my calendar, then {UNCLEAR}"))
    assert result.plan is not None
    assert [(t.agent, t.action) for t in result.plan.tasks] == [
        ("calendar", "check my calendar"),
        ("ledger", UNCLEAR),
    ]
    first, second = result.plan.warnings
    assert "HTTP 503: " in first
    assert "the service is down" in first
    assert first.endswith("the split at the cues is used")
    assert "“frobnicate the widgets”" in second
    assert result.status == "done"


def test_a_model_that_is_down_ends_the_turn_where_the_policy_says_fail(planner: Planner) -> None:
    app = planner.app(DOWN, policy="on_invalid_plan: fail")
    with pytest.raises(PlanRefused, match="the planner's model gave no plan"):
        asyncio.run(app.run(UNCLEAR))
    assert not asyncio.run(planner.store.runs())


def test_a_plan_without_llm_calls_no_model_and_says_so(planner: Planner) -> None:
    app = planner.app()  # a model that has no answer: any call would show in the warnings
    for preview in (asyncio.run(app.preview(UNCLEAR)), asyncio.run(app.preview(UNCLEAR, llm=False))):
        assert preview.usage == Usage()
        assert preview.model_calls == (1, 2)
        assert preview.warnings[0] == "the planner's model was not asked; the direct plan is used"
    asyncio.run(app.plan(UNCLEAR, llm=False))
    asyncio.run(app.route(UNCLEAR))
    assert planner.server.requests == []


@pytest.mark.parametrize("text", ["check my calendar", "find the overdue invoices and check my calendar"])
def test_a_turn_that_is_simple_or_splits_calls_no_model(planner: Planner, text: str) -> None:
    result = asyncio.run(planner.app().run(text))
    assert (result.status, result.usage) == ("done", Usage())
    assert planner.server.requests == []


def test_mode_model_asks_for_every_compound_turn(planner: Planner) -> None:
    app = planner.app(GOOD, policy="mode: model")
    assert asyncio.run(app.plan("find the overdue invoices and check my calendar")).source == "model"


def test_the_endpoint_is_asked_what_the_templates_say(
    open_office: Callable[..., Orchestrator], server: OpenAIServer
) -> None:
    server.requests.clear()
    asyncio.run(Planner("http", open_office, server).app(FAULTY, GOOD).plan(UNCLEAR))
    first, repair = [request["messages"][-1]["content"] for request in server.requests]
    assert f"> {UNCLEAR}" in first
    assert "- ledger (read): Knows the invoices.\n  - find_overdue" in first
    assert repair.startswith(first)
    assert f"> {FAULTY}" in repair
    assert "unknown agent 'nobody'; use one of: calendar, ledger, reminders" in repair


def test_an_unreachable_endpoint_is_named_with_the_remedy(open_office: Callable[..., Orchestrator]) -> None:
    with serving() as gone:
        base_url = gone.base_url
    served = f"{{provider: openai, model: m, base_url: '{base_url}', timeout: 5s}}"
    app = open_office(
        {"config/models.yaml": f"models: {{planner: {served}}}", "config/planning.yaml": "model: planner"}
    )
    plan = asyncio.run(app.plan(UNCLEAR))
    assert plan.source == "direct"
    assert "cannot be reached" in plan.warnings[0]
    assert "check `base_url`" in plan.warnings[0]
