"""The language models of a workspace, by their names in `config/models.yaml`.

Law: a fault of the configuration is found when a model is named, without importing its provider; its replies
come through the one door of `orchestrator.agents.chat`.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from orchestrator.agents.chat import ChatModel
from orchestrator.agents.providers import maker
from orchestrator.errors import UserError, WorkspaceInvalid
from orchestrator.workspace.models import ModelConfig

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


class Models:
    """The models of a workspace, each made once, so that all its users share one script and one client.

    `rng()` is in [0, 1); pauses between tries are a share of it.
    """

    def __init__(
        self,
        configs: Mapping[str, ModelConfig],
        *,
        root: Path,
        rng: Callable[[], float] = random.random,
    ) -> None:
        self._configs, self._root, self._rng = configs, root, rng
        self._alone: dict[str, ChatModel] = {}

    def __call__(self, name: str) -> ChatModel:
        """The model of this name, with all that may stand in for it. Raises UserError and MissingExtra.

        Fallbacks of fallbacks are taken in, each model once, so that a cycle among them is harmless.
        """
        first, *others = [self._single(n) for n in _chain(name, self._configs, ())]
        return replace(first, fallbacks=tuple(others))

    def _single(self, name: str) -> ChatModel:
        if name not in self._alone:
            config = self._configs[name]
            make = self._script(name, config) if config.provider == "scripted" else maker(name, config)
            served = " ".join(p for p in (config.provider, config.model) if p)
            label = f"model {name!r} ({served})"
            self._alone[name] = ChatModel(
                label,
                cache(make),
                timeout=config.timeout,
                retries=config.retries,
                unlike=_unlike(config),
                price=(config.price.input, config.price.output) if config.price else (0.0, 0.0),
                rng=self._rng,
            )
        return self._alone[name]

    def _script(self, name: str, config: ModelConfig) -> Callable[[], "BaseChatModel"]:
        file = config.file
        if file is None:
            raise _refused(name, "a scripted model needs `file`, a YAML file of replies")
        path = self._root / file
        if not path.resolve().is_relative_to(self._root.resolve()):
            raise _refused(name, f"the file {file!r} is outside the workspace")
        if not path.is_file():
            raise _refused(name, f"there is no file {file!r} in the workspace")
        data = _plain_data(file, path)

        def make() -> "BaseChatModel":
            from orchestrator.agents.scripted import script_of

            return script_of(data, file)

        return make


def _unlike(config: ModelConfig) -> str:
    """What is said of an answer that the provider's library cannot read; a script has none."""
    if config.provider == "scripted":
        return ""
    host = urlsplit(config.base_url or "").netloc.rpartition("@")[2]
    who = f"the endpoint at {host}" if host else "the service"
    known = "an OpenAI-compatible one" if config.provider == "openai" else f"one of {config.provider}"
    return f"{who} did not answer as {known}"


def _plain_data(file: str, path: Path) -> object:
    from orchestrator.workspace.document.positions import read

    document = read(file, path.read_bytes())
    if document.faults:
        raise WorkspaceInvalid(document.faults)
    return document.data


def _chain(name: str, models: Mapping[str, ModelConfig], before: tuple[str, ...]) -> tuple[str, ...]:
    """The model and its fallbacks, depth first, each once."""
    if name in before:
        return before
    if name not in models:
        raise _refused(name, f"there is no such model; the file has: {', '.join(sorted(models)) or 'none'}")
    chain = (*before, name)
    for fallback in models[name].fallbacks:
        chain = _chain(fallback, models, chain)
    return chain


def _refused(name: str, message: str) -> UserError:
    return UserError(f"config/models.yaml: model {name!r}: {message}")
