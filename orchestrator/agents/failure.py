"""What a failed call to a model means: whether trying again may help, and what to tell the operator.

Law: no key and no header is ever in a message. What a server says is shortened and stripped of all that looks
like a key; of a refused key nothing is shown but where it is configured.
"""

import re
from collections.abc import Collection
from json import JSONDecodeError

from orchestrator.errors import ModelError

_PASSING_STATUS = frozenset({408, 425, 429})
_TRANSPORT = frozenset({"TransportError", "APIConnectionError", "ClientConnectionError"})
_KEY_LIKE = re.compile(
    r"\b(?:sk|pk|rk|key|AIza|gsk|xai)[-_][\w*.-]{6,}|\b(?:Bearer|Basic)\s+\S+|(?<=//)[^/\s@]+(?=@)",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"Error code: \d+ - ")
_LONGEST = 300
_UNREAD = (ValueError, LookupError, TypeError, AttributeError)
"""What the providers' libraries raise over an answer that they cannot read."""

_NO_ANSWER = "its JSON has no answer in it"


def failure_of(
    error: Exception, label: str, *, unlike: str = "", secrets: Collection[str] = ()
) -> ModelError:
    """A provider's error as ours. `label` names the model; `secrets` are cut out of the text.

    `unlike` begins the message for an answer in no known form; where it is empty Python's own words do.
    """
    from langchain_core import exceptions as core

    status = _status(error)
    if isinstance(error, TimeoutError | core.ModelTimeoutError):
        return ModelError(f"{label}: no answer in time; raise `timeout` or try again", passing=True)
    if status in (401, 403):
        return ModelError(
            f"{label}: HTTP {status}: the key was refused; check `api_key` in config/models.yaml"
        )
    said = redacted(_PREFIX.sub("", str(error)), secrets) or "no text"
    if status is not None:
        passing = _can_pass(status) and not _is_quota(error)
        return ModelError(f"{label}: HTTP {status}: {said}", passing=passing, retry_after=_retry_after(error))
    if _is_transport(error):
        return ModelError(
            f"{label}: cannot be reached ({said}); check `base_url` and the network", passing=True
        )
    if unlike and isinstance(error, _UNREAD):
        return ModelError(f"{label}: {unlike} ({_instead(error, said, secrets)}); check `base_url`")
    passing = isinstance(error, core.ModelError) and error.is_retryable
    return ModelError(f"{label}: {type(error).__name__}: {said}", passing=passing)


def _instead(error: Exception, said: str, secrets: Collection[str]) -> str:
    """What came instead of an answer, in words for people, where the libraries' own are known."""
    match error:
        case JSONDecodeError():
            return "it sent no JSON"
        case UnicodeDecodeError():
            return "it sent bytes that are no text"
        case ValueError(args=("No generation chunks were returned",)):
            return "it streamed nothing"
        case ValueError(args=({"message": str(message)},)):
            return f"it said: {redacted(message, secrets)}"
        case LookupError() | AttributeError():
            return _NO_ANSWER
        case _ if said.startswith(("Received response with null value", "Unexpected response type")):
            return _NO_ANSWER
        case _:
            return said


def redacted(text: str, secrets: Collection[str] = ()) -> str:
    """The text on one line, without secrets, shortened."""
    for secret in sorted((s for s in secrets if s), key=len, reverse=True):
        text = text.replace(secret, "***")
    text = _KEY_LIKE.sub("***", " ".join(text.split()))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _status(error: Exception) -> int | None:
    """The HTTP status, by whichever name the library gives it."""
    for name in ("status_code", "code"):
        value = getattr(error, name, None)
        if isinstance(value, int) and 400 <= value < 600:
            return value
    return None


def _can_pass(status: int) -> bool:
    return status in _PASSING_STATUS or status >= 500


def _is_quota(error: Exception) -> bool:
    """A spent quota is a 429 too, but waiting does not fill it."""
    return getattr(error, "code", None) == "insufficient_quota"


def _is_transport(error: Exception) -> bool:
    return isinstance(error, OSError) or any(c.__name__ in _TRANSPORT for c in type(error).__mro__)


def _retry_after(error: Exception) -> float | None:
    """The seconds of a `Retry-After` header; None for the form with a date."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    value = str(headers.get("retry-after", "")) if headers is not None else ""
    return float(value) if re.fullmatch(r"\d{1,6}(\.\d{1,6})?", value) else None
