"""The agents and cues that the routing tests share, in view on one page."""

from collections.abc import Callable, Mapping

import pytest
from orchestrator.ids import AgentName
from orchestrator.routing.cascade import Router
from orchestrator.workspace.agent_file import AgentFile, IntentConfig
from orchestrator.workspace.models import CueGroups, MultiStepFile, RoutingFile

AGENTS: Mapping[AgentName, AgentFile] = {
    AgentName("inbox"): AgentFile(
        name="inbox",
        uses="mailbox",
        intents={
            "summarize_inbox": IntentConfig(keywords=("inbox", "summarize my inbox")),
            "search_inbox": IntentConfig(keywords=("emails from", "search")),
        },
    ),
    AgentName("calendar"): AgentFile(
        name="calendar",
        uses="calendar",
        intents={
            "check_calendar": IntentConfig(keywords=("calendar", "meeting"), description="look up meetings"),
            "free_time": IntentConfig(keywords=("free time", "am I free")),
        },
    ),
    AgentName("ledger"): AgentFile(
        name="ledger",
        uses="ledger",
        kind="answer",
        intents={
            "overdue": IntentConfig(keywords=("overdue", "overdue invoices")),
            "totals": IntentConfig(keywords=("totals", "profit and loss"), kind="report"),
        },
    ),
    AgentName("reminders"): AgentFile(
        name="reminders",
        uses="reminders",
        kind="act",
        intents={"remind": IntentConfig(keywords=("reminder", "remind me"))},
    ),
}

CUES = MultiStepFile(
    cues=CueGroups(
        sequential=("and then", ", then", "after that", "first ... then"),
        parallel=("as well as",),
        distributive=("for each", "one for each"),
        weak=("also", "both"),
        joiners=("and", ",", ";", "plus"),
    ),
    references=("it", "them", "the results"),
)


@pytest.fixture
def agents() -> Mapping[AgentName, AgentFile]:
    return AGENTS


@pytest.fixture
def cues() -> MultiStepFile:
    return CUES


@pytest.fixture
def make_router() -> Callable[..., Router]:
    """A router over the shared agents and cues; arguments are knobs of `config/routing.yaml`."""

    def made(**knobs: object) -> Router:
        return Router(AGENTS, RoutingFile.model_validate(knobs), CUES)

    return made
