"""`cuewave agents list`: who can be asked, and for what."""

from typing import TYPE_CHECKING

import click

from orchestrator.cli.codes import MISTAKE, OK
from orchestrator.cli.opening import open_app
from orchestrator.cli.output import emit, json_option
from orchestrator.cli.verbs import Verb, Verbs, verb

if TYPE_CHECKING:
    from orchestrator.workspace.agent_file import AgentFile


@click.group(
    cls=Verbs, verbs={"list": Verb("list them with their intents and effects", f"{__name__}:list_agents")}
)
def command() -> None:
    """The agents of the workspace."""


@verb("list", ends=(OK, MISTAKE), examples=("cuewave agents list", "cuewave agents list --json"))
@json_option
@click.pass_context
def list_agents(ctx: click.Context, as_json: bool) -> None:
    """List the agents: type, job kind, what each may do to the world, and what it can be asked for."""
    agents = open_app(ctx).workspace.agents
    if as_json:
        emit(
            [
                {
                    "name": name,
                    "description": agent.description,
                    "uses": agent.uses,
                    "model": agent.model,
                    "kind": agent.kind,
                    "effects": agent.effects,
                    "steps": agent.steps,
                    "intents": {i: intent.description for i, intent in agent.intents.items()},
                }
                for name, agent in agents.items()
            ]
        )
        return
    from orchestrator.cli.table import show_table

    rows = [
        (name, agent.uses, agent.kind, agent.effects or "", _asked_for(agent))
        for name, agent in agents.items()
    ]
    show_table(("agent", "type", "kind", "effects", "can be asked for"), rows)


def _asked_for(agent: "AgentFile") -> str:
    """The intents, a line each, with their phrases."""
    intents = agent.intents.items()
    return "\n".join(f"{name}: {i.description}" if i.description else name for name, i in intents)
