"""Which key a model is asked with, and whether it is there.

Law: what is told of a key is the name of its variable, never the key.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from orchestrator.agents.providers import PROVIDERS
from orchestrator.workspace.models import ModelConfig


@dataclass(frozen=True, slots=True)
class Key:
    """A key by its variable, which is empty where it stands in the file or none is needed.

    `there`: nothing is missing.
    """

    variable: str
    needed: bool
    there: bool


def key_of(config: ModelConfig, env: Mapping[str, str]) -> Key:
    """The key of a model in this environment."""
    if config.api_key is not None:
        variable = config.api_key.variable
        return Key(variable, needed=True, there=not variable or bool(env.get(variable)))
    provider = PROVIDERS.get(config.provider)
    # An endpoint of somebody else is never sent the provider's own key.
    if provider is None or not provider.keys or (config.provider == "openai" and config.base_url is not None):
        return Key("", needed=False, there=True)
    found = next((name for name in provider.keys if env.get(name)), None)
    return Key(found or provider.keys[0], needed=True, there=found is not None)
