"""`cuewave models`: the language models there are, and what each lacks.

Law: it is shown also where a key is missing, which every other verb refuses; never is a key shown.
"""

import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from orchestrator.cli.codes import MISTAKE, OK
from orchestrator.cli.output import emit, json_option
from orchestrator.cli.verbs import verb

if TYPE_CHECKING:
    from orchestrator.agents.keys import Key
    from orchestrator.workspace.models import CapabilityCard, ModelConfig


@verb(ends=(OK, MISTAKE), examples=("cuewave models", "cuewave models --json"))
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """List the models of config/models.yaml: who serves each, its price, its fallbacks, its key.

    Of a key it says which variable it is in, and whether that is set; *** is one that stands in the file.
    """
    from orchestrator.agents.keys import key_of
    from orchestrator.cli.table import show_table
    from orchestrator.opening import open_workspace
    from orchestrator.workspace.secrets import Presumed

    file = open_workspace(ctx.obj, secrets=Presumed()).models
    found = [(name, config, key_of(config, os.environ)) for name, config in file.models.items()]
    if as_json:
        cards = file.capability
        emit([_document(name, model, key, cards.get(model.model or name)) for name, model, key in found])
        return
    show_table(
        ("model", "provider", "served as", "key", "price", "fallbacks"),
        [_row(name, config, key) for name, config, key in found],
        empty="there are none; config/models.yaml is where they stand, and none is needed",
    )


def _document(
    name: str, config: "ModelConfig", key: "Key", card: "CapabilityCard | None"
) -> "dict[str, object]":
    return {
        "name": name,
        "provider": config.provider,
        "installed": _is_installed(config),
        "model": config.model,
        "file": config.file,
        "base_url": _address(config),
        "fallbacks": list(config.fallbacks),
        "price": None if config.price is None else config.price.model_dump(),
        "capability": None if card is None else card.model_dump(mode="json", exclude_none=True),
        "key": _name_of(key),
        "key_present": key.there,
    }


def _row(name: str, config: "ModelConfig", key: "Key") -> tuple[str, ...]:
    lacks = "" if _is_installed(config) else " (not installed)"
    served = " at ".join(filter(None, (config.model or config.file, _address(config))))
    price = "" if config.price is None else f"{config.price.input:g} in, {config.price.output:g} out"
    return name, f"{config.provider}{lacks}", served, _state(key), price, ", ".join(config.fallbacks)


def _name_of(key: "Key") -> str | None:
    """What a file would write for it; None where none is needed."""
    return (f"${{{key.variable}}}" if key.variable else "***") if key.needed else None


def _state(key: "Key") -> str:
    name = _name_of(key)
    return "none needed" if name is None else f"{name}{'' if key.there else ' is missing'}"


def _is_installed(config: "ModelConfig") -> bool:
    from importlib.util import find_spec

    from orchestrator.agents.providers import PROVIDERS

    provider = PROVIDERS.get(config.provider)
    return provider is None or find_spec(provider.package) is not None


def _address(config: "ModelConfig") -> str | None:
    """The endpoint, without a name and a password that may stand in it, nor what is asked of it."""
    if config.base_url is None:
        return None
    parts = urlsplit(config.base_url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
