"""The laws of the roster: agents are built when needed, and each is asked for the operation of its intent."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from orchestrator.agents.contract import Call, Output, Surroundings
from orchestrator.agents.llm import LlmOptions
from orchestrator.agents.roster import Directed, Roster, operation_of
from orchestrator.errors import UserError
from orchestrator.ids import AgentName, IntentName
from orchestrator.workspace.agent_file import AgentFile, IntentConfig

LEDGER = AgentFile(
    name="ledger",
    uses="ledger",
    intents={"late_fees": IntentConfig(operation="overdue"), "totals": IntentConfig(), "odd": IntentConfig()},
)
CLERK = AgentFile(name="clerk", uses="llm", effects="read", tools=("agent:ledger",))


def roster() -> Roster:
    shipped = Path(__file__).parents[2]
    surroundings = Surroundings(shipped, False, lambda: datetime(2026, 11, 30, tzinfo=UTC))
    return Roster(
        {AgentName("clerk"): CLERK, AgentName("ledger"): LEDGER},
        {AgentName("clerk"): LlmOptions()},
        surroundings,
    )


def test_an_agent_that_does_not_say_what_it_may_do_is_asked_as_one_that_writes() -> None:
    with pytest.raises(UserError, match="'agent:ledger' has effects 'write', and the agent only 'read'"):
        roster()[AgentName("clerk")]


@pytest.mark.parametrize(
    ("intent", "operation"),
    [("late_fees", "overdue"), ("totals", "totals"), ("odd", None), ("unknown", None), (None, None)],
)
def test_an_intent_stands_for_its_operation_else_for_the_one_of_its_name(
    intent: IntentName | None, operation: str | None
) -> None:
    assert operation_of(LEDGER, ("overdue", "totals", "list"), intent) == operation


class Answers:
    """An agent that says which operation it was asked for."""

    async def run(self, call: Call) -> Output:
        return Output(call.operation or "whatever is usual")


@pytest.mark.parametrize(
    ("operations", "intent", "done"),
    [
        (("list", "overdue"), "late_fees", "overdue"),
        (("list",), "late_fees", "whatever is usual"),
        ((), "late_fees", "whatever is usual"),
        (("list", "totals"), "totals", "totals"),
        (("list", "overdue"), "odd", "whatever is usual"),
        (("list", "overdue"), None, "whatever is usual"),
        (("list", "overdue"), "mine", "list"),
    ],
)
def test_an_agent_that_stands_in_for_another_does_what_that_would_where_it_can(
    operations: tuple[str, ...], intent: IntentName | None, done: str
) -> None:
    own = AgentFile(name="b", uses="x", intents={"mine": IntentConfig(operation="list")})
    agent = Directed(Answers(), own, operations, {**LEDGER.intents, **own.intents})
    assert asyncio.run(agent.run(Call("", "", "", intent=intent))).text == done
