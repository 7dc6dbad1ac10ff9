"""The keys that a model holds do not come back out of it: not in an answer, nor in its pieces.

Law: where an answer repeats a key, `***` stands for it, however the pieces of a stream cut it in two. What is
too short to be a key is left: `api_key: EMPTY` of an endpoint that needs none is also a word.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.agents.providers import NO_KEY

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_SHORTEST = 8


def secrets_of(chat: "BaseChatModel | None") -> tuple[str, ...]:
    """The keys that a chat model holds, wherever it has them from, the longest first."""
    from pydantic import SecretStr

    held = {v.get_secret_value() for v in vars(chat or object).values() if isinstance(v, SecretStr)}
    return tuple(sorted(held - {"", NO_KEY}, key=len, reverse=True))


def veiled(text: str, secrets: Collection[str]) -> str:
    """An answer without the keys."""
    for secret in secrets:
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, "***")
    return text


@dataclass(slots=True)
class Veil:
    """Passes the pieces of an answer on without the keys; what may be the beginning of one waits for more."""

    on: Callable[[str], None]
    secrets: Collection[str]
    _held: str = ""

    def __call__(self, piece: str) -> None:
        """Take the next piece."""
        text = veiled(self._held + piece, self.secrets)
        sure = len(text) - max((_begun(text, s) for s in self.secrets if len(s) >= _SHORTEST), default=0)
        self._held = text[sure:]
        self.on(text[:sure])

    def end(self) -> None:
        """No more will come."""
        self.on(self._held)
        self._held = ""


def _begun(text: str, secret: str) -> int:
    """How many characters of the secret the text ends with."""
    most = min(len(text), len(secret) - 1)
    return next((n for n in range(most, 0, -1) if text.endswith(secret[:n])), 0)
