"""`cuewave models`: the language models of the workspace, and where each has its key from; never a key."""

from typing import TYPE_CHECKING

import click

from orchestrator.cli.opening import open_app
from orchestrator.cli.output import console, emit, json_option, say

if TYPE_CHECKING:
    from orchestrator.workspace.models import ModelConfig, ModelsFile


@click.command()
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """List the models of config/models.yaml: provider, name, key, fallbacks and price.

    Of a key it shows the environment variable that it comes from, and *** where it stands in the file.
    """
    known = open_app(ctx).workspace.models
    if as_json:
        emit([_facts(name, model, known) for name, model in known.models.items()])
    else:
        _show(known)


def _facts(name: str, model: "ModelConfig", known: "ModelsFile") -> dict[str, object]:
    card = known.capability.get(model.model or name)
    return {
        "name": name,
        "provider": model.provider,
        "model": model.model,
        "base_url": model.base_url,
        "key": None if model.api_key is None else str(model.api_key),
        "fallbacks": list(model.fallbacks),
        "price": None if model.price is None else model.price.model_dump(),
        "capability": None if card is None else card.model_dump(mode="json", exclude_none=True),
    }


def _show(known: "ModelsFile") -> None:
    from rich.table import Table

    if not known.models:
        say("there are none; add some to config/models.yaml")
        return
    table = Table("name", "provider", "model", "key", "fallbacks", "a million tokens")
    for name, model in known.models.items():
        price = "" if model.price is None else f"{model.price.input:g} in, {model.price.output:g} out"
        key = "" if model.api_key is None else str(model.api_key)
        fallbacks = ", ".join(model.fallbacks)
        table.add_row(name, model.provider, model.model or model.file or "", key, fallbacks, price)
    console().print(table)
