import asyncio
from typing import Any

from orchestrator.foresight import Foresight
from orchestrator.workspace.adaptation_file import AdaptationFile
from orchestrator.workspace.agent_file import AgentFile
from orchestrator.workspace.models import MultiStepFile, PlanningFile, RoutingFile


class Office:
    """What of a workspace is needed to look ahead."""

    routing = RoutingFile()
    planning = PlanningFile()
    multi_step = MultiStepFile()
    adaptation = AdaptationFile()
    sources: Any = {}  # noqa: RUF012 - read only
    agents: Any = {  # noqa: RUF012 - read only
        name: AgentFile.model_validate(
            {"name": name, "uses": name, "effects": "read", "intents": {intent: {"keywords": words}}}
        )
        for name, intent, words in (("ledger", "overdue", ["overdue"]), ("inbox", "search", ["mail about"]))
    }


def warnings_of(text: str) -> tuple[str, ...]:
    office: Any = Office()
    foresight = Foresight(office, render=lambda name, _: name)
    return asyncio.run(foresight.preview(text, None, None)).warnings


def test_an_unsure_plan_for_one_agent_names_the_words_that_speak_for_another() -> None:
    (warning,) = warnings_of("what is overdue, with the mail about it")
    assert warning.startswith('"overdue" also speaks for ledger (overdue), which is not asked')


def test_a_sure_one_warns_of_nothing() -> None:
    assert warnings_of("the mail about frames") == ()
