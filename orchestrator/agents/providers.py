"""The providers of language models: for each the package, its chat class, and our knobs in its words.

Law: nothing of a provider is imported before its model is asked. Retries, timeouts and fallbacks are ours,
for all providers alike, so theirs are switched off. Connections are closed after each answer: a process that
uses several event loops, one after the other, never meets a connection of a loop that is gone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from orchestrator.errors import MissingExtra, UserError
from orchestrator.workspace.models import ModelConfig

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_CLOSE = {"Connection": "close"}
NO_KEY = "not-needed"
"""Sent to an endpoint for which no key is configured."""


@dataclass(frozen=True, slots=True)
class Provider:
    """Where a provider's chat class is, and what it is called with."""

    package: str
    chat: str
    extra: str
    settings: Callable[[ModelConfig], dict[str, Any]]
    keys: tuple[str, ...] = ()
    """The variables that its library takes a key from where none is configured; any of them is enough."""


def _openai(config: ModelConfig) -> dict[str, Any]:
    settings = _common(config) | {"stream_usage": True, "default_headers": _CLOSE}
    if config.base_url is not None:
        # The endpoint of somebody else: it speaks chat completions, and is never sent OpenAI's own key.
        settings = {"api_key": NO_KEY} | settings | {"use_responses_api": False}
    return settings


def _anthropic(config: ModelConfig) -> dict[str, Any]:
    return _common(config) | {"default_headers": _CLOSE}


def _google(config: ModelConfig) -> dict[str, Any]:
    # Its `max_retries` counts the first try too.
    return _common(config) | {"max_retries": 1, "additional_headers": _CLOSE}


def _ollama(config: ModelConfig) -> dict[str, Any]:
    ours = _common(config)
    del ours["max_retries"]
    return ours | {"client_kwargs": {"timeout": ours.pop("timeout"), "headers": _CLOSE}}


def _common(config: ModelConfig) -> dict[str, Any]:
    key = None if config.api_key is None else config.api_key.value
    optional = {"base_url": config.base_url, "api_key": key, "temperature": config.temperature}
    given = {name: value for name, value in optional.items() if value is not None}
    return {"model": config.model, "timeout": config.timeout, "max_retries": 0} | given


PROVIDERS: Mapping[str, Provider] = {
    "anthropic": Provider(
        "langchain_anthropic", "ChatAnthropic", "anthropic", _anthropic, ("ANTHROPIC_API_KEY",)
    ),
    "google": Provider(
        "langchain_google_genai",
        "ChatGoogleGenerativeAI",
        "google",
        _google,
        ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    ),
    "ollama": Provider("langchain_ollama", "ChatOllama", "ollama", _ollama),
    "openai": Provider("langchain_openai", "ChatOpenAI", "openai", _openai, ("OPENAI_API_KEY",)),
}


def maker(name: str, config: ModelConfig) -> Callable[[], "BaseChatModel"]:
    """What makes the provider's chat model. Raises MissingExtra or UserError at once, imports nothing yet."""
    provider = PROVIDERS[config.provider]
    if config.model is None:
        raise UserError(
            f"config/models.yaml: model {name!r}: `model` is missing; say which model of "
            f"{config.provider} is meant"
        )
    if find_spec(provider.package) is None:
        package = provider.package.replace("_", "-")
        raise MissingExtra(package, provider.extra, f"model {name!r} of provider {config.provider!r}")
    return lambda: getattr(import_module(provider.package), provider.chat)(**provider.settings(config))
