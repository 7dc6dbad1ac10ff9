"""`cuewave agents list`: who can be asked, and for what."""

import click

from orchestrator.cli.opening import open_app
from orchestrator.cli.output import console, emit, json_option
from orchestrator.cli.verbs import Verb, Verbs


@click.group(
    cls=Verbs, verbs={"list": Verb("list them with their intents and effects", f"{__name__}:list_agents")}
)
def command() -> None:
    """The agents of the workspace."""


@click.command("list")
@json_option
@click.pass_context
def list_agents(ctx: click.Context, as_json: bool) -> None:
    """List the agents with their intents and effects."""
    app = open_app(ctx)
    rows = [
        {
            "name": name,
            "description": agent.description,
            "uses": agent.uses,
            "kind": agent.kind,
            "effects": agent.effects,
            "steps": agent.steps,
            "intents": {i: intent.description for i, intent in agent.intents.items()},
        }
        for name, agent in app.workspace.agents.items()
    ]
    if as_json:
        emit(rows)
        return
    from rich.table import Table

    table = Table("agent", "does", "effects", "kind", "intents")
    for name, agent in app.workspace.agents.items():
        table.add_row(name, agent.description, agent.effects, agent.kind, ", ".join(agent.intents))
    console().print(table)
